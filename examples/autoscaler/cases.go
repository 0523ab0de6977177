package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// knownCase is one way in which an autoscaler can go wrong.
type knownCase struct {
	title string
	// source is where people met it.
	source     string
	daemonSets []*appsv1.DaemonSet
	options    cost.Options
	asks       []ask
	// elsewhere is what others make of it.
	elsewhere string
}

// ask is a question about one node that does not exist: of a shape, or, where its
// labels are not all known, of a domain.
type ask struct {
	about    string
	shape    placement.Shape
	domain   *cost.Domain
	question cost.Question
}

// The labels and taints of the cases.
const (
	instanceType = "node.kubernetes.io/instance-type"
	registered   = "lifecycle/registered"
	cpuLabel     = "size/cpu"
	gpuLabel     = "accelerator"
)

var (
	cordoned       = corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	memoryPressure = corev1.Taint{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule}
	batch          = corev1.Taint{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule}
	scaleDown      = corev1.Taint{Key: "scaledown/pending", Value: "1", Effect: corev1.TaintEffectNoSchedule}
	starting       = corev1.Taint{Key: "startup/agent-missing", Effect: corev1.TaintEffectNoSchedule}
)

// labelled is the shape of a node with one label.
func labelled(key, value string) placement.Shape {
	return placement.Shape{Labels: map[string]string{key: value}}
}

// tainted is the shape of a node with taints only.
func tainted(taints ...corev1.Taint) placement.Shape { return placement.Shape{Taints: taints} }

