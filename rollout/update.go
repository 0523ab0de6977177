package rollout

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Update plans the next step of a rolling update, whatever [Manage] would want.
// Only the strategy RollingUpdate rolls. See the package documentation for the
// rules; an error is one of [Spec.Limits] or of the policy.
func Update(s State, p Policy) (Plan, error) {
	d, err := newDraft(&s, &p, false, nil)
	if err != nil {
		return Plan{}, err
	}
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d.finish(), nil
	}
	d.desired = d.resting
	d.eachBusy(func(n *placement.Node) {
		if verdict, _, _ := d.serve(n); verdict == placement.Eligible {
			d.desired++
		}
	})
	if err := d.update(); err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

// Sync plans what one sync does: [Manage], and where that wants nothing [Update].
// What the back-off of a node holds does not count as wanted. What a policy holds
// does: then nothing is updated, and the holds show what would be.
func Sync(s State, p Policy) (Plan, error) {
	d, err := sync(&s, &p, false)
	if err != nil {
		return Plan{}, err
	}
	return d.finish(), nil
}

func sync(s *State, p *Policy, all bool) (*draft, error) {
	if p.Zero() && !s.InFlight.any() {
		return syncPlain(s, p, all)
	}
	d, err := newDraft(s, p, all, (*draft).manageNode)
	if err != nil {
		return nil, err
	}
	if s.InFlight.any() {
		d.hold("", "", HeldInFlight)
		return d, nil
	}
	d.manage()
	if !d.empty() {
		return d, nil
	}
	why := d.settle()
	d.showing = why != ""
	if err := d.update(); err != nil {
		return nil, err
	}
	if why != "" {
		// Manage wants something that the policy holds: update has not its turn,
		// and only shows what it would do.
		none := bound{why: HeldTurn}
		d.creates.bound(none, none, none)
		d.deletes.bound(none, none, none)
	}
	return d, nil
}

// syncPlain is sync without a policy, in one pass: the update is drafted beside, as
// long as manage wants nothing, since a large fleet is in no cache for a second one.
func syncPlain(s *State, p *Policy, all bool) (*draft, error) {
	d, u := startDraft(s, p, all), startDraft(s, p, all)
	// The kind hardly ever depends on how many nodes are eligible.
	u.kind, _, _ = s.kind(len(s.Fleet.Nodes))
	d.look(func(n *placement.Node) {
		d.manageNode(n)
		if d.creates.wanted.total+d.deletes.wanted.total+d.deletes.picked.total == 0 {
			u.updateNode(n)
		}
	}, nil)
	d.desired += d.resting
	d.boundManage()
	if !d.empty() {
		return d, nil
	}
	kind, limits, err := s.kind(d.desired)
	switch {
	case err != nil:
		return nil, err
	case kind != u.kind:
		return d, d.update()
	}
	u.desired, u.resting = d.desired, d.resting
	u.backoff, u.holds = d.backoff, append(u.holds, d.holds...)
	for _, h := range d.held {
		u.count(h.Reason, h.N)
	}
	u.lookAt(d.next)
	u.conclude(limits)
	return u, nil
}

// Holds returns what [Sync] holds back, one by one, in the order of reason, name of
// the node, from State.After on, and pod. It agrees with the counts of the plan.
func Holds(s State, p Policy) ([]Hold, error) {
	d, err := sync(&s, &p, true)
	if err != nil {
		return nil, err
	}
	d.finish()
	return d.holds, nil
}

// updateKind is what an update does.
type updateKind int

const (
	keeps    updateKind = iota // nothing
	replaces                   // deletes old pods
	surges                     // creates new pods beside old ones
)

// kind is what an update does for a number of eligible nodes, and within which
// limits.
func (s *State) kind(desired int) (updateKind, Limits, error) {
	if s.Spec.Strategy != appsv1.RollingUpdateDaemonSetStrategyType {
		return keeps, Limits{}, nil
	}
	limits, err := s.Spec.Limits(desired)
	if limits.MaxSurge == 0 {
		return replaces, limits, err
	}
	return surges, limits, err
}

// update is the fold of either kind of rolling update.
func (d *draft) update() error {
	kind, limits, err := d.state.kind(d.desired)
	if err != nil {
		return err
	}
	d.kind = kind
	d.eachBusy(d.updateNode)
	d.conclude(limits)
	return nil
}

// updateNode is the step.
func (d *draft) updateNode(n *placement.Node) {
	if d.showing {
		if verdict, _, _ := d.serve(n); verdict == placement.Excluded {
			return // manage holds its pods already
		}
	}
	switch d.kind {
	case replaces:
		d.replaceNode(n, &d.tally)
	case surges:
		d.surgeNode(n, &d.tally)
	default:
		for j := range n.Pods {
			if p := &n.Pods[j]; !p.Flags.Any(placement.Terminating | placement.Updated) {
				d.hold(n.Name, p.Name, HeldStrategy)
			}
		}
	}
}

// conclude says how much of what the steps found is done.
func (d *draft) conclude(limits Limits) {
	spent := d.tally.spent(d.survey)
	switch d.kind {
	case replaces:
		d.budget = Budget{Limit: limits.MaxUnavailable, Spent: spent}
		left := limits.MaxUnavailable - spent
		d.limit(&d.deletes, bound{n: max(0, left), why: HeldBudget}, left+d.tally.busyOld)
	case surges:
		d.budget = Budget{Surge: true, Limit: limits.MaxSurge, Spent: spent}
		left := limits.MaxSurge - spent
		usable := d.tally.usable + d.resting
		d.deletes.bound(free(), d.survey.steps(d.survey.pauses(PauseAll)), bound{n: max(0, usable-d.desired), why: HeldCapacity})
		d.lookAtSlowStart(&d.deletes)
		d.limit(&d.creates, bound{n: max(0, left), why: HeldBudget}, left)
	}
}

