package status_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/scenario"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
	"github.com/daemonplan/daemonplan/tolerations"
)

func TestAvailable(t *testing.T) {
	for name, c := range map[string]struct {
		pod       *corev1.Pod
		seconds   int32
		available bool
		in        time.Duration // from now on; negative for never
	}{
		"nil":                      {nil, 0, false, -1},
		"no condition":             {&corev1.Pod{}, 0, false, -1},
		"not ready":                {readyPod(corev1.ConditionFalse, 60), 0, false, -1},
		"unknown":                  {readyPod(corev1.ConditionUnknown, 60), 0, false, -1},
		"ready is enough":          {readyPod(corev1.ConditionTrue), 0, true, 0},
		"ready, in the future":     {readyPod(corev1.ConditionTrue, -60), 0, true, 0},
		"long enough":              {readyPod(corev1.ConditionTrue, 10), 10, true, 0},
		"a second to go":           {readyPod(corev1.ConditionTrue, 9), 10, false, time.Second},
		"clock skew":               {readyPod(corev1.ConditionTrue, -3), 10, false, 13 * time.Second},
		"no time":                  {readyPod(corev1.ConditionTrue), 10, false, -1},
		"negative, with a time":    {readyPod(corev1.ConditionTrue, 0), -5, true, 0},
		"negative, in the future":  {readyPod(corev1.ConditionTrue, -10), -5, false, 5 * time.Second},
		"negative, without a time": {readyPod(corev1.ConditionTrue), -5, false, -1},
		"the largest":              {readyPod(corev1.ConditionTrue, 0), math.MaxInt32, false, math.MaxInt32 * time.Second},
	} {
		assert.Equal(t, c.available, status.Available(c.pod, c.seconds, now), name)
		moment, ok := status.AvailableAt(c.pod, c.seconds)
		assert.Equal(t, c.in >= 0, ok, name)
		if c.in > 0 {
			assert.Equal(t, c.in, moment.Sub(now), name)
			assert.True(t, status.Available(c.pod, c.seconds, moment), name)
			assert.False(t, status.Available(c.pod, c.seconds, moment.Add(-1)), name)
		}
	}
	// The first Ready condition is the one.
	pod := readyPod(corev1.ConditionFalse)
	pod.Status.Conditions = append(pod.Status.Conditions, readyPod(corev1.ConditionTrue).Status.Conditions...)
	assert.False(t, status.Ready(pod))
	assert.True(t, status.Ready(readyPod(corev1.ConditionTrue)))
}

// computeIsObvious compares with the slow implementation, on objects and on
// facts. It is a fuzz target too.
func computeIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		ds.Spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 0, 30, 60, -5)
		nodes := gen.Nodes(5).Draw(t, "nodes")
		var pods []*corev1.Pod
		for _, pod := range gen.Pods(ds, 7, nodes).Draw(t, "pods") {
			pod.OwnerReferences = nil
			pods = append(pods, pod)
		}
		ds.Status = appsv1.DaemonSetStatus{
			ObservedGeneration: gen.Pick[int64](t, "observed", 0, 2, 3, 4), CollisionCount: new(int32),
			Conditions: []appsv1.DaemonSetCondition{{Type: "Kept"}},
		}
		hash := gen.Pick(t, "hash", "", "new", "old")
		owner := placement.OwnerOf(ds)
		want := slow.Status(ds, nodes, pods, hash, owner.TemplateGeneration(), tolerations.Effective(&ds.Spec.Template.Spec), now)
		if gen.Chance(t, 30, "nothing new") {
			kept := ds.Status
			ds.Status = want
			ds.Status.ObservedGeneration, ds.Status.CollisionCount, ds.Status.Conditions = kept.ObservedGeneration, kept.CollisionCount, kept.Conditions
		}
		before := ds.DeepCopy()
		in := status.InputOf(ds, now)
		in.Unobserved = gen.Chance(t, 30, "unobserved")
		f := placement.NewFleet(placement.Compile(&ds.Spec.Template, placement.Options{}), nodes, pods,
			placement.Reading{Revision: hash, Generation: owner.TemplateGeneration()})
		got := status.Compute(f, in)

		stored := ds.Status
		want.CollisionCount, want.Conditions = stored.CollisionCount, stored.Conditions
		same := want
		same.ObservedGeneration = stored.ObservedGeneration
		write := !assert.ObjectsAreEqual(same, stored) || stored.ObservedGeneration < ds.Generation
		want.ObservedGeneration = stored.ObservedGeneration
		if write && !in.Unobserved {
			want.ObservedGeneration = ds.Generation
		}
		assert.Equal(t, want, got.Status)
		assert.Equal(t, write, got.Write)
		if !in.Unobserved {
			assert.Equal(t, got.Status, status.ComputeStatus(ds, nodes, pods, hash, now))
		}
		assert.Equal(t, before, ds)

		// Nothing changes before Next, and something does at it.
		if got.Next.IsZero() {
			assert.Equal(t, got.Status.NumberAvailable, later(f, in, 1000*time.Hour).NumberAvailable)
		} else {
			assert.True(t, got.Next.After(now))
			assert.Equal(t, got.Status.NumberAvailable, later(f, in, got.Next.Sub(now)-1).NumberAvailable)
			assert.Greater(t, later(f, in, got.Next.Sub(now)).NumberAvailable, got.Status.NumberAvailable)
		}
		reached.AddIf(!got.Next.IsZero(), "next")
		reached.AddIf(got.Write, "write")
		reached.AddIf(!got.Write, "nothing to write")
		reached.AddIf(got.Status.NumberMisscheduled > 0, "misscheduled")
		reached.AddIf(got.Status.NumberAvailable > 0, "available")
		reached.AddIf(got.Status.NumberReady > got.Status.NumberAvailable, "ready, not available")
		reached.AddIf(got.Status.UpdatedNumberScheduled > 0, "updated")
		checkNodes(t, reached, f, in, got.Status)
	}
}

