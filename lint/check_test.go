package lint_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
)

// healthy is a DaemonSet to which no rule has anything to say, and a fleet of three
// nodes.
func healthy() (*appsv1.DaemonSet, lint.Context) {
	ds := valid()
	ds.Spec.Template.Labels = maps.Clone(ds.Spec.Template.Labels) // not those of the selector
	c := &ds.Spec.Template.Spec.Containers[0]
	c.Resources.Requests = resources("cpu", "100m", "memory", "100Mi")
	c.ReadinessProbe = &corev1.Probe{}
	return ds, lint.Context{Nodes: []*corev1.Node{member("n1"), member("n2"), member("n3")}, MaxRollout: time.Hour}
}

func resources(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// member is a node of the healthy fleet.
func member(name string, labels ...string) *corev1.Node {
	n := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}},
		Status:     corev1.NodeStatus{Allocatable: resources("cpu", "2", "memory", "4Gi", "pods", "110")},
	}
	for i := 0; i < len(labels); i += 2 {
		n.Labels[labels[i]] = labels[i+1]
	}
	return n
}

func tainted(n *corev1.Node, key, value string, effect corev1.TaintEffect) *corev1.Node {
	n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
	return n
}

// A ruleCase changes the healthy DaemonSet or its fleet. Field is where the rule
// then finds something; empty where it stays silent.
type ruleCase struct {
	name   string
	field  string
	change func(*appsv1.DaemonSet, *lint.Context)
}

// spec returns a change of the pod spec alone.
func spec(change func(*corev1.PodSpec)) func(*appsv1.DaemonSet, *lint.Context) {
	return func(ds *appsv1.DaemonSet, _ *lint.Context) { change(&ds.Spec.Template.Spec) }
}

// tolerated and selecting are frequent changes of a pod spec.
func tolerated(list ...corev1.Toleration) func(*appsv1.DaemonSet, *lint.Context) {
	return spec(func(s *corev1.PodSpec) { s.Tolerations = list })
}

func selecting(key, value string) func(*appsv1.DaemonSet, *lint.Context) {
	return spec(func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{key: value} })
}

// wanting sets the terms of the required node affinity.
func wanting(terms ...corev1.NodeSelectorTerm) func(*appsv1.DaemonSet, *lint.Context) {
	return spec(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	})
}

func term(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
}

// fleet adds nodes.
func fleet(nodes ...*corev1.Node) func(*appsv1.DaemonSet, *lint.Context) {
	return func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = append(c.Nodes, nodes...) }
}

func all(changes ...func(*appsv1.DaemonSet, *lint.Context)) func(*appsv1.DaemonSet, *lint.Context) {
	return func(ds *appsv1.DaemonSet, c *lint.Context) {
		for _, change := range changes {
			change(ds, c)
		}
	}
}

func surging(surge int32) func(*appsv1.DaemonSet, *lint.Context) {
	return func(ds *appsv1.DaemonSet, _ *lint.Context) {
		ds.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: number(0), MaxSurge: number(surge)}
	}
}

// TestRules holds every rule to a case that fires and one that does not: a rule
// without both fails.
func TestRules(t *testing.T) {
	fires, silent := map[lint.RuleID]int{}, map[lint.RuleID]int{}
	known := map[lint.RuleID]bool{}
	for _, r := range lint.Rules() {
		assert.False(t, known[r.ID], "%s is there twice", r.ID)
		known[r.ID] = true
		for _, c := range ruleCases[r.ID] {
			if c.field == "" {
				silent[r.ID]++
			} else {
				fires[r.ID]++
			}
			t.Run(string(r.ID)+"/"+c.name, func(t *testing.T) {
				ds, ctx := healthy()
				c.change(ds, &ctx)
				var fields []string
				for _, f := range lint.Check(ds, ctx) {
					if f.Rule != r.ID {
						continue
					}
					fields = append(fields, f.Field)
					assert.Equal(t, r.Severity, f.Severity)
					assert.NotEmpty(t, f.Message)
					assert.NotEmpty(t, f.Suggestion)
				}
				var want []string
				if c.field != "" {
					want = strings.Fields(c.field)
				}
				assert.Equal(t, want, fields)

				ctx.Off = []lint.RuleID{r.ID}
				assert.False(t, slices.ContainsFunc(lint.Check(ds, ctx), func(f lint.Finding) bool { return f.Rule == r.ID }), "it is off")
				switch ctx.Off = nil; r.Needs {
				case lint.NeedsNodes:
					ctx.Nodes = nil
				case lint.NeedsOthers:
					ctx.Others = nil
				default:
					return
				}
				assert.False(t, slices.ContainsFunc(lint.Check(ds, ctx), func(f lint.Finding) bool { return f.Rule == r.ID }), "it lacks what it needs")
			})
		}
		assert.Positive(t, fires[r.ID], "%s has no case that fires", r.ID)
		assert.Positive(t, silent[r.ID], "%s has no case that does not", r.ID)
		assert.Contains(t, []lint.Severity{lint.Error, lint.Warning, lint.Notice}, r.Severity)
		assert.NotEmpty(t, r.Summary)
		assert.NotEmpty(t, r.Why)
		assert.Regexp(t, `^https://`, r.Source)
	}
	for id := range ruleCases {
		assert.True(t, known[id], "no rule is called %s", id)
	}
}

func TestHealthy(t *testing.T) {
	ds, c := healthy()
	assert.Nil(t, lint.Check(ds, c))
	assert.Nil(t, lint.Check(ds, lint.Context{}))
	assert.Nil(t, lint.Check(nil, c))
}

func TestCheckOrder(t *testing.T) {
	ds, c := healthy()
	all(selecting("beta.kubernetes.io/os", "linux"), surging(1), spec(func(s *corev1.PodSpec) {
		s.HostNetwork, s.HostPID = true, true
		s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
	}))(ds, &c)
	var got []string
	for _, f := range lint.Check(ds, c) {
		got = append(got, string(f.Severity)+" "+string(f.Rule)+" "+f.Field)
	}
	assert.Equal(t, []string{
		"error surge-host-port spec.template.spec.containers[0].ports[0].containerPort",
		"warning deprecated-label spec.template.spec.nodeSelector[beta.kubernetes.io/os]",
		"warning no-node spec.template.spec.nodeSelector[beta.kubernetes.io/os]",
		"warning no-priority-class spec.template.spec.priorityClassName",
		"notice host-namespace spec.template.spec.hostNetwork",
		"notice host-namespace spec.template.spec.hostPID",
	}, got)
}

// The options of placement reach the rules.
func TestCheckPlacement(t *testing.T) {
	ds, c := healthy()
	c.Placement.Predicates = []placement.Predicate{{Code: "example.com/none", Test: func(placement.Shape) bool { return false }}}
	found := lint.Check(ds, c)
	assert.Len(t, found, 1)
	assert.Equal(t, "warning: spec.template.spec: 0/3 nodes are eligible: 3 example.com/none (keep-only) (no-node)", found[0].String())
}
