package tolerations

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Merge returns base with every toleration of add added as the controller adds
// its defaults: those of base that have the same key, effect, operator and
// value are replaced where they stand, all of them; where base has none, the
// toleration goes to the end. So the order of base stays, duplicates stay
// duplicates, and a toleration on the same key with another effect or operator
// stays as it is.
//
// The operators are compared literally: one that is left out is not the same
// as Equal. The result is a new slice, empty but not nil when both lists are
// empty, and shares no memory with either.
func Merge(base, add []corev1.Toleration) []corev1.Toleration {
	merged := make([]corev1.Toleration, 0, len(base)+len(add))
	merged = append(merged, base...)
	for i := range add {
		found := false
		for j := range merged {
			if sameIdentity(&merged[j], &add[i]) {
				merged[j] = add[i]
				found = true
			}
		}
		if !found {
			merged = append(merged, add[i])
		}
	}
	for i := range merged {
		merged[i] = clone(&merged[i])
	}
	return merged
}

// sameIdentity reports whether the one toleration replaces the other when both
// are merged.
func sameIdentity(a, b *corev1.Toleration) bool {
	return a.Key == b.Key && a.Effect == b.Effect && a.Operator == b.Operator && a.Value == b.Value
}

// clone copies a toleration together with what it points to.
func clone(t *corev1.Toleration) corev1.Toleration {
	return *t.DeepCopy()
}

// ChangeCode says what merging did. The values are stable.
type ChangeCode string

const (
	// Added: the list had no such toleration; it has now.
	Added ChangeCode = "added"
	// SecondsReplaced: the list had the toleration with another
	// tolerationSeconds, which is lost. For the defaults, which set none,
	// this means that a limit the author wrote does not hold.
	SecondsReplaced ChangeCode = "seconds-replaced"
)

// Change is one difference that merging makes to a list.
type Change struct {
	Code ChangeCode `json:"code"`
	// Index is the position in the merged list. For SecondsReplaced it is
	// the position in the author's own list too.
	Index int `json:"index"`
	// Before is the author's toleration; zero for Added.
	Before corev1.Toleration `json:"before"`
	// After is what the merged list holds at Index.
	After corev1.Toleration `json:"after"`
}

// String says what changed, in one line.
func (c Change) String() string {
	if c.Code == Added {
		return "added " + Format(c.After)
	}
	return fmt.Sprintf("tolerations[%d]: %s became %s", c.Index, Format(c.Before), Format(c.After))
}

// Changes reports what [Merge] does to base: which tolerations it adds and
// which of the author's own it alters, in the order of the merged list. What
// base already holds in the same form is not reported. The result is nil when
// merging changes nothing.
func Changes(base, add []corev1.Toleration) []Change {
	merged := Merge(base, add)
	var changes []Change
	for i := range merged {
		switch {
		case i >= len(base):
			changes = append(changes, Change{Code: Added, Index: i, After: merged[i]})
		case !equalSeconds(&base[i], &merged[i]):
			changes = append(changes, Change{Code: SecondsReplaced, Index: i, Before: clone(&base[i]), After: merged[i]})
		}
	}
	return slices.Clip(changes)
}

// equalSeconds reports whether two tolerations have the same limit, or both
// none.
func equalSeconds(a, b *corev1.Toleration) bool {
	if a.TolerationSeconds == nil || b.TolerationSeconds == nil {
		return a.TolerationSeconds == b.TolerationSeconds
	}
	return *a.TolerationSeconds == *b.TolerationSeconds
}
