package rollout

import (
	"github.com/daemonplan/daemonplan/placement"
)

// Manage plans one pod for each eligible node. See the package documentation for
// the rules.
func Manage(s State) Plan {
	d := newDraft(&s, false)
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d.finish()
	}
	d.manage()
	return d.finish()
}

// manage is the fold.
func (d *draft) manage() {
	surges := d.state.Spec.surges()
	for i := range d.state.Fleet.Nodes {
		d.manageNode(&d.state.Fleet.Nodes[i], surges)
	}
	d.deletes.pick(d.deletes.picked.total, "")
}

// manageNode is the step.
func (d *draft) manageNode(n *placement.Node, surges bool) {
	if n.Verdict == placement.Eligible {
		d.desired++
	}
	switch n.Verdict {
	case placement.Unevaluated:
		if n.Ref == nil {
			d.manageMissing(n)
		}
	case placement.Excluded:
		for i := range n.Pods {
			if !n.Pods[i].Flags.Has(placement.Terminating) {
				d.remove(n, &n.Pods[i], NotEligible)
			}
		}
	default:
		if len(n.Pods) == 0 {
			if n.Verdict == placement.Eligible {
				d.create(n, PodMissing)
			}
			return
		}
		d.manageRunning(n, surges)
	}
}

// manageMissing removes what the garbage collection of pods does not: unscheduled
// pods of a node that does not exist. The controller does so last.
func (d *draft) manageMissing(n *placement.Node) {
	for i := range n.Pods {
		if !n.Pods[i].Flags.Has(placement.Scheduled) {
			d.deletes.picked.add(action{node: n, pod: &n.Pods[i], why: NodeGone})
		}
	}
}

// manageRunning prunes the pods of a node that may keep some.
func (d *draft) manageRunning(n *placement.Node, surges bool) {
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
		case !surges:
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
	if !surges {
		return
	}
	switch {
	case running == 0 && n.Verdict == placement.Eligible:
		d.create(n, SurgeNoneLeft)
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
