package rollout

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Update plans the next step of a rolling update, whatever [Manage] would want.
// Only the strategy RollingUpdate rolls. See the package documentation for the
// rules; an error is one of [Spec.Limits].
func Update(s State) (Plan, error) {
	d := &draft{state: &s}
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d.finish(), nil
	}
	if err := d.update(); err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

// Sync plans what one sync does: [Manage], and where that wants nothing [Update].
// What is held for a failed pod's back-off does not count as wanted.
func Sync(s State) (Plan, error) {
	d, err := sync(&s)
	if err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

func sync(s *State) (*draft, error) {
	d := &draft{state: s}
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d, nil
	}
	d.manage()
	if !d.plan.Empty() {
		return d, nil
	}
	return d, d.update()
}

// Holds returns what [Sync] holds back, one by one, in the order of reason, node
// and pod. It agrees with the counts of the plan.
func Holds(s State) ([]Hold, error) {
	d, err := sync(&s)
	if err != nil {
		return nil, err
	}
	d.finish()
	return d.held, nil
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
	desired := 0
	for i := range d.state.Fleet.Nodes {
		if d.state.Fleet.Nodes[i].Verdict == placement.Eligible {
			desired++
		}
	}
	limits, err := d.state.Spec.Limits(desired)
	if err != nil {
		return err
	}
	if limits.MaxSurge == 0 {
		d.replace(limits.MaxUnavailable)
	} else {
		d.surge(limits.MaxSurge, desired)
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

// candidate is a node with an old pod that may be replaced.
type candidate struct {
	node *placement.Node
	pod  *placement.Pod
}

// pick takes the first n candidates in the order of a plan, and holds the others.
func (d *draft) pick(candidates []candidate, n int, hold Reason) []candidate {
	n = max(0, min(n, len(candidates)))
	if n < len(candidates) {
		slices.SortStableFunc(candidates, func(a, b candidate) int { return d.compare(a.node.Name, b.node.Name) })
	}
	for _, c := range candidates[n:] {
		d.hold(c.node.Name, c.pod.Name, hold)
	}
	return candidates[:n]
}

// replace deletes old pods. Nodes that count are those that have a pod, terminating
// ones included, eligible or not and existing or not, and all that are eligible.
func (d *draft) replace(maxUnavailable int) {
	unavailable := 0
	var candidates []candidate
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
			candidates = append(candidates, candidate{n, old})
		default:
			unavailable++
			d.remove(n, old, OutdatedUnavailable)
		}
	}
	for _, c := range d.pick(candidates, maxUnavailable-unavailable, HeldBudget) {
		d.remove(c.node, c.pod, OutdatedAvailable)
	}
}

// surge creates new pods beside old ones, and deletes old ones that have been
// replaced.
func (d *draft) surge(maxSurge, desired int) {
	surging, usable := 0, 0
	var candidates, leaving []candidate
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
			d.remove(n, old, OutdatedNotEligible)
		case !oldUsable:
			d.create(n.Name, SurgeUnavailable)
		case n.Verdict != placement.Eligible:
			leaving = append(leaving, candidate{n, old})
		default:
			candidates = append(candidates, candidate{n, old})
		}
	}
	for _, c := range d.pick(leaving, usable-desired, HeldCapacity) {
		d.remove(c.node, c.pod, OutdatedNotEligible)
	}
	for _, c := range d.pick(candidates, maxSurge-surging, HeldBudget) {
		d.create(c.node.Name, SurgeAvailable)
	}
}
