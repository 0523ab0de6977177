package rollout

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// survey is what a policy has to know of the whole fleet before it judges a node.
type survey struct {
	policy   *Policy
	eligible int // by the target

	stop      Reason // why nothing is updated now; empty when it is
	left      bound  // by the partition: nodes that may still be updated
	slowStart int
	perStep   int
	removals  int
	burst     int
	maxExempt int
	exempted  int // nodes that are not available and exempt

	fresh, failing int                      // pods of the target
	updated        int                      // eligible nodes that run the target
	leaving        int                      // eligible nodes whose pods all go or have ended
	bare           []*placement.Node        // eligible nodes that get a pod
	keeps          bool                     // the partition keeps some
	late           map[*placement.Node]bool // of bare, those that it keeps from the target
	waves          []wave
	last           int   // index of the wave that was looked up last
	wave           *wave // that has its turn; nil when all are done
}

// wave is what is known of the nodes of one value.
type wave struct {
	group              string
	nodes              int
	undone, undoneFree int // free are those that are exempt
	busy               int // unavailable, or with surge surging
	busyOld            int // of busy, those whose only fault is an old pod
	limit              int // of busy
}

// newSurvey passes over the fleet once. A step that does not depend on what is found
// goes with it.
func newSurvey(d *draft, p *Policy, step func(*draft, *placement.Node)) error {
	v := &survey{policy: p}
	d.survey = v
	d.stepped = step != nil && !d.servesStable()
	d.look(func(n *placement.Node) {
		v.node(d, n)
		if d.stepped {
			step(d, n)
		}
	}, v.resting)
	if err := v.resolve(d.state.Now); err != nil {
		return err
	}
	if err := v.chooseWave(); err != nil {
		return err
	}
	v.partition(d)
	return v.gate(d)
}

// resolve makes numbers of what the policy says.
func (v *survey) resolve(now time.Time) (err error) {
	l := &v.policy.Limit
	if v.maxExempt, err = share("count.maxExempt", v.policy.Count.MaxExempt, v.eligible, RoundUp, unlimited); err != nil {
		return err
	}
	if v.perStep, err = share("limit.perStep", l.PerStep, v.eligible, RoundUp, unlimited); err != nil {
		return err
	}
	if v.removals, err = share("limit.removals", l.Removals, v.eligible, RoundUp, unlimited); err != nil {
		return err
	}
	if v.burst, err = share("limit.burst", l.Burst, v.eligible, RoundUp, Burst); err != nil {
		return err
	}
	v.burst = min(v.burst, Burst)
	if v.slowStart, _, err = l.SlowStart.At(now, v.eligible); err != nil {
		return err
	}
	keep, err := v.policy.Candidates.Partition.Keep(v.eligible)
	v.left, v.keeps = free(), keep > 0
	if v.keeps {
		v.left.lower(v.eligible-keep-v.updated, HeldPartition)
	}
	return err
}

// counts says why a node does not count, empty if it does.
func (v *survey) counts(n *placement.Node) Reason {
	switch {
	case v == nil || v.policy.Count.Nodes == NodesWithPods:
	case n.Verdict == placement.Unevaluated:
		return HeldNodeGone
	case v.policy.Count.Nodes == EligibleNodes && n.Verdict != placement.Eligible:
		return HeldNotEligible
	}
	return ""
}

// exempt reports whether the unavailability of a node is free.
func (v *survey) exempt(n *placement.Node) bool {
	return v != nil && v.policy.Count.Exempt != nil && v.policy.Count.Exempt(n)
}

// resting adds up a node that has all it should have.
func (v *survey) resting(n *placement.Node) {
	v.eligible++
	v.fresh++
	v.updated++
	if v.policy.Order.Waves.Label != "" {
		_, group := v.policy.view(n)
		v.waveOf(group).nodes++
	}
}