// later is the status after some time.
func later(f placement.Fleet, in status.Input, d time.Duration) appsv1.DaemonSetStatus {
	in.Now = in.Now.Add(d)
	return status.Compute(f, in).Status
}

// checkNodes checks that what lies behind the counters adds up to them.
func checkNodes(t *rapid.T, reached *tally.Tally, f placement.Fleet, in status.Input, s appsv1.DaemonSetStatus) {
	var eligible, current, available, updated, misscheduled int32
	for _, n := range status.Nodes(f, in, status.NodesOptions{All: true}) {
		reached.Add("state: " + string(n.State))
		assert.NotEmpty(t, n.String())
		switch n.State {
		case status.MayStay, status.MustGo:
			misscheduled++
			continue
		case status.NodeGone:
			continue
		}
		eligible++
		if n.State != status.NoPod {
			current++
		}
		if n.Available {
			available++
		}
		if n.Updated {
			updated++
		}
		if n.State == status.Done || n.State == status.OldRevision {
			assert.True(t, n.Available)
		}
		reached.AddIf(n.Behind != "", "a pod behind")
	}
	assert.Equal(t, s.DesiredNumberScheduled, eligible)
	assert.Equal(t, s.CurrentNumberScheduled, current)
	assert.Equal(t, s.NumberAvailable, available)
	assert.Equal(t, s.UpdatedNumberScheduled, updated)
	assert.Equal(t, s.NumberMisscheduled, misscheduled)

	d := status.Detail(f, in)
	assert.Equal(t, int(s.NumberMisscheduled), d.MayStay+d.MustGo)
	assert.GreaterOrEqual(t, d.AnyUpdated, d.AnyReady)
	assert.GreaterOrEqual(t, d.AnyReady, d.AnyAvailable)
	assert.LessOrEqual(t, d.AnyUpdated, int(s.CurrentNumberScheduled))

	// The strictest policy is done exactly when no eligible node is left over.
	finish, err := status.Finished(f, in, status.Policy{})
	assert.NoError(t, err)
	assert.Equal(t, int(s.DesiredNumberScheduled), finish.Desired)
	assert.Equal(t, int(s.NumberAvailable), finish.Available)
	assert.Equal(t, int(s.UpdatedNumberScheduled), finish.Updated)
	assert.Equal(t, s.UpdatedNumberScheduled == s.DesiredNumberScheduled && s.NumberAvailable == s.DesiredNumberScheduled, finish.Done)
	assert.Equal(t, finish.Done, len(finish.Waiting) == 0)
	reached.AddIf(finish.Done && finish.Desired > 0, "finished")
}

func TestComputeIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, computeIsObvious(&reached))
	reached.Require(t, "next", "write", "nothing to write", "misscheduled", "available", "ready, not available", "updated", "finished", "a pod behind",
		"state: done", "state: no-pod", "state: failed", "state: succeeded", "state: terminating", "state: unscheduled", "state: not-ready",
		"state: waiting-min-ready", "state: old-revision", "state: may-stay", "state: must-go", "state: node-gone")
}

func FuzzCompute(f *testing.F) { f.Fuzz(rapid.MakeFuzz(computeIsObvious(&tally.Tally{}))) }

func TestComputeEdges(t *testing.T) {
	assert.Zero(t, status.ComputeStatus(nil, nil, nil, "", now))
	assert.Zero(t, status.InputOf(nil, now))
	assert.Equal(t, status.Result{}, status.Compute(placement.Fleet{}, status.Input{}))

	// What is kept is a copy.
	count := int32(3)
	in := status.Input{Previous: appsv1.DaemonSetStatus{CollisionCount: &count, Conditions: []appsv1.DaemonSetCondition{{Type: "A"}}}}
	got := status.Compute(placement.Fleet{}, in)
	*got.Status.CollisionCount = 7
	got.Status.Conditions[0].Type = "scribbled"
	assert.Equal(t, int32(3), count)
	assert.Equal(t, appsv1.DaemonSetConditionType("A"), in.Previous.Conditions[0].Type)

	// Pods of others, and nil entries, are passed over.
	ds := &appsv1.DaemonSet{}
	ds.UID = "u"
	mine, other := &corev1.Pod{}, &corev1.Pod{}
	mine.Name, mine.Spec.NodeName = "mine", "n"
	other.Name, other.Spec.NodeName = "other", "n"
	other.OwnerReferences = append(other.OwnerReferences, *placement.OwnerOf(&appsv1.DaemonSet{}).ControllerRef())
	node := &corev1.Node{}
	node.Name = "n"
	assert.Equal(t, int32(0), status.ComputeStatus(ds, []*corev1.Node{node, nil}, []*corev1.Pod{other, nil}, "", now).CurrentNumberScheduled)
	assert.Equal(t, int32(1), status.ComputeStatus(ds, []*corev1.Node{node}, []*corev1.Pod{other, mine}, "", now).CurrentNumberScheduled)
}

// Status from a fleet allocates what it keeps, and nothing for a node.
func TestComputeAllocatesNothing(t *testing.T) {
	var f placement.Fleet
	for range 1000 {
		f.Nodes = append(f.Nodes, on("n", facts("p", good, 60)))
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		status.Compute(f, at(30))
		status.Detail(f, at(30))
	}))
}

func TestScenarios(t *testing.T) {
	for _, file := range []string{"placement", "tolerations", "explain", "validation", "status", "revision"} {
		t.Run(file, func(t *testing.T) { scenario.Run(t, file, checkScenario) })
	}
}

func checkScenario(t *testing.T, s scenario.Scenario) {
	if s.Status == nil || s.ComparisonOperators {
		t.Skip("says nothing about the status")
	}
	ds, nodes := s.DaemonSet(), s.NodeObjects()
	pods := s.PodObjects(ds)
	got := status.ComputeStatus(ds, nodes, pods, s.CurrentHash(), scenario.Now)
	assert.Equal(t, appsv1.DaemonSetStatus{
		DesiredNumberScheduled: s.Status.Desired, CurrentNumberScheduled: s.Status.Current, NumberReady: s.Status.Ready,
		UpdatedNumberScheduled: s.Status.Updated, NumberAvailable: s.Status.Available, NumberUnavailable: s.Status.Unavailable,
		NumberMisscheduled: s.Status.Misscheduled, ObservedGeneration: 1,
	}, got)

	f := placement.NewFleet(placement.Compile(&ds.Spec.Template, placement.Options{}), nodes, pods, placement.Reading{Revision: s.CurrentHash()})
	in := status.InputOf(ds, scenario.Now)
	if s.States != nil {
		states := map[string]string{}
		for _, n := range status.Nodes(f, in, status.NodesOptions{}) {
			states[n.Node] = string(n.State)
		}
		assert.Equal(t, s.States, states)
	}
	if s.Next.Duration > 0 {
		assert.Equal(t, s.Next.Duration, status.Compute(f, in).Next.Sub(scenario.Now))
	}
}
