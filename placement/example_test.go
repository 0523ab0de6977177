package placement_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/daemonplan/daemonplan/placement"
)

// A log agent for linux nodes, and the nodes of a small cluster.
func exampleObjects() (*appsv1.DaemonSet, []*corev1.Node) {
	linux := map[string]string{corev1.LabelOSStable: "linux"}
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "agent-uid"},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}},
				Spec:       corev1.PodSpec{NodeSelector: linux},
			},
		},
	}
	nodes := []*corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "worker-1", Labels: linux}},
		{ObjectMeta: metav1.ObjectMeta{Name: "control-plane", Labels: linux}, Spec: corev1.NodeSpec{Taints: []corev1.Taint{
			{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule},
		}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "worker-2", Labels: map[string]string{"kubernetes.io/so": "linux"}}},
	}
	return ds, nodes
}

func Example() {
	ds, nodes := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	for _, node := range nodes {
		fmt.Println(node.Name, "is", matcher.Match(node))
		if cause := matcher.Cause(node); cause.Code != "" {
			fmt.Println("  because of", cause)
		}
	}
	// Output:
	// worker-1 is eligible
	// control-plane is keep-only
	//   because of taint node-role.kubernetes.io/control-plane:NoSchedule
	// worker-2 is excluded
	//   because of nodeSelector kubernetes.io/os=linux
}

func ExampleMatcher_Explain() {
	ds, nodes := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	fmt.Print(matcher.Explain(nodes[2], placement.NewVocabulary(nodes)))
	// Output:
	// worker-2: excluded
	//   nodeSelector: wants kubernetes.io/os=linux, the node has no kubernetes.io/os [excluded]
	//     hint: the node has a label kubernetes.io/so
}

// An autoscaler asks about a node that it might create. Without a name the
// node is none of those that a template could name.
func ExampleMatcher_MatchShape() {
	ds, _ := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	gpu := placement.Shape{
		Labels: map[string]string{corev1.LabelOSStable: "linux"},
		Taints: []corev1.Taint{{Key: "nvidia.com/gpu", Effect: corev1.TaintEffectNoSchedule}},
	}
	fmt.Println(matcher.MatchShape(gpu), matcher.CauseShape(gpu))
	fmt.Print(matcher.ExplainShape(gpu, nil))
	// Output:
	// keep-only taint nvidia.com/gpu:NoSchedule
	// (no name): keep-only
	//   taint nvidia.com/gpu:NoSchedule is not tolerated, add toleration nvidia.com/gpu:NoSchedule [keep-only]
}

// A term that cannot be parsed matches nothing, and nobody is told, but here.
func ExampleMatcher_Problems() {
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{
				Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"n-a", "n-b"},
			}},
		}}},
	}}}}
	matcher := placement.Compile(template, placement.Options{})
	for _, problem := range matcher.Problems() {
		fmt.Println(problem.Detail)
	}
	// Output: must have one element
}

// Respect a cordon for new pods only: the controller does not, but many ask.
func ExamplePredicate() {
	cordon := placement.Predicate{
		Code: "example.com/cordoned",
		Test: func(s placement.Shape) bool { return s.Node == nil || !s.Node.Spec.Unschedulable },
		Text: func(placement.Shape) string { return "the node is cordoned" },
	}
	matcher := placement.Compile(nil, placement.Options{Predicates: []placement.Predicate{cordon}})
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Spec: corev1.NodeSpec{Unschedulable: true}}
	fmt.Println(matcher.Match(node), matcher.Cause(node))
	fmt.Print(matcher.Explain(node, nil))
	// Output:
	// keep-only example.com/cordoned
	// n: keep-only
	//   example.com/cordoned: the node is cordoned [keep-only]
}

// New pods need tolerations of their own, running ones are judged with the
// defaults: so a drained node stays drained.
func ExampleOptions() {
	drained := &corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{
		{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	}}}
	usual := placement.Compile(nil, placement.Options{})
	strict := placement.Compile(nil, placement.Options{Run: placement.Tolerations{NoDefaults: true}})
	fmt.Println(usual.Match(drained), strict.Match(drained))
	fmt.Println(len(strict.RunTolerations()), len(strict.ContinueTolerations()))
	// Output:
	// eligible keep-only
	// 0 6
}

