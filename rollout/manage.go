package rollout

import (
	"github.com/daemonplan/daemonplan/placement"
)

// Manage plans one pod for each eligible node. See the package documentation for
// the rules. An error is one of the policy.
func Manage(s State, p Policy) (Plan, error) {
	d, err := newDraft(&s, &p, false, (*draft).manageNode)
	switch {
	case err != nil:
		return Plan{}, err
	case s.InFlight.any():
		d.hold("", "", HeldInFlight)
	default:
		d.manage()
	}
	return d.finish(), nil
}

// manage is the fold.
func (d *draft) manage() {
	if !d.stepped {
		d.eachBusy(d.manageNode)
	}
	d.desired += d.resting
	d.boundManage()
}

// boundManage says how much of what the steps found is done.
func (d *draft) boundManage() {
	if v := d.survey; v != nil {
		d.creates.bound(v.pauses(PauseCreates), bound{n: v.slowStart, why: HeldSlowStart}, free())
		d.deletes.bound(v.pauses(PauseAll), free(), lowest(v.pauses(PauseAll), bound{n: v.removals, why: HeldRemovals}))
		d.lookAtSlowStart(&d.creates)
		return
	}
	d.deletes.bound(free(), free(), free())
}

// manageNode is the step.
func (d *draft) manageNode(n *placement.Node) {
	verdict, revision, why := d.serve(n)
	if verdict == placement.Eligible {
		d.desired++
	}
	switch verdict {
	case placement.Unevaluated:
		if n.Ref == nil {
			d.manageMissing(n)
		}
	case placement.Excluded:
		for i := range n.Pods {
			if !n.Pods[i].Flags.Has(placement.Terminating) {
				d.removeExcluded(n, &n.Pods[i])
			}
		}
		d.holdCreate(n, why)
	default:
		if verdict != placement.Eligible {
			d.holdCreate(n, why)
		}
		if len(n.Pods) == 0 {
			if verdict == placement.Eligible {
				d.create(n, revision, PodMissing)
			}
			return
		}
		d.manageRunning(n, verdict, revision)
	}
}

// holdCreate holds the pod that a node would get from the target, where it is not
// eligible for the revision that serves it.
func (d *draft) holdCreate(n *placement.Node, why Reason) {
	if why != "" && n.Verdict == placement.Eligible && d.getsPod(n) {
		d.hold(n.Name, "", why)
	}
}

// removeExcluded is remove for a pod on a node that is excluded.
func (d *draft) removeExcluded(n *placement.Node, p *placement.Pod) {
	if d.survey != nil && d.survey.policy.Limit.Removals != nil {
		d.deletes.picked.add(&action{node: n, pod: p, why: NotEligible})
		return
	}
	d.remove(n, p, NotEligible)
}

// manageMissing removes what the garbage collection of pods does not: unscheduled
// pods of a node that does not exist. The controller does so last.
func (d *draft) manageMissing(n *placement.Node) {
	for i := range n.Pods {
		if !n.Pods[i].Flags.Has(placement.Scheduled) {
			d.deletes.picked.add(&action{node: n, pod: &n.Pods[i], why: NodeGone})
		}
	}
}

// manageRunning prunes the pods of a node that may keep some.
func (d *draft) manageRunning(n *placement.Node, verdict placement.Verdict, revision string) {
	var first, fresh, old *placement.Pod // of the running ones
	running, armed := 0, false
	for i := range n.Pods {
		p := &n.Pods[i]
		switch {
		case p.Flags.Has(placement.Terminating):
			continue
		case p.Flags.Has(placement.Failed):
			armed = d.manageFailed(n, p, armed)
			continue
		case p.Flags.Has(placement.Succeeded):
			d.remove(n, p, Succeeded)
			continue
		}
		running++
		switch {
		case !d.surges:
			if first != nil {
				d.removeAfter(n, p, Excess, 1)
			} else {
				first = p
			}
		// With two pods on a node the hash label alone says which is new.
		case p.Revision == d.state.Target && fresh == nil:
			fresh = p
		case p.Revision != d.state.Target && old == nil:
			old = p
		default:
			d.removeAfter(n, p, Excess, 1)
		}
	}
	if !d.surges {
		return
	}
	switch {
	case running == 0 && verdict == placement.Eligible:
		d.create(n, revision, SurgeNoneLeft)
	case fresh == nil || old == nil:
	case !old.Flags.Has(placement.Ready):
		d.removeAfter(n, old, SurgedOverUnready, 2)
	case d.available(fresh):
		d.removeAfter(n, old, SurgedOver, 2)
	}
}

// manageFailed deletes a failed pod, or holds it. The first deletion on a node
// arms its back-off, so that a second failed pod there is held. It returns whether
// the back-off has been armed.
func (d *draft) manageFailed(n *placement.Node, p *placement.Pod, armed bool) bool {
	now := d.state.Now
	if d.survey != nil && d.survey.policy.Gate.Pause == PauseAll {
		d.hold(n.Name, p.Name, HeldPaused)
		return armed
	}
	if armed {
		d.hold(n.Name, p.Name, HeldBackoff)
		return true
	}
	delay, known := d.state.delay(n.Name)
	if known && delay.holds(now) {
		d.hold(n.Name, p.Name, HeldBackoff)
		d.lookAt(delay.Since.Add(delay.For))
		return false
	}
	d.backoff = append(d.backoff, BackoffChange{Node: n.Name, Delay: delay.after(known, now)})
	d.remove(n, p, Failed)
	return true
}
