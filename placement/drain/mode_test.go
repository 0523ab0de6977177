package drain_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement/drain"
)

func TestIsDaemonPod(t *testing.T) {
	ds := set("agent")
	notController := func(p *corev1.Pod) { p.OwnerReferences[0].Controller = nil }
	group := func(version string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.OwnerReferences[0].APIVersion = version }
	}
	annotated := func(value string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Annotations = map[string]string{drain.DaemonPodAnnotation: value} }
	}
	job := metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: "j", UID: "j-uid", Controller: new(bool)}
	*job.Controller = true

	for _, c := range []struct {
		name string
		pod  *corev1.Pod
		want []drain.Mode
	}{
		{"an ordinary one", pod(ds, "p"), drain.Modes()},
		{"nil", nil, nil},
		{"no owner", pod(ds, "p", unowned), nil},
		{"no owner, annotated", pod(ds, "p", unowned, annotated("true")), []drain.Mode{drain.ClusterAutoscaler}},
		{"no owner, annotated otherwise", pod(ds, "p", unowned, annotated("True")), nil},
		{"owned, not controlled", pod(ds, "p", notController), []drain.Mode{drain.Karpenter, drain.Descheduler}},
		{"of Kruise, by its group", pod(ds, "p", group("apps.kruise.io/v1beta1")), []drain.Mode{drain.ClusterAutoscaler, drain.Descheduler, drain.Controller}},
		{"an old version", pod(ds, "p", group("extensions/v1beta1")), []drain.Mode{drain.ClusterAutoscaler, drain.Descheduler, drain.Controller}},
		{"of an earlier DaemonSet of this name", pod(ds, "p", func(p *corev1.Pod) { p.OwnerReferences[0].UID = "earlier" }),
			[]drain.Mode{drain.Kubectl, drain.Karpenter, drain.ClusterAutoscaler, drain.Descheduler}},
		{"labels do not match", pod(ds, "p", func(p *corev1.Pod) { p.Labels = nil }),
			[]drain.Mode{drain.Kubectl, drain.Karpenter, drain.ClusterAutoscaler, drain.Descheduler}},
		{"controlled by a job", pod(ds, "p", notController, func(p *corev1.Pod) { p.OwnerReferences = append(p.OwnerReferences, job) }),
			[]drain.Mode{drain.Karpenter, drain.Descheduler}},
		{"of another kind", pod(ds, "p", func(p *corev1.Pod) { p.OwnerReferences[0].Kind = "ExtendedDaemonSet" }), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []drain.Mode
			for _, m := range drain.Modes() {
				if drain.IsDaemonPod(c.pod, m, nil, set("other"), ds) {
					got = append(got, m)
				}
			}
			assert.Equal(t, c.want, got)
			assert.False(t, drain.IsDaemonPod(c.pod, "no such mode", ds))
			assert.False(t, drain.IsDaemonPod(c.pod, drain.Controller))
		})
	}
	malformed := set("agent")
	malformed.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}
	assert.False(t, drain.IsDaemonPod(pod(ds, "p"), drain.Controller, malformed, &appsv1.DaemonSet{}))
}
