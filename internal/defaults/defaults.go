// Package defaults fills in what the API server fills in for apps/v1 DaemonSets.
// lint exports it; revision compares templates with it.
package defaults

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

// DaemonSet returns a copy of the DaemonSet with the defaults; nil for nil.
func DaemonSet(ds *appsv1.DaemonSet) *appsv1.DaemonSet {
	if ds == nil {
		return nil
	}
	ds = ds.DeepCopy()
	setStrategy(&ds.Spec.UpdateStrategy)
	setIfNil(&ds.Spec.RevisionHistoryLimit, defaultRevisionHistoryLimit)
	setPodSpec(&ds.Spec.Template.Spec)
	return ds
}

// Template returns a copy of the template with the defaults; nil for nil.
func Template(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
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
