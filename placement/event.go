package placement

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// NodeEvent is a node that was added or changed, and what the DaemonSet has
// there.
type NodeEvent struct {
	// Old is the node before; nil when it has just appeared.
	Old *corev1.Node
	// New is the node now; nil when it is gone, which triggers nothing: the
	// pods go with the node.
	New *corev1.Node
	// Pods is the number of pods on the node whose controller is the
	// DaemonSet: scheduled ones, terminating or not. The controller looks
	// them up by spec.nodeName, so a pod that is still unscheduled does not
	// count, and tells them by the kind and the name of their controller
	// reference, so that pods of an earlier DaemonSet of this name do.
	Pods int
	// NumberMisscheduled is what the DaemonSet's status says.
	NumberMisscheduled int32
}

// Trigger says why a node event asks for a new sync. The values are stable;
// the empty one is none.
type Trigger string

const (
	// TriggerNone: the event does not matter to this DaemonSet.
	TriggerNone Trigger = ""
	// TriggerMissing: the node is eligible and has no pod.
	TriggerMissing Trigger = "pod-missing"
	// TriggerMustGo: the node is excluded and has a pod.
	TriggerMustGo Trigger = "pod-must-go"
	// TriggerMisscheduled: the node has a pod, and the status counts pods
	// that are misscheduled, of which this may have been one
	// (kubernetes/kubernetes#132459).
	TriggerMisscheduled Trigger = "misscheduled"
)

// Trigger says whether the controller would look at the DaemonSet again after
// the event, and why: the first of the three that holds, in the order of their
// declaration.
//
// Of a node that changed, only labels and taints matter, as in the controller.
// With predicates of the caller in the options everything matters, since a
// predicate may look at anything.
func (m *Matcher) Trigger(e NodeEvent) Trigger {
	if e.New == nil {
		return TriggerNone
	}
	if e.Old != nil && len(m.predicates) == 0 && sameForPlacement(e.Old, e.New) {
		return TriggerNone
	}
	v := m.Match(e.New)
	switch {
	case v == Eligible && e.Pods == 0:
		return TriggerMissing
	case v == Excluded && e.Pods > 0:
		return TriggerMustGo
	case e.Pods > 0 && e.NumberMisscheduled > 0:
		return TriggerMisscheduled
	}
	return TriggerNone
}

// sameForPlacement reports whether two states of a node have the same labels
// and taints. The order of taints and the time at which they were added count,
// as they do for the controller.
func sameForPlacement(a, b *corev1.Node) bool {
	return maps.Equal(a.Labels, b.Labels) &&
		slices.EqualFunc(a.Spec.Taints, b.Spec.Taints, func(s, t corev1.Taint) bool {
			return s.Key == t.Key && s.Value == t.Value && s.Effect == t.Effect && s.TimeAdded.Equal(t.TimeAdded)
		})
}
