package daemonplan_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// missingPods returns the pods that a DaemonSet lacks: one for each eligible
// node that has none.
func missingPods(ds *appsv1.DaemonSet, hash string, nodes []*corev1.Node, pods []*corev1.Pod) ([]*corev1.Pod, error) {
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil || selector.Empty() || ds.DeletionTimestamp != nil {
		return nil, err // nothing is done for an owner that goes, or that selects everything
	}
	owner := placement.OwnerOf(ds)
	mine := placement.Claim(owner, selector, pods)
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	fleet := placement.NewFleet(matcher, nodes, mine.Claimed, placement.Reading{Revision: hash})

	var missing []*corev1.Pod
	for _, node := range fleet.Nodes {
		if node.Verdict == placement.Eligible && len(node.Pods) == 0 {
			missing = append(missing, placement.NewPod(owner, &ds.Spec.Template, node.Name, placement.PodOptions{Hash: hash}))
		}
	}
	return missing, nil
}

// One pass of a controller as far as placement goes: whose pods are whose,
// what the fleet looks like, and the pods that are missing.
func Example() {
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "agent-uid"},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}}},
		},
	}
	nodes := []*corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "worker-1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "worker-2"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "gpu-1"}, Spec: corev1.NodeSpec{Taints: []corev1.Taint{
			{Key: "nvidia.com/gpu", Effect: corev1.TaintEffectNoSchedule},
		}}},
	}
	running := placement.NewPod(placement.OwnerOf(ds), &ds.Spec.Template, "worker-1", placement.PodOptions{})
	running.Name, running.UID, running.Spec.NodeName = "agent-x7k2p", "x7k2p", "worker-1"

	missing, err := missingPods(ds, "67bd59b97b", nodes, []*corev1.Pod{running})
	if err != nil {
		panic(err)
	}
	for _, pod := range missing {
		name, _ := placement.TargetNode(pod)
		fmt.Printf("create %s… for %s\n", pod.GenerateName, name)
	}
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	fmt.Println(placement.Summarize(matcher, nodes))
	// Output:
	// create agent-… for worker-2
	// 2/3 nodes are eligible: 1 taint nvidia.com/gpu:NoSchedule (keep-only)
}
