package placement

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/internal/decimal"
)

// nameField is the one field of a node that matchFields knows.
const nameField = metav1.ObjectNameField

// labelHints are the near misses of a label requirement that a node fails, those
// of the node before those of its fleet.
func labelHints(r corev1.NodeSelectorRequirement, nodeLabels map[string]string, fleet fleetHints) []Hint {
	have, ok := nodeLabels[r.Key]
	switch r.Operator {
	case corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpDoesNotExist:
		// The node has what is not wanted; there is nothing to look for.
		return nil
	case corev1.NodeSelectorOpIn:
		if ok {
			return append(differs(r, have), fleet.value...)
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if _, number := decimal.Parse(have); ok && !number {
			return []Hint{{Code: HintNotInteger, Key: r.Key, Words: []string{have}}}
		}
	}
	if ok {
		return nil
	}
	if len(fleet.key) > 0 {
		return slices.Clone(fleet.key)
	}
	var hints []Hint
	if near := similarTo(r.Key, slices.Sorted(maps.Keys(nodeLabels)), nearKey); len(near) > 0 {
		hints = append(hints, Hint{Code: HintKeySimilar, Key: r.Key, Words: near})
	}
	return append(hints, fleet.value...)
}

// differs are the near misses of a node that has the label with another value.
func differs(r corev1.NodeSelectorRequirement, have string) []Hint {
	hint := Hint{Code: HintValueDiffers, Key: r.Key, Words: []string{have}}
	// That two values of a numbered kind are a digit apart says nothing.
	for _, want := range r.Values {
		if want != "" && have != "" && foldEqual(want, have) {
			hint.Meant = want
			break
		}
	}
	hints := []Hint{hint}
	if len(r.Values) == 1 && r.Values[0] == "" {
		hints = append(hints, Hint{Code: HintUseExists, Key: r.Key})
	}
	return hints
}
