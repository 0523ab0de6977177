package cost_test

import (
	"errors"
	"fmt"
	"math"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// exampleDaemonSet has one container with these requests.
func exampleDaemonSet(name, cpu, memory string) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: name, UID: types.UID(name)}}
	ds.Spec.Template.Spec.Containers = []corev1.Container{{
		Name: "main", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory),
		}},
	}}
	return ds
}

func compiled(ds *appsv1.DaemonSet, o cost.Options) *cost.Daemon {
	d, err := cost.Compile(ds, o)
	if err != nil {
		panic(err)
	}
	return d
}

func exampleNode(name, pool, cpu string) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"pool": pool}}}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourcePods: resource.MustParse("110")}
	return node
}

// A template whose container has a limit only, with all that a cluster adds to it.
func ExampleCompile() {
	ds := exampleDaemonSet("agent", "100m", "128Mi")
	spec := &ds.Spec.Template.Spec
	spec.Containers[0].Resources = corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}}
	gvisor := "gvisor"
	spec.RuntimeClassName = &gvisor
	spec.PriorityClassName = "node-agents"
	spec.HostNetwork = true
	spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 9100}}
	spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}}

	fmt.Println(compiled(ds, cost.Options{}))
	d := compiled(ds, cost.Options{Admission: cost.Admission{
		LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypeContainer, Default: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}},
		}}}},
		RuntimeClasses: []*nodev1.RuntimeClass{{
			ObjectMeta: metav1.ObjectMeta{Name: "gvisor"},
			Overhead:   &nodev1.Overhead{PodFixed: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("16Mi")}},
		}},
		PriorityClasses: []*schedulingv1.PriorityClass{{ObjectMeta: metav1.ObjectMeta{Name: "node-agents"}, Value: 1000}},
	}})
	fmt.Println(d)
	fmt.Println("limits:", d.Limits)
	var port cost.HostPort = d.Ports[0]
	fmt.Println(port, port.Conflicts(cost.HostPort{IP: "10.0.0.1", Protocol: corev1.ProtocolTCP, Port: 9100}), len(d.Claims), d.Priority, d.Preempts, d.Refused)
	// Output:
	// kube-system/agent: cpu 100m, pods 1
	// kube-system/agent: cpu 100m, memory 80Mi, pods 1
	// limits: cpu 100m, memory 80Mi
	// TCP 9100 true 1 1000 true []
}

// An owner of another kind, sized by a pod that a VPA has made.
func ExampleCompileTemplate() {
	ds := exampleDaemonSet("agent", "100m", "128Mi")
	kruise := placement.OwnerOf(ds)
	kruise.Kind.Group = "apps.kruise.io"
	sized := &corev1.Pod{Spec: exampleDaemonSet("agent", "250m", "1Gi").Spec.Template.Spec}
	d, err := cost.CompileTemplate(kruise, &ds.Spec.Template, cost.Options{Pod: sized})
	fmt.Println(d, err)
	// Output: kube-system/agent: cpu 250m, memory 1Gi, pods 1 <nil>
}

// What the API server makes of a pod, and what it refuses it for.
func ExampleAdmit() {
	pod := &corev1.Pod{Spec: exampleDaemonSet("agent", "100m", "128Mi").Spec.Template.Spec}
	pod.Spec.PriorityClassName = "no-such-class"
	admitted, refused := cost.Admit(pod, cost.Admission{PriorityClasses: []*schedulingv1.PriorityClass{}})
	fmt.Println(admitted.Spec.PriorityClassName, refused)
	// Output: no-such-class [spec.priorityClassName: Not found: "no-such-class"]
}

