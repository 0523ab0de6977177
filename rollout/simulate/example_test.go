package simulate_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// exampleScenario rolls three nodes, one at a time; a pod takes 40 s to be ready.
func exampleScenario() simulate.Scenario {
	one := intstr.FromInt32(1)
	return simulate.Scenario{
		Fleet: simulate.Uniform(3, "old", noon.Add(-time.Hour)),
		Spec: rollout.Spec{
			Strategy:      appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one},
		},
		Target: "new", Start: noon,
		Pods: simulate.Behaviour{Ready: simulate.After(40 * time.Second)},
	}
}

func ExamplePlay() {
	steps, err := simulate.Play(exampleScenario())
	if err != nil {
		panic(err)
	}
	for step := range steps {
		var s simulate.Step = step
		fmt.Println(s)
	}
	// Output:
	//       0s  0 of 3 done, 2 available, deletes 1
	//       0s  0 of 3 done, 2 available, creates 1
	//       0s  0 of 3 done, 2 available
	//      40s  1 of 3 done, 2 available, deletes 1
	//      40s  1 of 3 done, 2 available, creates 1
	//      40s  1 of 3 done, 2 available
	//    1m20s  2 of 3 done, 2 available, deletes 1
	//    1m20s  2 of 3 done, 2 available, creates 1
	//    1m20s  2 of 3 done, 2 available
	//     2m0s  3 of 3 done, 3 available, finished
}

// Ten per cent of 3,000 nodes at a time, 40 s to be ready and 30 s to be available:
// how long?
func ExampleSummarize() {
	tenth := intstr.FromString("10%")
	s := exampleScenario()
	s.Fleet = simulate.Uniform(3000, "old", noon.Add(-time.Hour))
	s.Spec.RollingUpdate.MaxUnavailable = &tenth
	s.Spec.MinReadySeconds = 30
	var out simulate.Summary
	out, err := simulate.Summarize(s)
	if err != nil {
		panic(err)
	}
	fmt.Print(out)
	var counts simulate.Counts
	fmt.Println(counts.Unavailable()) // of no nodes
	// Output:
	// finished after 11m40s: 3000 of 3000 nodes done in 10 waves
	// at most 300 unavailable at a time (at 0s), at least 2700 available
	// 3000 creates, 3000 deletes, 6041 writes
	// 0
}

// The steps and the summary in one run.
func ExampleWatch() {
	moments := 0
	out, err := simulate.Watch(exampleScenario(), func(simulate.Step) bool { moments++; return true })
	if err != nil {
		panic(err)
	}
	fmt.Println(moments == out.Steps, out.DoneAt)
	// Output: true 2m0s
}

// What another policy would change.
func ExampleCompare() {
	s := exampleScenario()
	slow, err := simulate.Summarize(s)
	if err != nil {
		panic(err)
	}
	two := intstr.FromInt32(2)
	s.Spec.RollingUpdate.MaxUnavailable = &two
	fast, err := simulate.Summarize(s)
	if err != nil {
		panic(err)
	}
	var c simulate.Comparison = simulate.Compare(slow, fast)
	fmt.Println(c.Duration, "and at most", c.PeakUnavailable, "more unavailable")
	var node simulate.NodeSummary = fast.Nodes[2]
	fmt.Println(node.Name, node.Finished, node.At)
	// Output:
	// -40s and at most 1 more unavailable
	// node-3 true 1m20s
}

// A node that stops answering, one that joins, a second change of the template, a
// pause: each at its time.
func ExampleEvent() {
	s := exampleScenario()
	s.Model = simulate.Model{Resolution: time.Second}
	s.Events = []simulate.Event{
		{At: 20 * time.Second, Node: "node-3", Health: simulate.GoesNotReady},
		{At: time.Minute, Node: "node-4", Join: &placement.Node{Verdict: placement.Eligible}},
		{At: 10 * time.Minute, Node: "node-3", Health: simulate.ComesBack},
	}
	out, err := simulate.Summarize(s)
	if err != nil {
		panic(err)
	}
	for _, n := range out.Nodes {
		fmt.Println(n.Name, "done at", n.At, "after", n.Without, "without a pod")
	}
	// Output:
	// node-1 done at 40s after 40s without a pod
	// node-2 done at 11m20s after 40s without a pod
	// node-3 done at 10m40s after 10m20s without a pod
	// node-4 done at 1m40s after 40s without a pod
}

// Pods of the second node crash, and the run says that it gets no further.
func ExampleBehaviour() {
	s := exampleScenario()
	s.Of = func(node, revision string) simulate.Behaviour {
		b := simulate.Behaviour{Ready: simulate.Between(30*time.Second, 50*time.Second)}
		if node == "node-2" {
			b.Fate = simulate.CrashLoops
		}
		return b
	}
	s.Seed = 1
	out, err := simulate.Summarize(s)
	if err != nil {
		panic(err)
	}
	fmt.Println(out.End, out.Done, out.Diagnosis.Spenders[0].Node)
	// Output:
	// blocked 1 node-2
}

// The words are stable.
func ExampleEnd() {
	fmt.Println([]simulate.End{simulate.Finished, simulate.Blocked, simulate.GivenUp, simulate.Spinning, simulate.Failed})
	fmt.Printf("%q\n", []simulate.Fate{simulate.Starts, simulate.StaysPending, simulate.NeverReady, simulate.CrashLoops})
	fmt.Println([]simulate.Health{simulate.GoesNotReady, simulate.ComesBack})
	var d simulate.Duration = simulate.After(time.Second)
	fmt.Println(d.Min, d.Max)
	// Output:
	// [finished blocked given-up spinning failed]
	// ["" "pending" "never-ready" "crash-loops"]
	// [not-ready ready]
	// 1s 1s
}
