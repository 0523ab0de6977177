package lint

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Options says which cluster judges. The zero value is a default cluster.
type Options struct {
	// ComparisonOperators stands for the feature gate
	// TaintTolerationComparisonOperators (alpha and off in 1.37), without
	// which a toleration may not use the operators Lt and Gt.
	ComparisonOperators bool
}

// Validate returns what the API server would object to if the DaemonSet were
// created. It judges the object with its defaults filled in, see [Default]; the
// package documentation lists the fields that are covered. A nil DaemonSet is
// one error of type Required; a valid one yields an empty list.
//
// The object is taken as it would reach validation: what the API server puts
// into metadata before that, a name for a generateName and the namespace of the
// request, has to be there.
func Validate(ds *appsv1.DaemonSet, o Options) field.ErrorList {
	if ds == nil {
		return missing("daemonSet")
	}
	ds = Default(ds)
	errs := validateMeta(&ds.ObjectMeta, field.NewPath("metadata"))
	return append(errs, validateSpec(&ds.Spec, rulesForCreate(o), field.NewPath("spec"))...)
}

// ValidateUpdate returns what the API server would object to if old were
// replaced by updated: the rules about what may change, then those of
// [Validate] for the spec. A value that is refused on creation but that old
// already has in the same place is tolerated where the API server tolerates it:
// label values in selectors and in node affinity, comparison operators, and the
// deletion cost. A nil argument is one error of type Required.
//
// Of the metadata, the name and the namespace are only compared with the old
// ones, which once passed. Labels, annotations, owner references and managed
// fields are judged anew, and of finalizers whether a new one came while the
// object is being deleted.
//
// updated has to carry the resourceVersion, uid, generation, creationTimestamp
// and what old may have of a deletion. An object that was read from the API
// server does; a manifest does not, and the API server copies those fields
// before it validates.
func ValidateUpdate(updated, old *appsv1.DaemonSet, o Options) field.ErrorList {
	if updated == nil {
		return missing("daemonSet")
	}
	if old == nil {
		return missing("oldDaemonSet")
	}
	updated = Default(updated) // nothing that is read of old has a default
	errs := validateMetaUpdate(&updated.ObjectMeta, &old.ObjectMeta, field.NewPath("metadata"))
	path := field.NewPath("spec")
	errs = append(errs, apivalidation.ValidateImmutableField(updated.Spec.Selector, old.Spec.Selector, path.Child("selector"))...)
	return append(errs, validateSpec(&updated.Spec, rulesForUpdate(o, old), path)...)
}

func missing(name string) field.ErrorList {
	return field.ErrorList{field.Required(field.NewPath(name), "must not be nil")}
}

func validateSpec(spec *appsv1.DaemonSetSpec, r rules, path *field.Path) field.ErrorList {
	errs := validateSelector(spec, r, path)
	template := path.Child("template")
	errs = append(errs, validateTemplate(&spec.Template, r, template)...)

	// Two rules that a pod template of another kind does not have. A policy
	// that no pod knows is reported twice, here and with the template.
	pod := &spec.Template.Spec
	if pod.RestartPolicy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(template.Child("spec", "restartPolicy"), pod.RestartPolicy,
			[]corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if pod.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(template.Child("spec", "activeDeadlineSeconds"),
			"activeDeadlineSeconds in DaemonSet is not Supported"))
	}

	errs = append(errs, apivalidation.ValidateNonnegativeField(int64(spec.MinReadySeconds), path.Child("minReadySeconds"))...)
	errs = append(errs, validateStrategy(&spec.UpdateStrategy, path.Child("updateStrategy"))...)
	if limit := spec.RevisionHistoryLimit; limit != nil {
		errs = append(errs, apivalidation.ValidateNonnegativeField(int64(*limit), path.Child("revisionHistoryLimit"))...)
	}
	return errs
}

// validateSelector judges the selector and whether it matches the template. A
// nil selector is well-formed and not empty, but matches nothing; an empty one
// matches everything.
func validateSelector(spec *appsv1.DaemonSetSpec, r rules, path *field.Path) field.ErrorList {
	errs := inOrder(metav1validation.ValidateLabelSelector(spec.Selector,
		metav1validation.LabelSelectorValidationOptions{AllowInvalidLabelValueInSelector: r.invalidSelectorValues},
		path.Child("selector")))
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	if err == nil && !selector.Matches(labels.Set(spec.Template.Labels)) {
		errs = append(errs, field.Invalid(path.Child("template", "metadata", "labels"), spec.Template.Labels,
			"`selector` does not match template `labels`"))
	}
	if s := spec.Selector; s != nil && len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0 {
		errs = append(errs, field.Invalid(path.Child("selector"), s, "empty selector is invalid for daemonset"))
	}
	return errs
}
