package placement_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

// fleetIsObvious is a fuzz target too.
func fleetIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		nodes := gen.Nodes(5).Draw(t, "nodes")
		pods := gen.Pods(ds, 8, nodes).Draw(t, "pods")
		m := placement.Compile(&ds.Spec.Template, placement.Options{})
		r := placement.Reading{
			Revision:   rapid.SampledFrom([]string{"", "new"}).Draw(t, "revision"),
			Generation: placement.OwnerOf(ds).TemplateGeneration(),
		}
		if rapid.Bool().Draw(t, "stable") {
			r.Stable = placement.Compile(gen.Template().Draw(t, "stable template"), placement.Options{})
		}
		podsBefore, nodesBefore := copies(pods), copies(nodes)
		f := placement.NewFleet(m, nodes, pods, r)
		assert.Equal(t, podsBefore, copies(pods))
		assert.Equal(t, nodesBefore, copies(nodes))

		want := slow.PodsByNode(pods)
		byName := map[string]*corev1.Pod{}
		for _, pod := range pods {
			byName[pod.Name] = pod
		}
		for i, n := range f.Nodes {
			if i < len(nodes) {
				assert.Same(t, nodes[i], n.Ref)
				assert.Equal(t, nodes[i].Name, n.Name)
				assert.Equal(t, m.Match(nodes[i]), n.Verdict)
				stable := m
				if r.Stable != nil {
					stable = r.Stable
				}
				assert.Equal(t, stable.Match(nodes[i]), n.Stable)
			} else {
				reached.Add("node that does not exist")
				assert.Nil(t, n.Ref)
				assert.Equal(t, placement.Unevaluated, n.Verdict)
				assert.Equal(t, placement.Unevaluated, n.Stable)
				assert.NotEmpty(t, n.Pods)
				if i > len(nodes) {
					assert.Less(t, f.Nodes[i-1].Name, n.Name)
				}
			}
			var names []string
			for _, p := range n.Pods {
				names = append(names, p.Name)
				checkFacts(t, reached, byName[p.Name], p, r)
			}
			assert.Equal(t, want[n.Name], names, "pods of %s", n.Name)
			reached.AddIf(len(names) > 1, "several pods on a node")
			delete(want, n.Name)
		}
		assert.Empty(t, want, "every group has its node")

		// The order of the pods does not matter, nor do stale copies.
		again := append([]*corev1.Pod{nil}, gen.Shuffled(t, pods)...)
		if len(pods) > 0 {
			stale := pods[0].DeepCopy()
			stale.Spec.NodeName = "elsewhere"
			again = append([]*corev1.Pod{stale}, again...)
		}
		assert.Equal(t, f, placement.NewFleet(m, append([]*corev1.Node{nil}, nodes...), again, r))
	}
}

// copies are deep copies of what the pointers point to.
func copies[T interface{ DeepCopy() T }](list []T) []T {
	var all []T
	for _, v := range list {
		all = append(all, v.DeepCopy())
	}
	return all
}

func checkFacts(t *rapid.T, reached *tally.Tally, pod *corev1.Pod, p placement.Pod, r placement.Reading) {
	assert.Same(t, pod, p.Ref)
	assert.Equal(t, pod.UID, p.UID)
	assert.Equal(t, pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey], p.Revision)
	assert.Equal(t, pod.CreationTimestamp.Time, p.Created)
	ready := slow.Ready(pod)
	var want placement.Flags
	for flag, set := range map[placement.Flags]bool{
		placement.Scheduled:    pod.Spec.NodeName != "",
		placement.Ready:        ready != nil,
		placement.Terminating:  pod.DeletionTimestamp != nil,
		placement.Failed:       pod.Status.Phase == corev1.PodFailed,
		placement.Succeeded:    pod.Status.Phase == corev1.PodSucceeded,
		placement.Updated:      slow.Updated(pod, r.Revision, r.Generation),
		placement.CrashLooping: ready == nil && slow.CrashLoops(pod),
	} {
		if set {
			want |= flag
			reached.Add("flag: " + flag.String())
		}
	}
	assert.Equal(t, want, p.Flags, "%s", p.Flags)
	at := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady })
	if at >= 0 {
		assert.Equal(t, pod.Status.Conditions[at].LastTransitionTime.Time, p.ReadyChanged)
		reached.AddIf(ready != nil && p.ReadyChanged.IsZero(), "ready without a time")
	} else {
		assert.Zero(t, p.ReadyChanged)
	}
	reached.AddIf(p.Flags.Has(placement.Updated) && p.Revision != r.Revision, "updated by generation alone")
}

func TestFleetIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, fleetIsObvious(&reached))
	reached.Require(t, "node that does not exist", "several pods on a node", "ready without a time", "updated by generation alone",
		"flag: scheduled", "flag: ready", "flag: terminating", "flag: failed", "flag: succeeded", "flag: updated", "flag: crash-looping")
}

func FuzzFleet(f *testing.F) { f.Fuzz(rapid.MakeFuzz(fleetIsObvious(&tally.Tally{}))) }

