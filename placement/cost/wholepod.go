package cost

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// wholePod completes what a pod asks for as a whole, once it does so for anything:
// a request from what the containers ask for, or else from the pod's limit. Huge
// pages cannot be overcommitted, so that theirs go from limits to requests. The pod
// is usable.
//
// This comes after admission, as in 1.37 (PodLevelResourcesFixDefaulting).
func wholePod(pod *corev1.Pod) {
	whole := pod.Spec.Resources
	if whole == nil || len(whole.Requests) == 0 && len(whole.Limits) == 0 {
		return
	}
	o := resource.PodResourcesOptions{SkipPodLevelResources: true, ExcludeOverhead: true}
	limits := resource.AggregateContainerLimits(pod, o)
	for name, quantity := range limits {
		if _, asked := whole.Requests[name]; hugePages(name) && !asked {
			fill(&whole.Limits, corev1.ResourceList{name: quantity})
		}
	}
	for name, quantity := range resource.AggregateContainerRequests(pod, o) {
		if name == corev1.ResourceCPU || name == corev1.ResourceMemory {
			fill(&whole.Requests, corev1.ResourceList{name: quantity})
		}
	}
	for name, quantity := range whole.Limits {
		if name == corev1.ResourceCPU || name == corev1.ResourceMemory || hugePages(name) {
			fill(&whole.Requests, corev1.ResourceList{name: quantity})
		}
	}
	// A limit, where every container has one.
	limits = resource.AggregateContainerLimits(pod, o)
	for name, request := range whole.Requests {
		limit, ok := limits[name]
		if !ok || !everyLimit(&pod.Spec, name) || name != corev1.ResourceCPU && name != corev1.ResourceMemory && !hugePages(name) {
			continue
		}
		if request.Cmp(limit) > 0 {
			limit = request
		}
		fill(&whole.Limits, corev1.ResourceList{name: limit})
	}
}

// everyLimit reports whether all containers limit a resource.
func everyLimit(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if _, ok := list[i].Resources.Limits[name]; !ok {
				return false
			}
		}
	}
	return true
}
