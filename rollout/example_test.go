package rollout_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// exampleObjects is a DaemonSet that has just got a new template: node-1 has the
// new pod for ten seconds, node-2 and node-3 have old ones, node-4 has just
// joined.
func exampleObjects() (*appsv1.DaemonSet, []*corev1.Node, []*corev1.Pod) {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "u", Generation: 2}}
	ds.Spec.MinReadySeconds = 30
	two := intstr.FromInt(2)
	ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
		Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &two},
	}
	var nodes []*corev1.Node
	var pods []*corev1.Pod
	for _, n := range []struct {
		name, hash string
		ready      time.Duration
	}{
		{"node-1", "new", 10 * time.Second}, {"node-2", "old", time.Hour}, {"node-3", "old", time.Hour}, {name: "node-4"},
	} {
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name}})
		if n.hash == "" {
			continue
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent-" + n.name, UID: types.UID("uid-" + n.name)}, Spec: corev1.PodSpec{NodeName: n.name}}
		pod.Labels = map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: n.hash}
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(noon.Add(-n.ready)),
		}}
		pods = append(pods, pod)
	}
	return ds, nodes, pods
}

func exampleState() rollout.State {
	ds, nodes, pods := exampleObjects()
	return rollout.State{
		Fleet: placement.FleetOf(ds, nodes, pods, "new"), Spec: rollout.SpecOf(ds), Target: "new",
		ObservedGeneration: ds.Status.ObservedGeneration, Now: noon,
	}
}

// A new node comes first; while it has no pod, nothing rolls.
func ExampleSync() {
	plan, err := rollout.Sync(exampleState(), rollout.Policy{})
	if err != nil {
		panic(err)
	}
	fmt.Print(plan)
	// Output:
	// create on node-4: pod-missing
}

func ExampleManage() {
	var plan rollout.Plan
	plan, err := rollout.Manage(exampleState(), rollout.Policy{})
	if err != nil {
		panic(err)
	}
	for _, c := range plan.Create {
		var create rollout.Create = c
		fmt.Println(create.Node, create.Revision, create.Reason)
	}
	// Output: node-4 new pod-missing
}

// Nodes without an available pod use up the budget: here node-1, which waits for
// minReadySeconds, and node-4, which has none. The plan says when to look again.
func ExampleUpdate() {
	plan, err := rollout.Update(exampleState(), rollout.Policy{})
	if err != nil {
		panic(err)
	}
	fmt.Print(plan)
	fmt.Println("nothing now:", plan.Empty())
	// Output:
	// 2 held: held-budget
	// look again at 2026-01-02T12:00:20Z
	// nothing now: true
}

// A tool that has only objects asks for the next step in one call.
func ExamplePlanRollingUpdate() {
	ds, nodes, pods := exampleObjects()
	plan, err := rollout.PlanRollingUpdate(ds, nodes[:3], pods, "new", noon)
	if err != nil {
		panic(err)
	}
	for _, d := range plan.Delete {
		var doomed rollout.Delete = d
		fmt.Println(doomed.Pod, doomed.UID, doomed.Reason)
	}
	// Output: agent-node-2 uid-node-2 outdated-available
}

// Who asks why nothing happens gets the pods, and not only how many.
func ExampleHolds() {
	s := exampleState()
	s.Fleet.Nodes = s.Fleet.Nodes[:3]
	holds, err := rollout.Holds(s, rollout.Policy{})
	if err != nil {
		panic(err)
	}
	var first rollout.Hold = holds[0]
	fmt.Println(first.Node, first.Pod, first.Reason)

	plan, err := rollout.Sync(s, rollout.Policy{})
	if err != nil {
		panic(err)
	}
	var held rollout.Count = plan.Held[0]
	fmt.Println(held.N, held.Reason)
	// Output:
	// node-3 agent-node-3 held-budget
	// 1 held-budget
}

