package drain

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// Gate says what a node waits for. The zero value waits until every daemon pod
// that the node is to have, with the taints that it has now, is ready.
type Gate struct {
	// Held are the keys of taints that the caller keeps on the node until nothing
	// is waited for. DaemonSets that do not tolerate one of them are listed as
	// Later, not as Waiting.
	Held []string
	// Passing are the keys of taints that go away by themselves while the node
	// starts, such as node.kubernetes.io/not-ready. What is kept off by one of
	// them alone is waited for.
	Passing []string
	// Available waits, after a pod is ready, for the minReadySeconds of its
	// DaemonSet.
	Available bool
}

// Lack says what is missing of a daemon pod. The values are stable.
type Lack string

const (
	// NoPod: there is none, or only pods that have ended or are terminating.
	NoPod Lack = "no-pod"
	// NotBound: the pod is meant for the node and not bound to it.
	NotBound Lack = "not-bound"
	// NotReady: the pod is not ready.
	NotReady Lack = "not-ready"
	// NotAvailable: the pod is ready, and minReadySeconds have not passed.
	NotAvailable Lack = "not-available"
)

// Missing is a daemon pod that a node is to have and has not.
type Missing struct {
	DaemonSet types.NamespacedName `json:"daemonSet"`
	Lack      Lack                 `json:"lack"`
	// Pod is the name of the pod that is nearest to being there; empty for NoPod.
	Pod string `json:"pod,omitempty"`
}

// Arrivals is what a node waits for.
type Arrivals struct {
	// Waiting are the daemon pods to wait for, by namespace and name of their
	// DaemonSet. Once it is empty, a held taint can go.
	Waiting []Missing `json:"waiting,omitempty"`
	// Later are the DaemonSets whose pod comes only when the held taints are
	// gone: to wait for them is to wait for ever. By namespace and name.
	Later []types.NamespacedName `json:"later,omitempty"`
	// Next is the earliest moment at which a pod of Waiting becomes available
	// without anything else happening; zero when there is none.
	Next time.Time `json:"next,omitzero"`
}

// Waiting returns which of the daemon pods that the node is to have are not ready.
// pods are those of the node, pods of others among them do not matter. A node that
// is nil waits for nothing.
//
// A pod of any revision counts. During a surge one of two pods is enough.
func (s Sets) Waiting(node *corev1.Node, pods []*corev1.Pod, g Gate, now time.Time) Arrivals {
	var a Arrivals
	if node == nil {
		return a
	}
	// The node as it will be: without both kinds of taints, and as it is while
	// the held ones are there.
	free, held := without(node, append(slices.Clone(g.Passing), g.Held...)), without(node, g.Passing)
	for i := range s.sets {
		set := &s.sets[i]
		if set.matcher.Match(free) != placement.Eligible {
			continue
		}
		if set.matcher.Match(held) != placement.Eligible {
			a.Later = append(a.Later, set.name)
			continue
		}
		missing, next, found := set.missing(set.on(node, pods), g, now)
		if !found {
			continue
		}
		a.Waiting = append(a.Waiting, missing)
		if !next.IsZero() && (a.Next.IsZero() || next.Before(a.Next)) {
			a.Next = next
		}
	}
	return a
}

// missing returns what is nearest to a pod that will do; found is false when there
// is one that does. next is when it becomes available.
func (s *set) missing(n placement.Node, g Gate, now time.Time) (m Missing, next time.Time, found bool) {
	rank := map[Lack]int{NoPod: 0, NotBound: 1, NotReady: 2, NotAvailable: 3}
	m = Missing{DaemonSet: s.name, Lack: NoPod}
	for i := range n.Pods {
		p := &n.Pods[i]
		if !stays(*p) {
			continue
		}
		lack, at := NotReady, time.Time{}
		switch {
		case !p.Flags.Has(placement.Scheduled):
			lack = NotBound
		case p.Flags.Has(placement.Ready) && !g.Available:
			return Missing{}, time.Time{}, false
		case p.Flags.Has(placement.Ready):
			ready, known := p.AvailableAt(s.spec.MinReadySeconds)
			if known && !ready.After(now) {
				return Missing{}, time.Time{}, false
			}
			lack = NotAvailable
			if known {
				at = ready
			}
		}
		switch {
		case rank[lack] > rank[m.Lack]:
			m.Lack, m.Pod, next = lack, p.Name, at
		case lack == m.Lack && !at.IsZero() && (next.IsZero() || at.Before(next)):
			m.Pod, next = p.Name, at
		}
	}
	return m, next, true
}

// without returns a copy of the node, for judging, that lacks the taints with the
// keys.
func without(node *corev1.Node, keys []string) *corev1.Node {
	if !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return slices.Contains(keys, t.Key) }) {
		return node
	}
	freed := *node
	freed.Spec.Taints = slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(t corev1.Taint) bool {
		return slices.Contains(keys, t.Key)
	})
	return &freed
}
