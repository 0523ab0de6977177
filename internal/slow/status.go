package slow

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Status counts nodes one by one, in the words of the controller. The tolerations
// are the effective ones of the template.
func Status(ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, hash string, generation *int64, list []corev1.Toleration, now time.Time) appsv1.DaemonSetStatus {
	byName := map[string]*corev1.Pod{}
	for _, pod := range pods {
		byName[pod.Name] = pod
	}
	groups := PodsByNode(pods)
	var s appsv1.DaemonSetStatus
	for _, node := range nodes {
		shouldRun, _ := Placement(&ds.Spec.Template, node, list, list, false)
		here := groups[node.Name]
		if !shouldRun {
			if len(here) > 0 {
				s.NumberMisscheduled++
			}
			continue
		}
		s.DesiredNumberScheduled++
		if len(here) == 0 {
			continue
		}
		s.CurrentNumberScheduled++
		first := byName[here[0]]
		if Ready(first) != nil {
			s.NumberReady++
		}
		if Available(first, ds.Spec.MinReadySeconds, now) {
			s.NumberAvailable++
		}
		if Updated(first, hash, generation) {
			s.UpdatedNumberScheduled++
		}
	}
	s.NumberUnavailable = s.DesiredNumberScheduled - s.NumberAvailable
	return s
}

// Available reports whether a pod is ready and has been for long enough.
func Available(pod *corev1.Pod, minReadySeconds int32, now time.Time) bool {
	c := Ready(pod)
	if c == nil {
		return false
	}
	if minReadySeconds == 0 {
		return true
	}
	if c.LastTransitionTime.IsZero() {
		return false
	}
	return !now.Before(c.LastTransitionTime.Add(time.Duration(minReadySeconds) * time.Second))
}
