package simulate

import (
	"fmt"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/rollout"
)

// Step is what happened at a moment.
type Step struct {
	At   time.Duration // after the start
	Time time.Time
	// Events are the indexes of those of the scenario that happened.
	Events []int
	// Plan is what the controller did.
	Plan rollout.Plan
	// Counts is how things stand afterwards.
	Counts Counts
	// End is set in the last step, and Err why, if a plan could not be made.
	End End
	Err error
}

// Counts are numbers of nodes.
type Counts struct {
	// Eligible ones are to run a pod of the target.
	Eligible int `json:"eligible"`
	// Updated ones are eligible and have a pod of the target, Available ones any
	// available pod, and Done ones an available pod of the target and no old one.
	Updated   int `json:"updated"`
	Available int `json:"available"`
	Done      int `json:"done"`
	// Bare ones are eligible and have no pod that runs or is about to.
	Bare int `json:"bare"`
	// Surging ones have two pods or more.
	Surging int `json:"surging"`
	// Old ones have an old pod, eligible or not.
	Old int `json:"old"`
}

// Unavailable is the number of eligible nodes without an available pod.
func (c Counts) Unavailable() int { return c.Eligible - c.Available }

// End is how a run ends. The values are stable.
type End string

const (
	// Finished: every eligible node has an available pod of the target and no old
	// one, and nothing is to come.
	Finished End = "finished"
	// Blocked: nothing is to come, and it is not finished.
	Blocked End = "blocked"
	// GivenUp: there was no end until then.
	GivenUp End = "given-up"
	// Spinning: plans follow each other without end, as with surge, where a failed
	// pod that its back-off holds keeps no other from being made at once.
	Spinning End = "spinning"
	// Failed: a plan could not be made; the scenario's strategy or policy is
	// unusable.
	Failed End = "failed"
)

// String is the step in one line.
func (s Step) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%8s  %d of %d done, %d available", s.At, s.Counts.Done, s.Counts.Eligible, s.Counts.Available)
	if n := len(s.Plan.Create); n > 0 {
		fmt.Fprintf(&b, ", creates %d", n)
	}
	if n := len(s.Plan.Delete); n > 0 {
		fmt.Fprintf(&b, ", deletes %d", n)
	}
	if n := len(s.Events); n > 0 {
		fmt.Fprintf(&b, ", %d events", n)
	}
	if s.End != "" {
		fmt.Fprintf(&b, ", %s", s.End)
	}
	return b.String()
}
