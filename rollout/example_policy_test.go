package rollout_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// zonedState is a fleet of two zones, all of whose pods are old.
func zonedState() rollout.State {
	two := intstr.FromInt32(2)
	s := exampleState()
	s.Spec.RollingUpdate.MaxUnavailable = &two
	s.Fleet = placement.Fleet{}
	for _, name := range []string{"a-1", "a-2", "b-1", "b-2"} {
		s.Fleet.Nodes = append(s.Fleet.Nodes, placement.Node{
			Name: name, Verdict: placement.Eligible, Stable: placement.Eligible,
			Ref:  &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"zone": name[:1]}}},
			Pods: []placement.Pod{{Name: "agent-" + name, Revision: "old", Flags: placement.Scheduled | placement.Ready, ReadyChanged: noon.Add(-time.Hour)}},
		})
	}
	return s
}

func show(s rollout.State, p rollout.Policy) {
	plan, err := rollout.Sync(s, p)
	if err != nil {
		panic(err)
	}
	fmt.Print(plan)
}

// Zone by zone, one node at a time, and b before a.
func ExampleWaves() {
	one := intstr.FromInt32(1)
	show(zonedState(), rollout.Policy{Order: rollout.Ordering{
		Waves: rollout.Waves{Label: "zone", Values: []string{"b"}, MaxUnavailable: &one},
	}})
	// Output:
	// delete agent-b-1 on b-1: outdated-available
	// 2 held: held-wave
	// 1 held: held-wave-budget
}

// Half of the fleet keeps what it has; of the others the last by name come first,
// as in OpenKruise.
func ExamplePartition() {
	half := intstr.FromString("50%")
	var keep rollout.Partition = rollout.KruisePartition(&half, 4)
	n, err := keep.Keep(4)
	fmt.Println("kept:", n, err)
	fmt.Printf("rounding: %q or %q\n", rollout.RoundUp, rollout.RoundDown)
	var rounding rollout.Rounding = keep.Rounding
	fmt.Println(rounding)

	policy := rollout.Policy{
		Candidates: rollout.Candidates{Partition: keep},
		Order:      rollout.Ordering{By: rollout.NameDescending},
	}
	fmt.Println("the controller's own:", policy.Zero(), policy.Check())
	show(zonedState(), policy)
	// Output:
	// kept: 2 <nil>
	// rounding: "" or "down"
	// down
	// the controller's own: false <nil>
	// delete agent-b-2 on b-2: outdated-available
	// delete agent-b-1 on b-1: outdated-available
	// 2 held: held-partition
}

// While it is paused, a node that joins is served from the last good revision.
func ExamplePause() {
	s := zonedState()
	s.Fleet.Nodes[0].Pods = nil
	s.Stable = "old"
	for _, pause := range []rollout.Pause{rollout.PauseNone, rollout.PauseUpdates, rollout.PauseCreates, rollout.PauseAll} {
		plan, err := rollout.Sync(s, rollout.Policy{Gate: rollout.Gating{Pause: pause}})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q:", pause)
		for _, c := range plan.Create {
			fmt.Print(" create ", c.Revision, " on ", c.Node)
		}
		for _, h := range plan.Held {
			fmt.Print(" ", h.N, " ", h.Reason)
		}
		fmt.Println()
	}
	// Output:
	// "": create new on a-1
	// "updates": create old on a-1
	// "creates": 4 held-paused
	// "all": 4 held-paused
}

// A canary set, chosen by name or by label. Labels are read once, with the fleet.
func ExampleCandidates() {
	policy := rollout.Policy{Candidates: rollout.Candidates{
		Nodes:    map[string]bool{"a-1": true, "b-1": true},
		Selector: labels.SelectorFromSet(labels.Set{"zone": "b"}),
	}}
	s := zonedState()
	for i, n := range s.Fleet.Nodes {
		s.Fleet.Nodes[i] = policy.Mark(n)
	}
	show(s, policy)
	// Output:
	// delete agent-b-1 on b-1: outdated-available
	// 1 held: held-not-chosen
	// 2 held: held-selector
}

// Nodes whose kubelet does not answer may be left out of the budget, those that
// are drained or gone too.
func ExampleCounting() {
	one := intstr.FromInt32(1)
	s := zonedState()
	s.Spec.RollingUpdate.MaxUnavailable = &one
	dead := &s.Fleet.Nodes[0]
	dead.Ref.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown}}
	dead.Ref.Spec.Unschedulable = true
	dead.Pods[0].Flags = placement.Scheduled | placement.Updated
	dead.Pods[0].Created = noon
	fmt.Println(rollout.NotReady(dead), rollout.NotReadyBefore(dead), rollout.Cordoned(dead))

	show(s, rollout.Policy{})
	fmt.Println("and with dead nodes exempt:")
	show(s, rollout.Policy{Count: rollout.Counting{Exempt: rollout.NotReady, MaxExempt: &one, Nodes: rollout.EligibleNodes}})
	fmt.Printf("%q %q %q\n", []rollout.Nodes{rollout.NodesWithPods}, rollout.ExistingNodes, rollout.EligibleNodes)
	// Output:
	// true true true
	// 3 held: held-budget
	// and with dead nodes exempt:
	// delete agent-a-2 on a-2: outdated-available
	// 2 held: held-budget
	// [""] "existing" "eligible"
}

