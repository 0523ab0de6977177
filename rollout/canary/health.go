package canary

import (
	"cmp"
	"iter"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Health is what [Judge] looks at in a pod. A simulator makes these without
// objects.
type Health struct {
	// Pod and Node are names. They order pods, and say which one a verdict is
	// about.
	Pod, Node string
	// Created is when the pod was created: its slow-start time begins then.
	Created time.Time
	// Restarts are those of the container that has the most, init containers among
	// them: one that crashes is not worse for having neighbours. What
	// ExtendedDaemonSet makes of several containers is not known here.
	Restarts int32
	// FirstRestart and LastRestart are the earliest and the latest restart that the
	// pod tells of; zero where it has none. A pod tells of the last one of each
	// container alone, by the end of the run before, so [State] remembers.
	FirstRestart, LastRestart time.Time
	// Waiting are the reasons for which containers wait, init containers first,
	// each once.
	Waiting []string
	// Ready is the Ready condition, and ReadyChanged when it became what it is;
	// zero where it is missing or has no time.
	Ready        bool
	ReadyChanged time.Time
	// Failed: the pod is in phase Failed.
	Failed bool
}

// HealthOf reads a pod; the zero Health for nil. The node is the one that
// placement.TargetNode names, empty where it names none.
func HealthOf(pod *corev1.Pod) Health {
	if pod == nil {
		return Health{}
	}
	node, _ := placement.TargetNode(pod)
	facts := placement.Reading{}.Facts(pod)
	return healthOf(node, &facts)
}

// HealthIn reads the pods of a canary: on the given nodes, those that are of the
// revision that the fleet was read for and not on their way out. They are ordered
// by node, and then as the node has them. What a hook of placement.Reading changed
// in the facts of a pod holds here too; a pod that is only facts has no restarts
// and waits for nothing.
func HealthIn(fleet placement.Fleet, nodes map[string]bool) []Health {
	var all []Health
	for i := range fleet.Nodes {
		n := &fleet.Nodes[i]
		if !nodes[n.Name] {
			continue
		}
		for j := range n.Pods {
			if p := &n.Pods[j]; p.Flags.Has(placement.Updated) && !p.Flags.Has(placement.Terminating) {
				all = append(all, healthOf(n.Name, p))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Health) int { return cmp.Compare(a.Node, b.Node) })
	return all
}

func healthOf(node string, p *placement.Pod) Health {
	h := Health{
		Pod: p.Name, Node: node, Created: p.Created,
		Ready: p.Flags.Has(placement.Ready), ReadyChanged: p.ReadyChanged,
		Failed: p.Flags.Has(placement.Failed),
	}
	if p.Ref == nil {
		return h
	}
	for c := range containers(p.Ref) {
		h.Restarts = max(h.Restarts, c.RestartCount)
		h.FirstRestart, h.LastRestart = span(h.FirstRestart, h.LastRestart, restarted(c))
		if w := c.State.Waiting; w != nil && w.Reason != "" && !slices.Contains(h.Waiting, w.Reason) {
			h.Waiting = append(h.Waiting, w.Reason)
		}
	}
	return h
}

// containers are the states of the init containers and then of the others.
func containers(pod *corev1.Pod) iter.Seq[*corev1.ContainerStatus] {
	return func(yield func(*corev1.ContainerStatus) bool) {
		for _, list := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// restarted is when a container last restarted: the end of the run before, or
// where that is not known the start of this one. It is zero for a container that
// never restarted.
func restarted(c *corev1.ContainerStatus) time.Time {
	if c.RestartCount <= 0 {
		return time.Time{}
	}
	if t := c.LastTerminationState.Terminated; t != nil && !t.FinishedAt.IsZero() {
		return t.FinishedAt.Time
	}
	switch {
	case c.State.Running != nil:
		return c.State.Running.StartedAt.Time
	case c.State.Terminated != nil:
		return c.State.Terminated.StartedAt.Time
	}
	return time.Time{}
}

// span widens the time between a first and a last moment by another one; zero
// stands for none.
func span(first, last, at time.Time) (time.Time, time.Time) {
	if at.IsZero() {
		return first, last
	}
	if first.IsZero() || at.Before(first) {
		first = at
	}
	if last.IsZero() || at.After(last) {
		last = at
	}
	return first, last
}
