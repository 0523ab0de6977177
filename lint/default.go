package lint

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	defaultRevisionHistoryLimit   = 10
	defaultGracePeriodSeconds     = 30
	defaultMaxUnavailable         = 1
	defaultMaxSurge               = 0
	defaultTokenExpirationSeconds = 60 * 60
)

// Default returns a copy of the DaemonSet with everything filled in that the API
// server fills in for apps/v1, whatever the object already says elsewhere, valid
// or not. Default of a result is that result; nil stays nil.
//
// A DaemonSet that was read from the API server comes back unchanged. One from
// a manifest comes back with the spec that the API server would return, but not
// with what the server writes by itself: uid, generation, timestamps, managed
// fields, the annotation deprecated.daemonset.template.generation and the
// status. Nor are fields dropped that belong to a feature gate which is off.
func Default(ds *appsv1.DaemonSet) *appsv1.DaemonSet {
	if ds == nil {
		return nil
	}
	ds = ds.DeepCopy()
	setStrategy(&ds.Spec.UpdateStrategy)
	setIfNil(&ds.Spec.RevisionHistoryLimit, defaultRevisionHistoryLimit)
	setPodSpec(&ds.Spec.Template.Spec)
	return ds
}

// DefaultTemplate returns a copy of the template as the API server would return
// it inside a DaemonSet, so that a template from a file can be compared with one
// from a cluster. nil stays nil.
//
// Pods get more defaults than templates do: requests from limits, host ports on
// the host network, enableServiceLinks. Those are not filled in.
func DefaultTemplate(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	if template == nil {
		return nil
	}
	template = template.DeepCopy()
	setPodSpec(&template.Spec)
	return template
}

// setStrategy fills in a rolling update. An OnDelete strategy, or one of an
// unknown type, keeps its rollingUpdate block as it is.
func setStrategy(strategy *appsv1.DaemonSetUpdateStrategy) {
	setIfZero(&strategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if strategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		return
	}
	setIfNil(&strategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
	setIfNil(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(defaultMaxUnavailable))
	setIfNil(&strategy.RollingUpdate.MaxSurge, intstr.FromInt32(defaultMaxSurge))
}

func setPodSpec(spec *corev1.PodSpec) {
	// serviceAccount is the old name of serviceAccountName. Both are returned,
	// and the new one wins.
	setIfZero(&spec.ServiceAccountName, spec.DeprecatedServiceAccount)
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
	setIfZero(&spec.DNSPolicy, corev1.DNSClusterFirst)
	setIfZero(&spec.RestartPolicy, corev1.RestartPolicyAlways)
	setIfNil(&spec.SecurityContext, corev1.PodSecurityContext{})
	setIfNil(&spec.TerminationGracePeriodSeconds, defaultGracePeriodSeconds)
	setIfZero(&spec.SchedulerName, corev1.DefaultSchedulerName)

	for i := range spec.Volumes {
		setVolume(&spec.Volumes[i])
	}
	for i := range spec.InitContainers {
		setContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		setContainer(&spec.Containers[i])
	}
	for i := range spec.EphemeralContainers {
		setContainer((*corev1.Container)(&spec.EphemeralContainers[i].EphemeralContainerCommon))
	}
	roundUp(spec.Overhead)
	if spec.Resources != nil {
		roundUp(spec.Resources.Limits)
		roundUp(spec.Resources.Requests)
	}
}

// roundUp raises each quantity to the next thousandth, the finest step that the
// API keeps.
func roundUp(list corev1.ResourceList) {
	for name, quantity := range list {
		quantity.RoundUp(resource.Milli)
		list[name] = quantity
	}
}

func setIfZero[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func setIfNil[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
