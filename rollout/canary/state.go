package canary

import (
	"strings"
	"time"
)

// State is what [Judge] remembers of a canary: a plain value that can be stored as
// JSON, in the status of a custom resource for one. The zero value is a canary of
// which nothing was seen.
type State struct {
	// Revision is the hash of the revision that is tried: see [State.For].
	Revision string `json:"revision,omitempty"`
	// Started is when the canary began, by which its age is told. The first
	// judgement sets it; whoever wants to count from the creation of the revision,
	// as ExtendedDaemonSet does, sets it before.
	Started time.Time `json:"started,omitzero"`
	// FirstRestart and LastRestart are the earliest and the latest that any pod
	// told of, so that a pod that is gone does not take its restarts along.
	// ExtendedDaemonSet keeps them in its condition PodRestarting.
	FirstRestart time.Time `json:"firstRestart,omitzero"`
	LastRestart  time.Time `json:"lastRestart,omitzero"`
	// Decision is what a person said last. The caller writes it, Judge reads it.
	Decision Decision `json:"decision,omitempty"`
	// Paused is the first rule of Thresholds.Pause that was broken. It stays,
	// whatever becomes of the pods, until a person unpauses the canary.
	Paused Cause `json:"paused,omitzero"`
	// Failed and Promoted are why the canary has ended; Judge changes nothing any
	// more once one of them is set.
	Failed   Cause `json:"failed,omitzero"`
	Promoted Cause `json:"promoted,omitzero"`
}

// For returns the state for judging a revision: s when it is of that revision, or
// else a new one. What a person decided about one revision says nothing about the
// next; ExtendedDaemonSet writes the name of the revision into its annotation
// canary-valid for that.
func (s State) For(revision string) State {
	if s.Revision == revision {
		return s
	}
	return State{Revision: revision}
}

// Decision is what a person said about a canary. The values are stable.
// ExtendedDaemonSet has annotations on the object to unpause and to validate, of
// which several can be there; here the last word counts. That a person pauses or
// rejects is ours.
type Decision string

const (
	// Undecided leaves it to the rules. So does a decision that is unknown.
	Undecided Decision = ""
	// Paused holds the canary. It may fail, and is not promoted.
	Paused Decision = "paused"
	// Unpaused ends any pause, and there is no other one as long as this is the
	// decision.
	Unpaused Decision = "unpaused"
	// Validated promotes the canary, whatever its pods do, unless it has failed.
	Validated Decision = "validated"
	// Rejected fails the canary.
	Rejected Decision = "rejected"
)

// Cause is why a canary is judged as it is.
type Cause struct {
	Reason Reason `json:"reason,omitempty"`
	// Pod and Node are those that broke the rule, of several the first by name;
	// empty where the rule is about all pods.
	Pod  string `json:"pod,omitempty"`
	Node string `json:"node,omitempty"`
	// Detail is what was seen, for a person: the reason for which a container
	// waits, the number of restarts.
	Detail string `json:"detail,omitempty"`
	// Since is when it was first judged so; zero for what a canary that continues
	// waits for, and for a person's pause.
	Since time.Time `json:"since,omitzero"`
}

// String is the reason with the pod and the detail.
func (c Cause) String() string {
	var b strings.Builder
	b.WriteString(string(c.Reason))
	if c.Detail != "" {
		b.WriteString(" (" + c.Detail + ")")
	}
	if c.Pod != "" {
		b.WriteString(", pod " + c.Pod)
	}
	if c.Node != "" {
		b.WriteString(" on " + c.Node)
	}
	return b.String()
}
