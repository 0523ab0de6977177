package status_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
)

// nodeObject is a node with a Ready condition and taints.
func nodeObject(name string, ready corev1.ConditionStatus, taints ...corev1.Taint) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{Taints: taints}}
	if ready != "" {
		n.Status.Conditions = []corev1.NodeCondition{{Type: "Other", Status: "False"}, {Type: corev1.NodeReady, Status: ready}}
	}
	return n
}

// Why is it not available, kubernetes/kubernetes#139226: every answer there is.
func TestNodes(t *testing.T) {
	const up = placement.Updated
	dead := nodeObject("dead", corev1.ConditionUnknown)
	alive := nodeObject("alive", corev1.ConditionTrue)
	plain := nodeObject("plain", "")
	tainted := nodeObject("keep", "", corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoSchedule})
	with := func(n placement.Node, ref *corev1.Node) placement.Node { n.Ref = ref; return n }
	misscheduled := func(name string, v placement.Verdict, ref *corev1.Node) placement.Node {
		return placement.Node{Name: name, Verdict: v, Ref: ref, Pods: []placement.Pod{facts("p", good, 60)}}
	}
	unscheduled := facts("p", up, 0)
	unscheduled.Flags &^= placement.Scheduled
	timeless := facts("p", good, 0)
	timeless.ReadyChanged = time.Time{}
	f := fleet(
		on("z-done", facts("p", good, 60)),
		on("none"),
		on("failed", facts("p", up|placement.Failed, 0)),
		on("succeeded", facts("p", up|placement.Succeeded, 0)),
		on("leaving", facts("old", placement.Ready|placement.Terminating, 60), facts("new", good, 60)),
		on("leaving-alone", facts("old", placement.Ready|placement.Terminating, 60), facts("new", up, 0)),
		on("unscheduled", unscheduled),
		with(on("dead", facts("p", up, 0)), dead),
		with(on("alive", facts("p", up, 0)), alive),
		with(on("plain", facts("p", up, 0)), plain),
		with(on("dead-ready", facts("p", good, 60)), dead),
		on("waiting", facts("p", good, 10)),
		on("skewed", facts("p", good, -3)),
		on("timeless", timeless),
		on("old", facts("p", placement.Ready, 60)),
		on("surging", facts("old", placement.Ready, 60), facts("new", good, 1)),
		misscheduled("keep", placement.KeepOnly, tainted),
		misscheduled("out", placement.Excluded, nil),
		placement.Node{Name: "gone", Pods: []placement.Pod{facts("p", good, 60)}},
		placement.Node{Name: "nobody asked", Ref: plain, Pods: []placement.Pod{facts("p", good, 60)}},
		placement.Node{Name: "excluded and empty", Verdict: placement.Excluded},
	)
	m := placement.Compile(nil, placement.Options{})
	var lines []string
	for _, n := range status.Nodes(f, at(30), status.NodesOptions{Matcher: m}) {
		lines = append(lines, n.String())
	}
	assert.Equal(t, []string{
		"alive: the pod is not ready (pod p)",
		"dead: the node is not ready (pod p)",
		"failed: the pod failed (pod p)",
		"gone: the node is gone (pod p)",
		"keep: misscheduled, may stay: taint k:NoSchedule (pod p)",
		"leaving: the pod is terminating (pod old), pod new is ready behind it",
		"leaving-alone: the pod is terminating (pod old)",
		"none: no pod yet",
		"old: available, of an old revision (pod p)",
		"out: misscheduled, will be removed (pod p)",
		"plain: the pod is not ready (pod p)",
		"skewed: ready, waiting for minReadySeconds, 33s left (pod p)",
		"succeeded: the pod ended (pod p)",
		"surging: available, of an old revision (pod old), pod new is ready behind it",
		"timeless: ready, waiting for minReadySeconds, and its Ready condition has no time (pod p)",
		"unscheduled: the pod is not scheduled (pod p)",
		"waiting: ready, waiting for minReadySeconds, 20s left (pod p)",
	}, lines)

	all := status.Nodes(f, at(30), status.NodesOptions{All: true})
	assert.Len(t, all, len(lines)+2, "those that are done, on a dead node too")
	assert.Equal(t, status.Details{
		MayStay: 1, MustGo: 1, NodesGone: 1, AnyUpdated: 12, AnyReady: 7, AnyAvailable: 3, Behind: 2, Surging: 1,
	}, status.Detail(f, at(30)))

	counts := status.CountStates(all)
	assert.Equal(t, status.StateCount{State: status.WaitingMinReady, Nodes: []string{"skewed", "timeless", "waiting"}}, counts[0])
	assert.Equal(t, status.StateCount{State: status.Done, Nodes: []string{"dead-ready", "z-done"}}, counts[1])
	assert.Empty(t, status.CountStates(nil))

	// It is data.
	text, err := json.Marshal(all)
	assert.NoError(t, err)
	assert.Contains(t, string(text), `{"node":"alive","state":"not-ready","pod":"p","updated":true,"available":false}`)
	assert.Equal(t, "x: whatever", status.NodeStatus{Node: "x", State: "whatever"}.String())
}
