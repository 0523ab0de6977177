package rollout

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Update plans the next step of a rolling update, whatever [Manage] would want.
// Only the strategy RollingUpdate rolls. See the package documentation for the
// rules; an error is one of [Spec.Limits].
func Update(s State) (Plan, error) {
	d := newDraft(&s, false)
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d.finish(), nil
	}
	for i := range s.Fleet.Nodes {
		if s.Fleet.Nodes[i].Verdict == placement.Eligible {
			d.desired++
		}
	}
	if err := d.update(); err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

// Sync plans what one sync does: [Manage], and where that wants nothing [Update].
// What is held for a failed pod's back-off does not count as wanted.
func Sync(s State) (Plan, error) {
	d := newDraft(&s, false)
	if err := d.sync(); err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

func (d *draft) sync() error {
	if d.state.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return nil
	}
	d.manage()
	if !d.empty() {
		return nil
	}
	return d.update()
}

// Holds returns what [Sync] holds back, one by one, in the order of reason, node
// and pod. It agrees with the counts of the plan.
func Holds(s State) ([]Hold, error) {
	d := newDraft(&s, true)
	if err := d.sync(); err != nil {
		return nil, err
	}
	d.finish()
	return d.holds, nil
}

// update is the fold of either kind of rolling update.
func (d *draft) update() error {
	if d.state.Spec.Strategy != appsv1.RollingUpdateDaemonSetStrategyType {
		for i := range d.state.Fleet.Nodes {
			n := &d.state.Fleet.Nodes[i]
			for j := range n.Pods {
				if p := &n.Pods[j]; !p.Flags.Any(placement.Terminating | placement.Updated) {
					d.hold(n.Name, p.Name, HeldStrategy)
				}
			}
		}
		return nil
	}
	limits, err := d.state.Spec.Limits(d.desired)
	if err != nil {
		return err
	}
	if limits.MaxSurge == 0 {
		d.replace(limits.MaxUnavailable)
	} else {
		d.surge(limits.MaxSurge)
	}
	return nil
}

// pair finds the new and the old pod of a node that are not terminating; ok is
// false when there are several of a kind, which manage has to prune first. The
// phase is not looked at.
func pair(n *placement.Node) (fresh, old *placement.Pod, ok bool) {
	for i := range n.Pods {
		p := &n.Pods[i]
		if p.Flags.Has(placement.Terminating) {
			continue
		}
		slot := &old
		if p.Flags.Has(placement.Updated) {
			slot = &fresh
		}
		if *slot != nil {
			return nil, nil, false
		}
		*slot = p
	}
	return fresh, old, true
}

// replace deletes old pods. Nodes that count are those that have a pod, terminating
// ones included, eligible or not and existing or not, and all that are eligible.
func (d *draft) replace(maxUnavailable int) {
	unavailable := 0
	for i := range d.state.Fleet.Nodes {
		n := &d.state.Fleet.Nodes[i]
		if len(n.Pods) == 0 && n.Verdict != placement.Eligible {
			continue
		}
		fresh, old, ok := pair(n)
		switch {
		case !ok, (fresh == nil) == (old == nil):
			unavailable++
		case fresh != nil:
			if !d.available(fresh) {
				unavailable++
			}
		case d.available(old):
			d.deletes.picked.add(action{node: n, pod: old, why: OutdatedAvailable})
		default:
			unavailable++
			d.remove(n, old, OutdatedUnavailable)
		}
	}
	d.deletes.pick(maxUnavailable-unavailable, HeldBudget)
}

// surge creates new pods beside old ones, and deletes old ones that have been
// replaced.
func (d *draft) surge(maxSurge int) {
	surging, usable := 0, 0
	for i := range d.state.Fleet.Nodes {
		n := &d.state.Fleet.Nodes[i]
		if len(n.Pods) == 0 {
			continue
		}
		fresh, old, ok := pair(n)
		if !ok {
			surging++
			continue
		}
		oldUsable, freshUsable := old != nil && d.available(old), fresh != nil && d.available(fresh)
		if oldUsable || old == nil && freshUsable {
			usable++
		}
		switch {
		case old == nil:
		case fresh != nil:
			if freshUsable {
				d.remove(n, old, SurgedOver)
			} else {
				surging++
			}
		case n.Verdict == placement.Unevaluated:
			d.hold(n.Name, old.Name, HeldNodeGone)
		case !oldUsable && n.Verdict != placement.Eligible:
			d.remove(n, old, OutdatedUnavailable)
		case !oldUsable:
			d.create(n, SurgeUnavailable)
		case n.Verdict != placement.Eligible:
			d.deletes.picked.add(action{node: n, pod: old, why: OutdatedNotEligible})
		default:
			d.creates.picked.add(action{node: n, pod: old, why: SurgeAvailable})
		}
	}
	d.deletes.pick(usable-d.desired, HeldCapacity)
	d.creates.pick(maxSurge-surging, HeldBudget)
}
