package gen

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// Keys, values and effects of taints and tolerations. Numbers are there in
// every spelling that looks like one.
var (
	taintKeys = []string{
		"a", "b", "", "node-role.kubernetes.io/control-plane",
		corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable,
		corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeDiskPressure,
		corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure,
	}
	taintValues = []string{
		"", "x", "y", "5", "9", "10", "-3", "+5", "007", "0", "-0", "5.5",
		"9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775807",
	}
	taintEffects = []corev1.TaintEffect{
		corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
	}
	tolerationOperators = []corev1.TolerationOperator{
		corev1.TolerationOpExists, corev1.TolerationOpEqual, "", "Lt", "Gt", "exists", "In",
	}
)

// TaintKey draws a key; half of the time it is one of two short ones.
func TaintKey(t *rapid.T) string {
	if Chance(t, 50, "short key") {
		return Pick(t, "key", "a", "b")
	}
	return Pick(t, "key", taintKeys...)
}

// Effect draws an effect; sometimes none or one that does not exist.
func Effect(t *rapid.T) corev1.TaintEffect {
	if Chance(t, 10, "odd effect") {
		return Pick[corev1.TaintEffect](t, "effect", "", "noschedule", "NoAdmit")
	}
	return Pick(t, "effect", taintEffects...)
}

// Taint draws one taint.
func Taint() *rapid.Generator[corev1.Taint] {
	return rapid.Custom(func(t *rapid.T) corev1.Taint {
		taint := corev1.Taint{Key: TaintKey(t), Value: Pick(t, "value", taintValues...), Effect: Effect(t)}
		if Chance(t, 10, "has time") {
			added := metav1.NewTime(time.Unix(int64(below(t, 4, "added")), 0))
			taint.TimeAdded = &added
		}
		return taint
	})
}

// Toleration draws one toleration of any kind.
func Toleration() *rapid.Generator[corev1.Toleration] {
	return rapid.Custom(func(t *rapid.T) corev1.Toleration {
		tol := corev1.Toleration{Key: TaintKey(t), Operator: Pick(t, "operator", tolerationOperators...), Effect: Effect(t)}
		if Chance(t, 25, "every effect") {
			tol.Effect = ""
		}
		// A value under Exists is refused by the API server, and rare.
		if tol.Operator != corev1.TolerationOpExists || Chance(t, 10, "value under Exists") {
			tol.Value = Pick(t, "value", taintValues...)
		}
		if Chance(t, 20, "has seconds") {
			tol.TolerationSeconds = Pick[*int64](t, "seconds", new(int64), ptr(int64(30)), ptr(int64(-1)))
		}
		return tol
	})
}

// Taints and Tolerations draw lists, often empty.
func Taints() *rapid.Generator[[]corev1.Taint] { return list(Taint(), 4) }

func Tolerations() *rapid.Generator[[]corev1.Toleration] { return list(Toleration(), 5) }

// list draws up to n elements; nil about as often as one element.
func list[T any](g *rapid.Generator[T], n int) *rapid.Generator[[]T] {
	return rapid.Custom(func(t *rapid.T) []T {
		size := below(t, n+1, "size")
		var all []T
		for range size {
			all = append(all, g.Draw(t, "element"))
		}
		return all
	})
}

func ptr[T any](v T) *T { return &v }
