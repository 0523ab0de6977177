package placement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

func TestNewPod(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		gen.Metadata(t, &ds.Spec.Template)
		before := ds.DeepCopy()
		owner := placement.OwnerOf(ds)
		o := placement.PodOptions{Hash: rapid.SampledFrom([]string{"", "abc"}).Draw(t, "hash")}
		pod := placement.NewPod(owner, &ds.Spec.Template, "n1", o)

		assert.Equal(t, "ns", pod.Namespace)
		assert.Empty(t, pod.Name, "the API server makes the name")
		assert.Equal(t, "probe-", pod.GenerateName)
		assert.Equal(t, []metav1.OwnerReference{*owner.ControllerRef()}, pod.OwnerReferences)
		assert.Equal(t, ds.Spec.Template.Annotations, pod.Annotations)
		assert.Equal(t, ds.Spec.Template.Finalizers, pod.Finalizers)
		assert.Equal(t, tolerations.Effective(&ds.Spec.Template.Spec), pod.Spec.Tolerations)
		assert.Equal(t, ds.Spec.Template.Spec.NodeName, pod.Spec.NodeName)

		labels := map[string]string{}
		for k, v := range ds.Spec.Template.Labels {
			labels[k] = v
		}
		if o.Hash != "" {
			labels[appsv1.DefaultDaemonSetUniqueLabelKey] = "abc"
		}
		reached.AddIf(owner.TemplateGeneration() != nil, "generation")
		if owner.TemplateGeneration() != nil {
			labels[placement.TemplateGenerationLabel] = map[string]string{
				"1": "1", "+03": "3", "2": "2", "-4": "-4",
			}[ds.Annotations[appsv1.DeprecatedTemplateGeneration]]
		}
		assert.Equal(t, labels, pod.Labels)

		// The pod belongs to its node, and the node is judged by the template.
		if ds.Spec.Template.Spec.NodeName == "" {
			target, err := placement.TargetNode(pod)
			assert.NoError(t, err)
			assert.Equal(t, "n1", target)
		}

		// Pods are independent of each other and of the template.
		other := placement.NewPod(owner, &ds.Spec.Template, "n1", o)
		assert.Equal(t, pod, other)
		pod.Labels["app"] = "scribbled"
		pod.Spec.Containers[0].Image = "scribbled"
		for i := range pod.Spec.Tolerations {
			pod.Spec.Tolerations[i].Key = "scribbled"
		}
		for key := range pod.Spec.NodeSelector {
			pod.Spec.NodeSelector[key] = "scribbled"
		}
		pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0] = "scribbled"
		assert.Equal(t, before, ds)
		assert.Equal(t, other, placement.NewPod(owner, &ds.Spec.Template, "n1", o))
	})
	reached.Require(t, "generation")
}

func TestNewPodOfNothing(t *testing.T) {
	pod := placement.NewPod(placement.Owner{}, nil, "n", placement.PodOptions{Tolerations: placement.Tolerations{NoDefaults: true}})
	assert.Equal(t, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{}},
		Spec:       corev1.PodSpec{Tolerations: []corev1.Toleration{}, Affinity: placement.InjectNodeAffinity(nil, "n")},
	}, pod)
}

// A dash goes between the name and what the API server appends, unless the
// result is no prefix of a pod name.
func TestGenerateName(t *testing.T) {
	long := strings.Repeat("a", 254) // one more than a name may have
	for name, want := range map[string]string{
		"probe":    "probe-",
		"probe-":   "probe--",
		"":         "",
		"Probe":    "Probe",
		long:       long,
		long[:253]: long[:253] + "-",
	} {
		ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
		assert.Equal(t, want, placement.NewPod(placement.OwnerOf(ds), nil, "n", placement.PodOptions{}).GenerateName)
	}
}

func TestOwner(t *testing.T) {
	assert.Equal(t, placement.Owner{}, placement.OwnerOf(nil))
	assert.Nil(t, placement.Owner{}.ControllerRef())
	assert.Nil(t, placement.Owner{}.TemplateGeneration())
	for text, want := range map[string]any{
		"1": int64(1), "+03": int64(3), "-4": int64(-4), "": nil, "x": nil, " 1": nil, "1.0": nil, "9223372036854775808": nil,
	} {
		ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{appsv1.DeprecatedTemplateGeneration: text}}}
		if got := placement.OwnerOf(ds).TemplateGeneration(); want == nil {
			assert.Nil(t, got, text)
		} else if assert.NotNil(t, got, text) {
			assert.Equal(t, want, *got, text)
		}
	}
}
