package rollout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// A sync, told as its plan prints it. Lines of the plan are parted by "; ".
func TestSync(t *testing.T) {
	off := rollout.Spec{Strategy: appsv1.OnDeleteDaemonSetStrategyType}
	gone := func(pods ...placement.Pod) placement.Node { return node("n", placement.Unevaluated, pods...) }
	for _, c := range []struct {
		name  string
		spec  rollout.Spec
		nodes []placement.Node
		want  string
	}{
		{"no nodes", one(1), nil, "nothing to do"},
		{"no pod", one(1), []placement.Node{on("n")}, "create on n: pod-missing"},
		{"keep-only gets none", one(1), []placement.Node{node("n", placement.KeepOnly)}, "nothing to do"},
		{"done", one(1), []placement.Node{on("n", pod("p", fresh|ready))}, "nothing to do"},
		{"excluded", one(1), []placement.Node{node("n", placement.Excluded, pod("p", fresh|ready), pod("q", fresh|placement.Terminating))}, "delete p on n: not-eligible"},
		{"failed", one(1), []placement.Node{on("n", pod("p", fresh|placement.Failed), pod("q", fresh|placement.Failed))}, "delete p on n: failed; 1 held: held-backoff"},
		{"succeeded", one(1), []placement.Node{on("n", pod("p", fresh|placement.Succeeded))}, "delete p on n: succeeded"},
		{"excess", one(1), []placement.Node{on("n", pod("p", old), pod("q", fresh|ready))}, "delete q on n: excess"},
		{"terminating has the node", one(1), []placement.Node{on("n", pod("p", old|placement.Terminating))}, "nothing to do"},
		{"node gone", one(1), []placement.Node{gone(pod("p", placement.Updated|placement.Terminating), pod("q", fresh))}, "delete p on n: node-gone"},
		{"old and unavailable", one(1), []placement.Node{on("a", pod("p", old)), on("b", pod("q", old|ready))},
			"delete p on a: outdated-unavailable; 1 held: held-budget"},
		{"old and available", one(1), []placement.Node{on("b", pod("q", old|ready)), on("a", pod("p", old|ready))},
			"delete p on a: outdated-available; 1 held: held-budget"},
		{"old on a node that is gone", one(1), []placement.Node{gone(pod("p", old|ready))}, "delete p on n: outdated-available"},
		{"OnDelete", off, []placement.Node{on("n", pod("p", old))}, "1 held: held-strategy"},
		{"no strategy", rollout.Spec{}, []placement.Node{on("n", pod("p", old))}, "1 held: held-strategy"},
		{"surge beside an available one", surging(1), []placement.Node{on("a", pod("p", old|ready)), on("b", pod("q", old|ready))},
			"create on a: surge-available; 1 held: held-budget"},
		{"surge beside unavailable ones", surging(1), []placement.Node{on("a", pod("p", old)), on("b", pod("q", old))},
			"create on a: surge-unavailable; create on b: surge-unavailable"},
		{"surge, terminating", surging(1), []placement.Node{on("n", pod("p", fresh|placement.Terminating))}, "create on n: surge-none-left"},
		{"surged, new is available", surging(1), []placement.Node{on("n", pod("p", old|ready), pod("q", fresh|ready))}, "delete p on n: surged-over"},
		{"surged, old is not ready", surging(1), []placement.Node{on("n", pod("p", old), pod("q", fresh))}, "delete p on n: surged-over-unready"},
		{"surged, waiting", surging(1), []placement.Node{on("n", pod("p", old|ready), pod("q", fresh))}, "nothing to do"},
		{"surge, keep-only", surging(1), []placement.Node{node("n", placement.KeepOnly, pod("p", old)), node("m", placement.KeepOnly, pod("q", old|ready))},
			"delete p on n: outdated-unavailable; delete q on m: outdated-not-eligible"},
		{"surge, keep-only needed elsewhere", surging(1), []placement.Node{node("m", placement.KeepOnly, pod("q", old|ready)), on("n", pod("p", fresh))}, "1 held: held-capacity"},
		{"surge, node gone", surging(1), []placement.Node{gone(pod("p", old|ready))}, "1 held: held-node-gone"},
	} {
		plan, err := rollout.Sync(state(c.spec, c.nodes...), rollout.Policy{})
		require.NoError(t, err, c.name)
		want := strings.Split(c.want, "; ")
		got := strings.Split(strings.TrimSuffix(plan.String(), "\n"), "\n")
		slices.Sort(want)
		slices.Sort(got)
		assert.Equal(t, want, got, c.name)
		assert.Equal(t, len(plan.Create)+len(plan.Delete) == 0, plan.Empty(), c.name)
	}
}

