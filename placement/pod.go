package placement

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TemplateGenerationLabel is the label with which the controller marks a pod's
// template generation.
const TemplateGenerationLabel = "pod-template-generation"

// PodOptions say what a pod carries beside its template.
type PodOptions struct {
	// Hash is that of the revision, for the label controller-revision-hash;
	// empty leaves the template's own label, if it has one.
	Hash string
	// Tolerations are those of [Options].Run, so that a pod tolerates what
	// its node was judged by.
	Tolerations Tolerations
}

// NewPod builds the pod that the controller creates for a node, ready to be
// sent to the API server: namespace and controller reference of the owner,
// generateName from its name, labels, annotations and finalizers of the
// template, the hash label, the label pod-template-generation where the owner
// has a [Owner.TemplateGeneration], the template's spec with its tolerations
// merged with the defaults, and the required node affinity replaced by a pin to
// the node. spec.nodeName stays as in the template: the scheduler binds the pod.
// A simulator that binds pods itself sets it.
//
// The pod shares no memory with anything. A nil template is an empty one.
func NewPod(owner Owner, template *corev1.PodTemplateSpec, nodeName string, o PodOptions) *corev1.Pod {
	var t corev1.PodTemplateSpec
	if template != nil {
		template.DeepCopyInto(&t)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      t.Labels,
			Annotations: t.Annotations,
			Finalizers:  t.Finalizers,
		},
		Spec: t.Spec,
	}
	if pod.Labels == nil {
		pod.Labels = make(map[string]string)
	}
	if generation := owner.TemplateGeneration(); generation != nil {
		pod.Labels[TemplateGenerationLabel] = strconv.FormatInt(*generation, 10)
	}
	if o.Hash != "" {
		pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = o.Hash
	}
	if object := owner.object(); object != nil {
		pod.Namespace = object.GetNamespace()
		pod.GenerateName = generateName(object.GetName())
		pod.OwnerReferences = []metav1.OwnerReference{*owner.ControllerRef()}
	}
	pod.Spec.Tolerations = o.Tolerations.Of(&pod.Spec)
	pod.Spec.Affinity = InjectNodeAffinity(pod.Spec.Affinity, nodeName)
	return pod
}

// generateName is the owner's name and a dash, but for names that leave no
// room for the dash or are not valid with it.
func generateName(name string) string {
	prefix := name + "-"
	if len(validation.NameIsDNSSubdomain(prefix, true)) > 0 {
		return name
	}
	return prefix
}
