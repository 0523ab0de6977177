package simulate

import (
	"container/heap"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// timer is something that will happen to a pod.
type timer struct {
	after time.Duration // from when it is set
	at    time.Duration // after the start
	turn  int           // among those of one moment
	what  change
	node  int
	pod   types.UID
	era   int // of the node, of a collection
}

// change is what happens to a pod.
type change int

const (
	schedules   change = iota // it gets its node
	settles                   // it becomes ready, or what its fate is
	ripens                    // it becomes available
	goes                      // it has stopped
	isCollected               // the pods of a node that has left are
	wakes                     // the pace allows another plan
)

// never is later than any run.
const never = time.Duration(1 << 61)

// timers is a heap by moment.
type timers struct {
	list []timer
	set  int
}

func (t *timers) Len() int      { return len(t.list) }
func (t *timers) Swap(i, j int) { t.list[i], t.list[j] = t.list[j], t.list[i] }
func (t *timers) Less(i, j int) bool {
	a, b := &t.list[i], &t.list[j]
	return a.at < b.at || a.at == b.at && a.turn < b.turn
}
func (t *timers) Push(x any) { t.list = append(t.list, x.(timer)) }
func (t *timers) Pop() any {
	last := t.list[len(t.list)-1]
	t.list = t.list[:len(t.list)-1]
	return last
}

// set files a timer, its moment rounded up.
func (w *world) set(t timer) {
	if t.after >= never-w.at {
		return // it never comes
	}
	t.at = w.roundUp(w.at + t.after)
	w.timers.set++
	t.turn = w.timers.set
	heap.Push(&w.timers, t)
}

// roundUp rounds a moment up to the resolution.
func (w *world) roundUp(at time.Duration) time.Duration {
	resolution := w.scenario.Model.Resolution
	if resolution == 0 {
		resolution = time.Second
	}
	if rest := at % resolution; rest > 0 {
		at += resolution - rest
	}
	return at
}

// due takes the next timer of this moment.
func (w *world) due() (timer, bool) {
	if len(w.timers.list) == 0 || w.timers.list[0].at > w.at {
		return timer{}, false
	}
	return heap.Pop(&w.timers).(timer), true
}

// fire makes it happen.
func (w *world) fire(t timer) {
	if t.what == wakes {
		return // the controller looks
	}
	n, m := &w.nodes()[t.node], &w.more[t.node]
	if t.what == isCollected {
		if n.Verdict == placement.Unevaluated && t.era == m.era {
			n.Pods = nil
			w.dirty = true
			w.touch(t.node)
		}
		return
	}
	p := w.find(t.node, t.pod)
	switch {
	case p == nil:
		return // gone
	case (m.down || n.Verdict == placement.Unevaluated) && t.what != ripens:
		m.waiting = append(m.waiting, t)
		return
	}
	switch terminating := p.Flags.Has(placement.Terminating); {
	case t.what == goes:
		w.drop(t.node, t.pod)
		return
	case terminating && t.what != ripens:
		return
	case t.what == schedules:
		p.Flags |= placement.Scheduled
		b := w.behaviour(n.Name, p.Revision)
		if b.Fate != NeverReady {
			w.set(timer{after: w.draw(n.Name, p.Revision, 2).of(b.Ready), what: settles, node: t.node, pod: t.pod})
		}
		w.sort(t.node)
	case t.what == settles:
		w.settle(t.node, p)
	case t.what == ripens:
		w.dirty = true
	}
	w.touch(t.node)
}

// settle makes a pod ready, or what it becomes instead.
func (w *world) settle(i int, p *placement.Pod) {
	name := w.nodes()[i].Name
	b := w.behaviour(name, p.Revision)
	p.ReadyChanged = w.state.Now
	switch n := w.attempts[attempt{name, p.Revision}]; {
	case b.Fails < 0, n <= b.Fails:
		p.Flags |= placement.Failed
		w.dirty = true
	case b.Fate == CrashLoops:
		p.Flags |= placement.CrashLooping
		w.dirty = true
	default:
		w.ready(i, p)
	}
}

// ready makes a pod ready. Without a policy nobody asks for it before it is also
// available.
func (w *world) ready(i int, p *placement.Pod) {
	p.Flags |= placement.Ready
	p.ReadyChanged = w.state.Now
	w.ripens(i, p)
	w.dirty = w.dirty || !w.plain() || w.available(p)
}