func ExampleEligibleNodes() {
	ds, nodes := exampleObjects()
	for _, node := range placement.EligibleNodes(ds, nodes) {
		fmt.Println(node.Name)
	}
	// Output: worker-1
}

func ExampleSummarize() {
	ds, nodes := exampleObjects()
	summary := placement.Summarize(placement.Compile(&ds.Spec.Template, placement.Options{}), nodes)
	fmt.Println(summary)
	for _, group := range summary.Groups {
		fmt.Println(group.Cause.Code, group.Nodes)
	}
	// Output:
	// 1/3 nodes are eligible: 1 nodeSelector kubernetes.io/os=linux (excluded), 1 taint node-role.kubernetes.io/control-plane:NoSchedule (keep-only)
	// node-selector [worker-2]
	// taint [control-plane]
}

// Rehearse a change of the template: who loses the agent, and when?
func ExampleDiffTemplates() {
	ds, nodes := exampleObjects()
	everywhere := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
	}}
	before := placement.Compile(everywhere, placement.Options{})
	after := placement.Compile(&ds.Spec.Template, placement.Options{})
	fmt.Print(placement.DiffTemplates(before, after, nodes))
	// Output:
	// 0 gained, 1 lost now, 1 lost at the next restart, 1 kept, 0 untouched
	//   lost now: worker-2, eligible before, excluded after: nodeSelector kubernetes.io/os=linux
	//   lost at the next restart: control-plane, eligible before, keep-only after: taint node-role.kubernetes.io/control-plane:NoSchedule
}

// Rehearse a change of the nodes: a taint that somebody is about to add.
func ExampleDiffNodes() {
	ds, nodes := exampleObjects()
	tainted := nodes[0].DeepCopy()
	tainted.Spec.Taints = []corev1.Taint{{Key: "infra", Value: "true", Effect: corev1.TaintEffectNoSchedule}}
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	diff := placement.DiffNodes(matcher, nodes[:1], []*corev1.Node{tainted})
	fmt.Println(diff.LostAtRestart[0].Node, diff.LostAtRestart[0].Cause)
	// Output: worker-1 taint infra=true:NoSchedule
}

// A watch of nodes wakes a controller up for the events that matter to it.
func ExampleMatcher_Trigger() {
	matcher := placement.Compile(nil, placement.Options{})
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	cordoned := node.DeepCopy()
	cordoned.Spec.Unschedulable = true
	fmt.Printf("%q\n", matcher.Trigger(placement.NodeEvent{New: node}))
	fmt.Printf("%q\n", matcher.Trigger(placement.NodeEvent{Old: node, New: cordoned, Pods: 1}))
	// Output:
	// "pod-missing"
	// ""
}

func ExampleInjectNodeAffinity() {
	affinity := placement.InjectNodeAffinity(nil, "worker-1")
	term := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
	fmt.Println(term.MatchFields[0].Key, term.MatchFields[0].Operator, term.MatchFields[0].Values)
	// Output: metadata.name In [worker-1]
}

func ExampleTargetNode() {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Affinity: placement.InjectNodeAffinity(nil, "worker-1")}}
	fmt.Println(placement.TargetNode(pod))
	fmt.Println(placement.TargetNode(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}}))
	// Output:
	// worker-1 <nil>
	//  placement: pod ns/p: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: no term has a requirement metadata.name In
}

func ExampleNewPod() {
	ds, nodes := exampleObjects()
	owner := placement.OwnerOf(ds)
	pod := placement.NewPod(owner, &ds.Spec.Template, nodes[0].Name, placement.PodOptions{
		Hash: "67bd59b97b",
	})
	fmt.Println(pod.Namespace, pod.GenerateName, pod.Labels, len(pod.Spec.Tolerations))
	// Output: logging agent- map[app:agent controller-revision-hash:67bd59b97b] 6
}

func ExampleClaim() {
	ds, _ := exampleObjects()
	owner := placement.OwnerOf(ds)
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		panic(err)
	}
	pods := []*corev1.Pod{
		{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "orphan", UID: "1", Labels: map[string]string{"app": "agent"}}},
		{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "relabelled", UID: "2", OwnerReferences: []metav1.OwnerReference{*owner.ControllerRef()}}},
	}
	mine := placement.Claim(owner, selector, pods)
	fmt.Println("part of this sync:", len(mine.Claimed))
	fmt.Println("adopt:", mine.Adopt[0].Name)
	fmt.Println("release:", mine.Release[0].Name)
	// Output:
	// part of this sync: 1
	// adopt: orphan
	// release: relabelled
}

