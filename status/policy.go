package status

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// Policy is a rule of one's own for whether a rollout is finished, on the nodes
// behind the counters. The zero value wants every eligible node done.
type Policy struct {
	// Unavailable is how many of the nodes that count may be without an available
	// pod, as a number or as a percentage rounded up; nil stands for none. A dead
	// machine need not hold a release up.
	Unavailable *intstr.IntOrString
	// LeaveOut says which nodes do not count at all. It must be pure. Nil leaves
	// none out.
	LeaveOut func(placement.Node) bool
	// AnyRevision does not ask whether pods are of the current revision: that is
	// how OnDelete is healthy before anybody deletes a pod.
	AnyRevision bool
	// AnyPod looks at every pod of a node that is not terminating, not only at
	// the one that the status counts: a new pod that is ready counts while the
	// old one terminates.
	AnyPod bool
}

// Finish is the verdict of a policy.
type Finish struct {
	Done bool `json:"done"`
	// Desired are the eligible nodes that count. Updated and Available are those
	// of them whose pod is so, and Allowed is how many may be unavailable.
	Desired   int `json:"desired"`
	Updated   int `json:"updated"`
	Available int `json:"available"`
	Allowed   int `json:"allowed"`
	// Waiting are the nodes that count and are not done by the policy, by name.
	Waiting []NodeStatus `json:"waiting,omitempty"`
}

// String says it in one line.
func (f Finish) String() string {
	word := "waiting"
	if f.Done {
		word = "done"
	}
	return fmt.Sprintf("%s: of %d nodes %d are updated and %d available, %d may be unavailable", word, f.Desired, f.Updated, f.Available, f.Allowed)
}

// Finished judges a fleet by a policy: every node that counts is updated, unless
// any revision will do, and at most the allowed number is unavailable. Of in it
// reads MinReadySeconds and Now. A negative number stands for 0.
//
// It is an error when Unavailable is neither a number nor a percentage.
func Finished(fleet placement.Fleet, in Input, p Policy) (Finish, error) {
	var f Finish
	for i := range fleet.Nodes {
		n := &fleet.Nodes[i]
		if n.Verdict != placement.Eligible || p.LeaveOut != nil && p.LeaveOut(*n) {
			continue
		}
		f.Desired++
		updated, usable := p.look(n, in)
		f.Updated += one(updated)
		f.Available += one(usable)
		if !updated || !usable {
			s, _ := nodeStatus(n, in)
			f.Waiting = append(f.Waiting, s)
		}
	}
	if p.Unavailable != nil {
		n, err := intstr.GetScaledValueFromIntOrPercent(p.Unavailable, f.Desired, true)
		if err != nil {
			return Finish{}, fmt.Errorf("status: policy: unavailable: %w", err)
		}
		f.Allowed = max(n, 0)
	}
	sortByNode(f.Waiting)
	f.Done = f.Updated == f.Desired && f.Desired-f.Available <= f.Allowed
	return f, nil
}

// look reports whether the pod of a node that counts is updated and available,
// or by AnyPod whether one of its pods is both.
func (p *Policy) look(n *placement.Node, in Input) (updated, usable bool) {
	for i := range n.Pods {
		pod := &n.Pods[i]
		if i > 0 && !p.AnyPod {
			break
		}
		if p.AnyPod && !live(pod) {
			continue
		}
		u := p.AnyRevision || pod.Flags.Has(placement.Updated)
		a := available(pod, in.MinReadySeconds, in.Now)
		if u && a {
			return true, true
		}
		if i == 0 || !updated && !usable {
			updated, usable = u, a
		}
	}
	return updated, usable
}