// The hook makes other kinds possible: what it returns is what holds, also for
// the rule about pods that have ended and are terminating.
func TestFleetHook(t *testing.T) {
	nodes := []*corev1.Node{node("n", nil)}
	pod := func(name string, phase corev1.PodPhase, labels map[string]string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
			Spec:       corev1.PodSpec{NodeName: "n"},
			Status:     corev1.PodStatus{Phase: phase, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
		}
	}
	hooked := map[string]string{"example.com/state": "preparing-delete"}
	gated := map[string]string{"example.com/state": "updating-in-place"}
	f := placement.NewFleet(placement.Compile(nil, placement.Options{}), nodes, []*corev1.Pod{
		pod("a", corev1.PodRunning, nil), pod("b", corev1.PodRunning, hooked), pod("c", corev1.PodRunning, gated), pod("d", corev1.PodFailed, hooked),
	}, placement.Reading{Pod: func(pod *corev1.Pod, p placement.Pod) placement.Pod {
		switch pod.Labels["example.com/state"] {
		case "preparing-delete":
			p.Flags |= placement.Terminating
		case "updating-in-place":
			p.Flags &^= placement.Ready
		}
		return p
	}})
	var got []string
	for _, p := range f.Nodes[0].Pods {
		got = append(got, p.Name+" "+p.Flags.String())
	}
	assert.Equal(t, []string{"a scheduled|ready", "b scheduled|ready|terminating", "c scheduled"}, got)

	// A pod that has ended on a missing node leaves no trace of the node.
	gone := pod("e", corev1.PodFailed, hooked)
	gone.Spec.NodeName = "gone"
	at := metav1.NewTime(gen.Epoch)
	gone.DeletionTimestamp = &at
	assert.Len(t, placement.NewFleet(nil, nodes, []*corev1.Pod{gone}, placement.Reading{}).Nodes, 1)
}

// What is read of a node besides is there, of existing nodes alone, and before the
// pods are.
func TestFleetNodeHook(t *testing.T) {
	pods := []*corev1.Pod{
		{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{NodeName: "n"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "q"}, Spec: corev1.PodSpec{NodeName: "gone"}},
	}
	asked := 0
	f := placement.NewFleet(nil, []*corev1.Node{node("n", map[string]string{"zone": "a"})}, pods, placement.Reading{Node: func(n placement.Node) placement.Node {
		asked++
		assert.Nil(t, n.Pods)
		n.Marks, n.Group = 5, n.Ref.Labels["zone"]
		return n
	}})
	assert.Equal(t, 1, asked)
	assert.Equal(t, "a", f.Nodes[0].Group)
	assert.True(t, f.Nodes[0].Marks.Has(4))
	assert.False(t, f.Nodes[0].Marks.Has(6))
	assert.Len(t, f.Nodes[0].Pods, 1)
	assert.Zero(t, f.Nodes[1].Marks)
}

func TestFleetEdges(t *testing.T) {
	assert.Empty(t, placement.NewFleet(nil, nil, nil, placement.Reading{}).Nodes)
	twice := []*corev1.Node{node("n", nil), node("", nil), node("n", nil, noExecute("k", "")), node("", nil)}
	f := placement.NewFleet(placement.Compile(nil, placement.Options{}), twice, nil, placement.Reading{})
	assert.Equal(t, []placement.Node{
		{Name: "n", Verdict: placement.Excluded, Stable: placement.Excluded, Ref: twice[2]},
		{Verdict: placement.Eligible, Stable: placement.Eligible, Ref: twice[1]},
		{Verdict: placement.Eligible, Stable: placement.Eligible, Ref: twice[3]},
	}, f.Nodes)
	assert.Equal(t, placement.Unevaluated, placement.NewFleet(nil, twice[:1], nil, placement.Reading{}).Nodes[0].Verdict)
	assert.Equal(t, "none", placement.Flags(0).String())
	assert.Equal(t, "scheduled|updated", (placement.Scheduled | placement.Updated).String())
}

// A fleet takes a fixed number of allocations, not one for each node or pod.
func TestFleetAllocations(t *testing.T) {
	const n = 5000
	var nodes []*corev1.Node
	var pods []*corev1.Pod
	for i := range n {
		name := fmt.Sprintf("node-%d", i)
		nodes = append(nodes, node(name, map[string]string{"zone": "a"}))
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "pod-" + name, UID: types.UID(name), Labels: map[string]string{"app": "probe"}},
			Spec:       corev1.PodSpec{NodeName: name},
		})
	}
	m := placement.Compile(template(on(require("zone", "In", "a"))), placement.Options{})
	allocations := testing.AllocsPerRun(3, func() {
		placement.NewFleet(m, nodes, pods, placement.Reading{Revision: "new"})
	})
	assert.Less(t, allocations, 0.05*n)
	t.Logf("%.0f allocations for %d nodes", allocations, n)
}

func TestVerdictText(t *testing.T) {
	for _, v := range []placement.Verdict{placement.Unevaluated, placement.Excluded, placement.KeepOnly, placement.Eligible} {
		text, err := v.MarshalText()
		assert.NoError(t, err)
		var back placement.Verdict
		assert.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, v, back)
		assert.Equal(t, v == placement.Eligible, v.ShouldRun())
		assert.Equal(t, slices.Contains([]placement.Verdict{placement.Eligible, placement.KeepOnly}, v), v.ShouldContinue())
	}
	assert.Equal(t, "verdict(9)", placement.Verdict(9).String())
	_, err := placement.Verdict(9).MarshalText()
	assert.ErrorContains(t, err, "no such verdict")
	var v placement.Verdict
	assert.ErrorContains(t, v.UnmarshalText([]byte("maybe")), "no such verdict")
}
