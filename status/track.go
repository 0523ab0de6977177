package status

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Progress is what [Track] remembers between two observations of a rollout: a
// plain value that can be stored as JSON, in the status of a custom resource for
// one. The zero value has seen nothing.
type Progress struct {
	// Generation is the one whose rollout is followed.
	Generation int64 `json:"generation"`
	// Updated, Ready and Available are the highest counts seen of it.
	Updated   int32 `json:"updated"`
	Ready     int32 `json:"ready"`
	Available int32 `json:"available"`
	// Started is when the generation was first seen, and Moved when one of the
	// counts was last above all before.
	Started time.Time `json:"started,omitzero"`
	Moved   time.Time `json:"moved,omitzero"`
	// Completed is when the rollout was seen complete; zero until then. A node
	// that joins afterwards does not undo it: the rollout of this generation is
	// over.
	Completed time.Time `json:"completed,omitzero"`
}

// Pace says how a rollout moves. The values are stable.
type Pace string

const (
	// Moving: a count rose with this observation, or the rollout has just begun.
	Moving Pace = "moving"
	// Stalled: nothing has risen since an earlier observation.
	Stalled Pace = "stalled"
	// DeadlineExceeded: nothing has risen for as long as the deadline allows.
	DeadlineExceeded Pace = "deadline-exceeded"
	// Complete: all desired pods have been updated and available.
	Complete Pace = "complete"
)

// Movement is what one observation says.
type Movement struct {
	Pace Pace `json:"pace"`
	// Since is when the rollout last moved, or when it was complete.
	Since time.Time `json:"since"`
	// Next is when the deadline passes if nothing moves; zero without a deadline,
	// after it, and when complete.
	Next time.Time `json:"next,omitzero"`
}

// Track follows a rollout by the status that is stored in the object: it takes
// what it remembered and returns what to remember. Observations come in the order
// of time; one that comes twice changes nothing but the pace. A deadline of 0 or
// less is none.
//
// A new generation starts anew. It moves while the controller has not observed it
// only by being new. Progress is a count of updated, ready or available nodes that
// is above all seen before; that nodes join or leave is none, nor is a pod that
// was ready, fell and rose again. A nil DaemonSet changes nothing.
func Track(previous Progress, ds *appsv1.DaemonSet, deadline time.Duration, now time.Time) (Progress, Movement) {
	p := previous
	if ds == nil {
		return p, p.movement(deadline, now)
	}
	if p.Started.IsZero() || p.Generation != ds.Generation {
		p = Progress{Generation: ds.Generation, Started: now, Moved: now}
	}
	s := &ds.Status
	if s.ObservedGeneration >= ds.Generation {
		if s.UpdatedNumberScheduled > p.Updated || s.NumberReady > p.Ready || s.NumberAvailable > p.Available {
			p.Moved = now
		}
		p.Updated = max(p.Updated, s.UpdatedNumberScheduled)
		p.Ready = max(p.Ready, s.NumberReady)
		p.Available = max(p.Available, s.NumberAvailable)
		done := s.UpdatedNumberScheduled >= s.DesiredNumberScheduled && s.NumberAvailable >= s.DesiredNumberScheduled
		if done && p.Completed.IsZero() {
			p.Completed = now
		}
	}
	return p, p.movement(deadline, now)
}

// movement is what the memory says at a moment.
func (p Progress) movement(deadline time.Duration, now time.Time) Movement {
	m := Movement{Pace: Stalled, Since: p.Moved}
	switch {
	case p.Started.IsZero():
		return m // nothing was seen
	case !p.Completed.IsZero():
		return Movement{Pace: Complete, Since: p.Completed}
	case p.Moved.Equal(now):
		m.Pace = Moving
	}
	if deadline <= 0 {
		return m
	}
	if end := p.Moved.Add(deadline); now.Before(end) {
		m.Next = end
	} else if m.Pace != Moving {
		m.Pace = DeadlineExceeded
	}
	return m
}

// ConditionProgressing is the type of the condition that [Progress.Condition]
// returns.
const ConditionProgressing = "Progressing"

// Condition returns the movement as a condition that a custom resource can store,
// of the type Progressing: True while the rollout moves, has stalled within its
// deadline or is complete, False when the deadline has passed, as for a
// Deployment. meta.SetStatusCondition keeps the time of the last transition.
func (p Progress) Condition(m Movement) metav1.Condition {
	c := metav1.Condition{
		Type: ConditionProgressing, Status: metav1.ConditionTrue, ObservedGeneration: p.Generation,
		LastTransitionTime: metav1.NewTime(m.Since),
	}
	seen := fmt.Sprintf("%d updated, %d ready, %d available at most so far", p.Updated, p.Ready, p.Available)
	switch m.Pace {
	case Complete:
		c.Reason, c.Message = "RolloutComplete", "the rollout is complete"
	case Moving:
		c.Reason, c.Message = "RolloutMoving", seen
	case DeadlineExceeded:
		c.Status = metav1.ConditionFalse
		c.Reason, c.Message = "ProgressDeadlineExceeded", "no progress since "+m.Since.Format(time.RFC3339)+": "+seen
	default:
		c.Reason, c.Message = "RolloutStalled", "no progress since "+m.Since.Format(time.RFC3339)+": "+seen
	}
	return c
}
