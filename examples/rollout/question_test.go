package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// asked is what a run with -o json says.
func asked(t testing.TB, status int, args string) report {
	got := runRollout("", append(strings.Fields(args), "-o", "json")...)
	require.Equal(t, status, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	return r
}

// TestQuestion: 10% of 3,000 nodes at a time, 40 s to ready, minReadySeconds 30.
// How long is waves × (stop + schedule + ready + minReadySeconds), where nothing
// goes wrong.
func TestQuestion(t *testing.T) {
	for _, c := range []struct {
		args                                          string
		nodes, waves, stop, schedule, ready, minReady int
	}{
		{question, 3000, 10, 0, 0, 40, 30},
		{question + " -stop 5s -schedule 2s", 3000, 10, 5, 2, 40, 30},
		{question + " -max-unavailable 7%", 3000, 15, 0, 0, 40, 30}, // 210 at a time
		{"-nodes 7 -stop 30s", 7, 7, 30, 0, 30, 0},
		{"-nodes 20 -max-surge 25% -ready 1m", 20, 4, 0, 0, 60, 0},
		{"-nodes 12 -zones a,b,c,d -max-unavailable 100% -waves zone -ready 20s", 12, 4, 0, 0, 20, 0},
		{"-nodes 1 -min-ready-seconds 7s -zones=", 1, 1, 0, 0, 30, 7},
	} {
		r := asked(t, finished, c.args).Runs[0]
		assert.Equal(t, float64(c.waves*(c.stop+c.schedule+c.ready+c.minReady)), r.DurationSeconds, c.args)
		assert.Equal(t, c.waves, r.Waves, c.args)
		assert.Equal(t, c.nodes, r.Done)
		assert.Empty(t, r.Unfinished)
		assert.Nil(t, r.Diagnosis)
		assert.Contains(t, r.Timeline[len(r.Timeline)-1].Events, "finished")
	}
	got := runRollout("", strings.Fields(question)...)
	assert.True(t, strings.HasPrefix(got.Stdout, "finished after 11m40s: 3,000 of 3,000 nodes, at most 300 unavailable\n"))
}

// TestZoneDown: and what if zone b is down?
func TestZoneDown(t *testing.T) {
	down := asked(t, unfinished, question+" -zone-down b -compare exempt=not-ready")
	a, b := down.Runs[0], down.Runs[1]

	// A thousand nodes spend the budget of three hundred, before anything begins.
	assert.Equal(t, simulate.Blocked, a.End)
	assert.Zero(t, a.Done)
	assert.Zero(t, a.DurationSeconds)
	assert.Equal(t, 1000, a.PeakUnavailable)
	require.NotNil(t, a.Diagnosis)
	assert.Equal(t, rollout.Blocked, a.Diagnosis.Condition)
	assert.Len(t, a.Diagnosis.Spenders, 1000)
	assert.Equal(t, []string{"zone b down", "blocked"}, a.Timeline[0].Events)

	// When they do not count the other two zones are updated.
	assert.Equal(t, 2000, b.Done)
	assert.Len(t, b.Unfinished, 1000)
	assert.Equal(t, 2000, down.Comparison.Done)
	assert.Equal(t, float64(7*70), b.DurationSeconds, "2,000 nodes, 300 at a time")

	// It goes on when the zone is back.
	back := asked(t, finished, question+" -zone-down b@4m-10m").Runs[0]
	assert.Equal(t, 3000, back.Done)
	assert.Greater(t, back.DurationSeconds, 700.0)
	var events []string
	for _, row := range back.Timeline {
		events = append(events, row.Events...)
	}
	assert.Equal(t, []string{"zone b down", "zone b back", "finished"}, events)
}

// TestRange: times that are drawn from a range depend on the seed, and on nothing
// else.
func TestRange(t *testing.T) {
	const args = "-nodes 30 -max-unavailable 3 -ready 20s-60s -stop 0s-10s -seed "
	one, again, other := asked(t, finished, args+"1").Runs[0], asked(t, finished, args+"1").Runs[0], asked(t, finished, args+"2").Runs[0]
	assert.Equal(t, one, again)
	assert.NotEqual(t, one.Timeline, other.Timeline)
	for _, r := range []runReport{one, other} {
		assert.Greater(t, r.DurationSeconds, 10*20.0)
		assert.Less(t, r.DurationSeconds, 10*70.0)
	}
}

// TestVariants: what a setting of the second run does, and that the first has none
// of it.
func TestVariants(t *testing.T) {
	r := asked(t, unfinished, "-nodes 12 -max-unavailable 3 -ready 10s -compare max-surge=3,stop=4s,never-ready=node-01,node-02,seed=4")
	assert.Equal(t, "maxUnavailable 3", r.Runs[0].Name)
	assert.Equal(t, "maxSurge 3", r.Runs[1].Name)
	assert.Equal(t, 40.0, r.Runs[0].DurationSeconds)
	assert.Equal(t, []string{"node-01", "node-02"}, r.Runs[1].Unfinished)
	assert.Contains(t, r.Runs[1].Pods, "takes 4s to stop")
	assert.Contains(t, r.Runs[1].Pods, "otherwise on 2 nodes")

	r = asked(t, finished, "-nodes 12 -ready 10s -compare ready=20s")
	assert.Equal(t, "ready=20s", r.Runs[1].Name, "the rules do not tell them apart")
	assert.Equal(t, 120.0, r.Comparison.DurationSeconds)

	// What was read from a file, with the flags in both.
	r = asked(t, unfinished, "-scenario testdata/careful.yaml -compare testdata/busy.yaml -nodes 24 -fail-nodes new-*,node-1* -until 10m")
	assert.Equal(t, "careful", r.Runs[0].Name)
	assert.Equal(t, "a busy day", r.Runs[1].Name)
	assert.Equal(t, simulate.GivenUp, r.Runs[1].End)
	for _, one := range r.Runs {
		assert.Contains(t, one.What, "24 nodes")
	}
}

// TestManyPatterns: names may be patterns, of all nodes too.
func TestManyPatterns(t *testing.T) {
	r := asked(t, unfinished, "-nodes 10 -max-unavailable 2 -never-ready * -until 2h").Runs[0]
	assert.Equal(t, simulate.Blocked, r.End)
	assert.Equal(t, 2, r.PeakUnavailable, "the budget protects the others")
	assert.Equal(t, fmt.Sprint(2), fmt.Sprint(r.Creates))
}

// TestFates: what becomes of new pods, in words and in deeds.
func TestFates(t *testing.T) {
	for _, c := range []struct {
		pods, words string
		end         simulate.End
		created     bool // again and again
	}{
		{"fate: pending", "and a new one never gets its node", simulate.Blocked, false},
		{"fate: never-ready", "and is never ready", simulate.Blocked, false},
		{"fate: crash-loops, ready: 5s", "and crashes after 5s", simulate.Blocked, false},
		{"fails: -1, ready: 5s", "and fails after 5s", simulate.GivenUp, true},
		{"fails: 2, ready: 5s", "5s to be ready", simulate.Finished, true},
	} {
		got := runRollout("nodes: 2\npods: {"+c.pods+"}\nuntil: 2h\n", "-scenario", "-", "-o", "json")
		var r report
		got.Document(t, &r)
		one := r.Runs[0]
		assert.Equal(t, c.end, one.End, c.pods)
		assert.Contains(t, one.Pods, c.words)
		assert.Equal(t, c.created, one.Creates > 2, c.pods)
	}
}

// TestWindow: moments are those of the start that is given.
func TestWindow(t *testing.T) {
	const window = "nodes: 2\npolicy: {gate: {from: \"2026-03-04T12:00:00Z\", until: \"2026-03-04T13:00:00Z\"}}\n"
	for _, c := range []struct {
		start   string
		status  int
		seconds float64
	}{{"2026-03-04T11:59:00Z", finished, 60 + 2*30}, {"2026-03-04T12:10:00Z", finished, 60}, {"2026-03-04T13:00:00Z", unfinished, 0}} {
		got := runRollout(window, "-scenario", "-", "-now", c.start, "-o", "json")
		assert.Equal(t, c.status, got.Status, got.Stderr)
		var r report
		got.Document(t, &r)
		assert.Equal(t, c.seconds, r.Runs[0].DurationSeconds)
		assert.Equal(t, got, runRollout(window+"start: \""+c.start+"\"\n", "-scenario", "-", "-o", "json"))
	}
}

// TestExemptSelector: nodes are exempt by their labels, which they may get meanwhile.
func TestExemptSelector(t *testing.T) {
	const scenario = "nodes: 6\npods: {ready: 10s}\nevents:\n- {zone: b, health: not-ready}\n- {at: 1m, zone: c, change: {labels: {pool: spot}}}\n"
	for _, c := range []struct {
		selector string
		status   int
		done     int
	}{
		{"topology.kubernetes.io/zone: a", unfinished, 0}, {"topology.kubernetes.io/zone: b", unfinished, 4},
		{"pool: spot", unfinished, 0}, {"kubernetes.io/hostname: node-2", unfinished, 0},
	} {
		policy := "policy: {count: {exemptSelector: {matchLabels: {" + c.selector + "}}}}\n"
		got := runRollout(scenario+policy, "-scenario", "-", "-o", "json")
		require.Equal(t, c.status, got.Status, got.Stderr)
		var r report
		got.Document(t, &r)
		assert.Equal(t, c.done, r.Runs[0].Done, c.selector)
		assert.Equal(t, "maxUnavailable 1, exempt some nodes", r.Runs[0].Rules)
	}
}

// TestNoWaves: a second run without the waves of the scenario, and all that is said
// of them.
func TestNoWaves(t *testing.T) {
	const scenario = "nodes: 6\npolicy: {order: {waves: {label: topology.kubernetes.io/zone, values: [b], maxUnavailable: 1}}}\n"
	got := runRollout(scenario, "-scenario", "-", "-compare", "waves=", "-o", "json")
	require.Equal(t, finished, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	assert.Equal(t, "maxUnavailable 1, waves by topology.kubernetes.io/zone", r.Runs[0].Rules)
	assert.Equal(t, "maxUnavailable 1", r.Runs[1].Rules)
}

// TestChangedNodes: a taint takes nodes away, a label puts one into another zone.
func TestChangedNodes(t *testing.T) {
	got := runRollout(`
nodes: 4
zones: [a]
pods: {ready: 10s}
events:
- {at: 5s, nodes: [node-4], change: {taints: [{key: gone, effect: NoExecute}]}}
- {at: 6s, nodes: [node-3], change: {labels: {topology.kubernetes.io/zone: b}}}
- {at: 7s, zone: b, leave: true}
- {at: 8s, zone: b, nodes: [node-3], join: {}}
- {at: 9s, zone: b, change: {cordon: true}}
`, "-scenario", "-", "-o", "json")
	require.Equal(t, finished, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	assert.Equal(t, 3, r.Runs[0].Done)
	var events []string
	for _, row := range r.Runs[0].Timeline {
		events = append(events, row.Events...)
	}
	assert.Equal(t, []string{"node-4 changed", "node-3 changed", "zone b gone", "node-3 new", "zone b changed", "finished"}, events)
}

// TestEventsAfterIt: a run lasts as long as there are events to come, and the
// answer says that the rollout was over before.
func TestEventsAfterIt(t *testing.T) {
	r := asked(t, finished, "-nodes 3 -zone-down b@20m-30m").Runs[0]
	assert.Equal(t, "finished after 30m: 3 of 3 nodes, at most 1 unavailable; all were updated by 1m30s", r.Answer)
}
