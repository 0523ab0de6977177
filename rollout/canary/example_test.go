package canary_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// exampleFleet has four nodes in two zones, each with a pod of the old revision.
func exampleFleet() placement.Fleet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "u"}}
	var nodes []*corev1.Node
	var pods []*corev1.Pod
	for _, n := range []struct {
		name, zone string
		restarts   int32
	}{{"node-1", "a", 4}, {"node-2", "a", 0}, {"node-3", "a", 0}, {"node-4", "b", 1}} {
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.name, Labels: map[string]string{corev1.LabelTopologyZone: n.zone}}})
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent-" + n.name}, Spec: corev1.PodSpec{NodeName: n.name}}
		pod.Labels = map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: "old"}
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: n.restarts}}
		pods = append(pods, pod)
	}
	return placement.FleetOf(ds, nodes, pods, "new")
}

// Half of the nodes, spread over the zones: node-2 is the first by name of those
// without restarts, and node-3 is in the same zone.
func ExampleSelect() {
	fleet := exampleFleet()
	half := intstr.FromString("50%")
	selection := canary.Selection{Replicas: &half, SpreadOver: []string{corev1.LabelTopologyZone}}
	selected, err := canary.Select(fleet, nil, selection)
	if err != nil {
		panic(err)
	}
	fmt.Println(selected)

	// A node gets a taint and is replaced, the other one stays.
	fleet.Nodes[1].Verdict = placement.KeepOnly
	selected, err = canary.Select(fleet, selected.Nodes, selection)
	if err != nil {
		panic(err)
	}
	var gone canary.Dropped = selected.Dropped[0]
	fmt.Println(selected.Nodes, "without", gone.Node, "as it is", gone.Reason)

	// Where there are too few, it says so and goes on with what there is.
	selection.Selector = labels.SelectorFromSet(labels.Set{corev1.LabelTopologyZone: "b"})
	selected, err = canary.Select(fleet, nil, selection)
	fmt.Println(selected.Nodes, selected.Short, "short", err)
	// Output:
	// 2 of 2 nodes: node-2, node-4
	// [node-3 node-4] without node-2 as it is not-eligible
	// [node-4] 1 short <nil>
}

// The nodes are the candidates of a rollout; the others are held.
func ExampleSelected_Set() {
	fleet := exampleFleet()
	var selected canary.Selected
	selected, err := canary.Select(fleet, nil, canary.Selection{})
	if err != nil {
		panic(err)
	}
	policy := rollout.Policy{Candidates: rollout.Candidates{Nodes: selected.Set()}}
	plan, err := rollout.Sync(rollout.State{
		Fleet: fleet, Target: "new", Stable: "old", Now: noon,
		Spec: rollout.Spec{Strategy: appsv1.RollingUpdateDaemonSetStrategyType},
	}, policy)
	if err != nil {
		panic(err)
	}
	fmt.Print(plan)
	// Output:
	// delete agent-node-2 on node-2: outdated-available
	// 3 held: held-not-chosen
}

// The rules of ExtendedDaemonSet: a restart after eight minutes moves the end from
// ten minutes to thirteen.
func ExampleJudge() {
	var state canary.State
	pod := canary.Health{Pod: "agent-x", Node: "node-2", Created: noon, Ready: true, ReadyChanged: noon}
	for _, minute := range []time.Duration{0, 8, 13, 14} {
		now := noon.Add(minute * time.Minute)
		if minute == 8 {
			pod.Restarts, pod.FirstRestart, pod.LastRestart = 1, now, now
		}
		var judgement canary.Judgement
		var err error
		judgement, state, err = canary.Judge([]canary.Health{pod}, canary.ExtendedDaemonSet(), state, now)
		if err != nil {
			panic(err)
		}
		fmt.Println(judgement)
	}
	var cause canary.Cause = state.Promoted
	fmt.Println("promoted at", cause.Since.Format(time.TimeOnly))
	// Output:
	// continue: duration-runs, look again after 2026-01-02T12:10:00Z
	// continue: quiet-time-runs, look again after 2026-01-02T12:13:00Z
	// continue: quiet-time-runs, look again after 2026-01-02T12:13:00Z
	// promote: time-over
	// promoted at 12:14:00
}

// What is to be done for each verdict. For a failed canary that is to put the
// template of the stable revision back, by its number: the one before may be
// another canary that failed.
func ExampleVerdict() {
	template := func(image string) *corev1.PodTemplateSpec {
		return &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}}}
	}
	var history []*appsv1.ControllerRevision
	for i, image := range []string{"agent:stable", "agent:failed-before", "agent:canary"} {
		patch, err := revision.Patch(template(image))
		if err != nil {
			panic(err)
		}
		r := &appsv1.ControllerRevision{Revision: int64(i + 1)}
		r.Data.Raw = patch
		history = append(history, r)
	}
	stable := history[0]

	selected := canary.Selected{Nodes: []string{"node-2"}}
	crashing := canary.Health{Pod: "agent-x", Node: "node-2", Restarts: 6, LastRestart: noon}
	judgement, _, err := canary.Judge([]canary.Health{crashing}, canary.ExtendedDaemonSet(), canary.State{}, noon)
	if err != nil {
		panic(err)
	}
	policy := rollout.Policy{Candidates: rollout.Candidates{Nodes: selected.Set()}}
	switch judgement.Verdict {
	case canary.Continue:
	case canary.Promote:
		policy = rollout.Policy{}
	case canary.Pause:
		policy.Gate.Pause = rollout.PauseUpdates
	case canary.Fail:
		policy.Gate.Pause = rollout.PauseUpdates
		back, err := revision.RollBack(template("agent:canary"), history, stable.Revision)
		if err != nil {
			panic(err)
		}
		fmt.Println(judgement)
		fmt.Println("back to", back.Template.Spec.Containers[0].Image)
	}
	var verdict canary.Verdict = judgement.Verdict
	fmt.Println(verdict, policy.Gate.Pause)
	// Output:
	// fail: too-many-restarts (6 restarts), pod agent-x on node-2
	// back to agent:stable
	// fail updates
}

