package canary

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/placement"
)

// creating are the reasons for which a container waits that is being created.
var creating = [...]string{"ContainerCreating", "PodInitializing"}

// finding is what a test of rules finds: the first rule that is broken, or without
// a reason when time alone breaks one; zero for never.
type finding struct {
	cause Cause
	next  time.Time
}

// test asks the rules, those of single pods first.
func (r *Rules) test(pods []Health, s State, now time.Time) finding {
	var first breach
	failing := 0
	var later []time.Time // when further pods fail
	for i := range pods {
		b, next := r.pod(&pods[i], now)
		switch {
		case b.place > 0:
			if failing++; failing == 1 || b.compare(first) < 0 {
				first = b
			}
		case !next.IsZero():
			later = append(later, next)
		}
	}
	may := r.mayFail(len(pods))
	first.cause.Since = now
	if failing > may {
		return finding{cause: first.cause}
	}
	if between := s.LastRestart.Sub(s.FirstRestart); r.MaxRestartsDuration > 0 && !s.FirstRestart.IsZero() && between > r.MaxRestartsDuration {
		return finding{cause: Cause{Reason: KeepsRestarting, Detail: "for " + between.String(), Since: now}}
	}
	var next time.Time
	if r.Timeout > 0 {
		if next = after(s.Started, r.Timeout); !now.Before(next) {
			return finding{cause: Cause{Reason: TimedOut, Detail: "older than " + r.Timeout.String(), Since: now}}
		}
	}
	if one := may - failing; one < len(later) {
		slices.SortFunc(later, time.Time.Compare)
		next = earliest(next, later[one])
	}
	return finding{next: next}
}

// mayFail is how many pods may break a rule.
func (r *Rules) mayFail(pods int) int {
	if r.MaxFailing == nil {
		return 0
	}
	n, _, _ := amount("", *r.MaxFailing, pods) // check has seen the error
	return n
}

// breach is a rule that a pod breaks, by its place among the rules.
type breach struct {
	place int
	cause Cause
}

func (b breach) compare(c breach) int {
	return cmp.Or(
		cmp.Compare(b.place, c.place),
		cmp.Compare(b.cause.Pod, c.cause.Pod),
		cmp.Compare(b.cause.Node, c.cause.Node),
		cmp.Compare(b.cause.Detail, c.cause.Detail),
	)
}

// pod returns the first rule that a pod breaks; for a pod that breaks none, when
// it will by the time that goes by, or zero.
func (r *Rules) pod(h *Health, now time.Time) (breach, time.Time) {
	var next time.Time
	reached := func(at time.Time) bool {
		if now.Before(at) {
			next = earliest(next, at)
			return false
		}
		return true
	}
	breaks := func(place int, why Reason, detail string) (breach, time.Time) {
		return breach{place, Cause{Reason: why, Pod: h.Pod, Node: h.Node, Detail: detail}}, time.Time{}
	}
	slow := after(h.Created, r.MaxSlowStart)
	if waits := firstOf(h.Waiting, r.CannotStart); waits != "" && (r.MaxSlowStart == 0 || reached(slow)) {
		return breaks(1, CannotStart, waits)
	}
	if waits := firstOf(h.Waiting, creating[:]); waits != "" && r.MaxSlowStart > 0 && reached(slow) {
		return breaks(2, SlowStart, waits)
	}
	if h.Failed && r.OnFailed {
		return breaks(3, PodFailed, "")
	}
	if !h.Ready && r.UnreadyFor > 0 {
		since := h.ReadyChanged
		if since.IsZero() {
			since = h.Created
		}
		if reached(after(since, r.UnreadyFor)) {
			return breaks(4, Unready, "for more than "+r.UnreadyFor.String())
		}
	}
	if r.MaxRestarts != nil && h.Restarts > *r.MaxRestarts {
		return breaks(5, TooManyRestarts, fmt.Sprintf("%d restarts", h.Restarts))
	}
	return breach{}, next
}

// over returns the moment from which the canary has lasted long enough, and what
// it waits for until then: what ends last. The moment is zero where time alone
// does not bring it.
func (p *Promotion) over(pods []Health, s State) (time.Time, Reason) {
	if p.Duration == nil {
		return time.Time{}, NeedsPerson
	}
	at, waits := after(s.Started, *p.Duration), DurationRuns
	// Without a restart that is long ago.
	if quiet := after(s.LastRestart, p.Quiet); p.Quiet > 0 && quiet.After(at) {
		at, waits = quiet, QuietTimeRuns
	}
	if p.MinReady > 0 {
		var ready []time.Time
		for i := range pods {
			facts := placement.Pod{ReadyChanged: pods[i].ReadyChanged}
			if pods[i].Ready {
				facts.Flags = placement.Ready
			}
			if since, ok := facts.AvailableAt(p.MinReadySeconds); ok {
				ready = append(ready, since)
			}
		}
		if len(ready) < p.MinReady {
			return time.Time{}, TooFewReady
		}
		slices.SortFunc(ready, time.Time.Compare)
		if last := ready[p.MinReady-1]; last.After(at) {
			at, waits = last, TooFewReady
		}
	}
	return at, waits
}

// after is the first moment at which more than d has passed since t.
func after(t time.Time, d time.Duration) time.Time { return t.Add(d).Add(1) }

// firstOf is the first of the values that is in the list; empty for none.
func firstOf(values, list []string) string {
	for _, v := range values {
		if slices.Contains(list, v) {
			return v
		}
	}
	return ""
}