// A custom resource owns pods just as a DaemonSet does.
func ExampleOwner() {
	object := &unstructured.Unstructured{}
	object.SetNamespace("ns")
	object.SetName("agent")
	object.SetUID("u")
	owner := placement.Owner{
		Object: object,
		Kind:   schema.GroupVersionKind{Group: "apps.example.com", Version: "v1", Kind: "AdvancedDaemonSet"},
	}
	pod := placement.NewPod(owner, nil, "worker-1", placement.PodOptions{})
	fmt.Println(pod.OwnerReferences[0].APIVersion, pod.OwnerReferences[0].Kind, *pod.OwnerReferences[0].Controller)
	// Output: apps.example.com/v1 AdvancedDaemonSet true
}

func ExampleOwnerOf() {
	ds, _ := exampleObjects()
	fmt.Println(placement.OwnerOf(ds).ControllerRef().Name)
	fmt.Println(placement.OwnerOf(nil).ControllerRef() == nil)
	// Output:
	// agent
	// true
}

func ExampleNewFleet() {
	ds, nodes := exampleObjects()
	pods := []*corev1.Pod{
		{
			ObjectMeta: metav1.ObjectMeta{Name: "agent-a", Labels: map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: "new"}},
			Spec:       corev1.PodSpec{NodeName: "worker-1"},
		},
		{ObjectMeta: metav1.ObjectMeta{Name: "agent-b"}, Spec: corev1.PodSpec{NodeName: "control-plane"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "agent-c"}, Spec: corev1.PodSpec{NodeName: "removed"}},
	}
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	fleet := placement.NewFleet(matcher, nodes, pods, placement.Reading{Revision: "new"})
	for _, node := range fleet.Nodes {
		fmt.Print(node.Name, " ", node.Verdict)
		for _, pod := range node.Pods {
			fmt.Print(", ", pod.Name, " ", pod.Flags)
		}
		fmt.Println()
	}
	fmt.Println("on borrowed time:", fleet.LatentLosses())
	// Output:
	// worker-1 eligible, agent-a scheduled|updated
	// control-plane keep-only, agent-b scheduled
	// worker-2 excluded
	// removed unevaluated, agent-c scheduled
	// on borrowed time: [control-plane]
}

// A kind with in-place updates: while one is under way, the pod is not ready.
func ExampleReading() {
	pods := []*corev1.Pod{{
		ObjectMeta: metav1.ObjectMeta{Name: "agent-a", Annotations: map[string]string{"example.com/in-place": "running"}},
		Spec:       corev1.PodSpec{NodeName: "n"},
		Status:     corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}}
	reading := placement.Reading{Pod: func(pod *corev1.Pod, facts placement.Pod) placement.Pod {
		if pod.Annotations["example.com/in-place"] == "running" {
			facts.Flags &^= placement.Ready
		}
		return facts
	}}
	fleet := placement.NewFleet(placement.Compile(nil, placement.Options{}), nil, pods, reading)
	fmt.Println(fleet.Nodes[0].Pods[0].Flags)
	fmt.Println(reading.Facts(pods[0]).Flags) // the same, of one pod
	// Output:
	// scheduled
	// scheduled
}

// What else is to be known of nodes is read with them, and not again in every plan.
func ExampleMarks() {
	const arm placement.Marks = 1
	nodes := []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"zone": "a", "kubernetes.io/arch": "arm64"}}}}
	crashed := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent"}, Spec: corev1.PodSpec{NodeName: "n"}}
	crashed.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}}
	reading := placement.Reading{Node: func(n placement.Node) placement.Node {
		n.Group = n.Ref.Labels["zone"]
		if n.Ref.Labels["kubernetes.io/arch"] == "arm64" {
			n.Marks |= arm
		}
		return n
	}}
	n := placement.NewFleet(placement.Compile(nil, placement.Options{}), nodes, []*corev1.Pod{crashed}, reading).Nodes[0]
	fmt.Println(n.Group, n.Marks.Has(arm), n.Pods[0].Flags.Has(placement.CrashLooping))
	// Output: a true true
}