// A pod says why it does not start, and how often it restarted.
func ExampleHealthOf() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent-x"}, Spec: corev1.PodSpec{NodeName: "node-2"}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{
		{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}}, {RestartCount: 2},
	}
	h := canary.HealthOf(pod)
	fmt.Println(h.Pod, h.Node, h.Waiting, h.Restarts, h.Ready)
	// Output: agent-x node-2 [ErrImagePull] 2 false
}

// The pods to judge are those of the new revision on the chosen nodes: none yet.
func ExampleHealthIn() {
	fleet := exampleFleet()
	chosen := map[string]bool{"node-1": true, "node-2": true}
	fmt.Println(len(canary.HealthIn(fleet, chosen)))

	fleet.Nodes[0].Pods[0].Flags |= placement.Updated
	for _, h := range canary.HealthIn(fleet, chosen) {
		fmt.Println(h.Pod, h.Restarts)
	}
	// Output:
	// 0
	// agent-node-1 4
}

// Rules of one's own: fail when more than a fifth of the pods crash-loop or have
// failed, pause after a minute that a pod is not ready, promote after an hour when
// three pods are.
func ExampleThresholds() {
	fifth, hour := intstr.FromString("20%"), time.Hour
	thresholds := canary.Thresholds{
		Fail:    canary.Rules{CannotStart: []string{"CrashLoopBackOff"}, OnFailed: true, MaxFailing: &fifth},
		Pause:   canary.Rules{UnreadyFor: time.Minute},
		Promote: canary.Promotion{Duration: &hour, MinReady: 3},
	}
	pods := []canary.Health{
		{Pod: "a", Ready: true}, {Pod: "b", Ready: true}, {Pod: "c", Ready: true}, {Pod: "d", Ready: true},
		{Pod: "e", Created: noon, Waiting: []string{"CrashLoopBackOff"}},
	}
	judgement, _, err := canary.Judge(pods, thresholds, canary.State{}, noon)
	fmt.Println(judgement, err)
	judgement, _, err = canary.Judge(pods[1:], thresholds, canary.State{}, noon)
	fmt.Println(judgement, err)
	// Output:
	// continue: duration-runs, look again after 2026-01-02T12:01:00Z <nil>
	// fail: cannot-start (CrashLoopBackOff), pod e <nil>
}

func ExampleCannotStartReasons() {
	for _, reason := range canary.CannotStartReasons()[:5] {
		fmt.Println(reason)
	}
	// Output:
	// CreateContainerConfigError
	// CreateContainerError
	// ErrImageNeverPull
	// ErrImagePull
	// ImageInspectError
}

// What a person decides is of one revision.
func ExampleState_For() {
	stored := canary.State{Revision: "6c88bd8857", Started: noon, Decision: canary.Validated}
	fmt.Println(stored.For("6c88bd8857").Decision)
	fmt.Println(stored.For("6c45c6fccd") == canary.State{Revision: "6c45c6fccd"})
	// Output:
	// validated
	// true
}

// A pod that cannot start pauses the canary, and stays to be seen until a person
// says something.
func ExampleDecision() {
	stuck := []canary.Health{{Pod: "agent-x", Created: noon, Waiting: []string{"ErrImagePull"}}}
	state := canary.State{Started: noon}
	for _, decision := range []canary.Decision{canary.Undecided, canary.Paused, canary.Unpaused, canary.Validated, canary.Rejected} {
		state.Decision = decision
		judgement, _, err := canary.Judge(stuck, canary.ExtendedDaemonSet(), state, noon)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q: %s\n", decision, judgement)
	}
	// Output:
	// "": pause: cannot-start (ErrImagePull), pod agent-x
	// "paused": pause: cannot-start (ErrImagePull), pod agent-x
	// "unpaused": continue: duration-runs, look again after 2026-01-02T12:10:00Z
	// "validated": promote: by-person
	// "rejected": fail: by-person
}

// The reasons are stable words for metrics and events.
func ExampleReason() {
	for _, list := range [][]canary.Reason{
		{canary.CannotStart, canary.SlowStart, canary.PodFailed, canary.Unready, canary.TooManyRestarts},
		{canary.KeepsRestarting, canary.TimedOut, canary.ByPerson, canary.TimeOver},
		{canary.DurationRuns, canary.QuietTimeRuns, canary.TooFewReady, canary.NeedsPerson},
		{canary.NodeGone, canary.NotEligible, canary.NotSelected, canary.Surplus},
	} {
		fmt.Println(list)
	}
	// Output:
	// [cannot-start slow-start pod-failed unready too-many-restarts]
	// [keeps-restarting timed-out by-person time-over]
	// [duration-runs quiet-time-runs too-few-ready needs-person]
	// [node-gone not-eligible not-selected surplus]
}
