package conformance_test

import (
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// lot is a part of the creates or of the deletes of a sync, of which the reference
// carries out some in the order of a map.
type lot struct {
	n          int             // how many we carry out
	candidates map[string]bool // those, and what may be carried out instead
	cut        bool            // by the burst
}

func (l *lot) leave(name string) {
	if l.candidates == nil {
		l.candidates = map[string]bool{}
	}
	l.candidates[name] = true
}

func (l *lot) take(name string) {
	l.n++
	l.leave(name)
}

// lots are what is wanted whatever the limits, and what comes after all of it:
// what is picked within the limits, and in manage what targets missing nodes.
type lots struct{ first, second lot }

// later are the reasons of the second lot.
var later = map[rollout.Reason]bool{
	rollout.SurgeAvailable:      true, // within maxSurge
	rollout.OutdatedAvailable:   true, // within maxUnavailable
	rollout.OutdatedNotEligible: true, // as long as enough are available
	rollout.NodeGone:            true,
}

func (l *lots) of(second bool) *lot {
	if second {
		return &l.second
	}
	return &l.first
}

// check compares the lots with what the reference did. The numbers are equal, and
// what it took is among the candidates: so where it does not pick, it took the
// same. This is the only difference that is allowed.
func (l *lots) check(t *rapid.T, reached *tally.Tally, part string, theirs []string) {
	took, first, second := map[string]bool{}, 0, 0
	for _, name := range theirs {
		assert.False(t, took[name], "%s twice", name)
		took[name] = true
		switch {
		case l.first.candidates[name]:
			assert.False(t, l.second.candidates[name], "%s is in both lots", name)
			first++
		case l.second.candidates[name]:
			second++
		default:
			assert.Fail(t, "the reference picks "+name)
		}
	}
	assert.Equal(t, first, l.first.n)
	assert.Equal(t, second, l.second.n)
	reached.AddIf(l.second.n > 1 && len(l.second.candidates) > l.second.n, part+": several of more")
	reached.AddIf(l.first.cut, part+": the first lot is cut")
	reached.AddIf(l.second.cut && !l.first.cut, part+": the second lot is cut")
	reached.AddIf(l.second.cut && l.second.n > 0 && l.first.n > 0, part+": the second lot is cut after the first")
}

// manages reports whether a sync comes to an end with manage.
func manages(s rollout.State) bool {
	plan, err := rollout.Manage(s, rollout.Policy{})
	return err == nil && !plan.Empty()
}

// checkPlan compares the pods that are created and deleted with the plan.
func checkPlan(t *rapid.T, reached *tally.Tally, s rollout.State, plan rollout.Plan, holds []rollout.Hold, created, deleted []string) {
	p := picks{state: s, pods: factsOf(s.Fleet), armed: map[string]bool{}, manages: manages(s)}
	for _, b := range plan.Backoff {
		p.armed[b.Node] = true
	}
	for _, c := range plan.Create {
		reached.Add(string(c.Reason))
		p.creates.of(later[c.Reason]).take(c.Node)
	}
	for _, d := range plan.Delete {
		reached.Add(string(d.Reason))
		p.deletes.of(later[d.Reason]).take(p.name(d.Pod))
	}
	held := map[rollout.Reason]int{}
	for _, h := range holds {
		reached.Add(string(h.Reason))
		held[h.Reason]++
		p.hold(h)
	}
	assert.Len(t, plan.Held, len(held))
	for _, count := range plan.Held {
		assert.Equal(t, held[count.Reason], count.N)
	}
	reached.AddIf(plan.Empty(), "nothing")
	for i := range deleted {
		deleted[i] = p.name(deleted[i])
	}
	p.creates.check(t, reached, "creates", created)
	p.deletes.check(t, reached, "deletes", deleted)
	p.checkLast(t, reached, plan, holds)
}

// checkLast: the burst ends within one node at most, and there it leaves pods that
// run rather than such that have ended, as the reference does.
func (p *picks) checkLast(t *rapid.T, reached *tally.Tally, plan rollout.Plan, holds []rollout.Hold) {
	took := map[string][]fact{}
	for _, d := range plan.Delete {
		took[d.Node] = append(took[d.Node], p.pods[d.Pod])
	}
	last := ""
	for _, h := range holds {
		if h.Reason != rollout.HeldBurst || h.Pod == "" || took[h.Node] == nil {
			continue
		}
		assert.True(t, last == "" || last == h.Node)
		last = h.Node
		left := p.pods[h.Pod]
		if !left.ended() || left.node.Verdict == placement.Excluded || left.node.Verdict == placement.Unevaluated {
			continue
		}
		for _, pod := range took[h.Node] {
			assert.True(t, pod.ended(), "%s goes before %s", pod.Name, left.Name)
		}
	}
	reached.AddIf(last != "", "deletes: cut within a node")
}

func (f fact) ended() bool { return f.Flags.Any(placement.Failed | placement.Succeeded) }

// picks are the lots of a plan.
type picks struct {
	state            rollout.State
	pods             map[string]fact
	armed            map[string]bool // nodes on which a failed pod goes
	manages          bool            // the plan is that of manage
	creates, deletes lots
}

// fact is a pod of a fleet and its node.
type fact struct {
	placement.Pod
	node placement.Node
}

func factsOf(f placement.Fleet) map[string]fact {
	all := map[string]fact{}
	for _, n := range f.Nodes {
		for _, p := range n.Pods {
			all[p.Name] = fact{p, n}
		}
	}
	return all
}

// name is that of a pod to delete. Of the failed pods of a node the reference
// deletes the one that its cache lists first: they share a name.
func (p *picks) name(pod string) string {
	f := p.pods[pod]
	if p.armed[f.node.Name] && f.Flags.Has(placement.Failed) && !f.Flags.Has(placement.Terminating) {
		return "a failed pod of " + f.node.Name
	}
	return pod
}

// hold files what the reference may do instead of something that we do.
func (p *picks) hold(h rollout.Hold) {
	pod := p.pods[h.Pod]
	switch h.Reason {
	case rollout.HeldBudget:
		// With surge the budget is one of creates, without it of deletes.
		if p.surges() {
			p.creates.second.leave(h.Node)
		} else {
			p.deletes.second.leave(h.Pod)
		}
	case rollout.HeldCapacity:
		p.deletes.second.leave(h.Pod)
	case rollout.HeldBurst:
		l, name := p.deletes.of(p.later(pod)), p.name(h.Pod)
		if h.Pod == "" || p.surges() && !p.manages && pod.alone() && pod.node.Verdict == placement.Eligible {
			l, name = p.creates.of(p.later(pod)), h.Node
		}
		l.leave(name)
		l.cut = true
	}
}

// later reports whether what is done about a pod belongs to the second lot. In an
// update that is so where the pod is available and has no new one beside it.
func (p *picks) later(f fact) bool {
	if p.manages {
		return f.Name != "" && f.node.Ref == nil
	}
	at, ok := f.AvailableAt(p.state.Spec.MinReadySeconds)
	return ok && !at.After(p.state.Now) && f.alone()
}

// alone reports whether no other pod of the node stays.
func (f fact) alone() bool {
	live := 0
	for _, p := range f.node.Pods {
		if !p.Flags.Has(placement.Terminating) {
			live++
		}
	}
	return live == 1
}

// surges reports whether an update creates pods beside old ones.
func (p *picks) surges() bool {
	desired := 0
	for _, n := range p.state.Fleet.Nodes {
		if n.Verdict == placement.Eligible {
			desired++
		}
	}
	limits, err := p.state.Spec.Limits(desired)
	return err == nil && limits.MaxSurge != 0
}
