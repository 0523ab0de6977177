package rollout

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Reason says why a pod is created, deleted or left alone. The values are stable.
type Reason string

// Why a pod is created.
const (
	// PodMissing: the node is eligible and has no pod.
	PodMissing Reason = "pod-missing"
	// SurgeNoneLeft: with surge, none of the pods of the node is running.
	SurgeNoneLeft Reason = "surge-none-left"
	// SurgeUnavailable: with surge, a new pod beside an old one that is not
	// available, without limit.
	SurgeUnavailable Reason = "surge-unavailable"
	// SurgeAvailable: a new pod beside an old one that is available, within
	// maxSurge.
	SurgeAvailable Reason = "surge-available"
)

// Why a pod is deleted.
const (
	// Failed: the pod failed, and the back-off of the node allows another try.
	Failed Reason = "failed"
	// Succeeded: the pod ended.
	Succeeded Reason = "succeeded"
	// Excess: the node has a pod that is preferred.
	Excess Reason = "excess"
	// NotEligible: the node is excluded.
	NotEligible Reason = "not-eligible"
	// NodeGone: the pod is not scheduled, and its node does not exist.
	NodeGone Reason = "node-gone"
	// SurgedOverUnready: the old pod of two is not ready any more.
	SurgedOverUnready Reason = "surged-over-unready"
	// SurgedOver: the new pod of two is available.
	SurgedOver Reason = "surged-over"
	// OutdatedUnavailable: the pod is old and not available; no budget limits
	// this, with surge only where the node gets no new one.
	OutdatedUnavailable Reason = "outdated-unavailable"
	// OutdatedAvailable: the pod is old and available, within maxUnavailable.
	OutdatedAvailable Reason = "outdated-available"
	// OutdatedNotEligible: with surge, the pod is old, available, and on a node
	// that gets no new one, and enough are available elsewhere.
	OutdatedNotEligible Reason = "outdated-not-eligible"
)

// Why something that is wanted does not happen now.
const (
	// HeldBackoff: a failed pod, until the back-off of its node is over. Manage
	// holds it; if it is old too, the same sync's update may replace it all the
	// same.
	HeldBackoff Reason = "held-backoff"
	// HeldBudget: an old pod, while maxUnavailable or maxSurge is spent.
	HeldBudget Reason = "held-budget"
	// HeldCapacity: with surge, an old pod on a node that gets no new one, while
	// too few pods are available elsewhere.
	HeldCapacity Reason = "held-capacity"
	// HeldNodeGone: with surge, an old pod on a node that does not exist.
	HeldNodeGone Reason = "held-node-gone"
	// HeldStrategy: an old pod, since the strategy rolls nothing.
	HeldStrategy Reason = "held-strategy"
	// HeldBurst: beyond the 250 creates or deletes of one sync.
	HeldBurst Reason = "held-burst"
	// HeldInFlight: anything, until earlier creates and deletes are seen.
	HeldInFlight Reason = "held-in-flight"
)

// Why a policy holds something that the controller would do. See [Policy].
const (
	// HeldNotEligible: an old pod on a node that only keeps its pods.
	HeldNotEligible Reason = "held-not-eligible"
	// HeldSelector: on a node that is not selected.
	HeldSelector Reason = "held-selector"
	// HeldNotChosen: on a node that is not among the chosen ones.
	HeldNotChosen Reason = "held-not-chosen"
	// HeldPartition: beyond the nodes that the partition leaves.
	HeldPartition Reason = "held-partition"
	// HeldNoRestart: an old pod that is as good as new.
	HeldNoRestart Reason = "held-no-restart"
	// HeldWave: on a node whose wave has not its turn.
	HeldWave Reason = "held-wave"
	// HeldWaveBudget: while too many nodes of the wave are unavailable.
	HeldWaveBudget Reason = "held-wave-budget"
	// HeldStep: beyond what one plan updates.
	HeldStep Reason = "held-step"
	// HeldSlowStart: beyond what is allowed this early.
	HeldSlowStart Reason = "held-slow-start"
	// HeldRemovals: a pod on a node that is excluded or gone, beyond what one plan
	// removes.
	HeldRemovals Reason = "held-removals"
	// HeldTurn: of an update, while the policy holds what manage wants.
	HeldTurn Reason = "held-turn"
	// HeldFailures: while too many new pods fail.
	HeldFailures Reason = "held-failures"
	// HeldWindow: outside of the time for updates.
	HeldWindow Reason = "held-window"
	// HeldPaused: by the pause.
	HeldPaused Reason = "held-paused"
)

// Plan is what to do now.
type Plan struct {
	// Create and Delete are in the order of the package documentation. Creates
	// come first, in batches of 1, 2, 4, …: see [Batches].
	Create []Create `json:"create,omitempty"`
	Delete []Delete `json:"delete,omitempty"`
	// Held counts what is wanted and held back, by reason.
	Held []Count `json:"held,omitempty"`
	// Backoff are the changes to remember: see [Backoff.With].
	Backoff []BackoffChange `json:"backoff,omitempty"`
	// Next is when to look again, though nothing happens until then: a back-off
	// ends, or a pod becomes available. Zero for never.
	Next time.Time `json:"next,omitzero"`
}

// Create is a pod to create.
type Create struct {
	Node     string `json:"node"`
	Revision string `json:"revision,omitempty"`
	Reason   Reason `json:"reason"`
}

// Delete is a pod to delete.
type Delete struct {
	Node   string    `json:"node"`
	Pod    string    `json:"pod"`
	UID    types.UID `json:"uid,omitempty"`
	Reason Reason    `json:"reason"`
}

// Count is how many are held for a reason.
type Count struct {
	Reason Reason `json:"reason"`
	N      int    `json:"n"`
}

// Hold is one thing that is wanted and held back: the pod to delete or to replace,
// or without a pod the node to create one on.
type Hold struct {
	Node   string `json:"node"`
	Pod    string `json:"pod,omitempty"`
	Reason Reason `json:"reason"`
}

// Empty reports whether there is nothing to create or delete.
func (p Plan) Empty() bool { return len(p.Create)+len(p.Delete) == 0 }

// String is the plan for a log: a line for each action and each hold.
func (p Plan) String() string {
	var b strings.Builder
	for _, c := range p.Create {
		fmt.Fprintf(&b, "create on %s: %s\n", c.Node, c.Reason)
	}
	for _, d := range p.Delete {
		fmt.Fprintf(&b, "delete %s on %s: %s\n", d.Pod, d.Node, d.Reason)
	}
	for _, h := range p.Held {
		fmt.Fprintf(&b, "%d held: %s\n", h.N, h.Reason)
	}
	if !p.Next.IsZero() {
		fmt.Fprintf(&b, "look again at %s\n", p.Next.Format(time.RFC3339))
	}
	if b.Len() == 0 {
		return "nothing to do\n"
	}
	return b.String()
}

// Burst is how many pods one sync creates at most, and how many it deletes.
const Burst = 250

// Batches returns the sizes of the batches in which n pods are created: 1, 2, 4,
// and so on. After a batch in which a create failed, the later ones are left out.
func Batches(n int) []int {
	var sizes []int
	for size := 1; n > 0; size *= 2 {
		size = min(size, n)
		sizes = append(sizes, size)
		n -= size
	}
	return sizes
}
