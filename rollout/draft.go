package rollout

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/placement"
)

// draft collects a plan.
type draft struct {
	state   *State
	survey  *survey   // nil without a policy
	desired int       // eligible nodes
	surges  bool      // two pods may be on a node
	ripe    time.Time // pods that are ready since then are available

	resting int      // nodes that have all they should have
	busied  []uint64 // a bit for each of the others

	creates, deletes part
	backoff          []BackoffChange
	next             time.Time

	stepped bool // manage's steps went with the first look
	showing bool // the update only shows what it would do

	kind   updateKind
	tally  tally
	budget Budget
	see    func(n *placement.Node, exempt bool) // sees who spends it; nil for none

	all   bool // keep holds one by one, and not only their numbers
	holds []Hold
	held  []Count
}

// part is one of the two lists of actions. What is wanted whatever the budget
// comes before what is picked within it, as in the controller, so that a burst
// takes it first. Each has a bound, beyond which it is held.
type part struct {
	wanted, picked selection
	forced, taken  bound
}

// startDraft starts an empty plan.
func startDraft(s *State, p *Policy, all bool) *draft {
	d := &draft{state: s, all: all, surges: s.Spec.surges()}
	d.ripe = s.Now.Add(-time.Duration(s.Spec.MinReadySeconds) * time.Second)
	for _, part := range []*part{&d.creates, &d.deletes} {
		part.forced, part.taken = free(), bound{}
		part.wanted, part.picked = newSelection(s.After, p.Order.By, all), newSelection(s.After, p.Order.By, all)
	}
	return d
}

// newDraft starts a plan and looks at the fleet. A step may go with that look: it is
// done when the draft is stepped, and otherwise has to wait for all that the look
// finds.
func newDraft(s *State, p *Policy, all bool, step func(*draft, *placement.Node)) (*draft, error) {
	d := startDraft(s, p, all)
	if err := p.Check(); err != nil || s.InFlight.any() {
		return d, err
	}
	if !p.Zero() {
		return d, newSurvey(d, p, step)
	}
	d.stepped = step != nil
	d.look(func(n *placement.Node) {
		if step != nil {
			step(d, n)
		}
	}, nil)
	return d, nil
}

// look passes over the fleet once and tells the nodes that have the one pod that
// they should have, which are nearly all, from the others. Later passes visit those
// alone.
func (d *draft) look(busy, resting func(*placement.Node)) {
	nodes := d.state.Fleet.Nodes
	d.busied = make([]uint64, (len(nodes)+63)/64)
	for i := range nodes {
		n := &nodes[i]
		if d.rests(n) {
			d.resting++
			if resting != nil {
				resting(n)
			}
			continue
		}
		d.busied[i/64] |= 1 << (i % 64)
		busy(n)
	}
}

// rests reports whether a node has an available pod of the target and no other.
func (d *draft) rests(n *placement.Node) bool {
	const seen = placement.Terminating | placement.Failed | placement.Succeeded | placement.Updated
	return n.Verdict == placement.Eligible && len(n.Pods) == 1 && n.Pods[0].Flags&seen == placement.Updated && d.isAvailable(&n.Pods[0])
}

// eachBusy visits the nodes that do not rest, in the order of the fleet.
func (d *draft) eachBusy(visit func(*placement.Node)) {
	for i, word := range d.busied {
		for ; word != 0; word &= word - 1 {
			visit(&d.state.Fleet.Nodes[i*64+bits.TrailingZeros64(word)])
		}
	}
}

// empty reports whether nothing is done.
func (d *draft) empty() bool {
	return d.creates.total()+d.deletes.total() == 0
}

// total is how much of a part is done, were there no burst.
func (p *part) total() int {
	return min(p.forced.n, p.wanted.total) + min(p.taken.n, p.picked.total)
}

// bound says how many of those that are wanted may be taken, how many of both
// together, and how many of those that are picked.
func (p *part) bound(wanted, both, picked bound) {
	p.forced = lowest(both, wanted)
	both.n -= min(p.forced.n, p.wanted.total)
	p.taken = lowest(both, picked)
}

// burst is how many creates, and how many deletes, a plan has at most.
func (d *draft) burst() int {
	if d.survey == nil {
		return Burst
	}
	return d.survey.burst
}

// settle files what manage wants and does not do, empties its parts, and returns
// why it does not.
func (d *draft) settle() (why Reason) {
	for _, p := range []*part{&d.creates, &d.deletes} {
		if p.wanted.total+p.picked.total > 0 {
			if why = p.forced.why; why == "" {
				why = p.taken.why
			}
			d.cut(p)
			p.wanted = newSelection(p.wanted.after, p.wanted.by, d.all)
			p.picked = newSelection(p.picked.after, p.picked.by, d.all)
		}
		p.forced, p.taken = free(), bound{}
	}
	return why
}

