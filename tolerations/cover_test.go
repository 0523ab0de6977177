package tolerations_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/tolerations"
)

// witnesses are taints among which there is one that b admits and a does not,
// if there is any at all: the fields that both name, a neighbour of each
// number, and one of each that neither names.
func witnesses(a, b corev1.Toleration) []corev1.Taint {
	values := []string{"", "unnamed", a.Value, b.Value, "-9223372036854775808", "9223372036854775807", "0"}
	for _, v := range []string{a.Value, b.Value} {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			values = append(values, strconv.FormatInt(n-1, 10), strconv.FormatInt(n+1, 10))
		}
	}
	var taints []corev1.Taint
	for _, key := range []string{a.Key, b.Key, "unnamed"} {
		for _, effect := range []corev1.TaintEffect{a.Effect, b.Effect, "Unnamed"} {
			for _, value := range values {
				taints = append(taints, corev1.Taint{Key: key, Value: value, Effect: effect})
			}
		}
	}
	return taints
}

func TestCoversIsInclusion(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		a, b := gen.Toleration().Draw(t, "a"), gen.Toleration().Draw(t, "b")
		if gen.Chance(t, 75, "same key and effect") {
			b.Key, b.Effect = a.Key, a.Effect
		}
		if gen.Chance(t, 25, "same value") {
			b.Value = a.Value
		}
		o := tolerations.Options{ComparisonOperators: gen.Chance(t, 75, "comparison")}
		covered := true
		for _, taint := range witnesses(a, b) {
			if tolerations.Tolerates(&b, &taint, o) && !tolerations.Tolerates(&a, &taint, o) {
				covered = false
			}
		}
		assert.Equal(t, covered, tolerations.Covers(&a, &b, o), "%s covers %s", tolerations.Format(a), tolerations.Format(b))
		if covered {
			reached.Add("covered: " + string(a.Operator) + " over " + string(b.Operator))
		} else {
			reached.Add("not covered")
		}
	})
	reached.Require(t, "not covered", "covered: Exists over Equal", "covered: Equal over ", "covered: Lt over Equal",
		"covered: Lt over Lt", "covered: Gt over Gt", "covered: Exists over Gt", "covered: Equal over Lt")
}

func TestCoversNothing(t *testing.T) {
	everything := corev1.Toleration{Operator: corev1.TolerationOpExists}
	nothing := corev1.Toleration{Operator: "In"}
	o := tolerations.Options{}
	assert.True(t, tolerations.Covers(&everything, nil, o))
	assert.True(t, tolerations.Covers(nil, nil, o))
	assert.True(t, tolerations.Covers(nil, &nothing, o))
	assert.False(t, tolerations.Covers(nil, &everything, o))
	assert.False(t, tolerations.Covers(&nothing, &everything, o))
	// One number is left, and it has one spelling.
	single := corev1.Toleration{Key: "k", Operator: tolerations.OpLt, Value: "-9223372036854775807"}
	assert.True(t, tolerations.Covers(&corev1.Toleration{Key: "k", Value: "-9223372036854775808"}, &single, comparing))
	assert.False(t, tolerations.Covers(&corev1.Toleration{Key: "k", Value: "-9223372036854775807"}, &single, comparing))
	// No number is left.
	none := corev1.Toleration{Key: "k", Operator: tolerations.OpGt, Value: "9223372036854775807"}
	assert.True(t, tolerations.Covers(&nothing, &none, comparing))
}

func TestForAdmitsItsTaintAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		taint := gen.Taint().Draw(t, "taint")
		other := gen.Taint().Draw(t, "other")
		tol := tolerations.For(taint)
		assert.True(t, tolerations.Tolerates(&tol, &taint, tolerations.Options{}))
		if taint.Key != "" && taint.Effect != "" {
			same := taint.Key == other.Key && taint.Value == other.Value && taint.Effect == other.Effect
			assert.Equal(t, same, tolerations.Tolerates(&tol, &other, comparing))
		}
	})
}