func ExampleNewVocabulary() {
	_, nodes := exampleObjects()
	vocabulary := placement.NewVocabulary(nodes)
	fmt.Println(vocabulary.Keys())
	fmt.Println(vocabulary.Values("kubernetes.io/os"))
	fmt.Println(vocabulary.SimilarNames("worker1"))
	// Output:
	// [kubernetes.io/os kubernetes.io/so]
	// [linux]
	// [worker-1]
}

func ExampleShapeOf() {
	_, nodes := exampleObjects()
	shape := placement.ShapeOf(nodes[0])
	shape.Name = ""
	fmt.Println(placement.Compile(nil, placement.Options{}).MatchShape(shape))
	// Output: eligible
}

func ExampleVerdict() {
	for _, v := range []placement.Verdict{placement.Eligible, placement.KeepOnly, placement.Excluded} {
		fmt.Println(v, v.ShouldRun(), v.ShouldContinue())
	}
	// Output:
	// eligible true true
	// keep-only false true
	// excluded false false
}

func ExampleOwner_TemplateGeneration() {
	ds, _ := exampleObjects()
	ds.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "+03"}
	fmt.Println(*placement.OwnerOf(ds).TemplateGeneration())
	// Output: 3
}

func ExampleTolerations_Of() {
	own := placement.Tolerations{NoDefaults: true, Extra: []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}}}
	fmt.Println(len(own.Of(&corev1.PodSpec{})), len(placement.Tolerations{}.Of(&corev1.PodSpec{})))
	// Output: 1 6
}

// advice is what a tool might tell a person about a cause. The codes are
// stable, so a program may switch on them.
func advice(c placement.Cause) string {
	switch c.Code {
	case placement.CauseNodeName:
		return "remove nodeName from the template"
	case placement.CauseNodeSelector:
		return "label the node " + c.Key + "=" + c.Value
	case placement.CauseNodeAffinity:
		return "compare the node with the terms"
	case placement.CauseTaint:
		return "tolerate " + c.Key
	}
	return c.String() // a predicate of the caller
}

func ExampleCause() {
	ds, nodes := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	counts := map[placement.Cause]int{} // a cause is comparable
	for _, node := range nodes {
		counts[matcher.Cause(node)]++
	}
	for _, node := range nodes[1:] {
		fmt.Println(advice(matcher.Cause(node)), counts[matcher.Cause(node)])
	}
	// Output:
	// tolerate node-role.kubernetes.io/control-plane 1
	// label the node kubernetes.io/os=linux 1
}

// words tells the hints about labels from those about tolerations and names.
func words(h placement.Hint) string {
	switch h.Code {
	case placement.HintKeyUnknown, placement.HintKeySimilar, placement.HintValueUnknown, placement.HintValueDiffers, placement.HintNodeUnknown:
		return fmt.Sprint("there is ", h.Words)
	case placement.HintUseExists, placement.HintNotInteger, placement.HintNotAField, placement.HintUseMatchFields:
		return "another kind of requirement is needed"
	case placement.HintTolerationKey, placement.HintTolerationEffect, placement.HintTolerationOperator, placement.HintTolerationValue:
		return "look at " + h.Field
	}
	return h.String()
}

// An explanation is data. Its parts are what String prints.
func ExampleExplanation() {
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		NodeSelector: map[string]string{"role": "worker"},
		Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "cores", Operator: corev1.NodeSelectorOpGt, Values: []string{"3"}}},
			}}},
		}},
		Tolerations: []corev1.Toleration{{Key: "node-role.kubernetes.io/master", Operator: corev1.TolerationOpExists}},
	}}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"cores": "2.5", "node-role.kubernetes.io/worker": ""}},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{
			{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule},
		}},
	}
	fleet := []*corev1.Node{node}
	var e placement.Explanation = placement.Compile(template, placement.Options{}).Explain(node, placement.NewVocabulary(fleet))
	for _, reason := range e.Reasons {
		fmt.Println(reason.Cause.Code, reason.Verdict)
		for _, hint := range reason.Hints {
			fmt.Println("  ", hint.Code, words(hint))
		}
		requirements := []placement.Requirement{}
		if reason.Requirement != nil {
			requirements = append(requirements, *reason.Requirement)
		}
		for _, term := range reason.Terms {
			requirements = append(requirements, term.Failed...)
		}
		for _, r := range requirements {
			fmt.Println("  ", r)
			for _, hint := range r.Hints {
				fmt.Println("  ", hint.Code, words(hint))
			}
		}
	}
	// Output:
	// node-selector excluded
	//    wants role=worker, the node has no role
	//    key-unknown there is [node-role.kubernetes.io/worker]
	// node-affinity excluded
	//    wants cores Gt [3], the node has cores=2.5
	//    not-an-integer another kind of requirement is needed
	// taint keep-only
	//    toleration-key look at spec.tolerations[0]
}

