package gen

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// NodeNames are the names of generated nodes, and what templates write where
// a name is wanted.
var NodeNames = []string{"n0", "n1", "n2", "n3", "n4", "n5"}

var (
	labelKeys   = []string{"zone", "gen", "role", "example.com/pool", "kubernetes.io/os"}
	labelValues = []string{"", "a", "b", "A", "5", "9", "0500", "+5", "-3", "5.5", "9223372036854775808"}
	// What is no valid key or value of a label selector.
	badKeys   = []string{"", "a b", "/x", "example.com/", "-x", strings.Repeat("k", 64)}
	badValues = []string{"a b", "-", "x-", strings.Repeat("v", 64), "ü"}
)

// LabelKey draws a key: a known one, or rarely a malformed one.
func LabelKey(t *rapid.T) string {
	if Chance(t, 4, "bad key") {
		return Pick(t, "key", badKeys...)
	}
	return Pick(t, "key", labelKeys...)
}

// LabelValue draws a value.
func LabelValue(t *rapid.T) string {
	if Chance(t, 3, "bad value") {
		return Pick(t, "value", badValues...)
	}
	return Pick(t, "value", labelValues...)
}

// Labels draws labels, nil among them.
func Labels() *rapid.Generator[map[string]string] {
	return rapid.Custom(func(t *rapid.T) map[string]string {
		n := below(t, 6, "labels")
		if n == 0 {
			return Pick(t, "no labels", nil, map[string]string{})
		}
		m := make(map[string]string, n)
		for range n {
			m[LabelKey(t)] = LabelValue(t)
		}
		return m
	})
}

// Node draws a node with the given name.
func Node(name string) *rapid.Generator[*corev1.Node] {
	return rapid.Custom(func(t *rapid.T) *corev1.Node {
		return &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: Labels().Draw(t, "labels")},
			Spec: corev1.NodeSpec{
				Taints:        Taints().Draw(t, "taints"),
				Unschedulable: Chance(t, 10, "cordoned"),
			},
		}
	})
}

// AnyNode draws a node with any of the names.
func AnyNode() *rapid.Generator[*corev1.Node] {
	return rapid.Custom(func(t *rapid.T) *corev1.Node {
		return Node(Pick(t, "name", NodeNames...)).Draw(t, "node")
	})
}

// Nodes draws up to n nodes with different names n0, n1, ….
func Nodes(n int) *rapid.Generator[[]*corev1.Node] {
	return rapid.Custom(func(t *rapid.T) []*corev1.Node {
		var nodes []*corev1.Node
		for i := range below(t, n+1, "nodes") {
			nodes = append(nodes, Node(fmt.Sprintf("n%d", i)).Draw(t, "node"))
		}
		return nodes
	})
}
