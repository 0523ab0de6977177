package status_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// A DaemonSet in the middle of a rollout: one node is done, one waits for
// minReadySeconds, one has the old pod, and one was tainted under its pod.
func exampleObjects() (*appsv1.DaemonSet, []*corev1.Node, []*corev1.Pod) {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "u", Generation: 2}}
	ds.Spec.MinReadySeconds = 30
	ds.Spec.UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
	var nodes []*corev1.Node
	var pods []*corev1.Pod
	for _, n := range []struct {
		name, hash string
		ready      int // seconds ago
		taints     []corev1.Taint
	}{
		{"node-1", "new", 60, nil},
		{"node-2", "new", 10, nil},
		{"node-3", "old", 600, nil},
		{"node-4", "old", 600, []corev1.Taint{{Key: "drain", Effect: corev1.TaintEffectNoSchedule}}},
	} {
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name}, Spec: corev1.NodeSpec{Taints: n.taints}})
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "agent-" + n.name, Labels: map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: n.hash}},
			Spec:       corev1.PodSpec{NodeName: n.name},
			Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
				Type: corev1.PodReady, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.NewTime(noon.Add(-time.Duration(n.ready) * time.Second)),
			}}},
		})
	}
	return ds, nodes, pods
}

// exampleFleet is the same, read once.
func exampleFleet() (placement.Fleet, status.Input, *placement.Matcher) {
	ds, nodes, pods := exampleObjects()
	m := placement.Compile(&ds.Spec.Template, placement.Options{})
	return placement.NewFleet(m, nodes, pods, placement.Reading{Revision: "new"}), status.InputOf(ds, noon), m
}

func ExampleComputeStatus() {
	ds, nodes, pods := exampleObjects()
	s := status.ComputeStatus(ds, nodes, pods, "new", noon)
	fmt.Println("desired", s.DesiredNumberScheduled, "updated", s.UpdatedNumberScheduled,
		"available", s.NumberAvailable, "misscheduled", s.NumberMisscheduled)
	// Output: desired 3 updated 2 available 2 misscheduled 1
}

func ExampleCompute() {
	fleet, in, _ := exampleFleet()
	var result status.Result = status.Compute(fleet, in)
	fmt.Println("write it:", result.Write)
	fmt.Println("look again in", result.Next.Sub(noon))
	// Output:
	// write it: true
	// look again in 20s
}

// A sync that has to wait for its own earlier writes updates the counters and
// does not claim to have acted on the new generation.
func ExampleInput() {
	fleet, in, _ := exampleFleet()
	in.Unobserved = true
	fmt.Println(status.Compute(fleet, in).Status.ObservedGeneration)
	// Output: 0
}

func ExampleInputOf() {
	ds, _, _ := exampleObjects()
	in := status.InputOf(ds, noon)
	fmt.Println(in.Generation, in.MinReadySeconds)
	// Output: 2 30
}

func ExampleNodes() {
	fleet, in, matcher := exampleFleet()
	var nodes []status.NodeStatus = status.Nodes(fleet, in, status.NodesOptions{Matcher: matcher})
	for _, n := range nodes {
		fmt.Println(n)
	}
	// Output:
	// node-2: ready, waiting for minReadySeconds, 20s left (pod agent-node-2)
	// node-3: available, of an old revision (pod agent-node-3)
	// node-4: misscheduled, may stay: taint drain:NoSchedule (pod agent-node-4)
}

// Tell a bad release from dead nodes: the states are stable words.
func ExampleState() {
	bad := 0
	dead := 0
	for _, s := range []status.State{status.NodeNotReady, status.NotReady, status.Failed} {
		switch s {
		case status.Done, status.OldRevision, status.WaitingMinReady:
			// on its way
		case status.NoPod, status.Unscheduled, status.Terminating, status.Succeeded:
			// not the release
		case status.NodeNotReady, status.NodeGone, status.MayStay, status.MustGo:
			dead++
		case status.NotReady, status.Failed:
			bad++
		}
	}
	fmt.Println(bad, dead)
	// Output: 2 1
}

