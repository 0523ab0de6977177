package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/decimal"
	"github.com/daemonplan/daemonplan/tolerations"
)

// HintCode names a kind of near miss. The values are stable.
type HintCode string

const (
	// HintValueDiffers: the node has the label, but with another value. Wanted
	// values that look like it come with it.
	HintValueDiffers HintCode = "value-differs"
	// HintUseExists: the empty value is wanted, and the node has the label
	// with another. An affinity requirement Exists would match any value.
	HintUseExists HintCode = "use-exists"
	// HintNotInteger: Gt or Lt on a label whose value is no integer.
	HintNotInteger HintCode = "not-an-integer"
	// HintKeySimilar: the node has a label with a similar key.
	HintKeySimilar HintCode = "key-similar"
	// HintKeyUnknown: no node of the fleet has the label. Similar keys that
	// nodes do have come with it.
	HintKeyUnknown HintCode = "key-unknown"
	// HintValueUnknown: nodes of the fleet have the label, but none with a
	// value that is wanted. Similar values that nodes have come with it.
	HintValueUnknown HintCode = "value-unknown"
	// HintNodeUnknown: no node of the fleet has the name.
	HintNodeUnknown HintCode = "node-unknown"
	// HintTolerationKey: a toleration for a similar key.
	HintTolerationKey HintCode = "toleration-key"
	// HintTolerationEffect: a toleration that would admit the taint if it
	// were for its effect.
	HintTolerationEffect HintCode = "toleration-effect"
	// HintTolerationOperator: a toleration for the key whose operator does
	// not exist, is switched off, or is missing where a value is compared.
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
	// Toleration is the one that nearly admits the taint.
	Toleration *corev1.Toleration `json:"toleration,omitempty"`
	// Field is where that toleration stands in the template; empty for one
	// that the defaults or the options brought in.
	Field string `json:"field,omitempty"`
}

// String says it in one line.
func (h Hint) String() string {
	similar := ""
	if len(h.Words) > 0 {
		similar = "; similar: " + strings.Join(h.Words, ", ")
	}
	switch h.Code {
	case HintValueDiffers:
		return fmt.Sprintf("the node has %s with another value%s", h.Key, similar)
	case HintUseExists:
		return fmt.Sprintf("an empty value does not mean any value: use node affinity with %s Exists", h.Key)
	case HintNotInteger:
		return fmt.Sprintf("the value of %s is not an integer: %s", h.Key, strings.Join(h.Words, ", "))
	case HintKeySimilar:
		return fmt.Sprintf("the node has no label %s%s", h.Key, similar)
	case HintKeyUnknown:
		return fmt.Sprintf("no node of the fleet has a label %s%s", h.Key, similar)
	case HintValueUnknown:
		return fmt.Sprintf("no node of the fleet has %s with such a value%s", h.Key, similar)
	case HintNodeUnknown:
		return fmt.Sprintf("no node of the fleet is called %s%s", h.Key, similar)
	case HintTolerationKey, HintTolerationEffect, HintTolerationOperator, HintTolerationValue:
		return h.tolerationText()
	}
	return string(h.Code)
}

// tolerationText names the toleration, where it comes from and its fault.
func (h Hint) tolerationText() string {
	subject := "a default toleration"
	if h.Field != "" {
		subject = h.Field
	}
	if h.Toleration != nil {
		subject += " (" + tolerations.Format(*h.Toleration) + ")"
	}
	switch h.Code {
	case HintTolerationKey:
		return subject + " is for another key"
	case HintTolerationEffect:
		return subject + " is for another effect"
	case HintTolerationOperator:
		return subject + " has an operator that does not admit the taint"
	}
	return subject + " is for another value"
}

// labelHints are the near misses of a label requirement that a node fails.
func labelHints(r corev1.NodeSelectorRequirement, nodeLabels map[string]string, v *Vocabulary) []Hint {
	have, ok := nodeLabels[r.Key]
	var hints []Hint
	switch {
	case r.Operator == corev1.NodeSelectorOpNotIn || r.Operator == corev1.NodeSelectorOpDoesNotExist:
		// The node has what is not wanted; there is nothing to look for.
		return nil
	case !ok:
		return missingKeyHints(r, nodeLabels, v)
	case r.Operator == corev1.NodeSelectorOpIn:
		hints = append(hints, Hint{Code: HintValueDiffers, Key: r.Key, Words: similarTo(have, r.Values)})
		if len(r.Values) == 1 && r.Values[0] == "" {
			hints = append(hints, Hint{Code: HintUseExists, Key: r.Key})
		}
		return append(hints, unknownValueHints(r, v)...)
	}
	if _, number := decimal.Parse(have); !number {
		hints = append(hints, Hint{Code: HintNotInteger, Key: r.Key, Words: []string{have}})
	}
	return hints
}

