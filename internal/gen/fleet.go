package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fleet makes n nodes as an informer of a large cluster holds them: about 20
// labels each, every string an allocation of its own, one node in ten tainted
// as dedicated, one in fifty cordoned, in no order. The same seed makes the
// same fleet.
func Fleet(n int, seed uint64) []*corev1.Node {
	r := rand.New(rand.NewPCG(seed, seed))
	nodes := make([]*corev1.Node, n)
	for i := range nodes {
		nodes[i] = fleetNode(r, i)
	}
	r.Shuffle(n, func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	return nodes
}

func fleetNode(r *rand.Rand, i int) *corev1.Node {
	name := fmt.Sprintf("ip-10-%d-%d-%d.internal.example", i>>16, i>>8&255, i&255)
	zone := "region-1" + string(rune('a'+r.IntN(3)))
	size := []string{"large", "xlarge", "2xlarge", "4xlarge"}[r.IntN(4)]
	pool := []string{"general", "batch", "edge", "gpu"}[min(r.IntN(20)/5, 3)]
	labels := map[string]string{}
	for key, value := range map[string]string{
		corev1.LabelHostname:                     name,
		corev1.LabelOSStable:                     []string{"linux", "linux", "linux", "linux", "linux", "linux", "linux", "linux", "linux", "windows"}[r.IntN(10)],
		corev1.LabelArchStable:                   []string{"amd64", "amd64", "amd64", "arm64"}[r.IntN(4)],
		"beta.kubernetes.io/os":                  "linux",
		"beta.kubernetes.io/arch":                "amd64",
		corev1.LabelInstanceTypeStable:           "m5." + size,
		"beta.kubernetes.io/instance-type":       "m5." + size,
		corev1.LabelTopologyZone:                 zone,
		corev1.LabelTopologyRegion:               "region-1",
		"failure-domain.beta.kubernetes.io/zone": zone,
		"node.example.com/pool":                  pool,
		"node.example.com/generation":            fmt.Sprint(1 + r.IntN(9)),
		"node.example.com/capacity-type":         []string{"on-demand", "spot"}[r.IntN(2)],
		"node.example.com/instance-family":       "m5",
		"node.example.com/instance-cpu":          fmt.Sprint(2 << r.IntN(5)),
		"node.example.com/instance-memory":       fmt.Sprint(8192 << r.IntN(5)),
		"node.example.com/image":                 fmt.Sprintf("image-%08x", r.Uint32()),
		"storage.example.com/local-ssd":          []string{"true", "false"}[r.IntN(2)],
		"cni.example.com/ready":                  "true",
		"team.example.com/owner":                 fmt.Sprintf("team-%d", r.IntN(40)),
	} {
		labels[strings.Clone(key)] = strings.Clone(value)
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: strings.Clone(name), Labels: labels}}
	if r.IntN(10) == 0 {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key: strings.Clone("dedicated"), Value: strings.Clone(pool), Effect: corev1.TaintEffect(strings.Clone("NoSchedule")),
		})
	}
	if r.IntN(50) == 0 {
		node.Spec.Unschedulable = true
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key: strings.Clone(corev1.TaintNodeUnschedulable), Effect: corev1.TaintEffect(strings.Clone("NoSchedule")),
		})
	}
	return node
}

// FleetTemplates are five templates for a [Fleet], by name, from the simplest
// to the dearest; FleetTemplateNames is their order.
func FleetTemplates() map[string]*corev1.PodTemplateSpec {
	require := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
	}
	template := func(selector map[string]string, terms ...corev1.NodeSelectorTerm) *corev1.PodTemplateSpec {
		t := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: selector}}
		if terms != nil {
			t.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
			}}
		}
		return t
	}
	term := func(r ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: r}
	}
	linux := map[string]string{corev1.LabelOSStable: "linux"}
	return map[string]*corev1.PodTemplateSpec{
		"none":     template(nil),
		"selector": template(linux),
		"affinity": template(nil, term(require(corev1.LabelArchStable, corev1.NodeSelectorOpIn, "amd64"))),
		"selector+2": template(linux, term(
			require(corev1.LabelArchStable, corev1.NodeSelectorOpIn, "amd64", "arm64"),
			require("node.example.com/pool", corev1.NodeSelectorOpNotIn, "edge"),
		)),
		"2terms": template(nil,
			term(require("node.example.com/generation", corev1.NodeSelectorOpGt, "4"), require("storage.example.com/local-ssd", corev1.NodeSelectorOpIn, "true")),
			term(require(corev1.LabelTopologyZone, corev1.NodeSelectorOpIn, "region-1a", "region-1b")),
		),
	}
}

// FleetTemplateNames names the templates in the order of a table.
var FleetTemplateNames = []string{"none", "selector", "affinity", "selector+2", "2terms"}
