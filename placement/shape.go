package placement

import corev1 "k8s.io/api/core/v1"

// Shape is what placement reads of a node, whether the node exists or not: an
// autoscaler fills in one for a node that it might create.
type Shape struct {
	// Name may be empty for a node that does not exist yet. Its name is then
	// none of the names written in the template.
	Name   string
	Labels map[string]string
	Taints []corev1.Taint
	// Allocatable is for predicates of the caller; the rules do not read it.
	Allocatable corev1.ResourceList
	// Node is the object that the shape was taken from, for predicates that
	// look at conditions or at spec.unschedulable. It is nil for a node that
	// does not exist.
	Node *corev1.Node
}

// ShapeOf returns the shape of a node. It shares the node's maps and lists,
// and is the zero Shape for nil.
func ShapeOf(node *corev1.Node) Shape {
	if node == nil {
		return Shape{}
	}
	return Shape{
		Name:        node.Name,
		Labels:      node.Labels,
		Taints:      node.Spec.Taints,
		Allocatable: node.Status.Allocatable,
		Node:        node,
	}
}