// node adds up another node, if it counts.
func (v *survey) node(d *draft, n *placement.Node) {
	if v.counts(n) != "" {
		return
	}
	live, updated := false, false
	for i := range n.Pods {
		p := &n.Pods[i]
		if p.Flags.Has(placement.Updated) && !p.Flags.Has(placement.Terminating) {
			v.pod(d, p)
		}
		if !p.Flags.Any(placement.Terminating | placement.Failed | placement.Succeeded) {
			live = true
			updated = updated || p.Flags.Has(placement.Updated) || p.Revision == d.state.Target
		}
	}
	fresh, old, ok := v.pair(n)
	available := ok && old == nil && fresh != nil && d.isAvailable(fresh)
	exempt := 0
	if !available && v.exempt(n) {
		exempt = 1
	}
	v.exempted += exempt
	if n.Verdict == placement.Eligible {
		v.eligible++
		switch {
		case updated:
			v.updated++
		case live:
		case d.getsPod(n):
			v.bare = append(v.bare, n)
		default:
			v.leaving++
		}
	}
	if v.policy.Order.Waves.Label != "" {
		v.addToWave(d, n, fresh, old, ok, available, exempt)
	}
}

// pod adds up one pod of the target.
func (v *survey) pod(d *draft, p *placement.Pod) {
	v.fresh++
	switch unready := v.policy.Gate.Failures.UnreadyFor; {
	case p.Flags.Any(placement.Failed | placement.CrashLooping):
		v.failing++
	case p.Flags.Has(placement.Ready) || unready == 0:
	default:
		since := p.ReadyChanged
		if p.Created.After(since) {
			since = p.Created
		}
		if at := since.Add(unready); at.Before(d.state.Now) {
			v.failing++
		} else if v.policy.Gate.Failures.Max != nil {
			d.lookAt(at.Add(time.Nanosecond))
		}
	}
}

// addToWave adds up one node in the group of its wave.
func (v *survey) addToWave(d *draft, n *placement.Node, fresh, old *placement.Pod, ok, available bool, exempt int) {
	marks, group := v.policy.view(n)
	w := v.waveOf(group)
	if n.Verdict == placement.Eligible {
		w.nodes++
		if !available && marks.Has(markSelected|markChosen) {
			w.undone++
			w.undoneFree += exempt
		}
	}
	switch {
	case exempt > 0:
	case d.surges:
		if !ok || old != nil && fresh != nil {
			w.busy++
		}
	case available, ok && fresh == nil && old != nil && d.isAvailable(old), n.Verdict != placement.Eligible && len(n.Pods) == 0:
	default:
		w.busy++
		if ok && fresh == nil && old != nil {
			w.busyOld++
		}
	}
}

// waveOf finds the wave of a group. There are few, and nodes of one group often
// come together.
func (v *survey) waveOf(group string) *wave {
	if v.last < len(v.waves) && v.waves[v.last].group == group {
		return &v.waves[v.last]
	}
	v.last = slices.IndexFunc(v.waves, func(w wave) bool { return w.group == group })
	if v.last < 0 {
		v.last = len(v.waves)
		v.waves = append(v.waves, wave{group: group})
	}
	return &v.waves[v.last]
}

// chooseWave finds the first wave that is not done. Nodes that are exempt keep no
// wave from being done, unless there are too many of them.
func (v *survey) chooseWave() error {
	waves := &v.policy.Order.Waves
	if waves.Label == "" {
		return nil
	}
	round := func(group string) int {
		if at := slices.Index(waves.Values, group); at >= 0 {
			return at
		}
		if group == "" {
			return len(waves.Values) + 1
		}
		return len(waves.Values)
	}
	slices.SortFunc(v.waves, func(a, b wave) int {
		return cmp.Or(cmp.Compare(round(a.group), round(b.group)), cmp.Compare(a.group, b.group))
	})
	var last *wave // of exempt nodes, which have their turn after all others
	for i := range v.waves {
		w := &v.waves[i]
		var err error
		if w.limit, err = share("order.waves.maxUnavailable", waves.MaxUnavailable, w.nodes, RoundUp, unlimited); err != nil {
			return err
		}
		blocking := w.undone
		if v.exempted <= v.maxExempt {
			blocking -= w.undoneFree
		}
		switch {
		case v.wave == nil && blocking > 0:
			v.wave = w
		case last == nil && w.undone > 0:
			last = w
		}
	}
	if v.wave == nil {
		v.wave = last
	}
	return nil
}

