package drain

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// Outcome is what the controller does after a pod was evicted. The values are
// stable.
type Outcome string

const (
	// Recreated: a pod of the current template comes, also under OnDelete, where
	// that is how a pod is updated, and also on a cordoned node, which daemon
	// pods tolerate.
	Recreated Outcome = "recreated"
	// Covered: the DaemonSet has another running pod there, which stays.
	Covered Outcome = "covered"
	// Lost: the node is not eligible any more, and the pod was only kept.
	Lost Outcome = "lost"
	// NodeGone: the node does not exist, or was not judged.
	NodeGone Outcome = "node-gone"
	// NoDaemonSet: no DaemonSet has the pod, or the one that has is being deleted
	// or not synced.
	NoDaemonSet Outcome = "no-daemonset"
)

// AfterEviction returns what the controller does on a node, from the facts of one
// DaemonSet there, once the pod with the UID is gone. Other pods that end, have
// ended or are terminating do not stay, so they do not count.
//
// During a rolling update with surge the node may have two running pods; evicting
// either leaves it Covered, and the update goes on from there.
func AfterEviction(n placement.Node, evicted types.UID) Outcome {
	n.Pods = slices.DeleteFunc(slices.Clone(n.Pods), func(p placement.Pod) bool { return p.UID == evicted })
	return outcome(n)
}

// outcome is that of a node from which the evicted pod is gone.
func outcome(n placement.Node) Outcome {
	switch {
	case n.Verdict == placement.Unevaluated:
		return NodeGone
	case n.Verdict == placement.Excluded:
		return Lost
	case slices.ContainsFunc(n.Pods, stays):
		return Covered
	case n.Verdict == placement.KeepOnly:
		return Lost
	}
	return Recreated
}

// stays reports whether a pod is one that the controller leaves where it is.
func stays(p placement.Pod) bool {
	return !p.Flags.Any(placement.Terminating | placement.Failed | placement.Succeeded)
}

// Return is what comes after an eviction, and why.
type Return struct {
	Outcome Outcome `json:"outcome"`
	// DaemonSet is the one that has the pod; zero for NoDaemonSet.
	DaemonSet types.NamespacedName `json:"daemonSet"`
	// Cause is what keeps the pod from coming back; zero but for Lost.
	Cause placement.Cause `json:"cause"`
}

// Return says whether the controller would put the pod back on the node after an
// eviction. pods are those of the node; pods of others among them do not matter,
// and whether the pod itself is among them does not either. A nil node is one
// that does not exist, a nil pod belongs to no DaemonSet.
//
// A pod without a controller that a DaemonSet would adopt counts as its own.
func (s Sets) Return(node *corev1.Node, pods []*corev1.Pod, pod *corev1.Pod) Return {
	if pod == nil {
		return Return{Outcome: NoDaemonSet}
	}
	ref := metav1.GetControllerOfNoCopy(pod)
	for i := range s.sets {
		set := &s.sets[i]
		if ref != nil && ref.UID != set.owner.Object.GetUID() {
			continue
		}
		if len(placement.Claim(set.owner, set.selector, []*corev1.Pod{pod}).Claimed) == 0 {
			continue
		}
		r := Return{Outcome: NodeGone, DaemonSet: set.name}
		if node == nil {
			return r
		}
		others := slices.DeleteFunc(slices.Clone(pods), func(p *corev1.Pod) bool { return samePod(p, pod) })
		r.Outcome = outcome(set.on(node, others))
		if r.Outcome == Lost {
			r.Cause = set.matcher.DecidingCause(node)
		}
		return r
	}
	return Return{Outcome: NoDaemonSet}
}

// samePod reports whether two objects are one pod. Without UIDs, names tell.
func samePod(a, b *corev1.Pod) bool {
	if a == nil || b == nil {
		return false
	}
	if a.UID != "" || b.UID != "" {
		return a.UID == b.UID
	}
	return a.Namespace == b.Namespace && a.Name == b.Name
}
