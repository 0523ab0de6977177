package input

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// addNode reads of a node what placement reads, and its health if that is asked
// for. The rest, mostly conditions and images, is nine tenths of the text; leaving
// it undecoded takes a quarter of the memory of whole Nodes, and a little less
// time. Nor is it checked.
func (r *reader) addNode(raw []byte, path string) error {
	var node struct {
		Metadata struct {
			Name   string            `json:"name"`
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			Taints []corev1.Taint `json:"taints"`
		} `json:"spec"`
	}
	if err := r.decode(raw, &node, path); err != nil {
		return err
	}
	read := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: node.Metadata.Name, Labels: node.Metadata.Labels},
		Spec:       corev1.NodeSpec{Taints: node.Spec.Taints},
	}
	if r.source.NodeHealth {
		if err := r.health(raw, path, read); err != nil {
			return err
		}
	}
	if r.source.NodeAllocatable {
		var node struct {
			Status struct {
				Allocatable corev1.ResourceList `json:"allocatable"`
			} `json:"status"`
		}
		if err := r.decode(raw, &node, path); err != nil {
			return err
		}
		read.Status.Allocatable = node.Status.Allocatable
	}
	r.Nodes = append(r.Nodes, read)
	r.show()
	return nil
}

// health reads whether a node is cordoned, and of its conditions what they are,
// whether they hold and since when.
func (r *reader) health(raw []byte, path string, into *corev1.Node) error {
	var node struct {
		Spec struct {
			Unschedulable bool `json:"unschedulable"`
		} `json:"spec"`
		Status struct {
			Conditions []struct {
				Type               corev1.NodeConditionType `json:"type"`
				Status             corev1.ConditionStatus   `json:"status"`
				LastTransitionTime metav1.Time              `json:"lastTransitionTime"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := r.decode(raw, &node, path); err != nil {
		return err
	}
	into.Spec.Unschedulable = node.Spec.Unschedulable
	into.Status.Conditions = make([]corev1.NodeCondition, len(node.Status.Conditions))
	for i, c := range node.Status.Conditions {
		into.Status.Conditions[i] = corev1.NodeCondition{Type: c.Type, Status: c.Status, LastTransitionTime: c.LastTransitionTime}
	}
	return nil
}