// pair finds the new and the old pod of a node that are not terminating; ok is
// false when there are several of a kind, which manage has to prune first. The
// phase is not looked at. Pods of the revisions in same are new.
func pair(n *placement.Node, same map[string]bool) (fresh, old *placement.Pod, ok bool) {
	for i := range n.Pods {
		p := &n.Pods[i]
		if p.Flags.Has(placement.Terminating) {
			continue
		}
		slot := &old
		if p.Flags.Has(placement.Updated) || len(same) > 0 && same[p.Revision] {
			slot = &fresh
		}
		if *slot != nil {
			return nil, nil, false
		}
		*slot = p
	}
	return fresh, old, true
}

// tally is what an update counts.
type tally struct {
	busy     int // unavailable, or with surge surging
	busyFree int // and exempt
	busyOld  int // of busy, those whose only fault is an old pod that may be replaced
	usable   int // nodes with an available pod
}

// spent is how much of the budget is spent.
func (t *tally) spent(v *survey) int {
	if v == nil {
		return t.busy
	}
	return t.busy + max(0, t.busyFree-v.maxExempt)
}

// replaceNode is the step that deletes old pods. Nodes that count are those that have a pod,
// terminating ones included, eligible or not and existing or not, and all that are
// eligible, where the policy does not leave them out.
func (d *draft) replaceNode(n *placement.Node, t *tally) {
	v := d.survey
	if len(n.Pods) == 0 {
		if verdict, _, _ := d.serve(n); verdict == placement.Eligible {
			d.busy(n, t)
		}
		return
	}
	fresh, old, ok := v.pair(n)
	if why := v.counts(n); why != "" {
		if ok && old != nil && fresh == nil {
			d.hold(n.Name, old.Name, why)
		}
		return
	}
	switch {
	case !ok, (fresh == nil) == (old == nil):
		d.busy(n, t)
		return
	case fresh != nil:
		d.leave(n, fresh)
		if !d.available(fresh) {
			d.busy(n, t)
		}
		return
	}
	available := d.available(old)
	if !available {
		d.busy(n, t)
	}
	switch why := v.holds(n); {
	case why != "":
		d.hold(n.Name, old.Name, why)
	case available:
		d.deletes.picked.add(&action{node: n, pod: old, why: OutdatedAvailable})
	default:
		if !v.exempt(n) {
			t.busyOld++
		}
		d.remove(n, old, OutdatedUnavailable)
	}
}

// busy counts a node that spends the budget.
func (d *draft) busy(n *placement.Node, t *tally) {
	free := d.survey.exempt(n)
	if free {
		t.busyFree++
	} else {
		t.busy++
	}
	if d.see != nil {
		d.see(n, free)
	}
}

// leave files a pod that is left alone though it is not of the target.
func (d *draft) leave(n *placement.Node, fresh *placement.Pod) {
	if !fresh.Flags.Has(placement.Updated) {
		d.hold(n.Name, fresh.Name, HeldNoRestart)
	}
}

// limit bounds what an update wants and picks. Budget is what it may pick; strict
// is what a strict one may do in all.
func (d *draft) limit(p *part, budget bound, strict int) {
	v := d.survey
	both := free()
	if v != nil {
		both = lowest(both, v.left)
		if v.policy.Limit.Strict {
			both.lower(strict, HeldBudget)
		}
		if v.wave != nil {
			budget.lower(v.wave.limit-v.wave.busy, HeldWaveBudget)
			if v.policy.Limit.Strict {
				both.lower(v.wave.limit-v.wave.busy+v.wave.busyOld, HeldWaveBudget)
			}
		}
		both = v.steps(both)
	}
	p.bound(free(), both, budget)
	d.lookAtSlowStart(p)
}

// surgeNode is the step that creates new pods beside old ones, and deletes old ones
// that have been replaced.
func (d *draft) surgeNode(n *placement.Node, t *tally) {
	if len(n.Pods) == 0 {
		return
	}
	v := d.survey
	fresh, old, ok := v.pair(n)
	left := v.counts(n)
	if !ok {
		if left == "" {
			d.busy(n, t)
		}
		return
	}
	oldUsable, freshUsable := old != nil && d.available(old), fresh != nil && d.available(fresh)
	if oldUsable || old == nil && freshUsable {
		t.usable++
	}
	if fresh != nil {
		d.leave(n, fresh)
	}
	if old == nil {
		return
	}
	if why := v.surgeHolds(n, fresh, left); why != "" {
		d.hold(n.Name, old.Name, why)
		return
	}
	switch {
	case fresh != nil && freshUsable:
		d.remove(n, old, SurgedOver)
	case fresh != nil:
		if left == "" {
			d.busy(n, t)
		}
	case n.Verdict == placement.Unevaluated:
		d.hold(n.Name, old.Name, HeldNodeGone)
	case !oldUsable && n.Verdict != placement.Eligible:
		d.remove(n, old, OutdatedUnavailable)
	case !oldUsable:
		d.creates.wanted.add(&action{node: n, pod: old, revision: d.state.Target, why: SurgeUnavailable})
	case n.Verdict != placement.Eligible:
		d.deletes.picked.add(&action{node: n, pod: old, why: OutdatedNotEligible})
	default:
		d.creates.picked.add(&action{node: n, pod: old, revision: d.state.Target, why: SurgeAvailable})
	}
}
