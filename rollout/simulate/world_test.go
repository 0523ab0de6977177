package simulate_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// TestForEver: times beyond any run never come, and nothing overflows.
func TestForEver(t *testing.T) {
	s := with()
	s.Until = math.MaxInt64
	assert.Equal(t, 3*wave, summarize(t, s).Duration)
	s.Pods.Ready = simulate.After(math.MaxInt64)
	out := summarize(t, s)
	assert.Equal(t, simulate.Blocked, out.End)
	assert.Equal(t, rollout.RepairPods, out.Diagnosis.Remedies[1].Code)
	s = with()
	s.Pods.Stop = simulate.After(math.MaxInt64)
	assert.Equal(t, simulate.Blocked, summarize(t, s).End)
	s = with()
	s.Model.Pace = math.MaxInt64
	assert.Zero(t, summarize(t, s).Done)
}

// TestManyAtOnce: many plans at one moment are no spinning while they get on.
func TestManyAtOnce(t *testing.T) {
	s := clean(1100, rolling("1", "0"))
	s.Pods = simulate.Behaviour{}
	assert.Equal(t, simulate.Finished, summarize(t, s).End)
	s = clean(1500, rolling("100%", "0"))
	one := intstr.FromInt32(1)
	s.Policy.Limit.PerStep = &one
	assert.Equal(t, simulate.Finished, summarize(t, s).End)
}

// TestRevisionsCount: a fleet that was read for the current revision has old pods
// all the same, and pods without UIDs are told apart.
func TestRevisionsCount(t *testing.T) {
	s := with()
	for i := range s.Fleet.Nodes {
		s.Fleet.Nodes[i].Pods[0].Flags |= placement.Updated
		s.Fleet.Nodes[i].Pods[0].UID = ""
	}
	out := summarize(t, s)
	assert.Equal(t, 3, out.Creates)
	assert.Equal(t, 3*wave, out.Duration)
	assert.True(t, s.Fleet.Nodes[0].Pods[0].Flags.Has(placement.Updated), "the fleet is the caller's")
	assert.Empty(t, s.Fleet.Nodes[0].Pods[0].UID)
}

// TestRejoin: a node that is back before its pods are collected goes on with them.
func TestRejoin(t *testing.T) {
	join := &placement.Node{Verdict: placement.Eligible}
	out := summarize(t, with(
		simulate.Event{At: 2 * time.Second, Node: "node-1", Leave: true},
		simulate.Event{At: 20 * time.Second, Node: "node-1", Join: join},
	))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 62*time.Second, of(out, "node-1").At, "20 s, and 2 s and 40 s for its pod")

	// The collection of the first leave is not that of a second one.
	out = summarize(t, with(
		simulate.Event{At: 5 * time.Second, Node: "node-3", Leave: true},
		simulate.Event{At: 10 * time.Second, Node: "node-3", Join: join},
		simulate.Event{At: 40 * time.Second, Node: "node-3", Leave: true},
		simulate.Event{At: 60 * time.Second, Node: "node-3", Join: join},
	))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 3, out.Creates, "none was collected")
}

// TestNoRestart: pods that need none are as good as new.
func TestNoRestart(t *testing.T) {
	s := with()
	s.Policy.Candidates.NoRestart = map[string]bool{"old": true}
	out := summarize(t, s)
	assert.Equal(t, simulate.Finished, out.End)
	assert.Zero(t, out.Duration)
	assert.Zero(t, out.Deletes)
}

// TestMarks: those of the caller are kept.
func TestMarks(t *testing.T) {
	const mine = 1 << 15
	s := with(simulate.Event{At: time.Second, Node: "node-3", Health: simulate.GoesNotReady})
	s.Fleet.Nodes[2].Marks |= mine
	s.Policy.Count.Exempt = func(n *placement.Node) bool { return n.Marks.Has(mine) }
	assert.Equal(t, 2, summarize(t, s).Done)
}

// TestBack: going back to a revision, its pods behave as they did.
func TestBack(t *testing.T) {
	s := with(simulate.Event{At: time.Minute, Target: "old"})
	s.Pods.Fate = simulate.CrashLoops
	out := summarize(t, s)
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, time.Minute+wave, out.Duration)
}