// 100m and 128Mi on 200 nodes.
func ExampleResources() {
	d := compiled(exampleDaemonSet("agent", "100m", "128Mi"), cost.Options{})
	fleet, err := d.Requests.Times(200)
	fmt.Println(fleet, err)
	var cpu cost.Amount = fleet[0]
	q := cpu.Quantity()
	memory := fleet.Get(corev1.ResourceMemory)
	fmt.Println(cpu.Name, q.String(), memory.String(), len(fleet.List()))

	_, err = d.Requests.Times(math.MaxInt64)
	fmt.Println(errors.Is(err, cost.ErrOverflow), err)

	small, err := cost.ResourcesOf(corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("50m")}, nil)
	fmt.Println(small, err)
	sum, _ := d.Requests.Plus(small)
	difference, _ := small.Minus(d.Requests)
	fmt.Println(sum, "|", difference)
	fmt.Println(small.Max(d.Requests), "|", small.Min(d.Requests))
	over, _ := d.Requests.Over(small)
	fmt.Println(over)
	// Output:
	// cpu 20, memory 25Gi, pods 200 <nil>
	// cpu 20 25Gi 3
	// true cost: sum out of range: memory
	// cpu 50m <nil>
	// cpu 150m, memory 128Mi, pods 1 | cpu -50m, memory -128Mi, pods -1
	// cpu 100m, memory 128Mi, pods 1 | cpu 50m
	// cpu 50m, memory 128Mi, pods 1
}

// The same agent is a tenth of a small node, and little of a large one.
func ExampleShare() {
	d := compiled(exampleDaemonSet("agent", "200m", "128Mi"), cost.Options{})
	for _, cpu := range []string{"2", "64", "0"} {
		allocatable, err := cost.ResourcesOf(exampleNode("n", "", cpu).Status.Allocatable, nil)
		if err != nil {
			panic(err)
		}
		var share cost.Ratio = cost.Share(d.Requests, allocatable)[0]
		fmt.Println(share, share.Defined, share.PerMille)
	}
	// Output:
	// cpu 10.0% true 100
	// cpu 0.3% true 3
	// cpu undefined false 0
}

// A pod that is being resized takes the greater of both sizes.
func ExampleRequestsOf() {
	pod := &corev1.Pod{Spec: exampleDaemonSet("agent", "200m", "128Mi").Spec.Template.Spec}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Resources: &corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("256Mi")},
	}}}
	requests, err := cost.RequestsOf(pod, nil)
	fmt.Println(requests, err)
	// Output: cpu 200m, memory 256Mi, pods 1 <nil>
}

// exampleSet has an agent everywhere, even in a pool of its own, a log shipper, and a
// driver for nodes with a label that they get after their start.
func exampleSet() *cost.Set {
	agent := exampleDaemonSet("agent", "200m", "128Mi")
	agent.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	driver := exampleDaemonSet("driver", "2", "1Gi")
	driver.Spec.Template.Spec.NodeSelector = map[string]string{"accelerator": "gpu"}
	driver.Spec.Template.Spec.PriorityClassName = "system-node-critical"
	return cost.NewSet([]*cost.Daemon{
		compiled(exampleDaemonSet("logs", "100m", "64Mi"), cost.Options{}),
		compiled(driver, cost.Options{}), compiled(agent, cost.Options{}),
	})
}

// A node that does not exist yet.
func ExampleSet_Overhead() {
	set := exampleSet()
	batch := placement.Shape{Taints: []corev1.Taint{{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule}}}
	critical := int32(2_000_000_000)
	for _, q := range []cost.Question{
		{},
		{IgnoreTaints: []corev1.Taint{{Key: "dedicated"}}},
		{IgnoreTaints: []corev1.Taint{{Key: "dedicated"}}, AssumeLabels: map[string]string{"accelerator": "gpu"}},
		{AssumeLabels: map[string]string{"accelerator": "gpu"}, IgnoreTaints: batch.Taints, Filter: cost.Filter{MinPriority: &critical, NoClaims: true}},
		{Filter: cost.Filter{Keep: func(d *cost.Daemon) bool { return d.Key.Name != "agent" }}},
	} {
		var overhead cost.Overhead
		overhead, err := set.Overhead(batch, q)
		if err != nil {
			panic(err)
		}
		var claims []cost.Claim = overhead.Claims
		fmt.Println(overhead, len(overhead.Ports), len(claims))
	}
	// Output:
	// kube-system/agent: cpu 200m, memory 128Mi, pods 1 0 0
	// kube-system/agent, kube-system/logs: cpu 300m, memory 192Mi, pods 2 0 0
	// kube-system/agent, kube-system/driver, kube-system/logs: cpu 2300m, memory 1216Mi, pods 3 0 0
	// kube-system/driver: cpu 2, memory 1Gi, pods 1 0 0
	// no daemons 0 0
}