// partition says which of the nodes that lack a pod get one of the target, where
// the others can be served from the stable revision: the first ones.
func (v *survey) partition(d *draft) {
	if !v.keeps {
		return
	}
	if d.servesStable() {
		if room := v.left.n - v.leaving; room < len(v.bare) {
			order := &d.creates.wanted
			slices.SortStableFunc(v.bare, order.nodes)
			v.late = map[*placement.Node]bool{}
			for _, n := range v.bare[max(room, 0):] {
				v.late[n] = true
			}
		}
	}
	v.left.n = max(0, v.left.n-v.leaving-len(v.bare))
}

// gate says why nothing is updated, if so.
func (v *survey) gate(d *draft) error {
	g, now := &v.policy.Gate, d.state.Now
	closed := false
	if g.Failures.Max != nil {
		// A number of hundredths of a pod is compared, so that nothing is rounded.
		most, err := share("gate.failures.max", g.Failures.Max, 100*v.fresh, RoundDown, 0)
		if err != nil {
			return err
		}
		of := 100
		if g.Failures.Max.Type == intstr.Int {
			of = 1
		}
		closed = v.failing*of > most
	}
	switch {
	case g.Pause != PauseNone:
		v.stop = HeldPaused
	case now.Before(g.From):
		v.stop = HeldWindow
		d.lookAt(g.From)
	case !g.Until.IsZero() && !now.Before(g.Until):
		v.stop = HeldWindow
	case closed:
		v.stop = HeldFailures
	}
	return nil
}

// pauses is what a level of pause leaves of something.
func (v *survey) pauses(level Pause) bound {
	if v != nil && (v.policy.Gate.Pause == level || v.policy.Gate.Pause == PauseAll) {
		return bound{why: HeldPaused}
	}
	return free()
}

// steps lowers a bound by how much one plan may update.
func (v *survey) steps(b bound) bound {
	if v != nil {
		b.lower(v.slowStart, HeldSlowStart)
		b.lower(v.perStep, HeldStep)
	}
	return b
}

// pair finds the new and the old pod of a node, as of a fleet without policy,
// where a pod that needs no restart is a new one.
func (v *survey) pair(n *placement.Node) (fresh, old *placement.Pod, ok bool) {
	if v == nil {
		return pair(n, nil)
	}
	return pair(n, v.policy.Candidates.NoRestart)
}

// surgeHolds is holds for a node with an old pod. Where a new one is beside it
// already, the update is brought to its end.
func (v *survey) surgeHolds(n *placement.Node, fresh *placement.Pod, left Reason) Reason {
	switch {
	case v == nil || fresh != nil:
		return ""
	case left != "":
		return left
	}
	return v.holds(n)
}

// holds says why a node is not updated now, empty if it may be.
func (v *survey) holds(n *placement.Node) Reason {
	if v == nil {
		return ""
	}
	if v.stop != "" {
		return v.stop
	}
	marks, group := v.policy.view(n)
	switch {
	case !marks.Has(markSelected):
		return HeldSelector
	case !marks.Has(markChosen):
		return HeldNotChosen
	case v.wave != nil && v.wave.group != group:
		return HeldWave
	}
	return ""
}

// reached reports whether the wave of a node has its turn, or has had it.
func (v *survey) reached(n *placement.Node) bool {
	_, group := v.policy.view(n)
	for i := range v.waves {
		if w := &v.waves[i]; w.group == group || w == v.wave {
			return w.group == group
		}
	}
	return false
}