// knownCases are in the order of the output.
var knownCases = []knownCase{
	{
		title:  "Affinity terms in either order",
		source: "kubernetes-sigs/karpenter#1337",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("a-or-b", "100m", requires("type", corev1.NodeSelectorOpIn, "a"), requires("type", corev1.NodeSelectorOpIn, "b")),
			daemonSet("b-or-a", "100m", requires("type", corev1.NodeSelectorOpIn, "b"), requires("type", corev1.NodeSelectorOpIn, "a")),
		},
		asks: []ask{
			{about: "type a", shape: labelled("type", "a")},
			{about: "type b", shape: labelled("type", "b")},
			{about: "type c", shape: labelled("type", "c")},
		},
		elsewhere: "Karpenter looks at the first term only on nodes that exist, and for new ones drops terms from a pod that the instance types share, so that the order of types decides.",
	},
	{
		title:      "A cordoned node, and a DaemonSet without pods",
		source:     "Karpenter, isDaemonPodCompatible",
		daemonSets: []*appsv1.DaemonSet{daemonSet("agent", "100m")},
		asks: []ask{
			{about: "unschedulable", shape: tainted(cordoned)},
			{about: "unschedulable, memory-pressure", shape: tainted(cordoned, memoryPressure)},
			{about: "unschedulable, dedicated=batch", shape: tainted(cordoned, batch)},
		},
		elsewhere: "Karpenter takes the tolerations from a pod that exists. Without one it takes the template, in which those that the controller adds are missing, and does not count the DaemonSet on such nodes.",
	},
	{
		title:  "A template without a name",
		source: "k8s.io/component-helpers, nodeaffinity",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("avoiding", "100m", requires(metav1.ObjectNameField, corev1.NodeSelectorOpNotIn, "node-7")),
			daemonSet("pinned", "2", requires(metav1.ObjectNameField, corev1.NodeSelectorOpIn, "node-7")),
		},
		asks: []ask{
			{about: "no name", shape: placement.Shape{}},
			{about: "named node-7", shape: placement.Shape{Name: "node-7"}},
		},
		elsewhere: "The helper of Kubernetes skips matchFields when the node has no name, so that pinned runs on every template. Cluster-autoscaler makes up a name; Karpenter ignores matchFields and prices every node.",
	},
	{
		title:      "Taints that will be gone",
		source:     "kubernetes/autoscaler#5659",
		daemonSets: []*appsv1.DaemonSet{daemonSet("agent", "100m")},
		asks: []ask{
			{about: "copied from a node that starts", shape: tainted(scaleDown, starting)},
			{about: "without those taints", shape: tainted(scaleDown, starting), question: cost.Question{
				IgnoreTaints: []corev1.Taint{{Key: scaleDown.Key}, {Key: starting.Key}},
			}},
		},
		elsewhere: "A template copied from a node that is starting or on its way out counts too few DaemonSets, and the new node is too small. Cluster-autoscaler removes such taints first.",
	},
	{
		title:  "Labels that come after the start",
		source: "kubernetes-sigs/karpenter#919",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("post-join", "2", selects(registered, "true")),
			daemonSet("proxy", "100m"),
		},
		asks: []ask{
			{about: "as launched", shape: placement.Shape{}},
			{about: "once it has joined", shape: placement.Shape{}, question: cost.Question{
				AssumeLabels: map[string]string{registered: "true"},
			}},
		},
		elsewhere: "The strict answer picks a machine that is too small for what comes once it has joined. PR 2161 of Karpenter is about two such labels of its own.",
	},
	{
		title:  "A label that is not known yet",
		source: "kubernetes-sigs/karpenter#2838",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("agent", "100m"),
			daemonSet("local-cache", "400m", requires(instanceType, corev1.NodeSelectorOpIn, "m-large")),
		},
		asks: []ask{
			{about: "m-large", shape: labelled(instanceType, "m-large")},
			{about: "m-xlarge", shape: labelled(instanceType, "m-xlarge")},
			{about: "m-large or m-xlarge", domain: &cost.Domain{Labels: map[string]cost.Values{
				instanceType: {In: []string{"m-large", "m-xlarge"}},
			}}},
		},
		elsewhere: "One answer for a pool of several types is wrong for some of them. The issue was open in August 2026; the third answer names the label to ask about.",
	},
	{
		title:  "A toleration for everything",
		source: "kubernetes-sigs/karpenter#1749",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("accel", "300m", selects("accel", "yes")),
			daemonSet("agent", "200m", toleratesAll),
			daemonSet("logs", "100m"),
		},
		asks: []ask{
			{about: "the general pool", shape: placement.Shape{}},
			{about: "the batch pool", shape: tainted(batch)},
		},
		elsewhere: `In the issue a DaemonSet with "operator: Exists" came out as an overhead of {"pods":"0"}.`,
	},
	{
		title:      "Limits without requests",
		source:     "aws/karpenter-provider-aws#1573",
		daemonSets: []*appsv1.DaemonSet{daemonSet("agent", "500m", limitsOnly)},
		asks:       []ask{{about: "any", shape: placement.Shape{}}},
		elsewhere:  "The API server copies limits to requests, on pods and not on templates. Cluster-autoscaler prices a DaemonSet that is not running yet by its template: 0.",
	},
	{
		title:      "Sized by a pod, placed by the template",
		source:     "kubernetes-sigs/karpenter#532",
		daemonSets: []*appsv1.DaemonSet{daemonSet("agent", "250m", requires("pool", corev1.NodeSelectorOpIn, "a"))},
		// A pod of the agent's on node-7, to which a webhook has given more.
		options: cost.Options{Pod: &corev1.Pod{
			Spec: daemonSet("", "400m", requires(metav1.ObjectNameField, corev1.NodeSelectorOpIn, "node-7")).Spec.Template.Spec,
		}},
		asks: []ask{
			{about: "pool a", shape: labelled("pool", "a")},
			{about: "pool b", shape: labelled("pool", "b")},
		},
		elsewhere: "The affinity of a pod names one node. Whoever places new pods by it finds no node, and whoever drops it finds every node.",
	},
	{
		title:  "More pods than there is room for",
		source: "aws/karpenter-provider-aws#7938",
		daemonSets: []*appsv1.DaemonSet{
			daemonSet("d1", "10m"), daemonSet("d2", "10m"), daemonSet("d3", "10m"),
			daemonSet("d4", "10m"), daemonSet("d5", "10m"),
		},
		asks: []ask{{about: "room for 4 pods", shape: placement.Shape{Allocatable: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("4"),
		}}}},
		elsewhere: "Who sums up CPU and memory alone takes a machine that cannot even hold its DaemonSets.",
	},
}

// typeDaemonSets are split by the size of machines, as in karpenter#715.
var typeDaemonSets = []*appsv1.DaemonSet{
	daemonSet("agent", "50m", toleratesAll),
	daemonSet("gpu-driver", "500m", selects(gpuLabel, "gpu")),
	daemonSet("large", "900m", requires(cpuLabel, corev1.NodeSelectorOpGt, "8")),
	daemonSet("small", "100m", requires(cpuLabel, corev1.NodeSelectorOpLt, "9")),
}

// instanceTypes are families and sizes as a cloud has them.
func instanceTypes() []placement.Shape {
	var types []placement.Shape
	for family := range 30 {
		for _, cpu := range []int{2, 4, 8, 16, 32, 48, 64, 96} {
			labels := map[string]string{
				instanceType: fmt.Sprintf("f%02d-%d", family, cpu),
				cpuLabel:     fmt.Sprint(cpu),
			}
			if family%10 == 9 {
				labels[gpuLabel] = "gpu"
			}
			types = append(types, placement.Shape{Labels: labels})
		}
	}
	return types
}
