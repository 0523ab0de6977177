package main

import (
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/rollout"
)

// policyOf makes the library's policy of one that is written at a path of the
// document, for a run that starts then; without a start that somebody has given it
// has no moments.
func policyOf(p policies.Policy, doc input.Document, path string, start time.Time, given bool) (rollout.Policy, error) {
	c := input.Checker{Document: doc, Path: path}
	const moment = "has a moment in it, so the run needs one: give start, or -now"
	slow := &p.Limit.SlowStart
	if !given && !(p.Gate.From.IsZero() && p.Gate.Until.IsZero()) {
		c.Problem("gate", moment)
	}
	if !given && !slow.Since.IsZero() {
		c.Problem("limit.slowStart", moment)
	}
	if slow.Interval.Duration > 0 {
		if slow.Since.IsZero() {
			slow.Since.Time = start
		}
		if slow.Interval.Duration < time.Second {
			c.Problem("limit.slowStart.interval", "must be a second or more")
		}
	}
	if len(p.Candidates.NoRestart) > 0 {
		c.Problem("candidates.noRestart", "is about what templates differ in, and the revisions of a run have none")
	}
	return p.Compile(&c)
}
