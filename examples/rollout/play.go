package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// mostMoments is after how many a run is too long to be looked at.
const mostMoments = 1_000_000

// week is when the library gives up by itself.
const week = 7 * 24 * time.Hour

// played is a run.
type played struct {
	name   string
	what   string // is played
	rules  string // by which
	pods   string // how they behave
	odd    []input.Warning
	marks  []mark
	points []point
	single bool          // there is one target
	until  time.Duration // when it is given up
	simulate.Summary
}

// point is how things stand after all that happens at a moment.
type point struct {
	at time.Duration
	simulate.Counts
	// budget is how many nodes may be unavailable, and worst how many were before
	// all of the moment had happened.
	budget, worst    int
	creates, deletes int
}

// floor is the number of available nodes below which no pod that is available is
// replaced.
func (p point) floor() int { return max(p.Eligible-p.budget, 0) }

// play plays what is written.
func play(d written, from source, watch *output.Progress) (*played, error) {
	s, t, odd, err := d.scenario(&from)
	if err != nil {
		return nil, err
	}
	r := &played{
		name: d.Name, until: cmp.Or(s.Until, week), single: len(t.of.of) == 1, what: t.what, marks: t.marks, odd: odd, pods: podsInWords(s.Pods, s.Spec.MinReadySeconds),
		rules: joined(limitsInWords(s.Spec), d.Policy.String()),
	}
	if n := len(t.of.some); n > 0 {
		r.pods += ", and otherwise on " + output.Plural(n, "node", "nodes")
	}
	spec, ahead := s.Spec, t.marks
	var failed error
	summary, err := simulate.Watch(s, func(step simulate.Step) bool {
		for len(ahead) > 0 && ahead[0].at <= step.At {
			if ahead[0].spec != nil {
				spec = *ahead[0].spec
			}
			ahead = ahead[1:]
		}
		if failed = step.Err; failed == nil {
			failed = r.add(step, spec)
		}
		watch.Show(func() string { return progress(step) })
		return failed == nil
	})
	if err == nil {
		err = failed
	} else {
		err = t.explain(err)
	}
	if err != nil {
		return nil, err
	}
	r.Summary = summary
	for len(r.marks) > 0 && r.marks[len(r.marks)-1].at > r.Duration { // given up before
		r.marks = r.marks[:len(r.marks)-1]
	}
	r.marks = append(r.marks, mark{at: r.Duration, text: endInWords(r.End)})
	return r, nil
}

// progress says how far a run is.
func progress(step simulate.Step) string {
	return fmt.Sprintf("playing: %s, %s of %s done",
		inWords(step.At), output.Thousands(step.Counts.Done), output.Plural(step.Counts.Eligible, "node", "nodes"))
}

// add files a step.
func (r *played) add(step simulate.Step, spec rollout.Spec) error {
	limits, err := spec.Limits(step.Counts.Eligible)
	if err != nil {
		return err
	}
	p := point{
		at: step.At, Counts: step.Counts, budget: limits.MaxUnavailable, worst: step.Counts.Unavailable(),
		creates: len(step.Plan.Create), deletes: len(step.Plan.Delete),
	}
	if n := len(r.points); n > 0 && r.points[n-1].at == p.at {
		last := &r.points[n-1]
		p.worst = max(p.worst, last.worst)
		p.creates, p.deletes = p.creates+last.creates, p.deletes+last.deletes
		*last = p
		return nil
	}
	if len(r.points) == mostMoments {
		return fmt.Errorf("after %s so much has happened that it takes too long: more at a time, or a smaller -until", inWords(p.at))
	}
	r.points = append(r.points, p)
	return nil
}

func (r *played) finished() bool { return r.End == simulate.Finished }

// name gives names to runs that have none. The second is what -compare says when
// the rules do not tell them apart.
func name(runs []*played, compare string) {
	for _, r := range runs {
		if r.name == "" {
			r.name = r.rules
		}
	}
	if len(runs) == 2 && runs[0].name == runs[1].name {
		runs[1].name = compare
	}
	for _, r := range runs {
		r.name = output.Clean(r.name)
	}
}

// endInWords is how a run ends.
func endInWords(e simulate.End) string {
	return strings.ReplaceAll(string(e), "-", " ")
}

// sentence is the answer.
func (r *played) sentence() string {
	after := "at once"
	switch {
	case r.End == simulate.GivenUp: // before what is next
		after = "after " + inWords(r.until)
	case r.Duration > 0:
		after = "after " + inWords(r.Duration)
	}
	text := fmt.Sprintf("%s %s: %s of %s, at most %s unavailable", endInWords(r.End), after,
		output.Thousands(r.Done), output.Plural(r.Eligible, "node", "nodes"), output.Thousands(r.PeakUnavailable))
	// A run goes on while there are events to come.
	done := slices.IndexFunc(r.points, func(p point) bool { return p.Done == p.Eligible })
	if r.single && done >= 0 && r.points[done].at < r.Duration {
		text += "; all were updated by " + inWords(r.points[done].at)
	}
	return text
}

// podsInWords is what becomes of a pod.
func podsInWords(b simulate.Behaviour, minReadySeconds int32) string {
	text := fmt.Sprintf("a pod takes %s to stop, %s to get its node", lasting{b.Stop}, lasting{b.Schedule})
	switch {
	case b.Fate == simulate.StaysPending:
		return fmt.Sprintf("a pod takes %s to stop, and a new one never gets its node", lasting{b.Stop})
	case b.Fate == simulate.NeverReady:
		return text + ", and is never ready"
	case b.Fate == simulate.CrashLoops:
		return fmt.Sprintf("%s, and crashes after %s", text, lasting{b.Ready})
	case b.Fails < 0:
		return fmt.Sprintf("%s, and fails after %s", text, lasting{b.Ready})
	}
	text += fmt.Sprintf(", %s to be ready", lasting{b.Ready})
	if minReadySeconds > 0 {
		text += fmt.Sprintf(", %s more to be available", inWords(time.Duration(minReadySeconds)*time.Second))
	}
	return text
}

// joined are the parts that are not empty.
func joined(parts ...string) string {
	var some []string
	for _, part := range parts {
		if part != "" {
			some = append(some, part)
		}
	}
	return strings.Join(some, ", ")
}
