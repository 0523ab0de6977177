package drain_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/drain"
	"github.com/daemonplan/daemonplan/rollout"
)

func TestReturn(t *testing.T) {
	ds := set("agent")
	onDelete := set("agent")
	onDelete.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
	deleting := set("agent")
	deleting.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
	name := types.NamespacedName{Namespace: "ns", Name: "agent"}
	cordoned := taint(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule)
	infra, evict := taint("infra", corev1.TaintEffectNoSchedule), taint("gone", corev1.TaintEffectNoExecute)
	p := pod(ds, "p")
	for _, c := range []struct {
		name  string
		ds    *appsv1.DaemonSet
		node  *corev1.Node
		pod   *corev1.Pod
		other []*corev1.Pod
		want  drain.Return
	}{
		{"a cordoned node", ds, node(cordoned), p, nil, drain.Return{Outcome: drain.Recreated, DaemonSet: name}},
		{"OnDelete", onDelete, node(), p, nil, drain.Return{Outcome: drain.Recreated, DaemonSet: name}},
		{"no longer eligible", ds, node(infra), p, nil, drain.Return{Outcome: drain.Lost, DaemonSet: name,
			Cause: placement.Cause{Code: placement.CauseTaint, Key: "infra", Effect: corev1.TaintEffectNoSchedule}}},
		{"no longer eligible, with another pod", ds, node(infra), p, []*corev1.Pod{pod(ds, "q")}, drain.Return{Outcome: drain.Covered, DaemonSet: name}},
		{"excluded", ds, node(infra, evict), p, []*corev1.Pod{pod(ds, "q")}, drain.Return{Outcome: drain.Lost, DaemonSet: name,
			Cause: placement.Cause{Code: placement.CauseTaint, Key: "gone", Effect: corev1.TaintEffectNoExecute}}},
		{"two pods", ds, node(), p, []*corev1.Pod{pod(ds, "q")}, drain.Return{Outcome: drain.Covered, DaemonSet: name}},
		{"another that leaves", ds, node(), p, []*corev1.Pod{pod(ds, "q", terminating), pod(ds, "r", phase(corev1.PodFailed)), nil, pod(set("else"), "s")},
			drain.Return{Outcome: drain.Recreated, DaemonSet: name}},
		{"no node", ds, nil, p, nil, drain.Return{Outcome: drain.NodeGone, DaemonSet: name}},
		{"no pod", ds, node(), nil, nil, drain.Return{Outcome: drain.NoDaemonSet}},
		{"no DaemonSet", nil, node(), p, nil, drain.Return{Outcome: drain.NoDaemonSet}},
		{"the DaemonSet is being deleted", deleting, node(), p, nil, drain.Return{Outcome: drain.NoDaemonSet}},
		{"of another", ds, node(), pod(set("else"), "p"), nil, drain.Return{Outcome: drain.NoDaemonSet}},
		{"released", ds, node(), pod(ds, "p", func(p *corev1.Pod) { p.Labels = nil }), nil, drain.Return{Outcome: drain.NoDaemonSet}},
		{"to be adopted", ds, node(), pod(ds, "p", unowned), nil, drain.Return{Outcome: drain.Recreated, DaemonSet: name}},
		{"without UIDs", ds, node(), pod(ds, "p", func(p *corev1.Pod) { p.UID = "" }), []*corev1.Pod{pod(ds, "q", func(p *corev1.Pod) { p.UID = "" })},
			drain.Return{Outcome: drain.Covered, DaemonSet: name}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets := drain.Compile([]*appsv1.DaemonSet{nil, set("else"), c.ds}, placement.Options{})
			if c.pod != nil && c.pod.OwnerReferences != nil && c.pod.OwnerReferences[0].Name == "else" {
				sets = drain.Compile([]*appsv1.DaemonSet{c.ds}, placement.Options{})
			}
			assert.Equal(t, c.want, sets.Return(c.node, append([]*corev1.Pod{c.pod}, c.other...), c.pod))
			assert.Equal(t, c.want, sets.Return(c.node, c.other, c.pod))
		})
	}
}

func TestCompile(t *testing.T) {
	first, last := set("agent"), set("agent")
	last.UID = "last"
	empty, none, malformed := set("empty"), set("none"), set("malformed")
	empty.Spec.Selector = &metav1.LabelSelector{}
	none.Spec.Selector = nil
	malformed.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}
	sets := drain.Compile([]*appsv1.DaemonSet{first, set("b"), nil, last, empty, none, malformed, set("a")}, placement.Options{})
	got := sets.Waiting(node(), nil, drain.Gate{}, gen.Epoch).Waiting
	var names []string
	for _, m := range got {
		names = append(names, m.DaemonSet.Name)
	}
	assert.Equal(t, []string{"a", "agent", "b"}, names)
	assert.Equal(t, drain.NoDaemonSet, sets.Return(node(), nil, pod(first, "p")).Outcome)
	assert.Equal(t, drain.Recreated, sets.Return(node(), nil, pod(last, "p")).Outcome)
	assert.Equal(t, drain.NodeGone, drain.AfterEviction(placement.Node{}, ""))
}

// What is predicted is what Manage does on the node without the pod, once it has
// come to rest.
func TestReturnIsWhatManageDoes(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		n := gen.Node("n0").Draw(t, "node")
		pods := gen.Pods(ds, 4, []*corev1.Node{n}).Draw(t, "pods")
		fleet := placement.FleetOf(ds, []*corev1.Node{n}, pods, "new")
		facts := fleet.Nodes[0]
		if len(facts.Pods) == 0 {
			return
		}
		evicted := facts.Pods[0]
		got := drain.AfterEviction(facts, evicted.UID)

		// The pod is gone, what is terminating or deleted goes, until nothing changes.
		facts.Pods = append([]placement.Pod(nil), facts.Pods[1:]...)
		created := false
		for range 5 {
			kept := facts.Pods[:0]
			for _, p := range facts.Pods {
				if !p.Flags.Has(placement.Terminating) {
					kept = append(kept, p)
				}
			}
			facts.Pods = kept
			plan, err := rollout.Manage(rollout.State{
				Fleet: placement.Fleet{Nodes: []placement.Node{facts}}, Target: "new", Now: gen.Epoch,
			}, rollout.Policy{})
			assert.NoError(t, err)
			created = created || len(plan.Create) > 0
			for _, d := range plan.Delete {
				for i := range facts.Pods {
					if facts.Pods[i].UID == d.UID {
						facts.Pods[i].Flags |= placement.Terminating
					}
				}
			}
		}
		want := drain.Lost
		switch {
		case created:
			want = drain.Recreated
		case len(facts.Pods) > 0:
			want = drain.Covered
		}
		assert.Equal(t, want, got)
		reached.Add(string(got))
	})
	reached.Require(t, string(drain.Recreated), string(drain.Covered), string(drain.Lost))
}
