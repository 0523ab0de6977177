package rollout

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// State is what a plan is made from.
type State struct {
	Fleet placement.Fleet
	Spec  Spec
	// Target is the hash of the current revision, of which new pods are.
	Target string
	// Stable is the hash of the last good revision, from which a policy serves
	// nodes that it does not update, with their verdicts in Node.Stable: nodes for
	// which the target is eligible too get its pods, others keep theirs. Empty
	// serves all from the target, as without a policy. It is for as long as the
	// target is on trial: a pod that is lost while a gate is closed comes back as
	// one of it. Once the rollout is done, let it be empty or the target.
	Stable string
	// Backoff is what earlier plans asked to remember, and ObservedGeneration
	// that of the status, which it is for.
	Backoff            Backoff
	ObservedGeneration int64
	// InFlight are creates and deletes that were sent and are not seen in the
	// fleet yet. While there are any, nothing is planned; the status is to be
	// computed with status.Input.Unobserved.
	InFlight InFlight
	// After is the node name after which the order starts, so that nodes whose
	// creates are always refused do not keep the others waiting. Empty starts
	// with the first.
	After string
	Now   time.Time
}

// InFlight are writes whose effects have not come back.
type InFlight struct {
	// Creates counts them by node.
	Creates map[string]int
	// Deletes are the UIDs of pods.
	Deletes map[types.UID]bool
}

// any reports whether there are any. A count of 0, and a UID that is false, is of
// one that has come back.
func (f InFlight) any() bool {
	for _, n := range f.Creates {
		if n > 0 {
			return true
		}
	}
	for _, flies := range f.Deletes {
		if flies {
			return true
		}
	}
	return false
}
