package placement

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// InjectNodeAffinity returns a copy of the affinity that pins a pod to the
// node: the required node affinity becomes one term with one field
// requirement, metadata.name In [nodeName]. Preferred terms, pod affinity and
// pod anti-affinity stay. A nil affinity becomes one with that term alone.
//
// The terms that were there are gone from the copy, so whether a pod's node is
// eligible cannot be told from the pod: ask with the template.
func InjectNodeAffinity(affinity *corev1.Affinity, nodeName string) *corev1.Affinity {
	pinned := affinity.DeepCopy()
	if pinned == nil {
		pinned = &corev1.Affinity{}
	}
	if pinned.NodeAffinity == nil {
		pinned.NodeAffinity = &corev1.NodeAffinity{}
	}
	pinned.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{
				Key:      metav1.ObjectNameField,
				Operator: corev1.NodeSelectorOpIn,
				Values:   []string{nodeName},
			}},
		}},
	}
	return pinned
}

// TargetNode returns the name of the node that a daemon pod is on or meant
// for: spec.nodeName, or before it is scheduled the value of the first
// requirement metadata.name In among the matchFields of its required node
// affinity. It is an error when there is no such requirement, or when the
// first one has not exactly one value: the controller does not try later ones.
// Such a pod belongs to no node.
func TargetNode(pod *corev1.Pod) (string, error) {
	if pod == nil {
		return "", fmt.Errorf("placement: no pod")
	}
	name, at, ok := target(pod)
	switch {
	case ok:
		return name, nil
	case at == nil:
		return "", fmt.Errorf("placement: pod %s/%s: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: no term has a requirement metadata.name In", pod.Namespace, pod.Name)
	}
	return "", fmt.Errorf("placement: pod %s/%s: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: "+
		"the first requirement metadata.name In has %d values, must have one", pod.Namespace, pod.Name, len(at.Values))
}

// target finds the node without allocating. When it finds none, at is the
// requirement that stands in the way, if there is one.
func target(pod *corev1.Pod) (name string, at *corev1.NodeSelectorRequirement, ok bool) {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName, nil, true
	}
	required := requiredNodeAffinity(pod.Spec.Affinity)
	if required == nil {
		return "", nil, false
	}
	for i := range required.NodeSelectorTerms {
		fields := required.NodeSelectorTerms[i].MatchFields
		for j := range fields {
			r := &fields[j]
			if r.Key != metav1.ObjectNameField || r.Operator != corev1.NodeSelectorOpIn {
				continue
			}
			if len(r.Values) != 1 {
				return "", r, false
			}
			return r.Values[0], r, true
		}
	}
	return "", nil, false
}
