package canary

import "time"

// Verdict is what to do with a canary. The values are stable.
type Verdict string

const (
	// Promote: go on with the revision on all nodes. It is final.
	Promote Verdict = "promote"
	// Continue: leave it where it is, and look again.
	Continue Verdict = "continue"
	// Pause: leave it where it is until a person decides.
	// ExtendedDaemonSet creates no more pods of it.
	Pause Verdict = "pause"
	// Fail: go back to the stable revision. It is final.
	Fail Verdict = "fail"
)

// Judgement is a verdict and why.
type Judgement struct {
	Verdict Verdict `json:"verdict"`
	Cause
	// Next is when the verdict becomes another one, if nothing but time happens;
	// zero for never. As comparisons are strict, it may be a nanosecond after the
	// time that a threshold names.
	Next time.Time `json:"next,omitzero"`
}

// String says it in one line.
func (j Judgement) String() string {
	s := string(j.Verdict) + ": " + j.Cause.String()
	if !j.Next.IsZero() {
		s += ", look again after " + j.Next.Format(time.RFC3339)
	}
	return s
}

// Judge says whether to go on with a canary. pods are its pods, in any order, as
// [HealthIn] returns them; prev is the state that the last judgement returned, and
// the state that comes back is for the next one. The same arguments give the same
// judgement, and it may be made as often as one likes.
//
// The order of the rules is in the package documentation. It is that of
// ExtendedDaemonSet (strategy/canary.go:manageCanaryPodFailures), where the first
// pod that breaks a rule decides; here the first rule, and of the pods that break
// it the first by name and node. A moment that lies ahead, because a clock is
// wrong, is taken as it is.
//
// It is an error when a threshold is negative, or MaxFailing neither a number nor a
// percentage. Both results are zero then, so keep prev.
func Judge(pods []Health, t Thresholds, prev State, now time.Time) (Judgement, State, error) {
	if err := t.check(); err != nil {
		return Judgement{}, State{}, err
	}
	s := prev
	if s.Failed.Reason == "" && s.Promoted.Reason == "" {
		s.see(pods, now)
		s.decide(now)
	}
	if j, ended := s.ended(); ended {
		return j, s, nil
	}

	failing := t.Fail.test(pods, s, now)
	if failing.cause.Reason != "" {
		s.Failed = failing.cause
		return Judgement{Verdict: Fail, Cause: s.Failed}, s, nil
	}

	var pausing finding
	switch {
	case s.Decision == Unpaused:
		s.Paused = Cause{}
	case s.Paused.Reason == "":
		pausing = t.Pause.test(pods, s, now)
		s.Paused = pausing.cause
	}
	switch {
	case s.Paused.Reason != "":
		return Judgement{Verdict: Pause, Cause: s.Paused, Next: failing.next}, s, nil
	case s.Decision == Paused:
		return Judgement{Verdict: Pause, Cause: Cause{Reason: ByPerson}, Next: failing.next}, s, nil
	}

	over, waits := t.Promote.over(pods, s)
	if !over.IsZero() && !now.Before(over) {
		s.Promoted = Cause{Reason: TimeOver, Since: now}
		return Judgement{Verdict: Promote, Cause: s.Promoted}, s, nil
	}
	return Judgement{
		Verdict: Continue, Cause: Cause{Reason: waits}, Next: earliest(failing.next, earliest(pausing.next, over)),
	}, s, nil
}

// see remembers what the pods tell.
func (s *State) see(pods []Health, now time.Time) {
	if s.Started.IsZero() {
		s.Started = now
	}
	for i := range pods {
		s.FirstRestart, s.LastRestart = span(s.FirstRestart, s.LastRestart, pods[i].FirstRestart)
		s.FirstRestart, s.LastRestart = span(s.FirstRestart, s.LastRestart, pods[i].LastRestart)
	}
}

// decide ends the canary if a person said so.
func (s *State) decide(now time.Time) {
	switch s.Decision {
	case Rejected:
		s.Failed = Cause{Reason: ByPerson, Since: now}
	case Validated:
		s.Promoted = Cause{Reason: ByPerson, Since: now}
	}
}

// ended is the judgement of a canary that has ended.
func (s *State) ended() (Judgement, bool) {
	switch {
	case s.Failed.Reason != "":
		return Judgement{Verdict: Fail, Cause: s.Failed}, true
	case s.Promoted.Reason != "":
		return Judgement{Verdict: Promote, Cause: s.Promoted}, true
	}
	return Judgement{}, false
}

// earliest is the earlier of two moments; zero stands for none.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
