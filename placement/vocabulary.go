package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Vocabulary is what the nodes of a fleet are called and labelled with: which
// label keys there are, with which values, and which node names.
// [Matcher.Explain] tells with it a label that this node lacks from one that
// no node has. It is immutable and safe for concurrent use.
type Vocabulary struct {
	values map[string][]string // by label key; sorted
	keys   []string            // sorted
	names  []string            // sorted
}

// NewVocabulary collects the words of a fleet. Nil entries are passed over, and
// of nodes with the same name the last one counts. It looks at every label of
// every node, so make one for a fleet, not for a question.
func NewVocabulary(nodes []*corev1.Node) *Vocabulary {
	seen := make(map[string]map[string]struct{})
	v := &Vocabulary{values: make(map[string][]string)}
	for node := range lastByName(nodes) {
		if node.Name != "" {
			v.names = append(v.names, node.Name)
		}
		for key, value := range node.Labels {
			if seen[key] == nil {
				seen[key] = make(map[string]struct{})
			}
			seen[key][value] = struct{}{}
		}
	}
	for key, values := range seen {
		v.keys = append(v.keys, key)
		list := make([]string, 0, len(values))
		for value := range values {
			list = append(list, value)
		}
		slices.Sort(list)
		v.values[key] = list
	}
	slices.Sort(v.keys)
	slices.Sort(v.names)
	v.names = slices.Compact(v.names)
	return v
}

// Keys returns the label keys of the fleet, sorted, in a new slice; nil for a
// nil vocabulary.
func (v *Vocabulary) Keys() []string {
	if v == nil {
		return nil
	}
	return slices.Clone(v.keys)
}

// Values returns the values that the nodes of the fleet have for a label,
// sorted, in a new slice; nil where no node has the key.
func (v *Vocabulary) Values(key string) []string {
	if v == nil {
		return nil
	}
	return slices.Clone(v.values[key])
}

// SimilarNames returns the names of nodes that a person may have meant by a name,
// the likeliest first, at most three and never the name itself; nil for a nil
// vocabulary.
func (v *Vocabulary) SimilarNames(name string) []string {
	if v == nil {
		return nil
	}
	return similarTo(name, v.names, nearWord)
}

// hasName reports whether a node of the fleet has the name.
func (v *Vocabulary) hasName(name string) bool {
	_, found := slices.BinarySearch(v.names, name)
	return found
}
