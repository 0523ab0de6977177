package lint_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/lint"
)

const toleration0 = "spec.template.spec.tolerations[0]."

func tolerating(list ...corev1.Toleration) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.Tolerations = list }
}

func TestTolerations(t *testing.T) {
	needsExists := toleration0 + "operator: Invalid value: operator must be Exists when `key` is empty, which means \"match all values and all keys\""
	runRefusals(t, lint.Options{}, []refusal{
		{"everything", tolerating(corev1.Toleration{Operator: corev1.TolerationOpExists}), nil},
		{"equal", tolerating(corev1.Toleration{Key: "a", Value: "b", Effect: corev1.TaintEffectNoSchedule}), nil},
		// kubereboot/kured#833: a values file that rendered to an effect alone.
		{"effect alone", tolerating(corev1.Toleration{Effect: corev1.TaintEffectNoSchedule}), []string{needsExists}},
		{"second of two", tolerating(corev1.Toleration{Key: "a"}, corev1.Toleration{Key: "not ok"}),
			[]string{"spec.template.spec.tolerations[1].key: Invalid value: " + badLabelName}},
		{"exists with value", tolerating(corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists, Value: "b"}),
			[]string{toleration0 + "operator: Invalid value: value must be empty when `operator` is 'Exists'"}},
		{"value", tolerating(corev1.Toleration{Key: "a", Value: "not ok"}), []string{toleration0 + "operator: Invalid value: " + badLabelValue}},
		{"seconds without NoExecute", tolerating(corev1.Toleration{Key: "a", TolerationSeconds: to(int64(0))}),
			[]string{toleration0 + "effect: Invalid value: effect must be 'NoExecute' when `tolerationSeconds` is set"}},
		{"seconds", tolerating(corev1.Toleration{Key: "a", Effect: corev1.TaintEffectNoExecute, TolerationSeconds: to(int64(-1))}), nil},
		{"effect", tolerating(corev1.Toleration{Key: "a", Effect: "Never"}),
			[]string{toleration0 + `effect: Unsupported value: supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`}},
		{"operator", tolerating(corev1.Toleration{Key: "a", Operator: "In"}),
			[]string{toleration0 + `operator: Unsupported value: supported values: "Equal", "Exists"`}},
		{"comparison without the gate", tolerating(corev1.Toleration{Key: "a", Operator: "Lt", Value: "5"}),
			[]string{toleration0 + `operator: Unsupported value: supported values: "Equal", "Exists", "Lt", "Gt"`}},
	})
}

func TestComparisonOperators(t *testing.T) {
	comparing := func(value string) func(*appsv1.DaemonSet) {
		return tolerating(corev1.Toleration{Key: "sla", Operator: "Gt", Value: value})
	}
	form := toleration0 + "value: Invalid value: must be a valid decimal integer in canonical form"
	parse := func(value, why string) string {
		return toleration0 + `value: Invalid value: strconv.ParseInt: parsing "` + value + `": ` + why
	}
	runRefusals(t, lint.Options{ComparisonOperators: true}, []refusal{
		{"number", comparing("950"), nil},
		{"zero", comparing("0"), nil},
		{"least", comparing("-9223372036854775808"), nil},
		{"empty", comparing(""), []string{toleration0 + "value: Invalid value: must be non-empty", parse("", "invalid syntax")}},
		{"dash", comparing("-"), []string{form, parse("-", "invalid syntax")}},
		{"negative zero", comparing("-0"), []string{form}},
		{"leading zero", comparing("007"), []string{form}},
		{"plus", comparing("+5"), []string{form}},
		{"fraction", comparing("1.5"), []string{form, parse("1.5", "invalid syntax")}},
		{"too big", comparing("9223372036854775808"), []string{parse("9223372036854775808", "value out of range")}},
	})
}
