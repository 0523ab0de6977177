package lint

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateTemplate judges a defaulted pod template. Labels and annotations are
// reported right under the template, as the API server does.
func validateTemplate(template *corev1.PodTemplateSpec, r rules, path *field.Path) field.ErrorList {
	errs := inOrder(metav1validation.ValidateLabels(template.Labels, path.Child("labels")))
	annotations := path.Child("annotations")
	errs = append(errs, inOrder(apivalidation.ValidateAnnotations(template.Annotations, annotations))...)
	errs = append(errs, validatePodAnnotations(template, r, annotations)...)
	errs = append(errs, validatePodSpec(&template.Spec, r, path.Child("spec"))...)
	if len(template.Spec.EphemeralContainers) > 0 {
		errs = append(errs, field.Forbidden(path.Child("spec", "ephemeralContainers"),
			"ephemeral containers not allowed in pod template"))
	}
	return errs
}

// validatePodSpec judges the fields that the package documentation lists. Since
// defaults are filled in, none of the enumerated fields is empty.
func validatePodSpec(spec *corev1.PodSpec, r rules, path *field.Path) field.ErrorList {
	errs := validateContainers(spec.Containers, path.Child("containers"))
	errs = append(errs, validateInitContainers(spec.InitContainers, spec.Containers, path.Child("initContainers"))...)
	if spec.HostNetwork {
		errs = append(errs, validateHostNetworkPorts(spec.Containers, path.Child("containers"))...)
	}
	errs = append(errs, validateRestartPolicy(spec.RestartPolicy, path.Child("restartPolicy"))...)
	errs = append(errs, validateDNSPolicy(spec.DNSPolicy, path.Child("dnsPolicy"))...)
	errs = append(errs, inOrder(metav1validation.ValidateLabels(spec.NodeSelector, path.Child("nodeSelector")))...)
	errs = append(errs, validateNodeAffinity(spec.Affinity, r, path.Child("affinity", "nodeAffinity"))...)
	errs = append(errs, validateNameServers(spec, path.Child("dnsConfig"))...)
	if spec.NodeName != "" {
		for _, msg := range apivalidation.NameIsDNSSubdomain(spec.NodeName, false) {
			errs = append(errs, field.Invalid(path.Child("nodeName"), spec.NodeName, msg))
		}
	}
	if seconds := spec.ActiveDeadlineSeconds; seconds != nil && (*seconds < 1 || *seconds > math.MaxInt32) {
		errs = append(errs, field.Invalid(path.Child("activeDeadlineSeconds"), *seconds,
			validation.InclusiveRangeError(1, math.MaxInt32)))
	}
	return append(errs, validateTolerations(spec.Tolerations, r, path.Child("tolerations"))...)
}

func validateRestartPolicy(policy corev1.RestartPolicy, path *field.Path) field.ErrorList {
	switch policy {
	case corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever:
		return nil
	}
	return field.ErrorList{field.NotSupported(path, policy, []corev1.RestartPolicy{
		corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever,
	})}
}

func validateDNSPolicy(policy corev1.DNSPolicy, path *field.Path) field.ErrorList {
	switch policy {
	case corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault, corev1.DNSNone:
		return nil
	}
	return field.ErrorList{field.NotSupported(path, policy, []corev1.DNSPolicy{
		corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault, corev1.DNSNone,
	})}
}

// validateNameServers asks for at least one name server when the cluster
// provides none.
func validateNameServers(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	switch {
	case spec.DNSPolicy != corev1.DNSNone:
		return nil
	case spec.DNSConfig == nil:
		return field.ErrorList{field.Required(path,
			fmt.Sprintf("must provide `dnsConfig` when `dnsPolicy` is %s", corev1.DNSNone))}
	case len(spec.DNSConfig.Nameservers) == 0:
		return field.ErrorList{field.Required(path.Child("nameservers"),
			fmt.Sprintf("must provide at least one DNS nameserver when `dnsPolicy` is %s", corev1.DNSNone))}
	}
	return nil
}
