package status

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// State says how far a node is. The values are stable.
type State string

const (
	// Done: the pod is available and of the current revision.
	Done State = "done"
	// NoPod: the node is eligible and has no pod yet.
	NoPod State = "no-pod"
	// Failed and Succeeded: the pod has ended.
	Failed    State = "failed"
	Succeeded State = "succeeded"
	// Terminating: the pod is on its way out. A replacement may be ready behind
	// it.
	Terminating State = "terminating"
	// Unscheduled: the pod has not been bound to the node.
	Unscheduled State = "unscheduled"
	// NodeNotReady: the pod is not ready, and neither is its node.
	NodeNotReady State = "node-not-ready"
	// NotReady: the pod is not ready on a node that is.
	NotReady State = "not-ready"
	// WaitingMinReady: the pod is ready, and minReadySeconds have not passed.
	WaitingMinReady State = "waiting-min-ready"
	// OldRevision: the pod is available and of another revision.
	OldRevision State = "old-revision"
	// MayStay: misscheduled, on a node that is KeepOnly.
	MayStay State = "may-stay"
	// MustGo: misscheduled, on a node that is Excluded.
	MustGo State = "must-go"
	// NodeGone: the pod is on a node that does not exist, or meant for it.
	NodeGone State = "node-gone"
)

// NodeStatus is one node with the pod that counts there.
type NodeStatus struct {
	Node  string `json:"node"`
	State State  `json:"state"`
	// Pod is the pod that the status looks at; empty for NoPod.
	Pod string `json:"pod,omitempty"`
	// Updated and Available are about that pod, on any node.
	Updated   bool `json:"updated"`
	Available bool `json:"available"`
	// AvailableAt is when it becomes available, and Left the time until then,
	// for WaitingMinReady; both are zero when its Ready condition has no
	// transition time, since then it never does.
	AvailableAt time.Time     `json:"availableAt,omitzero"`
	Left        time.Duration `json:"left,omitempty"`
	// Behind is a pod behind that one, not terminating and of the current
	// revision, that is ready: the status does not see it yet.
	Behind string `json:"behind,omitempty"`
	// Cause is what makes the node MayStay or MustGo, when a matcher was given.
	Cause placement.Cause `json:"cause,omitzero"`
}

// String says it in one line.
func (n NodeStatus) String() string {
	s := n.Node + ": " + n.State.text()
	switch {
	case n.State == WaitingMinReady && n.AvailableAt.IsZero():
		s += ", and its Ready condition has no time"
	case n.State == WaitingMinReady:
		s += fmt.Sprintf(", %s left", n.Left)
	case n.Cause.Code != "":
		s += ": " + n.Cause.String()
	}
	if n.Pod != "" {
		s += " (pod " + n.Pod + ")"
	}
	if n.Behind != "" {
		s += ", pod " + n.Behind + " is ready behind it"
	}
	return s
}

var stateTexts = map[State]string{
	Done: "done", NoPod: "no pod yet", Failed: "the pod failed", Succeeded: "the pod ended", Terminating: "the pod is terminating",
	Unscheduled: "the pod is not scheduled", NodeNotReady: "the node is not ready", NotReady: "the pod is not ready",
	WaitingMinReady: "ready, waiting for minReadySeconds", OldRevision: "available, of an old revision",
	MayStay: "misscheduled, may stay", MustGo: "misscheduled, will be removed", NodeGone: "the node is gone",
}

func (s State) text() string {
	if text, ok := stateTexts[s]; ok {
		return text
	}
	return string(s)
}

// NodesOptions say what [Nodes] lists.
type NodesOptions struct {
	// All lists nodes that are done as well.
	All bool
	// Matcher tells why a pod is misscheduled: the one that the fleet was read
	// with. Nil leaves that out.
	Matcher *placement.Matcher
}

// Nodes returns the nodes that are not done, by name, each with its first reason
// in the order of the states. Of in it reads MinReadySeconds and Now. Nodes that
// are not eligible and have no pod are not listed.
//
// A node counts as not ready when its object has a Ready condition that is not
// True; one without the condition, or without an object, is taken for ready.
func Nodes(fleet placement.Fleet, in Input, o NodesOptions) []NodeStatus {
	var all []NodeStatus
	for i := range fleet.Nodes {
		s, listed := nodeStatus(&fleet.Nodes[i], in)
		if !listed || s.State == Done && !o.All {
			continue
		}
		if ref := fleet.Nodes[i].Ref; ref != nil && (s.State == MayStay || s.State == MustGo) {
			s.Cause = o.Matcher.DecidingCause(ref)
		}
		all = append(all, s)
	}
	sortByNode(all)
	return all
}

