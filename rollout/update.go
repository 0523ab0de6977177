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

// replace deletes old pods.
func (d *draft) replace(maxUnavailable int) {
	unavailable := 0
	for i := range d.state.Fleet.Nodes {
		if d.replaceNode(&d.state.Fleet.Nodes[i]) {
			unavailable++
		}
	}
	d.deletes.pick(maxUnavailable-unavailable, HeldBudget)
}

// replaceNode is the step of replace. It reports whether the node counts as
// unavailable. Nodes that count are those that have a pod, terminating ones
// included, eligible or not and existing or not, and all that are eligible.
func (d *draft) replaceNode(n *placement.Node) (unavailable bool) {
	if len(n.Pods) == 0 {
		return n.Verdict == placement.Eligible
	}
	fresh, old, ok := pair(n)
	switch {
	case !ok, (fresh == nil) == (old == nil):
		return true
	case fresh != nil:
		return !d.available(fresh)
	case d.available(old):
		d.deletes.picked.add(action{node: n, pod: old, why: OutdatedAvailable})
		return false
	}
	d.remove(n, old, OutdatedUnavailable)
	return true
}

// surge creates new pods beside old ones, and deletes old ones that have been
// replaced.
func (d *draft) surge(maxSurge int) {
	surging, usable := 0, 0
	for i := range d.state.Fleet.Nodes {
		s, u := d.surgeNode(&d.state.Fleet.Nodes[i])
		surging += s
		usable += u
	}
	d.deletes.pick(usable-d.desired, HeldCapacity)
	d.creates.pick(maxSurge-surging, HeldBudget)
}

// surgeNode is the step of surge. It returns 1 for a node that is surging, and 1
// for one that has an available pod.
func (d *draft) surgeNode(n *placement.Node) (surging, usable int) {
	if len(n.Pods) == 0 {
		return 0, 0
	}
	fresh, old, ok := pair(n)
	if !ok {
		return 1, 0
	}
	oldUsable, freshUsable := old != nil && d.available(old), fresh != nil && d.available(fresh)
	if oldUsable || old == nil && freshUsable {
		usable = 1
	}
	switch {
	case old == nil:
	case fresh != nil && freshUsable:
		d.remove(n, old, SurgedOver)
	case fresh != nil:
		surging = 1
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
	return surging, usable
}