// What the controller's update answers with an error.
func TestSurgePassesOverNodesThatAreGone(t *testing.T) {
	plan, err := rollout.Sync(state(surging(1), node("gone", placement.Unevaluated, pod("p", old|ready)), on("n", pod("q", old|ready))), rollout.Policy{})
	assert.NoError(t, err)
	assert.Equal(t, []rollout.Create{{Node: "n", Revision: "new", Reason: rollout.SurgeAvailable}}, plan.Create)
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldNodeGone, N: 1}}, plan.Held)
}

func TestInFlight(t *testing.T) {
	for _, f := range []rollout.InFlight{{Creates: map[string]int{"n": 1}}, {Deletes: map[types.UID]bool{"u": true}}} {
		s := state(one(1), on("n"), on("m", pod("p", old)))
		s.InFlight = f
		manage := manage(s)
		update, err := rollout.Update(s, rollout.Policy{})
		assert.NoError(t, err)
		sync, err := rollout.Sync(s, rollout.Policy{})
		assert.NoError(t, err)
		for _, plan := range []rollout.Plan{manage, update, sync} {
			assert.Equal(t, rollout.Plan{Held: []rollout.Count{{Reason: rollout.HeldInFlight, N: 1}}}, plan)
		}
	}
}

// What has come back may stay in the maps.
func TestInFlightNoMore(t *testing.T) {
	s := state(one(1), on("n"))
	s.InFlight = rollout.InFlight{Creates: map[string]int{"n": 0, "m": -1}, Deletes: map[types.UID]bool{"u": false}}
	assert.Len(t, manage(s).Create, 1)
}

// The delays of a node: armed by a deletion, doubled by another, and forgotten.
func TestBackoff(t *testing.T) {
	var b rollout.Backoff
	at := now
	s := state(one(1), on("n", pod("p", fresh|placement.Failed)))
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900} {
		want *= time.Second
		s.Backoff, s.Now = b, at
		plan := manage(s)
		require.Len(t, plan.Backoff, 1)
		assert.Equal(t, want, plan.Backoff[0].Delay.For)
		b = b.With(s.ObservedGeneration, plan.Backoff, at)

		s.Backoff, s.Now = b, at.Add(want-1)
		plan = manage(s)
		assert.Empty(t, plan.Delete)
		assert.Equal(t, at.Add(want), plan.Next)
		at = at.Add(want)
	}
	// Half an hour is remembered, more is not.
	s.Backoff = b
	s.Now = at.Add(15 * time.Minute)
	assert.Equal(t, 15*time.Minute, manage(s).Backoff[0].Delay.For)
	s.Now = s.Now.Add(1)
	assert.Equal(t, time.Second, manage(s).Backoff[0].Delay.For)
	assert.Empty(t, b.With(3, nil, s.Now).Nodes)
	// Another generation starts anew, whichever side it is on.
	s.Now = at
	s.ObservedGeneration = 4
	assert.Equal(t, time.Second, manage(s).Backoff[0].Delay.For)
	assert.Empty(t, b.With(4, nil, at).Nodes)
	assert.Len(t, b.Nodes, 1)
}

func TestBurst(t *testing.T) {
	var nodes []placement.Node
	for i := range 2 * rollout.Burst {
		name := fmt.Sprintf("n%03d", i)
		if i%2 == 0 {
			nodes = append(nodes, on(name))
			continue
		}
		nodes = append(nodes, node(name, placement.Excluded, pod("p-"+name, fresh)))
	}
	s := state(one(1), append(nodes, on("a"), node("b", placement.Excluded, pod("p-b", old)))...)
	plan := manage(s)
	assert.Len(t, plan.Create, rollout.Burst)
	assert.Len(t, plan.Delete, rollout.Burst)
	assert.Equal(t, "a", plan.Create[0].Node)
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldBurst, N: 2}}, plan.Held)
	holds, err := rollout.Holds(s, rollout.Policy{})
	assert.NoError(t, err)
	assert.Equal(t, []rollout.Hold{{Node: "n498", Reason: rollout.HeldBurst}, {Node: "n499", Pod: "p-n499", Reason: rollout.HeldBurst}}, holds)

	// After a name the order starts behind it, and comes around.
	s.After = "n100"
	plan = manage(s)
	assert.Equal(t, "n102", plan.Create[0].Node)
	assert.Equal(t, "n098", plan.Create[rollout.Burst-1].Node)
	assert.Equal(t, "p-n101", plan.Delete[0].Pod)
}

