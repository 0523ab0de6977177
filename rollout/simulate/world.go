package simulate

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// world is what a scenario has become.
type world struct {
	scenario   *Scenario
	at         time.Duration // after the start
	state      rollout.State
	policy     rollout.Policy
	behaviours map[string]Behaviour // of revisions
	index      map[string]int       // of nodes in the fleet
	more       []more               // of each node
	made       int                  // pods, for their names
	attempts   map[attempt]int

	events []int // of the scenario, those to come
	timers timers

	counts  Counts
	last    Counts // of the last step
	writes  int
	crowded bool          // a node has more pods than any should
	dirty   bool          // the controller has to look
	rested  time.Duration // when a plan may do something again
}

// more is what is known of a node besides its facts.
type more struct {
	share   Counts // in the counts
	era     int    // how often it has left or come
	down    bool   // the kubelet does not answer
	waiting []timer
	lost    []types.UID // pods that were ready before

	bareSince, bare time.Duration // without an available pod: since when, -1 for not so; how long before
	doneAt          time.Duration // -1 for not yet
}

// attempt counts the pods of a revision on a node.
type attempt struct{ node, revision string }

func newWorld(s *Scenario) *world {
	w := &world{
		scenario: s, policy: s.Policy, events: inOrder(s.Events), dirty: true,
		index: make(map[string]int, len(s.Fleet.Nodes)), attempts: map[attempt]int{},
	}
	w.state = rollout.State{Spec: s.Spec, Target: s.Target, Stable: s.Stable, Now: s.Start, ObservedGeneration: 1, Backoff: rollout.Backoff{Generation: 1}}
	w.behaviours = map[string]Behaviour{s.Stable: good(s.Pods), s.Target: s.Pods}
	seen := map[types.UID]bool{}
	for _, n := range s.Fleet.Nodes {
		n.Pods = slices.Clone(n.Pods)
		for i := range n.Pods {
			p := &n.Pods[i]
			w.revise(p)
			if p.Revision != s.Target {
				w.behaviours[p.Revision] = good(s.Pods)
			}
			if p.UID == "" || seen[p.UID] {
				p.UID = types.UID(fmt.Sprint("uid-of-", n.Name, "-", i))
			}
			seen[p.UID] = true
		}
		w.add(n)
	}
	for i := range w.nodes() {
		for _, p := range w.nodes()[i].Pods {
			switch {
			case p.Flags.Has(placement.Terminating):
				w.stops(i, p.UID, p.Revision)
			case w.nodes()[i].Verdict == placement.Unevaluated:
				w.collects(i)
			default:
				w.ripens(i, &p)
			}
		}
		w.touch(i)
	}
	return w
}

func (w *world) nodes() []placement.Node { return w.state.Fleet.Nodes }

// add files a node, in the place of one of its name that has left.
func (w *world) add(n placement.Node) int {
	n = w.policy.Mark(n)
	if i, ok := w.index[n.Name]; ok {
		n.Pods = append(w.nodes()[i].Pods, n.Pods...)
		w.nodes()[i] = n
		w.more[i].era++
		w.resume(i)
		return i
	}
	w.index[n.Name] = len(w.nodes())
	w.state.Fleet.Nodes = append(w.nodes(), n)
	w.more = append(w.more, more{bareSince: -1, doneAt: -1})
	return len(w.nodes()) - 1
}

// behaviour is that of a pod.
func (w *world) behaviour(node, revision string) Behaviour {
	if w.scenario.Of != nil {
		return w.scenario.Of(node, revision)
	}
	return w.behaviours[revision]
}

// good is the behaviour of a revision that was good enough before.
func good(b Behaviour) Behaviour {
	b.Fate, b.Fails = Starts, 0
	return b
}

// revise says whether a pod is of the target, by its revision alone.
func (w *world) revise(p *placement.Pod) {
	p.Flags &^= placement.Updated
	if p.Revision == w.state.Target {
		p.Flags |= placement.Updated
	}
}

// draw is what the chance of a pod hangs on.
func (w *world) draw(node, revision string, what uint64) draw {
	return draw{seed: w.scenario.Seed, node: node, pod: revision, attempt: w.attempts[attempt{node, revision}], what: what}
}

// create makes a pod.
func (w *world) create(i int, revision string) {
	n := &w.nodes()[i]
	w.made++
	p := placement.Pod{Name: fmt.Sprint("pod-", w.made), UID: types.UID(fmt.Sprint("uid-", w.made)), Revision: revision, Created: w.state.Now}
	if revision == w.state.Target {
		p.Flags |= placement.Updated
	}
	w.attempts[attempt{n.Name, revision}]++
	n.Pods = append(n.Pods, p)
	w.crowded = w.crowded || len(n.Pods) > 100
	if b := w.behaviour(n.Name, revision); b.Fate != StaysPending {
		w.set(timer{after: w.draw(n.Name, revision, 1).of(b.Schedule), what: schedules, node: i, pod: p.UID})
	}
	w.writes++
	w.touch(i)
}