// Shapes by the DaemonSets that run there, and the same as bits.
func ExampleSet_Group() {
	set := exampleSet()
	labels, exact := set.Reads()
	fmt.Println(labels, exact)
	shapes := []placement.Shape{
		{Labels: map[string]string{"size": "small"}},
		{Labels: map[string]string{"size": "small", "accelerator": "gpu"}},
		{Labels: map[string]string{"size": "large"}},
	}
	var groups []cost.Group
	groups, err := set.Group(shapes, cost.Question{})
	if err != nil {
		panic(err)
	}
	for _, g := range groups {
		fmt.Println(g.Shapes, g.Requests)
	}
	var bits cost.Bits
	bits = set.Match(shapes[0], bits)
	for i, d := range set.Daemons() {
		fmt.Println(d.Key.Name, bits.Has(i))
	}
	for i := range bits.All() {
		fmt.Print(i, " ")
	}
	fmt.Println("of", bits.Len())
	// Output:
	// [accelerator] true
	// [1] cpu 2300m, memory 1216Mi, pods 3
	// [0 2] cpu 300m, memory 192Mi, pods 2
	// agent true
	// driver false
	// logs true
	// 0 2 of 2
}

// A pool that may or may not have the driver's label.
func ExampleSet_On() {
	domain := cost.Domain{
		Labels: map[string]cost.Values{
			"accelerator": {In: []string{"gpu", "tpu"}, Presence: cost.Optional},
			"spot":        {Presence: cost.Absent},
		},
		Unnamed: cost.UnnamedAny,
	}
	var bounds cost.DomainOverhead
	bounds, err := exampleSet().On(domain, cost.Question{})
	if err != nil {
		panic(err)
	}
	fmt.Println("least:", bounds.Least.Requests)
	fmt.Println("most:", bounds.Most.Requests)
	var open cost.DaemonAnswer = bounds.Depends[0]
	fmt.Println(open.Daemon.Key, open.Answer)
	fmt.Println(domain.Contains(map[string]string{"accelerator": "gpu", "other": "x"}), domain.Contains(map[string]string{"spot": "true"}))
	// Output:
	// least: cpu 300m, memory 192Mi, pods 2
	// most: cpu 2300m, memory 1216Mi, pods 3
	// kube-system/driver depends on accelerator
	// true false
}

// One DaemonSet, for machines of more than eight CPUs.
func ExampleDaemon_On() {
	ds := exampleDaemonSet("large", "900m", "1Gi")
	ds.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "cpu", Operator: corev1.NodeSelectorOpGt, Values: []string{"8"}}},
		}}},
	}}
	d := compiled(ds, cost.Options{})
	sixteen, eight := int64(16), int64(8)
	for _, values := range []cost.Values{{Min: &sixteen}, {Max: &eight}, {Max: &sixteen}, {Presence: cost.Present}} {
		var answer cost.Answer
		answer, err := d.On(cost.Domain{Labels: map[string]cost.Values{"cpu": values}, Unnamed: cost.UnnamedAbsent})
		if err != nil {
			panic(err)
		}
		fmt.Println(answer, answer.Verdict == cost.Yes, answer.Verdict == cost.No, answer.Verdict == cost.Depends)
	}
	var verdict cost.Verdict
	var presence cost.Presence
	var unnamed cost.Unnamed
	fmt.Println(verdict, presence == cost.Present, unnamed == cost.UnnamedAbsent)
	_, err := d.On(cost.Domain{Labels: map[string]cost.Values{"cpu": {In: []string{"8"}, NotIn: []string{"8"}}}})
	fmt.Println(err)
	// Output:
	// yes true false false
	// no false true false
	// depends on cpu false false true
	// depends on cpu false false true
	// no true true
	// cost: labels[cpu]: Invalid value: no value is left
}

