package tolerations

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/decimal"
)

// The comparison operators of KEP-5471. k8s.io/api has them since v0.35, which
// is newer than what this module asks for.
const (
	OpLt corev1.TolerationOperator = "Lt"
	OpGt corev1.TolerationOperator = "Gt"
)

// Options says how a cluster matches. The zero value is a default cluster.
type Options struct {
	// ComparisonOperators stands for the feature gate
	// TaintTolerationComparisonOperators (alpha and off in 1.37). Without it
	// a toleration with the operator Lt or Gt tolerates nothing.
	ComparisonOperators bool
}

// Tolerates reports whether the toleration admits the taint. A nil toleration
// admits nothing, and a nil taint is admitted by nothing.
//
// Lt holds when the number of the taint is below that of the toleration, Gt
// when it is above. Both numbers have to be plain decimal integers of 64 bits:
// a leading zero, a plus sign, a fraction or an overflow never matches.
func Tolerates(toleration *corev1.Toleration, taint *corev1.Taint, o Options) bool {
	if toleration == nil || taint == nil {
		return false
	}
	if toleration.Effect != "" && toleration.Effect != taint.Effect {
		return false
	}
	if toleration.Key != "" && toleration.Key != taint.Key {
		return false
	}
	switch toleration.Operator {
	case corev1.TolerationOpExists:
		return true
	case "", corev1.TolerationOpEqual:
		return toleration.Value == taint.Value
	case OpLt, OpGt:
		if !o.ComparisonOperators {
			return false
		}
		limit, ok := decimal.ParseCanonical(toleration.Value)
		if !ok {
			return false
		}
		value, ok := decimal.ParseCanonical(taint.Value)
		if !ok {
			return false
		}
		if toleration.Operator == OpLt {
			return value < limit
		}
		return value > limit
	}
	return false
}

// FirstUntolerated returns the index of the first taint whose effect is in the
// set and that no toleration of the list admits. The second result reports
// whether there is one; without one the index is -1.
//
// Its cost is the number of taints times the number of tolerations.
func FirstUntolerated(taints []corev1.Taint, list []corev1.Toleration, effects Effects, o Options) (int, bool) {
	for i := range taints {
		if !effects.Has(taints[i].Effect) {
			continue
		}
		if _, tolerated := FirstTolerating(list, &taints[i], o); !tolerated {
			return i, true
		}
	}
	return -1, false
}

// FirstTolerating returns the index of the first toleration of the list that
// admits the taint. The second result reports whether there is one; without one
// the index is -1.
func FirstTolerating(list []corev1.Toleration, taint *corev1.Taint, o Options) (int, bool) {
	for i := range list {
		if Tolerates(&list[i], taint, o) {
			return i, true
		}
	}
	return -1, false
}