// remove deletes a pod: what has no node, or has ended, is gone at once.
func (w *world) remove(i int, uid types.UID) {
	p := w.find(i, uid)
	if p == nil {
		return
	}
	w.writes++
	if !p.Flags.Has(placement.Scheduled) || p.Flags.Any(placement.Failed|placement.Succeeded) {
		w.drop(i, uid)
		return
	}
	if !p.Flags.Has(placement.Terminating) {
		p.Flags |= placement.Terminating
		w.stops(i, uid, p.Revision)
	}
	w.touch(i)
}

// stops sets the time when a pod that terminates is gone.
func (w *world) stops(i int, uid types.UID, revision string) {
	name := w.nodes()[i].Name
	w.set(timer{after: w.draw(name, revision, 3).of(w.behaviour(name, revision).Stop), what: goes, node: i, pod: uid})
}

// ripens sets the time when a pod that is ready becomes available.
func (w *world) ripens(i int, p *placement.Pod) {
	if at, ok := p.AvailableAt(w.state.Spec.MinReadySeconds); ok && at.After(w.state.Now) {
		w.set(timer{after: at.Sub(w.state.Now), what: ripens, node: i, pod: p.UID})
	}
}

// collects sets the time when the pods of a node that has left are collected.
func (w *world) collects(i int) {
	after := w.scenario.Model.Collect
	if after == 0 {
		after = 40 * time.Second
	}
	if after > 0 {
		w.set(timer{after: after, what: isCollected, node: i, era: w.more[i].era})
	}
}

func (w *world) find(i int, uid types.UID) *placement.Pod {
	n := &w.nodes()[i]
	at := slices.IndexFunc(n.Pods, func(p placement.Pod) bool { return p.UID == uid })
	if at < 0 {
		return nil
	}
	return &n.Pods[at]
}

// drop makes a pod be gone.
func (w *world) drop(i int, uid types.UID) {
	n := &w.nodes()[i]
	n.Pods = slices.DeleteFunc(n.Pods, func(p placement.Pod) bool { return p.UID == uid })
	w.dirty = true
	w.touch(i)
}

// sort orders the pods of a node as a fleet does.
func (w *world) sort(i int) {
	slices.SortStableFunc(w.nodes()[i].Pods, func(a, b placement.Pod) int {
		return cmp.Or(cmp.Compare(b.Flags&placement.Scheduled, a.Flags&placement.Scheduled), a.Created.Compare(b.Created), cmp.Compare(a.Name, b.Name))
	})
}

// available reports whether a pod is.
func (w *world) available(p *placement.Pod) bool {
	at, ok := p.AvailableAt(w.state.Spec.MinReadySeconds)
	return ok && !at.After(w.state.Now)
}

// touch counts a node anew.
func (w *world) touch(i int) {
	n, m := &w.nodes()[i], &w.more[i]
	var share Counts
	live, fresh, old, available, done := 0, false, false, false, false
	for j := range n.Pods {
		p := &n.Pods[j]
		if p.Flags.Any(placement.Terminating | placement.Failed | placement.Succeeded) {
			continue
		}
		live++
		is := w.available(p)
		available = available || is
		if p.Flags.Has(placement.Updated) || w.policy.Candidates.NoRestart[p.Revision] {
			fresh, done = true, done || is
		} else {
			old = true
		}
	}
	if n.Verdict == placement.Eligible {
		share.Eligible = 1
		share.Updated, share.Available, share.Done = one(fresh), one(available), one(done && !old)
		share.Bare = one(live == 0)
	}
	share.Surging, share.Old = one(live > 1), one(old)
	w.counts = w.counts.plus(share).minus(m.share)
	m.share = share

	if share.Eligible > share.Available {
		if m.bareSince < 0 {
			m.bareSince = w.at
		}
	} else if m.bareSince >= 0 {
		m.bare += w.at - m.bareSince
		m.bareSince = -1
	}
	if share.Done == 0 {
		m.doneAt = -1
	} else if m.doneAt < 0 {
		m.doneAt = w.at
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (c Counts) plus(d Counts) Counts {
	return Counts{c.Eligible + d.Eligible, c.Updated + d.Updated, c.Available + d.Available, c.Done + d.Done, c.Bare + d.Bare, c.Surging + d.Surging, c.Old + d.Old}
}

func (c Counts) minus(d Counts) Counts {
	return Counts{c.Eligible - d.Eligible, c.Updated - d.Updated, c.Available - d.Available, c.Done - d.Done, c.Bare - d.Bare, c.Surging - d.Surging, c.Old - d.Old}
}
