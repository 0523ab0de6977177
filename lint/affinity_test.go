package lint_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/lint"
)

const (
	required  = "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
	preferred = "spec.template.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"
)

func expression(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}}
}

func fields(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}}
}

func requiring(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
}

func preferring(weight int32, term corev1.NodeSelectorTerm) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: weight, Preference: term}}}}
}

func TestNodeAffinity(t *testing.T) {
	with := func(a *corev1.Affinity) func(*appsv1.DaemonSet) {
		return func(ds *appsv1.DaemonSet) { ds.Spec.Template.Spec.Affinity = a }
	}
	term0 := required + "nodeSelectorTerms[0]."
	runRefusals(t, lint.Options{}, []refusal{
		{"empty", with(&corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}), nil},
		{"no terms", with(requiring()), []string{required + "nodeSelectorTerms: Required value: must have at least one node selector term"}},
		{"empty term", with(requiring(corev1.NodeSelectorTerm{})), nil},
		{"in", with(requiring(expression("zone", "In", "a", "b"))), nil},
		{"in nothing", with(requiring(expression("zone", "NotIn"))),
			[]string{term0 + "matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"}},
		{"exists with values", with(requiring(expression("zone", "Exists", "a"))),
			[]string{term0 + "matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"}},
		{"greater than two numbers", with(requiring(expression("cores", "Gt", "1", "2"))),
			[]string{term0 + "matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"}},
		{"greater than a word", with(requiring(expression("cores", "Gt", "many"))), nil},
		{"greater than a negative number", with(requiring(expression("cores", "Gt", "-3"))),
			[]string{term0 + "matchExpressions[0].values[0]: Invalid value: " + badLabelValue}},
		{"operator", with(requiring(expression("zone", ""))), []string{term0 + "matchExpressions[0].operator: Invalid value: not a valid selector operator"}},
		{"key", with(requiring(expression("not ok", "Exists"))), []string{term0 + "matchExpressions[0].key: Invalid value: " + badLabelName}},
		{"one node", with(requiring(fields("metadata.name", "In", "n-a"))), nil},
		{"two nodes by two terms", with(requiring(fields("metadata.name", "In", "n-a"), fields("metadata.name", "In", "n-b"))), nil},
		// kubernetes/kubernetes#78238: node names are not listed in one requirement.
		{"two nodes by one requirement", with(requiring(fields("metadata.name", "In", "n-a", "n-b"))),
			[]string{term0 + "matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"}},
		{"field operator", with(requiring(fields("metadata.name", "Exists"))),
			[]string{term0 + "matchFields[0].operator: Invalid value: not a valid selector operator"}},
		{"field", with(requiring(fields("spec.podCIDR", "In", "x"))), []string{term0 + "matchFields[0].key: Invalid value: not a valid field selector key"}},
		{"node name", with(requiring(fields("metadata.name", "In", "N"))), []string{term0 + "matchFields[0].values[0]: Invalid value: " + badSubdomain}},
		{"preferred", with(preferring(1, expression("zone", "In", "-not ok-"))), nil},
		{"no weight", with(preferring(0, expression("zone", "Exists"))), []string{preferred + "[0].weight: Invalid value: must be in the range 1-100"}},
		{"weight", with(preferring(101, expression("zone", "In"))), []string{
			preferred + "[0].weight: Invalid value: must be in the range 1-100",
			preferred + "[0].preference.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
		}},
	})
}