// missingKeyHints are those for a node that lacks the label.
func missingKeyHints(r corev1.NodeSelectorRequirement, nodeLabels map[string]string, v *Vocabulary) []Hint {
	if v != nil {
		if _, known := v.values[r.Key]; !known {
			return []Hint{{Code: HintKeyUnknown, Key: r.Key, Words: similarTo(r.Key, v.keys)}}
		}
	}
	var hints []Hint
	if near := similarTo(r.Key, keysOf(nodeLabels)); len(near) > 0 {
		hints = append(hints, Hint{Code: HintKeySimilar, Key: r.Key, Words: near})
	}
	if r.Operator == corev1.NodeSelectorOpIn {
		hints = append(hints, unknownValueHints(r, v)...)
	}
	return hints
}

// unknownValueHints says that no node of the fleet has a wanted value.
func unknownValueHints(r corev1.NodeSelectorRequirement, v *Vocabulary) []Hint {
	if v == nil {
		return nil
	}
	values := v.values[r.Key]
	for _, want := range r.Values {
		if _, found := slices.BinarySearch(values, want); found {
			return nil
		}
	}
	return []Hint{{Code: HintValueUnknown, Key: r.Key, Words: similarToAny(r.Values, values)}}
}

// nameHints are the near misses of a node name that the template wants.
func nameHints(want string, v *Vocabulary) []Hint {
	if v == nil || v.hasName(want) {
		return nil
	}
	return []Hint{{Code: HintNodeUnknown, Key: want, Words: similarTo(want, v.names)}}
}

// similarToAny is similarTo for several words, at most three in all.
func similarToAny(words, candidates []string) []string {
	var all []string
	for _, w := range words {
		for _, s := range similarTo(w, candidates) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all[:min(len(all), mostSimilar)]
}

// keysOf returns the keys of a map, sorted.
func keysOf(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// tolerationHints are the tolerations that nearly admit a taint, in their
// order. A toleration is near when one fault stands between it and the taint,
// or when it is for a similar key.
func (m *Matcher) tolerationHints(taint *corev1.Taint, list []corev1.Toleration) []Hint {
	var hints []Hint
	for i := range list {
		code, near := nearMiss(&list[i], taint, m.matching)
		if !near {
			continue
		}
		hint := Hint{Code: code, Key: taint.Key, Toleration: list[i].DeepCopy()}
		if i < m.own {
			hint.Field = m.spec.Child("tolerations").Index(i).String()
		}
		hints = append(hints, hint)
	}
	return hints
}

// nearMiss says what is wrong with a toleration that does not admit the taint.
// It mends one thing after the other and looks whether the result would admit.
func nearMiss(t *corev1.Toleration, taint *corev1.Taint, o tolerations.Options) (HintCode, bool) {
	admits := func(mend func(*corev1.Toleration)) bool {
		mended := *t
		mend(&mended)
		return tolerations.Tolerates(&mended, taint, o)
	}
	sameKey := t.Key == taint.Key || t.Key == ""
	switch {
	case t.Key != "" && admits(func(t *corev1.Toleration) { t.Key = taint.Key }):
		if _, similar := distance(t.Key, taint.Key); similar {
			return HintTolerationKey, true
		}
	case !sameKey:
		// Two faults, of which one is the key: another toleration altogether.
	case admits(func(t *corev1.Toleration) { t.Effect = taint.Effect }):
		return HintTolerationEffect, true
	case t.Effect != "" && t.Effect != taint.Effect:
		// Effect and value both differ; as it stands it is for another taint.
	case t.Key == "", !compares(t.Operator, o):
		// Without a key the operator has to be Exists.
		return HintTolerationOperator, true
	default:
		return HintTolerationValue, true
	}
	return "", false
}

// compares reports whether the operator can admit a taint by its value.
func compares(op corev1.TolerationOperator, o tolerations.Options) bool {
	switch op {
	case "", corev1.TolerationOpEqual, corev1.TolerationOpExists:
		return true
	case tolerations.OpLt, tolerations.OpGt:
		return o.ComparisonOperators
	}
	return false
}
