package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/lint"
)

const rolling = "spec.updateStrategy.rollingUpdate."

func rollingUpdate(unavailable, surge *intstr.IntOrString) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) {
		ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type:          appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: unavailable, MaxSurge: surge},
		}
	}
}

func TestStrategy(t *testing.T) {
	runRefusals(t, lint.Options{}, []refusal{
		{"empty", func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{} }, nil},
		{"no numbers", rollingUpdate(nil, nil), nil},
		{"surge alone", rollingUpdate(nil, number(1)), []string{rolling + "maxSurge: Invalid value: may not be set when maxUnavailable is non-zero"}},
		{"surge", rollingUpdate(number(0), number(1)), nil},
		{"both", rollingUpdate(text("10%"), number(1)), []string{rolling + "maxSurge: Invalid value: may not be set when maxUnavailable is non-zero"}},
		{"neither", rollingUpdate(text("0%"), nil), []string{rolling + "maxUnavailable: Required value: cannot be 0 when maxSurge is 0"}},
		{"negative", rollingUpdate(number(-1), number(-2)), []string{
			rolling + "maxUnavailable: Invalid value: must be greater than or equal to 0",
			rolling + "maxSurge: Invalid value: must be greater than or equal to 0",
			rolling + "maxSurge: Invalid value: may not be set when maxUnavailable is non-zero",
		}},
		{"too much", rollingUpdate(text("101%"), nil), []string{rolling + "maxUnavailable: Invalid value: must not be greater than 100%"}},
		{"absurdly much", rollingUpdate(number(0), text("99999999999999999999%")), []string{rolling + "maxSurge: Invalid value: must not be greater than 100%"}},
		{"neither number nor string", rollingUpdate(&intstr.IntOrString{Type: 9, IntVal: 1}, nil),
			[]string{rolling + "maxUnavailable: Invalid value: must be an integer or percentage (e.g '5%%')"}},
		{"OnDelete ignores the numbers", func(ds *appsv1.DaemonSet) {
			rollingUpdate(text("ten"), number(-1))(ds)
			ds.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
		}, nil},
		{"unknown", func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.Type = "Recreate" },
			[]string{`spec.updateStrategy: Unsupported value: supported values: "RollingUpdate", "OnDelete"`}},
	})
}

func TestUnknownStrategyIsTheBadValue(t *testing.T) {
	ds := valid()
	ds.Spec.UpdateStrategy.Type = "Recreate"
	errs := lint.Validate(ds, lint.Options{})
	require.Len(t, errs, 1)
	assert.Equal(t, ds.Spec.UpdateStrategy, errs[0].BadValue)
}

// hashicorp/terraform-provider-kubernetes#2630: which values are legal. A pattern
// proposed there refused percentages of one digit.
func TestLegalCounts(t *testing.T) {
	refused := func(unavailable, surge *intstr.IntOrString) bool {
		ds := valid()
		rollingUpdate(unavailable, surge)(ds)
		return len(lint.Validate(ds, lint.Options{})) > 0
	}
	for _, v := range []*intstr.IntOrString{number(1), number(10), number(5000), text("5%"), text("05%"), text("100%")} {
		assert.False(t, refused(v, number(0)), "maxUnavailable %s", v)
		assert.False(t, refused(number(0), v), "maxSurge %s", v)
		assert.False(t, refused(text("0%"), v), "maxSurge %s", v)
		assert.True(t, refused(v, number(1)), "maxUnavailable %s beside maxSurge 1", v)
	}
	for _, v := range []*intstr.IntOrString{
		number(0), number(-1), text("0%"), text("101%"), text("ten"), text("1.5%"), text("%"), text("5"), text(""), text("-5%"), text("+5%"), text(" 5%"),
	} {
		assert.True(t, refused(v, number(0)), "maxUnavailable %s", v)
		assert.True(t, refused(number(0), v), "maxSurge %s", v)
	}
}

// The text of a number without a percent sign: it counts as that number, so that
// nothing else is wrong with it.
func TestNumberWithoutPercent(t *testing.T) {
	ds := valid()
	rollingUpdate(text("5"), number(0))(ds)
	assert.Equal(t, []string{rolling + "maxUnavailable: Invalid value: " + badPercent}, lines(lint.Validate(ds, lint.Options{})))
	rollingUpdate(text("ten"), number(0))(ds)
	assert.Equal(t, []string{
		rolling + "maxUnavailable: Invalid value: " + badPercent,
		rolling + "maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
	}, lines(lint.Validate(ds, lint.Options{})))
}
