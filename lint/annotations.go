package lint

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validatePodAnnotations judges the annotations of a template that mean
// something to Kubernetes itself.
func validatePodAnnotations(template *corev1.PodTemplateSpec, r rules, path *field.Path) field.ErrorList {
	annotations := template.Annotations
	var errs field.ErrorList
	if value, found := annotations[corev1.MirrorPodAnnotationKey]; found && template.Spec.NodeName == "" {
		errs = append(errs, field.Invalid(path.Key(corev1.MirrorPodAnnotationKey), value,
			"must set spec.nodeName if mirror pod annotation is set"))
	}
	errs = append(errs, validateTolerationsAnnotation(annotations[corev1.TolerationsAnnotationKey], r, path)...)
	if !r.invalidDeletionCost && !validDeletionCost(annotations) {
		errs = append(errs, field.Invalid(path.Key(corev1.PodDeletionCost), annotations[corev1.PodDeletionCost],
			"must be a 32bit integer"))
	}
	keys := slices.Sorted(maps.Keys(annotations))
	for _, key := range keys {
		if key == corev1.SeccompPodAnnotationKey || strings.HasPrefix(key, corev1.SeccompContainerAnnotationKeyPrefix) {
			errs = append(errs, validateSeccomp(annotations[key], path.Child(key))...)
		}
	}
	for _, key := range keys {
		name, found := strings.CutPrefix(key, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix)
		if found {
			errs = append(errs, validateAppArmor(&template.Spec, name, annotations[key], path.Key(key))...)
		}
	}
	return errs
}

// validateTolerationsAnnotation judges the list of tolerations that scheduler
// versions before 1.6 read from an annotation. It is reported as a child of the
// annotations. If the value is no JSON list of tolerations, the error names the
// key as the bad value and carries the text of the JSON parser, which may name a
// Go type: v1.Toleration here, core.Toleration in the API server.
func validateTolerationsAnnotation(value string, r rules, path *field.Path) field.ErrorList {
	if value == "" {
		return nil
	}
	var list []corev1.Toleration
	if err := json.Unmarshal([]byte(value), &list); err != nil {
		return field.ErrorList{field.Invalid(path, corev1.TolerationsAnnotationKey, err.Error())}
	}
	return validateTolerations(list, r, path.Child(corev1.TolerationsAnnotationKey))
}

// validDeletionCost reports whether the deletion cost is absent or a 32-bit
// integer without a plus sign and without leading zeros.
func validDeletionCost(annotations map[string]string) bool {
	value, found := annotations[corev1.PodDeletionCost]
	if !found || value == "0" {
		return true
	}
	if value == "" || value[0] != '-' && (value[0] < '1' || value[0] > '9') {
		return false
	}
	_, err := strconv.ParseInt(value, 10, 32)
	return err == nil
}

func validateSeccomp(profile string, path *field.Path) field.ErrorList {
	switch profile {
	case corev1.SeccompProfileRuntimeDefault, corev1.DeprecatedSeccompProfileDockerDefault, corev1.SeccompProfileNameUnconfined:
		return nil
	}
	file, local := strings.CutPrefix(profile, corev1.SeccompLocalhostProfileNamePrefix)
	if !local {
		return field.ErrorList{field.Invalid(path, profile, "must be a valid seccomp profile")}
	}
	var errs field.ErrorList
	if strings.HasPrefix(file, "/") {
		errs = append(errs, field.Invalid(path, file, "must be a relative path"))
	}
	if slices.Contains(strings.Split(file, "/"), "..") {
		errs = append(errs, field.Invalid(path, file, "must not contain '..'"))
	}
	return errs
}

func validateAppArmor(spec *corev1.PodSpec, container, profile string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !hasContainer(spec, container) {
		errs = append(errs, field.Invalid(path, container, "container not found"))
	}
	switch {
	case profile == "", profile == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault,
		profile == corev1.DeprecatedAppArmorBetaProfileNameUnconfined,
		strings.HasPrefix(profile, corev1.DeprecatedAppArmorBetaProfileNamePrefix):
	default:
		errs = append(errs, field.Invalid(path, profile, fmt.Sprintf("invalid AppArmor profile name: %q", profile)))
	}
	return errs
}

func hasContainer(spec *corev1.PodSpec, name string) bool {
	named := func(c corev1.Container) bool { return c.Name == name }
	return slices.ContainsFunc(spec.InitContainers, named) || slices.ContainsFunc(spec.Containers, named) ||
		slices.ContainsFunc(spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool { return c.Name == name })
}
