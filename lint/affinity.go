package lint

import (
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateNodeAffinity judges the node affinity. A present but empty required
// selector is an error, since it matches no node; empty terms pass, although they
// match no node either.
func validateNodeAffinity(affinity *corev1.Affinity, r rules, path *field.Path) field.ErrorList {
	if affinity == nil || affinity.NodeAffinity == nil {
		return nil
	}
	var errs field.ErrorList
	if required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		terms := path.Child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
		if len(required.NodeSelectorTerms) == 0 {
			errs = append(errs, field.Required(terms, "must have at least one node selector term"))
		}
		for i := range required.NodeSelectorTerms {
			errs = append(errs, validateTerm(&required.NodeSelectorTerms[i], r.invalidNodeValues, terms.Index(i))...)
		}
	}
	preferred := path.Child("preferredDuringSchedulingIgnoredDuringExecution")
	for i := range affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		term := &affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution[i]
		if term.Weight < 1 || term.Weight > 100 {
			errs = append(errs, field.Invalid(preferred.Index(i).Child("weight"), term.Weight, "must be in the range 1-100"))
		}
		// A preference that no node can have is harmless, so its values are free.
		errs = append(errs, validateTerm(&term.Preference, true, preferred.Index(i).Child("preference"))...)
	}
	return errs
}

func validateTerm(term *corev1.NodeSelectorTerm, anyValue bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range term.MatchExpressions {
		errs = append(errs, validateExpression(&term.MatchExpressions[i], anyValue, path.Child("matchExpressions").Index(i))...)
	}
	for i := range term.MatchFields {
		errs = append(errs, validateFieldRequirement(&term.MatchFields[i], path.Child("matchFields").Index(i))...)
	}
	return errs
}

func validateExpression(requirement *corev1.NodeSelectorRequirement, anyValue bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	values := path.Child("values")
	switch requirement.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(requirement.Values) == 0 {
			errs = append(errs, field.Required(values, "must be specified when `operator` is 'In' or 'NotIn'"))
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(requirement.Values) > 0 {
			errs = append(errs, field.Forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		// One value, but any label value: that it is a number is left to the
		// moment of matching.
		if len(requirement.Values) != 1 {
			errs = append(errs, field.Required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), requirement.Operator, "not a valid selector operator"))
	}
	errs = append(errs, metav1validation.ValidateLabelName(requirement.Key, path.Child("key"))...)
	if anyValue {
		return errs
	}
	for i, value := range requirement.Values {
		for _, msg := range validation.IsValidLabelValue(value) {
			errs = append(errs, field.Invalid(values.Index(i), value, msg))
		}
	}
	return errs
}

// validateFieldRequirement judges a requirement on a field of the node. The only
// field is its name, and a requirement names exactly one node: several nodes take
// several terms.
func validateFieldRequirement(requirement *corev1.NodeSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	values := path.Child("values")
	switch requirement.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(requirement.Values) != 1 {
			errs = append(errs, field.Required(values,
				"must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), requirement.Operator, "not a valid selector operator"))
	}
	if requirement.Key != metav1.ObjectNameField {
		return append(errs, field.Invalid(path.Child("key"), requirement.Key, "not a valid field selector key"))
	}
	for i, value := range requirement.Values {
		for _, msg := range apivalidation.NameIsDNSSubdomain(value, false) {
			errs = append(errs, field.Invalid(values.Index(i), value, msg))
		}
	}
	return errs
}
