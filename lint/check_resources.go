package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement/cost"
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

// requests is what a pod of the template asks for, as the API server would persist
// it, without its slot; nil where a quantity cannot be used.
func (s *subject) requests() corev1.ResourceList {
	pod, _ := cost.Admit(&corev1.Pod{Spec: *s.spec}, cost.Admission{})
	requests, err := cost.RequestsOf(pod, nil)
	if err != nil {
		return nil
	}
	list := requests.List()
	delete(list, corev1.ResourcePods)
	return list
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
