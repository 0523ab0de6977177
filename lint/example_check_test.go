package lint_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/lint"
)

// An agent that selects its nodes by a label that is spelled otherwise, and that can
// never be updated.
func ExampleCheck() {
	labels := map[string]string{"app": "agent"}
	none, one := intstr.FromInt32(0), intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: "agent", Namespace: "kube-system"},
		Spec: appsv1.DaemonSetSpec{
			Selector:        &metav1.LabelSelector{MatchLabels: labels},
			MinReadySeconds: 10,
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{RollingUpdate: &appsv1.RollingUpdateDaemonSet{
				MaxUnavailable: &none, MaxSurge: &one,
			}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					NodeSelector: map[string]string{"pool": "gpu"},
					Containers: []corev1.Container{{
						Name: "agent", Image: "example.com/agent:1",
						Ports: []corev1.ContainerPort{{ContainerPort: 9100, HostPort: 9100}},
					}},
				},
			},
		},
	}
	nodes := []*corev1.Node{
		{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{"pool": "gpu"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "n2", Labels: map[string]string{"pool": "GPU"}}},
	}
	for _, f := range lint.Check(ds, lint.Context{Nodes: nodes}) {
		fmt.Println(f.Severity, f.Rule)
		fmt.Println("  ", f.Field)
		fmt.Println("  ", f.Message)
		fmt.Println("  ", f.Suggestion)
	}
	// Output:
	// error surge-host-port
	//    spec.template.spec.containers[0].ports[0].hostPort
	//    with maxSurge the new pod waits for host port 9100, which the old pod keeps until the new one is ready
	//    use maxUnavailable instead of maxSurge, or no host port
	// warning label-spelling
	//    spec.template.spec.nodeSelector[pool]
	//    wants pool=gpu, and 1 node is left out for having pool=GPU: n2
	//    spell the label as the nodes do
	// warning no-resources
	//    spec.template.spec.containers[0].resources
	//    container agent asks for neither cpu nor memory
	//    set requests, so that the scheduler keeps room and the kubelet evicts others first
}

// The rules document themselves.
func ExampleRules() {
	for _, rule := range lint.Rules() {
		if rule.Severity == lint.Error && rule.Needs == lint.NeedsNothing {
			fmt.Printf("%s: %s\n", rule.ID, rule.Summary)
		}
	}
	// Output:
	// affinity-unparsable: a term of node affinity that does not parse or is empty
	// surge-host-port: surge with a port of the host
	// label-too-long: a label value of more than 63 characters
}

// A rule by its name: why it is there, and what it needs.
func ExampleRule() {
	for _, rule := range lint.Rules() {
		var rule lint.Rule = rule
		switch rule.Needs {
		case lint.NeedsOthers:
			fmt.Println(rule.ID, "needs the other DaemonSets:", rule.Why)
		case lint.NeedsNodes, lint.NeedsNothing:
		}
	}
	// Output:
	// selector-collision needs the other DaemonSets: Each may adopt pods that the other left behind, and tools that list by selector show both.
}

// Which rules stop a merge is for a team to say.
func ExampleRuleID() {
	stops := map[lint.RuleID]bool{}
	for _, id := range []lint.RuleID{
		// It will not run where it should, or not at all.
		lint.NoNode, lint.LabelSpelling, lint.NodeNameSet, lint.LandsOnWindows, lint.LandsOnVirtualNode, lint.AffinityUnparsable,
		lint.TolerationWithoutOperator, lint.MasterWithoutControlPlane, lint.DeprecatedLabel, lint.SelectorCollision, lint.LabelTooLong,
		// It will not roll.
		lint.SurgeHostPort, lint.SurgeHostNetwork, lint.SurgeExclusive, lint.MaxUnavailableFleet, lint.SlowRollout, lint.NoReadiness,
		lint.TopologySpread,
		// It costs more than it says.
		lint.NoResources, lint.LimitsOnly, lint.CostShare, lint.NoPriorityClass,
	} {
		stops[id] = true
	}
	off := []lint.RuleID{ // somebody has looked
		lint.MixedArchitectures, lint.ToleratesEverything, lint.OnDelete, lint.LabelNumber, lint.PrivilegedContainer, lint.HostNamespace,
	}
	agent := &appsv1.DaemonSet{}
	agent.Spec.Template.Spec.HostNetwork = true
	for _, f := range lint.Check(agent, lint.Context{Off: off}) {
		fmt.Println(f.Rule, stops[f.Rule])
	}
	fmt.Println(len(stops)+len(off) == len(lint.Rules()))
	// Output:
	// no-priority-class true
	// no-readiness true
	// true
}

// What a program does with severities.
func ExampleSeverity() {
	agent := &appsv1.DaemonSet{}
	agent.Spec.Template.Spec.HostPID = true
	counts := map[lint.Severity]int{lint.Error: 0, lint.Warning: 0, lint.Notice: 0}
	for _, f := range lint.Check(agent, lint.Context{}) {
		var finding lint.Finding = f
		counts[finding.Severity]++
	}
	fmt.Println(counts)
	// Output:
	// map[error:0 notice:1 warning:2]
}
