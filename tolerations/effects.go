package tolerations

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Effects is a set of taint effects. The zero value is the empty set. An
// effect that Kubernetes does not know is in no set.
type Effects uint8

const (
	NoSchedule Effects = 1 << iota
	PreferNoSchedule
	NoExecute

	// Blocking holds the effects that keep a daemon pod from being created:
	// PreferNoSchedule never does.
	Blocking = NoSchedule | NoExecute
)

// Has reports whether the effect is in the set.
func (e Effects) Has(effect corev1.TaintEffect) bool {
	return e&effectBit(effect) != 0
}

// effectBit is the set that holds the effect alone, or the empty set.
func effectBit(effect corev1.TaintEffect) Effects {
	switch effect {
	case corev1.TaintEffectNoSchedule:
		return NoSchedule
	case corev1.TaintEffectPreferNoSchedule:
		return PreferNoSchedule
	case corev1.TaintEffectNoExecute:
		return NoExecute
	}
	return 0
}

// String returns the effects of the set in the order NoSchedule,
// PreferNoSchedule, NoExecute, joined by "|"; "none" for the empty set.
func (e Effects) String() string {
	var names []string
	for _, effect := range []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	} {
		if e.Has(effect) {
			names = append(names, string(effect))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "|")
}
