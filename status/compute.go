package status

import (
	"math"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Input is what a status is computed from, beside the fleet.
type Input struct {
	// Previous is the status that is stored. Its collision count and conditions
	// are kept, and so is its observed generation while Unobserved.
	Previous appsv1.DaemonSetStatus
	// Generation is metadata.generation.
	Generation int64
	// MinReadySeconds is that of the spec.
	MinReadySeconds int32
	// Unobserved says that the sync stopped early, because pods that it created
	// or deleted before are not seen yet: the generation was not acted on, and
	// is not reported as observed. A sync that failed has observed it.
	Unobserved bool
	Now        time.Time
}

// Result is a status and what to do with it.
type Result struct {
	Status appsv1.DaemonSetStatus
	// Write says that the status has to be written: a counter differs from what
	// is stored, or the observed generation is behind. The controller writes
	// once more, to no effect, while Unobserved and behind; so does this.
	Write bool
	// Next is the moment at which the next pod that counts becomes available;
	// zero when none is waiting. A pod that becomes ready is an event, and no
	// reason to look at the clock.
	Next time.Time
}

// Compute returns the status of a DaemonSet. The collision count and the
// conditions are copies. It goes through the fleet once, and allocates nothing
// but those.
func Compute(fleet placement.Fleet, in Input) Result {
	var t tally
	for i := range fleet.Nodes {
		t.add(&fleet.Nodes[i], in.MinReadySeconds, in.Now)
	}
	return t.result(in)
}

// tally adds up nodes.
type tally struct {
	desired, current, misscheduled, ready, updated, available int
	next                                                      time.Time
}

// add counts one node.
func (t *tally) add(n *placement.Node, minReadySeconds int32, now time.Time) {
	if n.Verdict != placement.Eligible {
		// A node that does not exist has no verdict, and counts nowhere.
		if n.Verdict != placement.Unevaluated && len(n.Pods) > 0 {
			t.misscheduled++
		}
		return
	}
	t.desired++
	if len(n.Pods) == 0 {
		return
	}
	t.current++
	p := &n.Pods[0]
	if p.Flags.Has(placement.Updated) {
		t.updated++
	}
	if !p.Flags.Has(placement.Ready) {
		return
	}
	t.ready++
	at, ok := p.AvailableAt(minReadySeconds)
	switch {
	case !ok:
	case !at.After(now):
		t.available++
	case t.next.IsZero() || at.Before(t.next):
		t.next = at
	}
}

// result makes a status of the sums.
func (t *tally) result(in Input) Result {
	s := appsv1.DaemonSetStatus{
		CurrentNumberScheduled: count(t.current),
		NumberMisscheduled:     count(t.misscheduled),
		DesiredNumberScheduled: count(t.desired),
		NumberReady:            count(t.ready),
		ObservedGeneration:     in.Previous.ObservedGeneration,
		UpdatedNumberScheduled: count(t.updated),
		NumberAvailable:        count(t.available),
		NumberUnavailable:      count(t.desired - t.available),
	}
	if !in.Unobserved {
		s.ObservedGeneration = in.Generation
	}
	if n := in.Previous.CollisionCount; n != nil {
		kept := *n
		s.CollisionCount = &kept
	}
	for _, c := range in.Previous.Conditions {
		s.Conditions = append(s.Conditions, *c.DeepCopy())
	}
	write := !sameCounters(s, in.Previous) || in.Previous.ObservedGeneration < in.Generation
	if !write {
		// The controller leaves what is stored as it is, a generation that is
		// ahead included.
		s.ObservedGeneration = in.Previous.ObservedGeneration
	}
	return Result{Status: s, Write: write, Next: t.next}
}

// count is a number of nodes as the API has it.
func count(n int) int32 { return int32(min(n, math.MaxInt32)) }

// sameCounters reports whether the seven counters are equal.
func sameCounters(a, b appsv1.DaemonSetStatus) bool {
	return a.CurrentNumberScheduled == b.CurrentNumberScheduled &&
		a.NumberMisscheduled == b.NumberMisscheduled &&
		a.DesiredNumberScheduled == b.DesiredNumberScheduled &&
		a.NumberReady == b.NumberReady &&
		a.UpdatedNumberScheduled == b.UpdatedNumberScheduled &&
		a.NumberAvailable == b.NumberAvailable &&
		a.NumberUnavailable == b.NumberUnavailable
}

// ComputeStatus returns the status of a DaemonSet from plain objects: the nodes of
// the cluster, and the pods that the DaemonSet has, as placement.Claim returns
// them. Pods that another object controls are passed over. hash is that of the
// current revision. A nil DaemonSet has the zero status.
//
// It compiles the template and reads every object at each call; [Compute] works
// on what was read once.
func ComputeStatus(ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, hash string, now time.Time) appsv1.DaemonSetStatus {
	if ds == nil {
		return appsv1.DaemonSetStatus{}
	}
	return Compute(placement.FleetOf(ds, nodes, pods, hash), InputOf(ds, now)).Status
}

// InputOf returns the input that a DaemonSet makes at a moment; the zero Input for
// nil.
func InputOf(ds *appsv1.DaemonSet, now time.Time) Input {
	if ds == nil {
		return Input{}
	}
	return Input{
		Previous: ds.Status, Generation: ds.Generation, MinReadySeconds: ds.Spec.MinReadySeconds, Now: now,
	}
}
