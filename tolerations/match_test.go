package tolerations_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/tolerations"
)

var comparing = tolerations.Options{ComparisonOperators: true}

func TestToleratesTable(t *testing.T) {
	taint := corev1.Taint{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}
	bare := corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoExecute}
	for name, c := range map[string]struct {
		toleration corev1.Toleration
		taint      corev1.Taint
		want       bool
	}{
		"equal":                             {corev1.Toleration{Key: "k", Operator: "Equal", Value: "v", Effect: "NoSchedule"}, taint, true},
		"no operator is equal":              {corev1.Toleration{Key: "k", Value: "v", Effect: "NoSchedule"}, taint, true},
		"no effect is every effect":         {corev1.Toleration{Key: "k", Value: "v"}, taint, true},
		"another value":                     {corev1.Toleration{Key: "k", Value: "w"}, taint, false},
		"another key":                       {corev1.Toleration{Key: "l", Value: "v"}, taint, false},
		"another effect":                    {corev1.Toleration{Key: "k", Value: "v", Effect: "NoExecute"}, taint, false},
		"exists":                            {corev1.Toleration{Key: "k", Operator: "Exists"}, taint, true},
		"exists ignores its own value":      {corev1.Toleration{Key: "k", Operator: "Exists", Value: "w"}, taint, true},
		"exists without key is everything":  {corev1.Toleration{Operator: "Exists"}, taint, true},
		"everything of one effect":          {corev1.Toleration{Operator: "Exists", Effect: "NoExecute"}, taint, false},
		"an effect alone compares values":   {corev1.Toleration{Effect: "NoSchedule"}, taint, false},
		"and an empty value is equal":       {corev1.Toleration{Effect: "NoExecute"}, bare, true},
		"an unknown operator never matches": {corev1.Toleration{Key: "k", Operator: "In", Value: "v"}, taint, false},
		"operators are case sensitive":      {corev1.Toleration{Key: "k", Operator: "exists"}, taint, false},
		"tolerationSeconds 0 still matches": {corev1.Toleration{Key: "k", Operator: "Exists", TolerationSeconds: new(int64)}, bare, true},
		"the zero toleration":               {corev1.Toleration{}, bare, true},
		"Lt is off":                         {corev1.Toleration{Key: "k", Operator: "Lt", Value: "9"}, corev1.Taint{Key: "k", Value: "5"}, false},
	} {
		assert.Equal(t, c.want, tolerations.Tolerates(&c.toleration, &c.taint, tolerations.Options{}), name)
	}
	assert.False(t, tolerations.Tolerates(nil, &taint, tolerations.Options{}))
	assert.False(t, tolerations.Tolerates(&corev1.Toleration{Operator: "Exists"}, nil, tolerations.Options{}))
}

// kubernetes/kubernetes#134665
func TestComparisonOperators(t *testing.T) {
	for _, c := range []struct {
		operator        corev1.TolerationOperator
		toleration, val string
		want            bool
	}{
		{"Lt", "900", "850", true}, {"Lt", "900", "900", false}, {"Lt", "900", "950", false},
		{"Gt", "900", "950", true}, {"Gt", "900", "900", false}, {"Gt", "900", "850", false},
		{"Lt", "900", "-5", true}, {"Lt", "900", "0950", false}, {"Lt", "900", "0850", false},
		{"Lt", "900", "high", false}, {"Lt", "900", "", false}, {"Lt", "900", "95.5", false},
		{"Gt", "900", "9223372036854775808", false}, {"Gt", "0900", "950", false}, {"Gt", "+9", "950", false},
		{"Gt", "", "950", false}, {"Gt", "-0", "5", false}, {"Lt", "0", "-9223372036854775808", true},
	} {
		tol := corev1.Toleration{Key: "sla", Operator: c.operator, Value: c.toleration}
		taint := corev1.Taint{Key: "sla", Value: c.val, Effect: corev1.TaintEffectNoSchedule}
		assert.Equal(t, c.want, tolerations.Tolerates(&tol, &taint, comparing), "%s %s, taint %s", c.operator, c.toleration, c.val)
		assert.False(t, tolerations.Tolerates(&tol, &taint, tolerations.Options{}), "the gate is off")
	}
}

// toleratesIsObvious is also a fuzz target.
func toleratesIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		o := tolerations.Options{ComparisonOperators: rapid.Bool().Draw(t, "comparison")}
		list := gen.Tolerations().Draw(t, "tolerations")
		taints := gen.Taints().Draw(t, "taints")
		if len(taints) > 0 && len(list) > 0 && rapid.Bool().Draw(t, "meant for it") {
			list[0] = tolerations.For(taints[0])
		}
		before := copyOf(list)
		effects := tolerations.Effects(rapid.IntRange(0, 7).Draw(t, "effects"))

		want := -1
		for i, taint := range taints {
			admitted := false
			for j := range list {
				one := tolerations.Tolerates(&list[j], &taint, o)
				assert.Equal(t, slow.Tolerates(list[j], taint, o.ComparisonOperators), one, "%+v %+v", list[j], taint)
				reached.AddIf(one, "tolerated by "+string(list[j].Operator))
				admitted = admitted || one
			}
			counts := effects.Has(taint.Effect)
			reached.AddIf(!counts, "effect not asked for")
			if want < 0 && counts && !admitted {
				want = i
			}
		}
		for _, taint := range taints {
			i, admitted := tolerations.FirstTolerating(list, &taint, o)
			assert.Equal(t, slices.IndexFunc(list, func(tol corev1.Toleration) bool { return slow.Tolerates(tol, taint, o.ComparisonOperators) }), i)
			assert.Equal(t, i >= 0, admitted)
		}
		got, found := tolerations.FirstUntolerated(taints, list, effects, o)
		assert.Equal(t, want, got)
		assert.Equal(t, want >= 0, found)
		reached.AddIf(found, "untolerated")
		reached.AddIf(!found && len(taints) > 0, "all tolerated")
		assert.Equal(t, before, list)
	}
}

func TestToleratesIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, toleratesIsObvious(&reached))
	reached.Require(t, "tolerated by Exists", "tolerated by Equal", "tolerated by ", "tolerated by Lt", "tolerated by Gt",
		"untolerated", "all tolerated", "effect not asked for")
}

func FuzzTolerates(f *testing.F) { f.Fuzz(rapid.MakeFuzz(toleratesIsObvious(&tally.Tally{}))) }

func TestMatchingAllocatesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := gen.Tolerations().Draw(t, "tolerations")
		taints := gen.Taints().Draw(t, "taints")
		if len(list) == 0 {
			return
		}
		assert.Zero(t, testing.AllocsPerRun(5, func() {
			tolerations.FirstUntolerated(taints, list, tolerations.Blocking, comparing)
			tolerations.Covers(&list[0], &list[len(list)-1], comparing)
		}))
	})
}

func TestEffects(t *testing.T) {
	assert.Equal(t, "NoSchedule|NoExecute", tolerations.Blocking.String())
	assert.Equal(t, "none", tolerations.Effects(0).String())
	assert.Equal(t, "NoSchedule|PreferNoSchedule|NoExecute", tolerations.Effects(7).String())
	assert.False(t, tolerations.Blocking.Has(corev1.TaintEffectPreferNoSchedule))
	assert.False(t, tolerations.Effects(255).Has("NoAdmit"))
	assert.False(t, tolerations.Effects(255).Has(""))
}
