package slow

import (
	"sort"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// PodsByNode groups the names of pods by the node that they belong to, in the
// order in which the controller prefers them, and leaves out those that have
// ended and are terminating.
func PodsByNode(pods []*corev1.Pod) map[string][]string {
	groups := map[string][]*corev1.Pod{}
	for _, pod := range pods {
		ended := pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
		if ended && pod.DeletionTimestamp != nil {
			continue
		}
		if name, ok := targetOf(pod); ok {
			groups[name] = append(groups[name], pod)
		}
	}
	names := map[string][]string{}
	for node, group := range groups {
		sort.Slice(group, func(i, j int) bool {
			a, b := group[i], group[j]
			if (a.Spec.NodeName != "") != (b.Spec.NodeName != "") {
				return a.Spec.NodeName != ""
			}
			if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
				return a.CreationTimestamp.Before(&b.CreationTimestamp)
			}
			return a.Name < b.Name
		})
		for _, pod := range group {
			names[node] = append(names[node], pod.Name)
		}
	}
	return names
}

func targetOf(pod *corev1.Pod) (string, bool) {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName, true
	}
	if pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil ||
		pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return "", false
	}
	for _, term := range pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, r := range term.MatchFields {
			if r.Key == "metadata.name" && r.Operator == corev1.NodeSelectorOpIn {
				if len(r.Values) == 1 {
					return r.Values[0], true
				}
				return "", false
			}
		}
	}
	return "", false
}

// Updated reports whether a pod is of the revision, by hash or generation.
func Updated(pod *corev1.Pod, hash string, generation *int64) bool {
	if generation != nil && pod.Labels["pod-template-generation"] == strconv.FormatInt(*generation, 10) {
		return true
	}
	return hash != "" && pod.Labels["controller-revision-hash"] == hash
}

// Ready returns the first Ready condition, if it is True.
func Ready(pod *corev1.Pod) *corev1.PodCondition {
	for i, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			if c.Status == corev1.ConditionTrue {
				return &pod.Status.Conditions[i]
			}
			return nil
		}
	}
	return nil
}

// CrashLoops reports whether a container or init container waits to be restarted.
func CrashLoops(pod *corev1.Pod) bool {
	for _, c := range append(append([]corev1.ContainerStatus{}, pod.Status.InitContainerStatuses...), pod.Status.ContainerStatuses...) {
		if c.State.Waiting != nil && c.State.Waiting.Reason == "CrashLoopBackOff" {
			return true
		}
	}
	return false
}
