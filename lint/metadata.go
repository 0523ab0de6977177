package lint

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateMeta judges the metadata of a new object.
func validateMeta(meta *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	errs := apivalidation.ValidateObjectMeta(meta, true, apivalidation.NameIsDNSSubdomain, path)
	return inOrder(append(errs, validateOwnMeta(meta, path)...))
}

// validateMetaUpdate judges the metadata of a changed object.
func validateMetaUpdate(updated, old *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	errs := apivalidation.ValidateObjectMetaUpdate(updated, old, path)
	return inOrder(append(errs, validateOwnMeta(updated, path)...))
}

// validateOwnMeta holds the rules that the API server adds to those of
// apimachinery.
func validateOwnMeta(meta *metav1.ObjectMeta, path *field.Path) field.ErrorList {
	errs := validateGenerationAnnotation(meta.Annotations, path.Child("annotations"))
	for i, name := range meta.Finalizers {
		switch name {
		case string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents:
			continue
		}
		if !strings.Contains(name, "/") {
			errs = append(errs, field.Invalid(path.Child("finalizers").Index(i), name,
				"name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// validateGenerationAnnotation judges the annotation in which apps/v1 keeps the
// template generation. The API server cannot even read an object in which it is
// no number, so it answers with the error of the number parser and without a
// field path; the path here is that of the annotation.
func validateGenerationAnnotation(annotations map[string]string, path *field.Path) field.ErrorList {
	value, found := annotations[appsv1.DeprecatedTemplateGeneration]
	if !found {
		return nil
	}
	if _, err := strconv.ParseInt(value, 10, 64); err != nil {
		return field.ErrorList{field.Invalid(path.Key(appsv1.DeprecatedTemplateGeneration), value, err.Error())}
	}
	return nil
}
