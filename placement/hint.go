package placement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// HintCode names a kind of near miss. The values are stable.
type HintCode string

const (
	// HintValueDiffers: the node has the label with the value in Words.
	HintValueDiffers HintCode = "value-differs"
	// HintUseExists: the empty value is wanted, and the node has the label
	// with another. An affinity requirement Exists would match any value.
	HintUseExists HintCode = "use-exists"
	// HintNotInteger: Gt or Lt on a label whose value, in Words, is no integer.
	HintNotInteger HintCode = "not-an-integer"
	// HintKeySimilar: the node has a label with a similar key.
	HintKeySimilar HintCode = "key-similar"
	// HintKeyUnknown: no node of the fleet has the label. Similar keys that
	// nodes do have come with it.
	HintKeyUnknown HintCode = "key-unknown"
	// HintValueUnknown: nodes of the fleet have the label, but none with a
	// value that is wanted. All values that nodes have come with it when they
	// are few, and similar ones otherwise.
	HintValueUnknown HintCode = "value-unknown"
	// HintNodeUnknown: no node of the fleet has the name. Similar names come
	// with it.
	HintNodeUnknown HintCode = "node-unknown"
	// HintNotAField: matchFields on something that is no field of a node. The
	// only one is metadata.name; labels belong into matchExpressions.
	HintNotAField HintCode = "not-a-field"
	// HintUseMatchFields: metadata.name where a label key is wanted. It is a
	// field, for matchFields.
	HintUseMatchFields HintCode = "use-match-fields"
	// HintTolerationKey: a toleration of the template for a similar key.
	HintTolerationKey HintCode = "toleration-key"
	// HintTolerationEffect: a toleration for the key and for another effect.
	HintTolerationEffect HintCode = "toleration-effect"
	// HintTolerationOperator: a toleration for the key whose operator does
	// not exist, is switched off, or is missing where it should be Exists.
	HintTolerationOperator HintCode = "toleration-operator"
	// HintTolerationValue: a toleration for the key that wants another value.
	HintTolerationValue HintCode = "toleration-value"
)

// Hint is a near miss: what there is instead of what was wanted.
type Hint struct {
	Code HintCode `json:"code"`
	// Key is the label key, the taint key or the node name that it is about.
	Key string `json:"key,omitempty"`
	// Words are the keys, values or names that there are, the likeliest
	// first.
	Words []string `json:"words,omitempty"`
	// Meant is a wanted value that the first of Words is a likely misspelling
	// of, or the other way round.
	Meant string `json:"meant,omitempty"`
	// Toleration is the one that nearly admits the taint.
	Toleration *corev1.Toleration `json:"toleration,omitempty"`
	// Field is where that toleration stands in the template; empty for one
	// that the defaults or the options brought in.
	Field string `json:"field,omitempty"`
}

// String says it in one line.
func (h Hint) String() string {
	key, words := plain(h.Key), plainList(h.Words, ", ")
	similar := ""
	if len(h.Words) > 0 {
		similar = "; there is " + words
	}
	switch h.Code {
	case HintValueDiffers:
		if h.Meant != "" {
			return fmt.Sprintf("the node's %s is %s, which looks like %s", key, words, plain(h.Meant))
		}
		return fmt.Sprintf("the node's %s is %s", key, words)
	case HintUseExists:
		return fmt.Sprintf("an empty value does not mean any value: use node affinity with %s Exists", key)
	case HintNotInteger:
		return fmt.Sprintf("the node's %s is not an integer: %s", key, words)
	case HintKeySimilar:
		return "the node has a label " + words
	case HintKeyUnknown:
		return fmt.Sprintf("no node of the fleet has a label %s%s", key, similar)
	case HintValueUnknown:
		return fmt.Sprintf("no node of the fleet has %s with such a value%s", key, similar)
	case HintNodeUnknown:
		return fmt.Sprintf("no node of the fleet is called %s%s", key, similar)
	case HintNotAField:
		return fmt.Sprintf("%s is no field of a node, only metadata.name is: use matchExpressions for labels", key)
	case HintUseMatchFields:
		return "metadata.name is no label: use matchFields"
	case HintTolerationKey, HintTolerationEffect, HintTolerationOperator, HintTolerationValue:
		return h.tolerationText()
	}
	return string(h.Code)
}

// plain is a word as it is, or quoted where it would not be seen otherwise.
func plain(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"[],;`, r)
	}) {
		return strconv.Quote(s)
	}
	return s
}

func plainList(words []string, separator string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = plain(w)
	}
	return strings.Join(all, separator)
}

// fewValues is how many values of a label are listed whether they are similar or
// not.
const fewValues = 5

// fleetHints are the near misses of a requirement that do not depend on the node.
type fleetHints struct {
	key   []Hint // for a node that lacks the label: no node has it
	value []Hint // no node has such a value
}

// labelHintsOf finds the fleet's near misses of a label requirement.
func (v *Vocabulary) labelHintsOf(r corev1.NodeSelectorRequirement) fleetHints {
	if r.Key == nameField {
		return fleetHints{key: []Hint{{Code: HintUseMatchFields, Key: r.Key}}}
	}
	if v == nil || r.Operator == corev1.NodeSelectorOpNotIn || r.Operator == corev1.NodeSelectorOpDoesNotExist {
		return fleetHints{}
	}
	values, known := v.values[r.Key]
	if !known {
		return fleetHints{key: []Hint{{Code: HintKeyUnknown, Key: r.Key, Words: similarTo(r.Key, v.keys, nearKey)}}}
	}
	if r.Operator != corev1.NodeSelectorOpIn || slices.ContainsFunc(r.Values, func(want string) bool {
		_, found := slices.BinarySearch(values, want)
		return found
	}) {
		return fleetHints{}
	}
	words := slices.Clone(values)
	if len(words) > fewValues {
		words = nil
		for _, want := range r.Values {
			for _, s := range similarTo(want, values, nearWord) {
				if !slices.Contains(words, s) && len(words) < mostSimilar {
					words = append(words, s)
				}
			}
		}
	}
	return fleetHints{value: []Hint{{Code: HintValueUnknown, Key: r.Key, Words: words}}}
}

// nameHintsOf finds the near misses of a node name that the template wants.
func (v *Vocabulary) nameHintsOf(want string) []Hint {
	if v == nil || v.hasName(want) {
		return nil
	}
	return []Hint{{Code: HintNodeUnknown, Key: want, Words: v.SimilarNames(want)}}
}

// fieldHintsOf finds the near misses of a requirement on a field.
func (v *Vocabulary) fieldHintsOf(r corev1.NodeSelectorRequirement) []Hint {
	switch {
	case r.Key != nameField:
		return []Hint{{Code: HintNotAField, Key: r.Key}}
	case r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1:
		return v.nameHintsOf(r.Values[0])
	}
	return nil
}