// The back-off of failed pods is a value that the caller keeps from one sync to
// the next.
func ExampleBackoff() {
	s := exampleState()
	s.Fleet = placement.Fleet{Nodes: []placement.Node{{
		Name: "node-1", Verdict: placement.Eligible, Pods: []placement.Pod{{Name: "agent-1", Flags: placement.Scheduled | placement.Failed}},
	}}}
	var backoff rollout.Backoff
	for range 3 {
		s.Backoff = backoff
		plan, err := rollout.Manage(s, rollout.Policy{})
		if err != nil {
			panic(err)
		}
		var changes []rollout.BackoffChange = plan.Backoff
		backoff = backoff.With(s.ObservedGeneration, changes, s.Now)
		var delay rollout.Delay = backoff.Nodes["node-1"]
		fmt.Println(len(plan.Delete), "deleted, and then not for", delay.For)
		s.Now = s.Now.Add(delay.For)
	}
	// Output:
	// 1 deleted, and then not for 1s
	// 1 deleted, and then not for 2s
	// 1 deleted, and then not for 4s
}

// Until its own writes show in its caches, a controller plans nothing.
func ExampleInFlight() {
	s := exampleState()
	s.InFlight = rollout.InFlight{Creates: map[string]int{"node-4": 1}}
	plan, err := rollout.Sync(s, rollout.Policy{})
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// 1 held: held-in-flight
	// <nil>
}

// Creates go out in batches that grow while they succeed.
func ExampleBatches() {
	fmt.Println(rollout.Batches(rollout.Burst))
	// Output: [1 2 4 8 16 32 64 123]
}

// A percentage is of the eligible nodes, rounded up.
func ExampleSpec_Limits() {
	quarter := intstr.FromString("25%")
	spec := rollout.Spec{
		Strategy:      appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &quarter},
	}
	var limits rollout.Limits
	limits, err := spec.Limits(5)
	fmt.Println(limits.MaxUnavailable, limits.MaxSurge, err)

	bad := intstr.FromString("5")
	spec.RollingUpdate.MaxUnavailable = &bad
	_, err = spec.Limits(5)
	fmt.Println(err)
	// Output:
	// 2 0 <nil>
	// rollout: spec.updateStrategy.rollingUpdate.maxUnavailable: invalid value for IntOrString: invalid type: string is not a percentage
}

// The reasons are stable words for metrics and events.
func ExampleReason() {
	for _, list := range [][]rollout.Reason{
		{rollout.PodMissing, rollout.SurgeNoneLeft, rollout.SurgeUnavailable, rollout.SurgeAvailable},
		{rollout.Failed, rollout.Succeeded, rollout.Excess, rollout.NotEligible, rollout.NodeGone},
		{rollout.SurgedOverUnready, rollout.SurgedOver},
		{rollout.OutdatedUnavailable, rollout.OutdatedAvailable, rollout.OutdatedNotEligible},
		{rollout.HeldBackoff, rollout.HeldBudget, rollout.HeldCapacity, rollout.HeldNodeGone},
		{rollout.HeldStrategy, rollout.HeldBurst, rollout.HeldInFlight},
		{rollout.HeldNotEligible, rollout.HeldSelector, rollout.HeldNotChosen, rollout.HeldPartition, rollout.HeldNoRestart},
		{rollout.HeldWave, rollout.HeldWaveBudget, rollout.HeldStep, rollout.HeldSlowStart, rollout.HeldRemovals},
		{rollout.HeldFailures, rollout.HeldWindow, rollout.HeldPaused, rollout.HeldTurn},
	} {
		fmt.Println(list)
	}
	// Output:
	// [pod-missing surge-none-left surge-unavailable surge-available]
	// [failed succeeded excess not-eligible node-gone]
	// [surged-over-unready surged-over]
	// [outdated-unavailable outdated-available outdated-not-eligible]
	// [held-backoff held-budget held-capacity held-node-gone]
	// [held-strategy held-burst held-in-flight]
	// [held-not-eligible held-selector held-not-chosen held-partition held-no-restart]
	// [held-wave held-wave-budget held-step held-slow-start held-removals]
	// [held-failures held-window held-paused held-turn]
}