func ExampleReason() {
	ds, nodes := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	var reason placement.Reason = matcher.Explain(nodes[1], nil).Reasons[0]
	fmt.Println(reason)
	fmt.Println(reason.Brief())
	fmt.Println(reason.Taint.Key, reason.Toleration.Operator)
	// Output:
	// taint node-role.kubernetes.io/control-plane:NoSchedule is not tolerated, add toleration node-role.kubernetes.io/control-plane:NoSchedule
	// taint node-role.kubernetes.io/control-plane:NoSchedule is not tolerated
	// node-role.kubernetes.io/control-plane Equal
}

// Every term fails in its own way.
func ExampleTerm() {
	in := func(key string, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{
			{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values},
		}}
	}
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
			in("zone", "a"), in("zone"), {},
		}},
	}}}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"zone": "b"}}}
	var terms []placement.Term = placement.Compile(template, placement.Options{}).Explain(node, nil).Reasons[0].Terms
	for _, term := range terms {
		fmt.Println(len(term.Problems), len(term.Failed))
	}
	fmt.Println(terms[0])
	fmt.Println(terms[2])
	// Output:
	// 0 1
	// 1 0
	// 0 0
	// nodeSelectorTerms[0]: wants zone=a, the node has zone=b
	// nodeSelectorTerms[2] is empty, so it matches no node
}

func ExampleTrigger() {
	for _, trigger := range []placement.Trigger{
		placement.TriggerNone, placement.TriggerMissing, placement.TriggerMustGo, placement.TriggerMisscheduled,
	} {
		fmt.Printf("%q queue=%t\n", trigger, trigger != placement.TriggerNone)
	}
	// Output:
	// "" queue=false
	// "pod-missing" queue=true
	// "pod-must-go" queue=true
	// "misscheduled" queue=true
}

func ExampleFlags() {
	flags := placement.Scheduled | placement.Ready | placement.Updated
	ended := placement.Failed | placement.Succeeded
	fmt.Println(flags, flags.Has(placement.Ready|placement.Updated), flags.Any(ended|placement.Terminating))
	// Output: scheduled|ready|updated true false
}

// A fleet is data too: a simulator makes one without any object.
// A tool that has only objects reads them in one call.
func ExampleFleetOf() {
	ds, nodes := exampleObjects()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "agent-a"}, Spec: corev1.PodSpec{NodeName: "worker-1"}}
	pod.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC),
	}}
	fleet := placement.FleetOf(ds, nodes, []*corev1.Pod{pod}, "new")
	for _, node := range fleet.Nodes {
		for _, pod := range node.Pods {
			at, ok := pod.AvailableAt(30)
			fmt.Println(pod.Name, "is available at", at.Format(time.TimeOnly), ok)
		}
	}
	// Output: agent-a is available at 12:00:30 true
}

func ExampleFleet() {
	fleet := placement.Fleet{Nodes: []placement.Node{
		{Name: "n1", Verdict: placement.Eligible, Pods: []placement.Pod{{Name: "p1", Flags: placement.Scheduled}}},
		{Name: "n2", Verdict: placement.KeepOnly, Pods: []placement.Pod{{Name: "p2", Flags: placement.Scheduled}}},
		{Name: "n3", Verdict: placement.Unevaluated},
	}}
	fmt.Println(fleet.LatentLosses())
	// Output: [n2]
}

// Claims are sorted by what the owner has to do; adopted objects are among the
// claimed ones.
func ExampleClaims() {
	ds, _ := exampleObjects()
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		panic(err)
	}
	var mine placement.Claims[*appsv1.ControllerRevision] = placement.Claim(placement.OwnerOf(ds), selector, []*appsv1.ControllerRevision{
		{ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent-1", UID: "1", Labels: map[string]string{"app": "agent"}}},
	})
	fmt.Println(len(mine.Claimed), len(mine.Adopt), len(mine.Release))
	fmt.Println(names(mine.Adopt))
	// Output:
	// 1 1 0
	// [agent-1]
}

