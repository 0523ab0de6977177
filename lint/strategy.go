package lint

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateStrategy judges a defaulted update strategy. OnDelete ignores the
// rollingUpdate block, whatever it says. An unknown type is reported for the
// strategy as a whole.
func validateStrategy(strategy *appsv1.DaemonSetUpdateStrategy, path *field.Path) field.ErrorList {
	switch strategy.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
		return nil
	case appsv1.RollingUpdateDaemonSetStrategyType:
		return validateRollingUpdate(strategy.RollingUpdate, path.Child("rollingUpdate"))
	}
	return field.ErrorList{field.NotSupported(path, *strategy, []appsv1.DaemonSetUpdateStrategyType{
		appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType,
	})}
}

// validateRollingUpdate asks for two numbers of nodes, plain or in percent, of
// which exactly one is not zero. Plain numbers have no upper limit.
func validateRollingUpdate(rolling *appsv1.RollingUpdateDaemonSet, path *field.Path) field.ErrorList {
	unavailable, surge := *rolling.MaxUnavailable, *rolling.MaxSurge
	unavailablePath, surgePath := path.Child("maxUnavailable"), path.Child("maxSurge")

	errs := validateIntOrPercent(unavailable, unavailablePath)
	errs = append(errs, validateIntOrPercent(surge, surgePath)...)
	errs = append(errs, validateAtMostAll(unavailable, unavailablePath)...)
	errs = append(errs, validateAtMostAll(surge, surgePath)...)

	switch {
	case magnitude(unavailable) != 0 && magnitude(surge) != 0:
		errs = append(errs, field.Invalid(surgePath, surge, "may not be set when maxUnavailable is non-zero"))
	case magnitude(unavailable) == 0 && magnitude(surge) == 0:
		errs = append(errs, field.Required(unavailablePath, "cannot be 0 when maxSurge is 0"))
	}
	return errs
}

func validateIntOrPercent(value intstr.IntOrString, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch value.Type {
	case intstr.Int:
		return apivalidation.ValidateNonnegativeField(int64(value.IntVal), path)
	case intstr.String:
		for _, msg := range validation.IsValidPercent(value.StrVal) {
			errs = append(errs, field.Invalid(path, value, msg))
		}
	default:
		// The doubled percent sign is part of the API server's text.
		errs = append(errs, field.Invalid(path, value, "must be an integer or percentage (e.g '5%%')"))
	}
	return errs
}

func validateAtMostAll(value intstr.IntOrString, path *field.Path) field.ErrorList {
	if n, ok := percent(value); ok && n > 100 {
		return field.ErrorList{field.Invalid(path, value, "must not be greater than 100%")}
	}
	return nil
}

// magnitude returns the number that decides whether a value counts as zero. A
// string that is no percentage but a number counts as that number, and one that
// is neither as zero, although both are errors already.
func magnitude(value intstr.IntOrString) int {
	if n, ok := percent(value); ok {
		return n
	}
	return value.IntValue()
}

// percent returns the number in front of the percent sign; one too big for an
// int is the biggest int.
func percent(value intstr.IntOrString) (int, bool) {
	if value.Type != intstr.String || len(validation.IsValidPercent(value.StrVal)) > 0 {
		return 0, false
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(value.StrVal, "%"))
	return n, true
}