// lookAtSlowStart makes the plan look again when a slow start allows more, if it
// holds something of a part.
func (d *draft) lookAtSlowStart(p *part) {
	if d.survey == nil {
		return
	}
	if p.forced.why == HeldSlowStart && p.wanted.total > p.forced.n || p.taken.why == HeldSlowStart && p.picked.total > p.taken.n {
		if _, grows, err := d.survey.policy.Limit.SlowStart.At(d.state.Now, d.survey.eligible); err == nil {
			d.lookAt(grows)
		}
	}
}

// hold files what is held back.
func (d *draft) hold(node, pod string, why Reason) {
	d.count(why, 1)
	if d.all {
		d.holds = append(d.holds, Hold{Node: node, Pod: pod, Reason: why})
	}
}

func (d *draft) count(why Reason, n int) {
	if n == 0 {
		return
	}
	for i := range d.held {
		if d.held[i].Reason == why {
			d.held[i].N += n
			return
		}
	}
	d.held = append(d.held, Count{Reason: why, N: n})
}

// lookAt makes the plan look again at a moment.
func (d *draft) lookAt(at time.Time) {
	if at.After(d.state.Now) && (d.next.IsZero() || at.Before(d.next)) {
		d.next = at
	}
}

// isAvailable reports whether a pod has been ready for long enough. It is
// [placement.Pod.AvailableAt] without making a time of it.
func (d *draft) isAvailable(p *placement.Pod) bool {
	switch {
	case !p.Flags.Has(placement.Ready):
		return false
	case d.state.Spec.MinReadySeconds == 0:
		return true
	}
	return !p.ReadyChanged.IsZero() && !p.ReadyChanged.After(d.ripe)
}

// available is isAvailable, and makes the plan look again when the pod will be.
func (d *draft) available(p *placement.Pod) bool {
	if d.isAvailable(p) {
		return true
	}
	if at, ok := p.AvailableAt(d.state.Spec.MinReadySeconds); ok {
		d.lookAt(at)
	}
	return false
}

// cut returns what a part does, and holds the rest.
func (d *draft) cut(p *part) []action {
	p.wanted.cut()
	p.picked.cut()
	forced, taken := min(p.forced.n, len(p.wanted.items)), min(p.taken.n, len(p.picked.items))
	actions := slices.Concat(p.wanted.items[:forced], p.picked.items[:taken])
	burst := d.burst()
	if !d.all {
		d.count(HeldBurst, max(0, p.total()-burst))
		d.count(p.forced.why, max(0, p.wanted.total-p.forced.n))
		d.count(p.taken.why, max(0, p.picked.total-p.taken.n))
		return actions[:min(len(actions), burst)]
	}
	for _, a := range p.wanted.items[forced:] {
		d.hold(a.node.Name, a.podName(), p.forced.why)
	}
	for _, a := range p.picked.items[taken:] {
		d.hold(a.node.Name, a.podName(), p.taken.why)
	}
	for len(actions) > burst {
		last := actions[len(actions)-1]
		d.hold(last.node.Name, last.podName(), HeldBurst)
		actions = actions[:len(actions)-1]
	}
	return actions
}

// finish puts the plan together.
func (d *draft) finish() Plan {
	p := Plan{Next: d.next, Backoff: d.backoff}
	for _, a := range d.cut(&d.creates) {
		p.Create = append(p.Create, Create{Node: a.node.Name, Revision: a.revision, Reason: a.why})
	}
	for _, a := range d.cut(&d.deletes) {
		p.Delete = append(p.Delete, Delete{Node: a.node.Name, Pod: a.pod.Name, UID: a.pod.UID, Reason: a.why})
	}
	slices.SortFunc(d.held, func(a, b Count) int { return cmp.Compare(a.Reason, b.Reason) })
	p.Held = d.held
	order := &d.deletes.wanted
	slices.SortStableFunc(d.holds, func(a, b Hold) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), order.names(a.Node, b.Node), cmp.Compare(a.Pod, b.Pod))
	})
	slices.SortFunc(p.Backoff, func(a, b BackoffChange) int { return order.names(a.Node, b.Node) })
	return p
}

func (d *draft) create(n *placement.Node, revision string, why Reason) {
	d.creates.wanted.add(&action{node: n, revision: revision, why: why})
}

func (d *draft) remove(n *placement.Node, p *placement.Pod, why Reason) {
	d.deletes.wanted.add(&action{node: n, pod: p, why: why})
}

// removeAfter is remove for a pod that comes after others of its node.
func (d *draft) removeAfter(n *placement.Node, p *placement.Pod, why Reason, turn int) {
	d.deletes.wanted.add(&action{node: n, pod: p, why: why, turn: turn})
}