// names works for pods and revisions alike.
func names[T placement.Claimable](objects []T) []string {
	var all []string
	for _, object := range objects {
		all = append(all, object.GetName())
	}
	return all
}

// A guard against a mass removal: refuse a change that takes the agent from
// more than a tenth of the nodes at once.
func ExampleDiff() {
	ds, nodes := exampleObjects()
	before := placement.Compile(nil, placement.Options{})
	after := placement.Compile(&ds.Spec.Template, placement.Options{})
	var diff placement.Diff = placement.DiffTemplates(before, after, nodes)
	var lost []placement.NodeChange = diff.LostNow
	if had := len(diff.LostNow) + len(diff.LostAtRestart) + len(diff.Kept); len(lost)*10 > had {
		fmt.Printf("refused: %d of %d nodes lose the agent at once\n", len(lost), had)
	}
	// Output: refused: 1 of 2 nodes lose the agent at once
}

// Verdicts are words in JSON and YAML.
func ExampleVerdict_MarshalText() {
	text, _ := placement.KeepOnly.MarshalText()
	var back placement.Verdict
	fmt.Println(string(text), back.UnmarshalText(text), back == placement.KeepOnly)
	// Output: keep-only <nil> true
}

// The matcher is shared by whoever asks; the vocabulary is made once for a
// fleet. The label is that of the pods that a template generation marks.
func ExampleMatcher() {
	ds, nodes := exampleObjects()
	var matcher *placement.Matcher = placement.Compile(&ds.Spec.Template, placement.Options{})
	var vocabulary *placement.Vocabulary = placement.NewVocabulary(nodes)
	fmt.Println(matcher.Explain(nodes[0], vocabulary).Verdict, placement.TemplateGenerationLabel)
	// Output: eligible pod-template-generation
}

// String writes every value as one line, or a few.
func ExampleSummary() {
	var summary placement.Summary = placement.Summarize(placement.Compile(nil, placement.Options{}), nil)
	fmt.Println(summary.String())
	// Output: 0/0 nodes are eligible
}

func ExampleHint() {
	var code placement.HintCode = placement.HintUseExists
	fmt.Println(placement.Hint{Code: code, Key: "worker"})
	// Output: an empty value does not mean any value: use node affinity with worker Exists
}

// Explaining a whole fleet looks through its vocabulary once.
func ExampleExplainer() {
	ds, nodes := exampleObjects()
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	var explainer *placement.Explainer = matcher.Explainer(placement.NewVocabulary(nodes))
	for _, node := range nodes {
		for _, reason := range explainer.Explain(node).Reasons {
			fmt.Println(node.Name, reason)
		}
	}
	shape := placement.ShapeOf(nodes[0])
	shape.Labels = nil
	fmt.Println(explainer.ExplainShape(shape).Verdict)
	// Output:
	// control-plane taint node-role.kubernetes.io/control-plane:NoSchedule is not tolerated, add toleration node-role.kubernetes.io/control-plane:NoSchedule
	// worker-2 nodeSelector: wants kubernetes.io/os=linux, the node has no kubernetes.io/os
	// excluded
}

// The first cause and the one that decides, of a node that is drained and then
// taken out.
func ExampleMatcher_DecidingCause() {
	node := &corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{
		{Key: "drain", Effect: corev1.TaintEffectNoSchedule},
		{Key: "out", Effect: corev1.TaintEffectNoExecute},
	}}}
	matcher := placement.Compile(nil, placement.Options{})
	fmt.Println(matcher.Match(node), matcher.Cause(node), matcher.DecidingCause(node))
	fmt.Println(matcher.DecidingCauseShape(placement.ShapeOf(node)))
	// Output:
	// excluded taint drain:NoSchedule taint out:NoExecute
	// taint out:NoExecute
}

// The patches that a controller sends for what Claim says.
func ExampleAdoptPatch() {
	ds, _ := exampleObjects()
	owner := placement.OwnerOf(ds)
	fmt.Println(string(placement.AdoptPatch(owner, "pod-uid")))
	fmt.Println(string(placement.ReleasePatch(owner, "pod-uid")))
	// Output:
	// {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"agent","uid":"agent-uid","controller":true,"blockOwnerDeletion":true}],"uid":"pod-uid"}}
	// {"metadata":{"uid":"pod-uid","ownerReferences":[{"$patch":"delete","uid":"agent-uid"}]}}
}