// sortByNode sorts by node name; nodes without one by state and pod.
func sortByNode(all []NodeStatus) {
	slices.SortStableFunc(all, func(a, b NodeStatus) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.State, b.State), cmp.Compare(a.Pod, b.Pod))
	})
}

// nodeStatus is the step for one node; listed is false where there is nothing to
// say.
func nodeStatus(n *placement.Node, in Input) (s NodeStatus, listed bool) {
	s.Node = n.Name
	if len(n.Pods) == 0 {
		s.State = NoPod
		return s, n.Verdict == placement.Eligible
	}
	p := &n.Pods[0]
	s.Pod = p.Name
	s.Updated = p.Flags.Has(placement.Updated)
	s.Available = available(p, in.MinReadySeconds, in.Now)
	switch n.Verdict {
	case placement.Unevaluated:
		s.State = NodeGone
		if n.Ref != nil {
			return s, false // nobody asked
		}
		return s, true
	case placement.KeepOnly:
		s.State = MayStay
		return s, true
	case placement.Excluded:
		s.State = MustGo
		return s, true
	}
	if behind := readyBehind(n); behind != nil {
		s.Behind = behind.Name
	}
	s.State = podState(n, &s)
	if s.State == WaitingMinReady {
		if at, ok := p.AvailableAt(in.MinReadySeconds); ok {
			s.AvailableAt, s.Left = at, at.Sub(in.Now)
		}
	}
	return s, true
}

// podState is the first thing that is wrong with the pod of an eligible node.
func podState(n *placement.Node, s *NodeStatus) State {
	flags := n.Pods[0].Flags
	switch {
	case flags.Has(placement.Failed):
		return Failed
	case flags.Has(placement.Succeeded):
		return Succeeded
	case flags.Has(placement.Terminating):
		return Terminating
	case !flags.Has(placement.Scheduled):
		return Unscheduled
	case !flags.Has(placement.Ready) && nodeNotReady(n.Ref):
		return NodeNotReady
	case !flags.Has(placement.Ready):
		return NotReady
	case !s.Available:
		return WaitingMinReady
	case !s.Updated:
		return OldRevision
	}
	return Done
}

// nodeNotReady reports whether the node says so.
func nodeNotReady(node *corev1.Node) bool {
	if node == nil {
		return false
	}
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status != corev1.ConditionTrue
		}
	}
	return false
}

// readyBehind is the first pod behind the one that counts that is ready, of the
// current revision and not terminating; nil when that one is all of this itself.
func readyBehind(n *placement.Node) *placement.Pod {
	if live(&n.Pods[0]) && n.Pods[0].Flags.Has(placement.Updated) {
		return nil
	}
	for i := 1; i < len(n.Pods); i++ {
		if p := &n.Pods[i]; live(p) && p.Flags.Has(placement.Updated|placement.Ready) {
			return p
		}
	}
	return nil
}

// live reports whether a pod has neither ended nor is on its way out.
func live(p *placement.Pod) bool {
	return !p.Flags.Any(placement.Terminating | placement.Failed | placement.Succeeded)
}

// StateCount is how many nodes are in a state, and which.
type StateCount struct {
	State State    `json:"state"`
	Nodes []string `json:"nodes"`
}

// CountStates groups nodes by state: larger groups first, equally large ones by
// state. The names in a group are in the order of the list.
func CountStates(nodes []NodeStatus) []StateCount {
	var all []StateCount
	for _, n := range nodes {
		at := slices.IndexFunc(all, func(c StateCount) bool { return c.State == n.State })
		if at < 0 {
			at = len(all)
			all = append(all, StateCount{State: n.State})
		}
		all[at].Nodes = append(all[at].Nodes, n.Node)
	}
	slices.SortFunc(all, func(a, b StateCount) int {
		return cmp.Or(cmp.Compare(len(b.Nodes), len(a.Nodes)), cmp.Compare(a.State, b.State))
	})
	return all
}
