package gen

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
)

// HistoryTemplates are templates that differ from each other, the last two only
// in the order of a list.
func HistoryTemplates() []*corev1.PodTemplateSpec {
	template := func(image string, values ...string) *corev1.PodTemplateSpec {
		t := &corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "probe"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
		}
		if values != nil {
			t.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: values}},
				}}},
			}}
		}
		return t
	}
	return []*corev1.PodTemplateSpec{
		template("registry.example/probe:1"), template("registry.example/probe:2"), template("registry.example/probe:3"),
		template("registry.example/probe:1", "a", "b"), template("registry.example/probe:1", "b", "a"),
	}
}

// History draws the revisions around a DaemonSet: what each stores is one of the
// patches or no patch at all, names are hashes that the caller gives or others,
// and numbers and labels are of any kind. Names are different.
func History(ds *appsv1.DaemonSet, n int, patches [][]byte, hashes []string) *rapid.Generator[[]*appsv1.ControllerRevision] {
	return rapid.Custom(func(t *rapid.T) []*appsv1.ControllerRevision {
		taken := map[string]bool{}
		var all []*appsv1.ControllerRevision
		for i := range below(t, n+1, "revisions") {
			hash := fmt.Sprintf("h%d", i)
			if Chance(t, 40, "a real hash") {
				hash = Pick(t, "hash", hashes...)
			}
			if taken[hash] {
				continue
			}
			taken[hash] = true
			r := &appsv1.ControllerRevision{ObjectMeta: meta(t, ds, ds.Name+"-"+hash), Revision: int64(below(t, 6, "number"))}
			if Chance(t, 10, "odd number") {
				r.Revision = Pick[int64](t, "number", -1, -5, 100)
			}
			switch below(t, 10, "label") {
			case 0: // none
			case 1:
				r.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = ""
			default:
				r.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = hash
			}
			r.Data = runtime.RawExtension{Raw: Pick(t, "data", patches...)}
			if Chance(t, 5, "foreign data") {
				r.Data.Raw = Pick(t, "data", nil, []byte(`{}`), []byte(`null`), []byte(`not json`), []byte(`{"spec":{"template":[]}}`),
					[]byte(`{"spec":{"template":{"metadata":{}}}}`), []byte(`{"spec":{"template":{"$patch":"replace","spec":{"containers":7}}}}`))
			}
			if Chance(t, 30, "change cause") {
				r.Annotations = map[string]string{"kubernetes.io/change-cause": Pick(t, "cause", "", "first", "a\tb", "two\nlines")}
			}
			all = append(all, r)
		}
		return all
	})
}