// A burst takes what is wanted whatever the limits before what is picked within
// them.
func TestBurstTakesThePickedLast(t *testing.T) {
	var nodes []placement.Node
	for i := range rollout.Burst {
		nodes = append(nodes, on(fmt.Sprintf("a%03d", i), pod(fmt.Sprintf("p%03d", i), old|ready)))
		nodes = append(nodes, on(fmt.Sprintf("b%03d", i), pod(fmt.Sprintf("q%03d", i), old)))
	}
	s := state(one(3*rollout.Burst/2), nodes...)
	plan, err := rollout.Sync(s, rollout.Policy{})
	require.NoError(t, err)
	require.Len(t, plan.Delete, rollout.Burst)
	for _, d := range plan.Delete {
		assert.Equal(t, rollout.OutdatedUnavailable, d.Reason)
	}
	half := rollout.Burst / 2
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldBudget, N: half}, {Reason: rollout.HeldBurst, N: half}}, plan.Held)
	holds, err := rollout.Holds(s, rollout.Policy{})
	assert.NoError(t, err)
	assert.Equal(t, rollout.Hold{Node: "a125", Pod: "p125", Reason: rollout.HeldBudget}, holds[0])
	assert.Equal(t, rollout.Hold{Node: "a000", Pod: "p000", Reason: rollout.HeldBurst}, holds[half])

	s.Spec = surging(rollout.Burst)
	plan, err = rollout.Sync(s, rollout.Policy{})
	require.NoError(t, err)
	require.Len(t, plan.Create, rollout.Burst)
	assert.Equal(t, rollout.Create{Node: "b000", Revision: "new", Reason: rollout.SurgeUnavailable}, plan.Create[0])
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldBurst, N: rollout.Burst}}, plan.Held)

	// Pods of nodes that do not exist go last.
	nodes = []placement.Node{node("a", placement.Unevaluated, pod("gone", placement.Updated))}
	for i := range rollout.Burst {
		nodes = append(nodes, node(fmt.Sprintf("n%03d", i), placement.Excluded, pod(fmt.Sprintf("p%03d", i), fresh)))
	}
	plan = manage(state(one(1), nodes...))
	assert.Len(t, plan.Delete, rollout.Burst)
	assert.Equal(t, "n000", plan.Delete[0].Node)
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldBurst, N: 1}}, plan.Held)
}

// Whatever the order in which a large fleet is seen, and wherever the order
// starts, the same ones are first.
func TestBurstIsDeterministic(t *testing.T) {
	var nodes []placement.Node
	for i := range 5 * rollout.Burst {
		nodes = append(nodes, on(fmt.Sprintf("n%04d", i), pod(fmt.Sprintf("p%04d", i), old|ready)))
	}
	for _, after := range []string{"", "n0700", "n9"} {
		s := state(one(3*rollout.Burst), nodes...)
		s.After = after
		want, err := rollout.Sync(s, rollout.Policy{})
		require.NoError(t, err)
		require.Len(t, want.Delete, rollout.Burst)
		first := 0
		if after == "n0700" {
			first = 701
		}
		for i, d := range want.Delete {
			assert.Equal(t, fmt.Sprintf("p%04d", first+i), d.Pod)
		}
		backwards := slices.Clone(nodes)
		slices.Reverse(backwards)
		s.Fleet.Nodes = backwards
		got, err := rollout.Sync(s, rollout.Policy{})
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestBatches(t *testing.T) {
	assert.Empty(t, rollout.Batches(0))
	assert.Empty(t, rollout.Batches(-1))
	assert.Equal(t, []int{1}, rollout.Batches(1))
	assert.Equal(t, []int{1, 2, 4, 3}, rollout.Batches(10))
}

// The parts of a sync say the same of a node with two pods, each for itself.
func TestManageSurge(t *testing.T) {
	s := state(surging(1), on("n", pod("p", old|ready), pod("q", fresh|ready)))
	want := []rollout.Delete{{Node: "n", Pod: "p", UID: "p", Reason: rollout.SurgedOver}}
	assert.Equal(t, want, manage(s).Delete)
	update, err := rollout.Update(s, rollout.Policy{})
	assert.NoError(t, err)
	assert.Equal(t, want, update.Delete)

	// An old pod that waits for nothing but the new one's minReadySeconds.
	s.Spec.MinReadySeconds = 90
	plan := manage(s)
	assert.Empty(t, plan.Delete)
	assert.Equal(t, now.Add(30*time.Second), plan.Next)
}
