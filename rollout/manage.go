package rollout

import (
	"github.com/daemonplan/daemonplan/placement"
)

// Manage plans one pod for each eligible node. See the package documentation for
// the rules.
func Manage(s State) Plan {
	d := &draft{state: &s}
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
}

// manageNode is the step.
func (d *draft) manageNode(n *placement.Node, surges bool) {
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
				d.create(n.Name, PodMissing)
			}
			return
		}
		d.manageRunning(n, surges)
	}
}

// manageMissing removes what the garbage collection of pods does not: unscheduled
// pods of a node that does not exist.
func (d *draft) manageMissing(n *placement.Node) {
	for i := range n.Pods {
		if !n.Pods[i].Flags.Has(placement.Scheduled) {
			d.remove(n, &n.Pods[i], NodeGone)
		}
	}
}

// manageRunning prunes the pods of a node that may keep some.
func (d *draft) manageRunning(n *placement.Node, surges bool) {
	var first, fresh, old *placement.Pod // of the running ones
	running := 0
	for i := range n.Pods {
		p := &n.Pods[i]
		switch {
		case p.Flags.Has(placement.Terminating):
			continue
		case p.Flags.Has(placement.Failed):
			d.manageFailed(n, p)
			continue
		case p.Flags.Has(placement.Succeeded):
			d.remove(n, p, Succeeded)
			continue
		}
		running++
		switch {
		case !surges:
			if first != nil {
				d.remove(n, p, Excess)
			} else {
				first = p
			}
		// With two pods on a node the hash label alone says which is new.
		case p.Revision == d.state.Target && fresh == nil:
			fresh = p
		case p.Revision != d.state.Target && old == nil:
			old = p
		default:
			d.remove(n, p, Excess)
		}
	}
	if !surges {
		return
	}
	switch {
	case running == 0 && n.Verdict == placement.Eligible:
		d.create(n.Name, SurgeNoneLeft)
	case fresh == nil || old == nil:
	case !old.Flags.Has(placement.Ready):
		d.remove(n, old, SurgedOverUnready)
	case d.available(fresh):
		d.remove(n, old, SurgedOver)
	}
}

// manageFailed deletes a failed pod, or holds it. The first deletion on a node
// arms its back-off, so that a second failed pod there is held.
func (d *draft) manageFailed(n *placement.Node, p *placement.Pod) {
	now := d.state.Now
	if d.failed[n.Name] {
		d.hold(n.Name, p.Name, HeldBackoff)
		return
	}
	delay, known := d.state.delay(n.Name)
	if known && delay.holds(now) {
		d.hold(n.Name, p.Name, HeldBackoff)
		d.lookAt(delay.Since.Add(delay.For))
		return
	}
	if d.failed == nil {
		d.failed = make(map[string]bool)
	}
	d.failed[n.Name] = true
	d.plan.Backoff = append(d.plan.Backoff, BackoffChange{Node: n.Name, Delay: delay.after(known, now)})
	d.remove(n, p, Failed)
}

func (d *draft) remove(n *placement.Node, p *placement.Pod, why Reason) {
	d.plan.Delete = append(d.plan.Delete, Delete{Node: n.Name, Pod: p.Name, UID: p.UID, Reason: why})
}
