package rollout

import (
	"cmp"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/placement"
)

// draft collects a plan.
type draft struct {
	state   *State
	desired int // eligible nodes

	creates, deletes part
	backoff          []BackoffChange
	next             time.Time

	all   bool // keep holds one by one, and not only their numbers
	holds []Hold
	held  []Count
}

// part is one of the two lists of actions. What is wanted whatever the limits
// comes before what is picked within them, as in the controller, so that a burst
// takes it first.
type part struct {
	wanted, picked selection
	take           int    // of picked
	rest           Reason // why the others of picked are held
}

func newDraft(s *State, all bool) *draft {
	d := &draft{state: s, all: all}
	for _, p := range []*part{&d.creates, &d.deletes} {
		p.wanted, p.picked = newSelection(s.After, all), newSelection(s.After, all)
	}
	return d
}

// empty reports whether nothing is wanted.
func (d *draft) empty() bool {
	return d.creates.wanted.total+d.creates.take+d.deletes.wanted.total+d.deletes.take == 0
}

// pick says how many of the picked ones may be taken.
func (p *part) pick(n int, rest Reason) {
	p.take, p.rest = max(0, min(n, p.picked.total)), rest
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

// available reports whether a pod has been ready for long enough, and makes the
// plan look again when one will have been.
func (d *draft) available(p *placement.Pod) bool {
	at, ok := p.AvailableAt(d.state.Spec.MinReadySeconds)
	if !ok {
		return false
	}
	if at.After(d.state.Now) {
		d.lookAt(at)
		return false
	}
	return true
}

// cut returns what a part does, and holds the rest.
func (d *draft) cut(p *part) []action {
	p.wanted.cut()
	p.picked.cut()
	taken := min(p.take, len(p.picked.items))
	actions := slices.Concat(p.wanted.items, p.picked.items[:taken])
	if !d.all {
		d.count(HeldBurst, max(0, p.wanted.total+p.take-Burst))
		d.count(p.rest, p.picked.total-p.take)
		return actions[:min(len(actions), Burst)]
	}
	for _, a := range p.picked.items[taken:] {
		d.hold(a.node.Name, a.podName(), p.rest)
	}
	for len(actions) > Burst {
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
		p.Create = append(p.Create, Create{Node: a.node.Name, Revision: d.state.Target, Reason: a.why})
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

func (d *draft) create(n *placement.Node, why Reason) {
	d.creates.wanted.add(action{node: n, why: why})
}

func (d *draft) remove(n *placement.Node, p *placement.Pod, why Reason) {
	d.deletes.wanted.add(action{node: n, pod: p, why: why})
}

// removeAfter is remove for a pod that comes after others of its node.
func (d *draft) removeAfter(n *placement.Node, p *placement.Pod, why Reason, turn int) {
	d.deletes.wanted.add(action{node: n, pod: p, why: why, turn: turn})
}
