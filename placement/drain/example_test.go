package drain_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/drain"
)

// example is a DaemonSet and its pod on a node.
func example() (*appsv1.DaemonSet, *corev1.Pod, *corev1.Node) {
	labels := map[string]string{"app": "agent"}
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "agent", UID: "4d1"},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}},
		},
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "kube-system", Name: "agent-x7", UID: "9c0", Labels: labels,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(ds, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))},
		},
		Spec:   corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	return ds, pod, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}
}

// A pod of an OpenKruise DaemonSet, under the definitions in use.
func ExampleIsDaemonPod() {
	ds, pod, _ := example()
	pod.OwnerReferences[0].APIVersion = "apps.kruise.io/v1beta1"
	var mode drain.Mode
	for _, mode = range drain.Modes() {
		fmt.Println(mode, drain.IsDaemonPod(pod, mode, ds))
	}
	pod.OwnerReferences = nil
	pod.Annotations = map[string]string{drain.DaemonPodAnnotation: "true"}
	fmt.Println(drain.IsDaemonPod(pod, drain.Kubectl), drain.IsDaemonPod(pod, drain.Karpenter), drain.IsDaemonPod(pod, drain.ClusterAutoscaler),
		drain.IsDaemonPod(pod, drain.Descheduler), drain.IsDaemonPod(pod, drain.Controller, ds))
	// Output:
	// kubectl false
	// karpenter false
	// cluster-autoscaler true
	// descheduler true
	// controller true
	// false false true false false
}

func ExampleJudge() {
	ds, pod, _ := example()
	alone := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "debug"}}
	pods, sets := []*corev1.Pod{pod, alone}, []*appsv1.DaemonSet{ds}

	for _, err := range drain.Errors(drain.Judge(pods, sets, time.Time{}, drain.Options{})) {
		fmt.Println("error:", err)
	}
	verdicts := drain.Judge(pods, sets, time.Time{}, drain.Options{IgnoreDaemonSets: true, Force: true})
	fmt.Println("Warning:", drain.Warnings(verdicts))
	for _, v := range verdicts {
		fmt.Println(v)
	}
	// Output:
	// error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): kube-system/agent-x7
	// error: cannot delete Pods that declare no controller (use --force to override): default/debug
	// Warning: deleting Pods that declare no controller: default/debug; ignoring DaemonSet-managed Pods: kube-system/agent-x7
	// default/debug: delete (unmanaged): deleting Pods that declare no controller
	// kube-system/agent-x7: skip (daemon-pod): ignoring DaemonSet-managed Pods
}

// What a program does with a verdict.
func ExampleVerdict() {
	ds, pod, _ := example()
	gone := drain.Options{Force: true, DeleteEmptyDirData: true}
	unreadable := drain.Options{Unreadable: map[types.NamespacedName]string{{Namespace: ds.Namespace, Name: ds.Name}: "forbidden"}}
	for _, o := range []drain.Options{gone, unreadable} {
		var v drain.Verdict = drain.Judge([]*corev1.Pod{pod}, nil, time.Time{}, o)[0]
		switch v.Action {
		case drain.Delete:
			fmt.Println("evict; kubectl does not say:", v.Overwritten)
		case drain.Skip:
			fmt.Println("leave")
		case drain.Refuse:
			fmt.Println("stop:", v.Message)
		}
	}
	// Output:
	// evict; kubectl does not say: [daemonsets.apps "agent" not found]
	// stop: forbidden
}

// The codes, in a program that counts what a drain leaves behind.
func ExampleCode() {
	harmless := map[drain.Code]bool{
		drain.Deletable: true, drain.LongDeleted: true, drain.DaemonPod: true, drain.MirrorPod: true,
		drain.OrphanedDaemonPod: false, drain.UnreadableDaemonSet: false, drain.LocalStorage: false, drain.Unmanaged: false,
	}
	_, pod, _ := example()
	v := drain.Judge([]*corev1.Pod{pod}, nil, time.Time{}, drain.Options{})[0]
	fmt.Println(v.Code, harmless[v.Code])
	// Output:
	// orphaned-daemon-pod false
}

// A drained node was tainted for other use: kubectl says that the daemon pod is
// ignored, since it would come back. It would not.
func ExampleSets_Return() {
	ds, pod, node := example()
	sets := drain.Compile([]*appsv1.DaemonSet{ds}, placement.Options{})
	node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	fmt.Println(sets.Return(node, []*corev1.Pod{pod}, pod).Outcome)

	node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: "gpu", Effect: corev1.TaintEffectNoSchedule})
	switch back := sets.Return(node, []*corev1.Pod{pod}, pod); back.Outcome {
	case drain.Recreated, drain.Covered:
		fmt.Println("a pod will be there")
	case drain.Lost, drain.NodeGone, drain.NoDaemonSet:
		fmt.Println(back.Outcome, back.Cause)
	}
	// Output:
	// recreated
	// lost taint gpu:NoSchedule
}

// The same on facts that were read once.
func ExampleAfterEviction() {
	ds, pod, node := example()
	fleet := placement.FleetOf(ds, []*corev1.Node{node}, []*corev1.Pod{pod}, "")
	for _, n := range fleet.Nodes {
		fmt.Println(n.Name, drain.AfterEviction(n, pod.UID))
	}
	// Output:
	// n1 recreated
}

// A controller that keeps a new node tainted until its agents run.
func ExampleSets_Waiting() {
	ds, pod, node := example()
	ds.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "example.com/starting", Operator: corev1.TolerationOpExists}}
	shy := ds.DeepCopy()
	shy.Name, shy.UID, shy.Spec.Template.Spec.Tolerations = "shy", "5e2", nil
	node.Spec.Taints = []corev1.Taint{
		{Key: "example.com/starting", Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule},
	}
	// Sets are compiled once, and asked about every node.
	sets := drain.Compile([]*appsv1.DaemonSet{ds, shy}, placement.Options{})
	gate := drain.Gate{Held: []string{"example.com/starting"}, Passing: []string{corev1.TaintNodeNotReady}}

	arrivals := sets.Waiting(node, []*corev1.Pod{pod}, gate, time.Time{})
	for _, m := range arrivals.Waiting {
		switch m.Lack {
		case drain.NoPod, drain.NotBound:
			fmt.Println(m.DaemonSet, "has no pod here yet")
		case drain.NotReady, drain.NotAvailable:
			fmt.Println(m.DaemonSet, m.Pod, m.Lack)
		}
	}
	fmt.Println("only afterwards:", arrivals.Later)

	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	fmt.Println("remove the taint:", len(sets.Waiting(node, []*corev1.Pod{pod}, gate, time.Time{}).Waiting) == 0)
	// Output:
	// kube-system/agent agent-x7 not-ready
	// only afterwards: [kube-system/shy]
	// remove the taint: true
}

// Both answers are data.
func ExampleArrivals() {
	fmt.Printf("%+v\n", drain.Missing{DaemonSet: types.NamespacedName{Namespace: "ns", Name: "agent"}, Lack: drain.NoPod})
	fmt.Printf("%+v\n", drain.Arrivals{}.Waiting == nil)
	fmt.Printf("%+v\n", drain.Return{Outcome: drain.NodeGone}.Outcome)
	// Output:
	// {DaemonSet:ns/agent Lack:no-pod Pod:}
	// true
	// node-gone
}