func ExampleCountStates() {
	fleet, in, _ := exampleFleet()
	var counts []status.StateCount = status.CountStates(status.Nodes(fleet, in, status.NodesOptions{All: true}))
	for _, c := range counts {
		fmt.Println(c.State, c.Nodes)
	}
	// Output:
	// done [node-1]
	// may-stay [node-4]
	// old-revision [node-3]
	// waiting-min-ready [node-2]
}

func ExampleDetail() {
	fleet, in, _ := exampleFleet()
	var d status.Details = status.Detail(fleet, in)
	fmt.Println("misscheduled: may stay", d.MayStay, "must go", d.MustGo)
	// Output: misscheduled: may stay 1 must go 0
}

func ExampleAvailable() {
	_, _, pods := exampleObjects()
	fmt.Println(status.Ready(pods[1]), status.Available(pods[1], 30, noon))
	at, ok := status.AvailableAt(pods[1], 30)
	fmt.Println(at.Sub(noon), ok)
	// Output:
	// true false
	// 20s true
}

// The same counters, four answers: one node, maxUnavailable 1, and its pod is not
// ready.
func ExampleJudge() {
	one := intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "agent", Generation: 1}}
	ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
		Type:          appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one},
	}
	ds.Status = appsv1.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 1, CurrentNumberScheduled: 1, UpdatedNumberScheduled: 1}
	for _, rule := range status.Rules() {
		var v status.Verdict = status.Judge(ds, rule)
		fmt.Println(v.Rule, v.Done)
	}
	fmt.Print(status.Judge(ds, status.Kubectl).Message)
	// Output:
	// kubectl false
	// helm true
	// kstatus false
	// argocd false
	// Waiting for daemon set "agent" rollout to finish: 0 of 1 updated pods are available...
}

func ExampleRule() {
	for _, rule := range []status.Rule{status.Kubectl, status.Helm, status.Kstatus, status.ArgoCD} {
		fmt.Println(rule)
	}
	// Output:
	// kubectl
	// helm
	// kstatus
	// argocd
}

// A third of the nodes may be unavailable, and the rollout need not be over.
func ExampleFinished() {
	fleet, in, _ := exampleFleet()
	third := intstr.FromString("30%")
	var finish status.Finish
	finish, err := status.Finished(fleet, in, status.Policy{Unavailable: &third, AnyRevision: true})
	fmt.Println(finish, err)
	// Output: done: of 3 nodes 3 are updated and 2 available, 1 may be unavailable <nil>
}

// A rollout is observed now and then; what is remembered is a value.
func ExampleTrack() {
	ds, nodes, pods := exampleObjects()
	ds.Status = status.ComputeStatus(ds, nodes, pods, "new", noon)
	var memory status.Progress
	var m status.Movement
	for _, after := range []time.Duration{0, 5 * time.Minute, 10 * time.Minute} {
		memory, m = status.Track(memory, ds, 10*time.Minute, noon.Add(after))
		var pace status.Pace = m.Pace
		fmt.Println(after, pace)
	}
	condition := memory.Condition(m)
	fmt.Println(condition.Type == status.ConditionProgressing, condition.Status, condition.Reason)
	// Output:
	// 0s moving
	// 5m0s stalled
	// 10m0s deadline-exceeded
	// true False ProgressDeadlineExceeded
}

func ExamplePace() {
	for _, p := range []status.Pace{status.Moving, status.Stalled, status.DeadlineExceeded, status.Complete} {
		fmt.Println(p)
	}
	// Output:
	// moving
	// stalled
	// deadline-exceeded
	// complete
}

func ExampleAggregate() {
	sum := status.Aggregate(7, []status.Member{
		{Generation: 2, Status: appsv1.DaemonSetStatus{ObservedGeneration: 2, DesiredNumberScheduled: 3, NumberReady: 3}},
		{Generation: 5, Status: appsv1.DaemonSetStatus{ObservedGeneration: 4, DesiredNumberScheduled: 2, NumberReady: 1}},
	})
	fmt.Println(sum.DesiredNumberScheduled, sum.NumberReady, sum.ObservedGeneration)
	// Output: 5 4 6
}
