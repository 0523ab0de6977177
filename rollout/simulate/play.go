package simulate

import (
	"iter"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/rollout"
)

// Play plays a scenario, step by step, until it has come to an end or is given up.
// The plan of a step is not used again, and may be kept. Every range over the result
// plays from the start. An error names the field of the scenario that cannot be used.
func Play(s Scenario) (iter.Seq[Step], error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return func(yield func(Step) bool) { newWorld(&s).play(yield) }, nil
}

// plain reports whether the controller's own rules plan alone, of which it is known
// when they have nothing more to say.
func (w *world) plain() bool { return w.scenario.Planner == nil && w.policy.Zero() }

func (w *world) play(yield func(Step) bool) {
	until := w.scenario.Until
	if until == 0 {
		until = 7 * 24 * time.Hour
	}
	until = min(until, never)
	var next time.Time // when the last plan wanted to look again
	for {
		step := Step{At: w.at, Time: w.state.Now}
		w.move(&step)
		before := w.counts
		if !next.IsZero() && !next.After(w.state.Now) {
			w.dirty = true
		}
		for turn := 0; w.dirty && w.at >= w.rested; turn++ {
			plan, err := w.plan()
			w.dirty = false
			if err != nil {
				step.End, step.Err, step.Counts = Failed, err, w.counts
				yield(step)
				return
			}
			next, step.Plan = plan.Next, plan
			if plan.Empty() {
				break
			}
			w.carryOut(plan)
			w.dirty = w.dirty || !w.plain() || w.surges() || again(plan)
			if w.scenario.Model.Pace > 0 {
				w.rested = w.at + min(w.scenario.Model.Pace, never)
				w.set(timer{after: w.scenario.Model.Pace, what: wakes})
				w.dirty = true
			}
			step.Counts = w.counts
			if turn > 1000+4*len(w.nodes()) || w.crowded {
				step.End = Spinning
			}
			if !yield(step) || step.End != "" {
				return
			}
			step = Step{At: w.at, Time: w.state.Now}
			w.move(&step)
			before = w.counts
		}
		at, more := w.nextMoment(next, until)
		step.Counts = w.counts
		switch finished := w.counts.Done == w.counts.Eligible && len(w.events) == 0 && !w.dirty; {
		case finished:
			step.End = Finished
		case !more:
			step.End = Blocked
		case at > until:
			step.End = GivenUp
			w.at, w.state.Now = until, w.scenario.Start.Add(until)
			step.At, step.Time = w.at, w.state.Now
		}
		if step.End != "" || len(step.Events) > 0 || before != w.last {
			w.last = w.counts
			if !yield(step) || step.End != "" {
				return
			}
		}
		w.at, w.state.Now = at, w.scenario.Start.Add(at)
	}
}

// move lets happen what happens at this moment.
func (w *world) move(step *Step) {
	for len(w.events) > 0 && w.scenario.Events[w.events[0]].At <= w.at {
		step.Events = append(step.Events, w.events[0])
		w.happen(&w.scenario.Events[w.events[0]])
		w.events = w.events[1:]
	}
	for {
		t, ok := w.due()
		if !ok {
			return
		}
		w.fire(t)
	}
}

// plan asks for one.
func (w *world) plan() (rollout.Plan, error) {
	if w.scenario.Planner != nil {
		return w.scenario.Planner(w.state, w.policy)
	}
	return rollout.Sync(w.state, w.policy)
}

// surges reports whether two pods may be on a node.
func (w *world) surges() bool {
	r := w.state.Spec.RollingUpdate
	return r != nil && r.MaxSurge != nil && *r.MaxSurge != intstr.FromInt32(0)
}

// again reports whether without surge the next plan may do something though nothing
// has happened: after manage update has its turn, and after a burst there is the rest.
func again(plan rollout.Plan) bool {
	for _, h := range plan.Held {
		if h.Reason == rollout.HeldBurst {
			return true
		}
	}
	for _, c := range plan.Create {
		if c.Reason != rollout.SurgeAvailable && c.Reason != rollout.SurgeUnavailable {
			return true
		}
	}
	for _, d := range plan.Delete {
		if d.Reason != rollout.OutdatedAvailable && d.Reason != rollout.OutdatedUnavailable && d.Reason != rollout.OutdatedNotEligible {
			return true
		}
	}
	return false
}

// nextMoment is when something happens next.
func (w *world) nextMoment(next time.Time, until time.Duration) (at time.Duration, more bool) {
	at = until + 1
	earlier := func(d time.Duration) { at, more = min(at, d), true }
	if len(w.timers.list) > 0 {
		earlier(w.timers.list[0].at)
	}
	if len(w.events) > 0 {
		earlier(w.scenario.Events[w.events[0]].At)
	}
	if next.After(w.state.Now) {
		earlier(w.roundUp(next.Sub(w.scenario.Start)))
	}
	return at, more
}
