package rollout_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// nodeAgent is a kind of somebody's own, with what it shares with a DaemonSet.
type nodeAgent struct {
	metav1.ObjectMeta
	Template       corev1.PodTemplateSpec
	MaxUnavailable intstr.IntOrString
}

const (
	// inPlaceReady is a condition that the controller clears while it changes the
	// image of a running pod.
	inPlaceReady corev1.PodConditionType = "agents.example.com/InPlaceUpdateReady"
	// preDelete is a label that the controller sets on a pod that has to finish
	// something before it is deleted; whoever does the work takes it off.
	preDelete = "agents.example.com/pre-delete"
)

// gate corrects the facts of a pod. While its image is changed in place the pod is
// not ready, whatever the kubelet says; while its pre-delete hook runs it is on its
// way out, so that no plan deletes it a second time or counts it as running.
func gate(pod *corev1.Pod, facts placement.Pod) placement.Pod {
	for _, c := range pod.Status.Conditions {
		if c.Type == inPlaceReady && c.Status == corev1.ConditionFalse {
			facts.Flags &^= placement.Ready
		}
	}
	if _, running := pod.Labels[preDelete]; running {
		facts.Flags |= placement.Terminating
	}
	return facts
}

// A kind that is not apps/v1.DaemonSet, which updates pods in place where it can
// and runs a hook before it deletes one. Only the owner and two facts are its own.
func Example_customKind() {
	agent := &nodeAgent{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "infra", Name: "agent", UID: "agent-uid"},
		Template:       corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}}},
		MaxUnavailable: intstr.FromInt32(2),
	}
	owner := placement.Owner{Object: agent, Kind: schema.GroupVersionKind{Group: "agents.example.com", Version: "v1", Kind: "NodeAgent"}}
	pod := func(node, hash string) *corev1.Pod {
		pod := placement.NewPod(owner, &agent.Template, node, placement.PodOptions{Hash: hash})
		pod.Name, pod.UID, pod.Spec.NodeName = "agent-"+node, types.UID("uid-"+node), node
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		return pod
	}
	inPlace, leaving := pod("node-1", "new"), pod("node-2", "old")
	inPlace.Status.Conditions = append(inPlace.Status.Conditions, corev1.PodCondition{Type: inPlaceReady, Status: corev1.ConditionFalse})
	leaving.Labels[preDelete] = "running"
	pods := []*corev1.Pod{inPlace, leaving, pod("node-3", "old"), pod("node-4", "old")}
	var nodes []*corev1.Node
	for _, name := range []string{"node-1", "node-2", "node-3", "node-4"} {
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}

	state := rollout.State{
		Fleet: placement.NewFleet(placement.Compile(&agent.Template, placement.Options{}), nodes, pods,
			placement.Reading{Revision: "new", Pod: gate}),
		Spec: rollout.Spec{
			Strategy:      appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &agent.MaxUnavailable},
		},
		Target: "new", Now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC),
	}
	step := func(after string) {
		plan, err := rollout.Sync(state, rollout.Policy{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s:\n%s", after, plan)
	}
	step("one changes in place, one runs its hook")

	inPlace.Status.Conditions[1].Status = corev1.ConditionTrue
	state.Fleet = placement.NewFleet(placement.Compile(&agent.Template, placement.Options{}), nodes, pods,
		placement.Reading{Revision: "new", Pod: gate})
	step("the image is changed")
	// A controller sets the label of the hook, or changes the image in place, where
	// the plan says delete, and deletes once the label is off.

	// Output:
	// one changes in place, one runs its hook:
	// 2 held: held-budget
	// the image is changed:
	// delete agent-node-3 on node-3: outdated-available
	// 1 held: held-budget
}
