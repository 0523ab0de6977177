package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// computeResources are what every container uses.
var computeResources = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

func checkNoResources(s *subject, found report) {
	if r := s.spec.Resources; r != nil && len(r.Requests)+len(r.Limits) > 0 {
		return
	}
	for _, c := range s.running() {
		if !slices.ContainsFunc(computeResources, func(name corev1.ResourceName) bool {
			_, requested := c.Resources.Requests[name]
			_, limited := c.Resources.Limits[name]
			return requested || limited
		}) {
			found(c.field+".resources", fmt.Sprintf("container %s asks for neither cpu nor memory", c.Name),
				"set requests, so that the scheduler keeps room and the kubelet evicts others first")
		}
	}
}

func checkLimitsOnly(s *subject, found report) {
	judge := func(who, field string, r *corev1.ResourceRequirements) {
		var names []string
		for _, name := range computeResources {
			_, requested := r.Requests[name]
			if _, limited := r.Limits[name]; limited && !requested {
				names = append(names, string(name))
			}
		}
		if len(names) > 0 {
			found(field+".resources", fmt.Sprintf("%s has a limit and no request for %s, so it requests the limit", who, strings.Join(names, " and ")),
				"set the request")
		}
	}
	for _, c := range s.containers() {
		judge("container "+c.Name, c.field, &c.Resources)
	}
	if s.spec.Resources != nil {
		judge("the pod", podSpec, s.spec.Resources)
	}
}

// requests is what a pod of the template asks for once the API server has copied
// limits to requests, which it does on pods and not on templates.
func (s *subject) requests() corev1.ResourceList {
	pod := &corev1.Pod{Spec: *s.spec.DeepCopy()}
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			list[i].Resources.Requests = withLimits(list[i].Resources.Requests, list[i].Resources.Limits)
		}
	}
	if r := pod.Spec.Resources; r != nil {
		// What the containers ask for together goes before the pod's own limit.
		asked := resource.PodRequests(pod, resource.PodResourcesOptions{SkipPodLevelResources: true, ExcludeOverhead: true})
		for name := range r.Limits {
			if _, found := r.Requests[name]; found {
				delete(asked, name)
			}
		}
		limits := make(corev1.ResourceList)
		for name, limit := range r.Limits {
			if have, found := asked[name]; found && !have.IsZero() {
				limit = have
			}
			limits[name] = limit
		}
		r.Requests = withLimits(r.Requests, limits)
	}
	return resource.PodRequests(pod, resource.PodResourcesOptions{})
}

// withLimits adds the limits for which there is no request.
func withLimits(requests, limits corev1.ResourceList) corev1.ResourceList {
	for name, limit := range limits {
		if _, found := requests[name]; !found {
			if requests == nil {
				requests = make(corev1.ResourceList)
			}
			requests[name] = limit.DeepCopy()
		}
	}
	return requests
}

func checkShare(s *subject, found report) {
	share := int64(s.MaxShare)
	if share == 0 {
		share = defaultMaxShare
	}
	requests := s.requests()
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		var smallest *corev1.Node
		for _, node := range s.eligible {
			have := node.Status.Allocatable[name]
			if have.Sign() <= 0 {
				continue // undefined, not infinite
			}
			if smallest == nil || have.Cmp(smallest.Status.Allocatable[name]) < 0 {
				smallest = node
			}
		}
		if smallest == nil {
			continue
		}
		request, room := requests[name], smallest.Status.Allocatable[name]
		ask, most := request.DeepCopy(), room.DeepCopy()
		ask.Mul(100)
		most.Mul(share)
		if ask.Cmp(most) <= 0 {
			continue
		}
		percent := request.AsApproximateFloat64() / room.AsApproximateFloat64() * 100
		found(podSpec, fmt.Sprintf("a pod asks for %s %s, %.0f%% of what node %s has; %d%% is the most", request.String(), name, percent, smallest.Name, share),
			"ask for less, or keep off small nodes")
	}
}

// harmlessPaths are read by programs that have no other access to the host.
var harmlessPaths = []string{"/etc/localtime", "/etc/timezone", "/usr/share/zoneinfo"}

// hostAccess says by what the pods reach their host; nothing when they do not.
func (s *subject) hostAccess() string {
	switch {
	case s.spec.HostNetwork:
		return "host network"
	case s.spec.HostPID:
		return "host PID"
	case s.spec.HostIPC:
		return "host IPC"
	}
	for _, c := range s.containers() {
		if privileged(c) {
			return "privileged container " + c.Name
		}
	}
	for _, v := range s.spec.Volumes {
		if v.HostPath != nil && !slices.Contains(harmlessPaths, v.HostPath.Path) {
			return "host path " + cmp.Or(v.HostPath.Path, `""`)
		}
	}
	return ""
}

func checkPriority(s *subject, found report) {
	if s.spec.PriorityClassName != "" || s.spec.Priority != nil {
		return
	}
	if access := s.hostAccess(); access != "" {
		found(podSpec+".priorityClassName", "an agent with host access ("+access+") has no priority class, so other pods can take its room",
			"set system-node-critical for what a node needs, or a class of your own")
	}
}
