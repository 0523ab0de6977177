package lint

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/tolerations"
)

// validateTolerations judges the tolerations of a template. A malformed value is
// reported for the operator, except under Lt and Gt.
func validateTolerations(list []corev1.Toleration, r rules, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range list {
		errs = append(errs, validateToleration(&list[i], r, path.Index(i))...)
	}
	return errs
}

func validateToleration(t *corev1.Toleration, r rules, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if t.Key != "" {
		errs = append(errs, metav1validation.ValidateLabelName(t.Key, path.Child("key"))...)
	} else if t.Operator != corev1.TolerationOpExists {
		errs = append(errs, field.Invalid(path.Child("operator"), t.Operator,
			"operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
	}
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		errs = append(errs, field.Invalid(path.Child("effect"), t.Effect,
			"effect must be 'NoExecute' when `tolerationSeconds` is set"))
	}
	errs = append(errs, validateOperator(t, r, path)...)
	switch t.Effect {
	case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
	default:
		errs = append(errs, field.NotSupported(path.Child("effect"), t.Effect, []corev1.TaintEffect{
			corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute,
		}))
	}
	return errs
}

func validateOperator(t *corev1.Toleration, r rules, path *field.Path) field.ErrorList {
	operator := path.Child("operator")
	switch t.Operator {
	case "", corev1.TolerationOpEqual:
		if msgs := validation.IsValidLabelValue(t.Value); len(msgs) > 0 {
			return field.ErrorList{field.Invalid(operator, t.Value, strings.Join(msgs, ";"))}
		}
		return nil
	case corev1.TolerationOpExists:
		if t.Value != "" {
			return field.ErrorList{field.Invalid(operator, t.Value, "value must be empty when `operator` is 'Exists'")}
		}
		return nil
	case tolerations.OpLt, tolerations.OpGt:
		if r.comparisonOperators {
			return validateNumber(t.Value, path.Child("value"))
		}
		// The API server names both operators as supported while it refuses them.
		return field.ErrorList{field.NotSupported(operator, t.Operator, []corev1.TolerationOperator{
			corev1.TolerationOpEqual, corev1.TolerationOpExists, tolerations.OpLt, tolerations.OpGt,
		})}
	}
	return field.ErrorList{field.NotSupported(operator, t.Operator, []corev1.TolerationOperator{
		corev1.TolerationOpEqual, corev1.TolerationOpExists,
	})}
}

// validateNumber asks for an integer of 64 bits in canonical form. What is no
// number at all breaks both halves of the rule and is reported twice.
func validateNumber(value string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if value == "" {
		errs = append(errs, field.Invalid(path, value, validation.EmptyError()))
	} else if !canonical(value) {
		errs = append(errs, field.Invalid(path, value, "must be a valid decimal integer in canonical form"))
	}
	if _, err := strconv.ParseInt(value, 10, 64); err != nil {
		errs = append(errs, field.Invalid(path, value, err.Error()))
	}
	return errs
}

// canonical reports whether the value is written as a decimal integer of any
// size without a plus sign, leading zeros or a negative zero.
func canonical(value string) bool {
	if value == "0" {
		return true
	}
	digits := strings.TrimPrefix(value, "-")
	if digits == "" || digits[0] == '0' {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}