// Pods that are not ready are replaced without limit, unless the budget is strict.
func ExampleLimiting() {
	s := zonedState()
	for i := range s.Fleet.Nodes {
		s.Fleet.Nodes[i].Pods[0].Flags &^= placement.Ready
	}
	show(s, rollout.Policy{Limit: rollout.Limiting{Strict: true}})
	// Output:
	// delete agent-a-1 on a-1: outdated-unavailable
	// delete agent-a-2 on a-2: outdated-unavailable
	// 2 held: held-budget
}

// One node in the first minute, two in the second.
func ExampleSlowStart() {
	var start rollout.SlowStart = rollout.ExtendedSlowStart(noon)
	for _, after := range []time.Duration{0, 90 * time.Second} {
		allowed, grows, err := start.At(noon.Add(after), 1000)
		fmt.Println(allowed, grows.Format(time.TimeOnly), err)
	}
	show(zonedState(), rollout.Policy{Limit: rollout.Limiting{SlowStart: start}})
	// Output:
	// 1 12:01:00 <nil>
	// 2 12:02:00 <nil>
	// delete agent-a-1 on a-1: outdated-available
	// 3 held: held-slow-start
	// look again at 2026-01-02T12:01:00Z
}

// Updates stop while new pods crash.
func ExampleFailureGate() {
	none := intstr.FromInt32(0)
	s := zonedState()
	crashed := &s.Fleet.Nodes[0].Pods[0]
	crashed.Revision, crashed.Flags = "new", placement.Scheduled|placement.Updated|placement.CrashLooping
	show(s, rollout.Policy{Gate: rollout.Gating{Failures: rollout.FailureGate{Max: &none}}})
	// Output:
	// 3 held: held-failures
}

// Why is it stuck? The new pod crashes, and there is no budget for another node.
func ExampleDiagnose() {
	one := intstr.FromInt32(1)
	s := zonedState()
	s.Spec.RollingUpdate.MaxUnavailable = &one
	crashed := &s.Fleet.Nodes[0].Pods[0]
	crashed.Revision, crashed.Flags = "new", placement.Scheduled|placement.Updated|placement.CrashLooping
	var d rollout.Diagnosis
	d, err := rollout.Diagnose(s, rollout.Policy{}, rollout.DiagnoseOptions{Patience: 5 * time.Minute})
	if err != nil {
		panic(err)
	}
	fmt.Print(d)

	var budget rollout.Budget = d.Budget
	var spender rollout.Spender = d.Spenders[0]
	var remedy rollout.Remedy = d.Remedies[0]
	fmt.Println(budget.Spent, "of", budget.Limit, "by", spender.Node, "-", remedy.Code)
	// Output:
	// blocked: 3 nodes with an old pod, 1 of maxUnavailable 1 spent
	//   a-1, agent-a-1: crash-loops since 2026-01-02T11:00:00Z, stuck
	//   3 held: held-budget
	//   raise-budget: maxUnavailable 1 is spent: with 2 one more node would be updated
	//   repair-pods: new pods of 1 node do not become available: repair the template, or go back
	// 1 of 1 by a-1 - raise-budget
}

// The words of a diagnosis are stable too.
func ExampleCondition() {
	fmt.Println([]rollout.Condition{rollout.Done, rollout.Moving, rollout.Waiting, rollout.Held, rollout.Blocked})
	fmt.Println([]rollout.Spending{rollout.NoPod, rollout.Stopping, rollout.SeveralPods, rollout.Unscheduled})
	fmt.Println([]rollout.Spending{rollout.PodFailed, rollout.CrashLoops, rollout.PodNotReady, rollout.NotReadyForLong})
	fmt.Println([]rollout.NodeTrouble{rollout.TroubleGone, rollout.TroubleNotEligible, rollout.TroubleNotReady})
	fmt.Println([]rollout.RemedyCode{rollout.RepairPods, rollout.RepairNodes, rollout.ExemptNodes, rollout.CountEligible, rollout.MoreAvailable})
	fmt.Println([]rollout.RemedyCode{rollout.RaiseBudget, rollout.NoSurge, rollout.DeletePods, rollout.Resume, rollout.WidenPolicy, rollout.OpenWindow})
	// Output:
	// [done moving waiting held blocked]
	// [no-pod stopping several-pods unscheduled]
	// [pod-failed crash-loops pod-not-ready not-ready-for-long]
	// [gone not-eligible not-ready]
	// [repair-pods repair-nodes exempt-nodes count-eligible more-available]
	// [raise-budget no-surge delete-pods resume widen-policy open-window]
}