// Three nodes in two pools. A rollout doubles one, another waits for its pod.
func ExampleFleet() {
	d := compiled(exampleDaemonSet("agent", "200m", "128Mi"), cost.Options{})
	pod := func(name, node, hash string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: hash}}}
		p.Spec = exampleDaemonSet("agent", "200m", "128Mi").Spec.Template.Spec
		p.Spec.NodeName = node
		return p
	}
	nodes := []*corev1.Node{exampleNode("a-1", "a", "2"), exampleNode("a-2", "a", "2"), exampleNode("b-1", "b", "64")}
	workloads := []cost.Workload{{
		Daemon:  d,
		Pods:    []*corev1.Pod{pod("x", "a-1", "old"), pod("y", "a-1", "new"), pod("z", "b-1", "new")},
		Reading: placement.Reading{Revision: "new"},
	}}
	var report cost.Report
	report, err := cost.Fleet(nodes, workloads, cost.Grouping{Label: "pool"})
	if err != nil {
		panic(err)
	}
	var node cost.NodeCost = report.Nodes[0]
	var sums cost.Sums = node.Sums
	fmt.Println(node.Name, "present", sums.Present, "| surge", sums.Surge, "| old", sums.OldRevision)
	var groups []cost.GroupCost = report.Groups
	for _, g := range groups {
		fmt.Println(g.Name, g.Nodes, "expected", g.Expected, cost.Share(g.Expected, g.Allocatable)[0])
	}
	var total cost.Total = report.Total
	fmt.Println("expected", total.Expected)
	fmt.Println("missing", total.Missing)
	fmt.Println("reserved", total.Reserved)

	var lines []cost.DaemonCost
	lines, err = cost.Lines(nodes[1], workloads)
	fmt.Println(lines[0].Daemon.Key, lines[0].Missing, err)
	// Output:
	// a-1 present cpu 200m, memory 128Mi, pods 1 | surge cpu 200m, memory 128Mi, pods 1 | old cpu 200m, memory 128Mi, pods 1
	// a 2 expected cpu 400m, memory 256Mi, pods 2 cpu 10.0%
	// b 1 expected cpu 200m, memory 128Mi, pods 1 cpu 0.3%
	// expected cpu 600m, memory 384Mi, pods 3
	// missing cpu 200m, memory 128Mi, pods 1
	// reserved cpu 600m, memory 384Mi, pods 3
	// kube-system/agent cpu 200m, memory 128Mi, pods 1 <nil>
}

// A new template that asks for more and leaves a pool, with a surge.
func ExampleCompare() {
	nodes := []*corev1.Node{exampleNode("a-1", "a", "2"), exampleNode("a-2", "a", "2"), exampleNode("b-1", "b", "64")}
	bigger := exampleDaemonSet("agent", "300m", "128Mi")
	bigger.Spec.Template.Spec.NodeSelector = map[string]string{"pool": "a"}
	surge := intstr.FromString("10%")
	var change cost.Change
	change, err := cost.Compare(
		cost.Side{Daemon: compiled(exampleDaemonSet("agent", "200m", "128Mi"), cost.Options{}), Nodes: nodes},
		cost.Side{Daemon: compiled(bigger, cost.Options{}), Nodes: nodes},
		cost.Rollout{MaxSurge: &surge})
	if err != nil {
		panic(err)
	}
	fmt.Print(change)
	fmt.Println("a node:", change.NodePeak)
	// Output:
	// 2 kept, 0 gained, 1 lost, 0 lost at the next restart
	// before: cpu 600m, memory 384Mi, pods 3
	// after: cpu 600m, memory 256Mi, pods 2
	// difference: memory -128Mi, pods -1
	// peak: cpu 1, memory 512Mi, pods 4, with 1 nodes doubled
	// a node: cpu 500m, memory 256Mi, pods 2
}

// 50Mi too much on 200 nodes.
func ExampleRecommend() {
	d := compiled(exampleDaemonSet("agent", "100m", "128Mi"), cost.Options{})
	usage, err := cost.ResourcesOf(corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("65Mi")}, nil)
	if err != nil {
		panic(err)
	}
	var better cost.Recommendation
	better, err = cost.Recommend(d, usage, 200, cost.Sizing{HeadroomPercent: 20})
	fmt.Println(better.Requests, "|", better.PerPod, "|", better.All, err)
	// Output: cpu 100m, memory 78Mi, pods 1 | memory 50Mi | memory 10000Mi <nil>
}
