package status_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/status"
)

func TestTrack(t *testing.T) {
	const deadline = 10 * time.Minute
	minute := func(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
	var p status.Progress
	var m status.Movement
	for _, step := range []struct {
		minute     int
		generation int64
		status     appsv1.DaemonSetStatus
		pace       status.Pace
		since      int
		next       int // 0 for none
	}{
		{0, 2, appsv1.DaemonSetStatus{ObservedGeneration: 1, UpdatedNumberScheduled: 3}, status.Moving, 0, 10},  // a new generation
		{1, 2, appsv1.DaemonSetStatus{ObservedGeneration: 1, UpdatedNumberScheduled: 3}, status.Stalled, 0, 10}, // not observed yet
		{2, 2, counters(3, 3, 1, 2, 2), status.Moving, 2, 12},
		{2, 2, counters(3, 3, 1, 2, 2), status.Moving, 2, 12}, // the same again
		{3, 2, counters(3, 3, 1, 2, 2), status.Stalled, 2, 12},
		{4, 2, counters(3, 3, 1, 1, 1), status.Stalled, 2, 12}, // a pod fell
		{5, 2, counters(3, 3, 1, 2, 2), status.Stalled, 2, 12}, // and rose again
		{6, 2, counters(4, 3, 1, 2, 2), status.Stalled, 2, 12}, // a node joined
		{11, 2, counters(4, 4, 1, 2, 2), status.Stalled, 2, 12},
		{12, 2, counters(4, 4, 1, 2, 2), status.DeadlineExceeded, 2, 0},
		{13, 2, counters(4, 4, 2, 2, 2), status.Moving, 13, 23}, // it goes on
		{14, 2, counters(4, 4, 4, 4, 4), status.Complete, 14, 0},
		{15, 2, counters(5, 4, 4, 4, 4), status.Complete, 14, 0}, // a node joins a rollout that is over
		{16, 3, counters(5, 4, 4, 4, 4), status.Moving, 16, 26},  // another generation
	} {
		ds := stored(step.status)
		ds.Generation = step.generation
		p, m = status.Track(p, ds, deadline, minute(step.minute))
		want := status.Movement{Pace: step.pace, Since: minute(step.since)}
		if step.next > 0 {
			want.Next = minute(step.next)
		}
		assert.Equal(t, want, m, "minute %d", step.minute)

		// What is remembered survives being stored.
		text, err := json.Marshal(p)
		assert.NoError(t, err)
		var back status.Progress
		assert.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, p, back)
	}
}

func TestTrackEdges(t *testing.T) {
	p, m := status.Track(status.Progress{}, nil, time.Minute, now)
	assert.Zero(t, p)
	assert.NotEqual(t, status.Complete, m.Pace)
	ds := stored(counters(3, 3, 1, 1, 1))
	for _, deadline := range []time.Duration{0, -1} {
		p, m = status.Track(status.Progress{}, ds, deadline, now)
		assert.Zero(t, m.Next)
		_, m = status.Track(p, ds, deadline, now.Add(1000*time.Hour))
		assert.Equal(t, status.Stalled, m.Pace)
	}
	p, _ = status.Track(status.Progress{}, ds, math.MaxInt64, now)
	_, m = status.Track(p, ds, math.MaxInt64, now.Add(time.Hour))
	assert.Equal(t, status.Stalled, m.Pace)
}

func TestCondition(t *testing.T) {
	ds := stored(counters(3, 3, 1, 1, 1))
	p, m := status.Track(status.Progress{}, ds, time.Minute, now)
	conditions := []metav1.Condition{}
	meta.SetStatusCondition(&conditions, p.Condition(m))
	assert.Equal(t, metav1.Condition{
		Type: "Progressing", Status: "True", Reason: "RolloutMoving", ObservedGeneration: 2,
		Message: "1 updated, 1 ready, 1 available at most so far", LastTransitionTime: metav1.NewTime(now),
	}, conditions[0])
	for _, c := range []struct {
		after  time.Duration
		status appsv1.DaemonSetStatus
		state  metav1.ConditionStatus
		reason string
	}{
		{time.Second, counters(3, 3, 1, 1, 1), "True", "RolloutStalled"},
		{time.Minute, counters(3, 3, 1, 1, 1), "False", "ProgressDeadlineExceeded"},
		{2 * time.Minute, counters(3, 3, 3, 3, 3), "True", "RolloutComplete"},
	} {
		ds.Status = c.status
		p, m = status.Track(p, ds, time.Minute, now.Add(c.after))
		got := p.Condition(m)
		assert.Equal(t, c.state, got.Status)
		assert.Equal(t, c.reason, got.Reason)
		assert.NotEmpty(t, got.Message)
	}
}

// However observations come, a rollout that is complete stays so, its last move
// lies between its start and now, and the deadline is never passed early.
func TestTrackKeepsItsWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p status.Progress
		at := now
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			at = at.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "seconds")) * time.Second)
			n := rapid.Int32Range(0, 3)
			ds := stored(counters(n.Draw(t, "desired"), 0, n.Draw(t, "updated"), n.Draw(t, "ready"), n.Draw(t, "available")))
			ds.Generation = rapid.Int64Range(1, 3).Draw(t, "generation")
			before := p
			var m status.Movement
			p, m = status.Track(p, ds, time.Minute, at)
			assert.Equal(t, ds.Generation, p.Generation)
			assert.False(t, p.Moved.Before(p.Started) || p.Moved.After(at))
			if before.Generation == p.Generation && !before.Completed.IsZero() {
				assert.Equal(t, status.Complete, m.Pace)
			}
			assert.Equal(t, m.Pace == status.DeadlineExceeded, m.Pace != status.Complete && !at.Before(p.Moved.Add(time.Minute)))
			assert.True(t, m.Next.IsZero() || m.Next.After(at))
		}
	})
}

func TestAggregate(t *testing.T) {
	a, b := counters(3, 3, 2, 2, 1), counters(5, 4, 4, 4, 4)
	b.NumberMisscheduled, b.CollisionCount, b.Conditions = 1, new(int32), []appsv1.DaemonSetCondition{{Type: "A"}}
	sum := counters(8, 7, 6, 6, 5)
	sum.NumberMisscheduled, sum.ObservedGeneration = 1, 9
	members := []status.Member{{2, a}, {2, b}}
	assert.Equal(t, sum, status.Aggregate(9, members))
	members[1].Generation = 3
	sum.ObservedGeneration = 8
	assert.Equal(t, sum, status.Aggregate(9, members), "one member is behind")
	assert.Zero(t, status.Aggregate(0, nil))
	assert.Equal(t, int64(4), status.Aggregate(5, nil).ObservedGeneration)
	huge := []status.Member{{0, counters(math.MaxInt32, 0, 0, 0, 0)}, {0, counters(math.MaxInt32, 0, 0, 0, 0)}}
	assert.Equal(t, int32(math.MaxInt32), status.Aggregate(1, huge).DesiredNumberScheduled)
}
