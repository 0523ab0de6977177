package placement

import (
	"iter"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// lastByName yields the nodes of a list in its order, without nil entries and
// without those whose name comes again later on. Nodes without a name are all
// different from each other.
func lastByName(nodes []*corev1.Node) iter.Seq[*corev1.Node] {
	return func(yield func(*corev1.Node) bool) {
		last := make(map[string]int, len(nodes))
		for i, node := range nodes {
			if node != nil {
				last[node.Name] = i
			}
		}
		for i, node := range nodes {
			if node == nil || node.Name != "" && last[node.Name] != i {
				continue
			}
			if !yield(node) {
				return
			}
		}
	}
}

// EligibleNodes returns the nodes that the DaemonSet runs on, sorted by name,
// those without one first and in the order of the input: what
// status.desiredNumberScheduled counts. The result is nil for a nil
// DaemonSet. Of nodes with the same name the last one counts. The slice is
// new, the nodes are those of the list.
//
// It compiles the template at every call. Whoever asks more than once uses
// [Compile].
func EligibleNodes(ds *appsv1.DaemonSet, nodes []*corev1.Node) []*corev1.Node {
	if ds == nil {
		return nil
	}
	m := Compile(&ds.Spec.Template, Options{})
	var eligible []*corev1.Node
	for node := range lastByName(nodes) {
		if m.Match(node) == Eligible {
			eligible = append(eligible, node)
		}
	}
	slices.SortStableFunc(eligible, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	return eligible
}
