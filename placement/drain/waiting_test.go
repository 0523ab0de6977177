package drain_test

import (
	"testing"
	"time"

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
)

const startup = "example.com/startup"

func TestWaiting(t *testing.T) {
	ds := set("agent", tolerate(startup))
	ds.Spec.MinReadySeconds = 60
	name := types.NamespacedName{Namespace: "ns", Name: "agent"}
	held := taint(startup, corev1.TaintEffectNoSchedule)
	notReady := taint(corev1.TaintNodeNotReady, corev1.TaintEffectNoSchedule)
	foreign := taint("infra", corev1.TaintEffectNoSchedule)
	waiting := func(lack drain.Lack, pod string) drain.Arrivals {
		return drain.Arrivals{Waiting: []drain.Missing{{DaemonSet: name, Lack: lack, Pod: pod}}}
	}
	meant := func(p *corev1.Pod) {
		p.Spec = corev1.PodSpec{Affinity: placement.InjectNodeAffinity(nil, "n")}
	}
	available := waiting(drain.NotAvailable, "p")
	available.Next = gen.Epoch.Add(time.Minute)
	ignorant := set("agent")

	for _, c := range []struct {
		name string
		ds   *appsv1.DaemonSet
		node *corev1.Node
		pods []*corev1.Pod
		gate drain.Gate
		now  time.Duration
		want drain.Arrivals
	}{
		{"no node", ds, nil, nil, drain.Gate{}, 0, drain.Arrivals{}},
		{"no pod", ds, node(held), nil, drain.Gate{}, 0, waiting(drain.NoPod, "")},
		{"not expected", ds, node(foreign), nil, drain.Gate{}, 0, drain.Arrivals{}},
		{"not bound", ds, node(held), []*corev1.Pod{pod(ds, "p", meant)}, drain.Gate{}, 0, waiting(drain.NotBound, "p")},
		{"not ready", ds, node(held), []*corev1.Pod{pod(ds, "q", meant), pod(ds, "p")}, drain.Gate{}, 0, waiting(drain.NotReady, "p")},
		{"ready", ds, node(held), []*corev1.Pod{pod(ds, "p"), pod(ds, "q", ready)}, drain.Gate{}, 0, drain.Arrivals{}},
		{"ready and terminating", ds, node(held), []*corev1.Pod{pod(ds, "p", ready, terminating)}, drain.Gate{}, 0, waiting(drain.NoPod, "")},
		{"failed", ds, node(held), []*corev1.Pod{pod(ds, "p", phase(corev1.PodFailed))}, drain.Gate{}, 0, waiting(drain.NoPod, "")},
		{"of another", ds, node(held), []*corev1.Pod{pod(set("else"), "p", ready)}, drain.Gate{}, 0, waiting(drain.NoPod, "")},
		{"not available", ds, node(held), []*corev1.Pod{pod(ds, "p", ready)}, drain.Gate{Available: true}, 59 * time.Second, available},
		{"available", ds, node(held), []*corev1.Pod{pod(ds, "p", ready)}, drain.Gate{Available: true}, time.Minute, drain.Arrivals{}},
		{"tolerates the held taint", ds, node(held), nil, drain.Gate{Held: []string{startup}}, 0, waiting(drain.NoPod, "")},
		{"does not tolerate it", ignorant, node(held), nil, drain.Gate{Held: []string{startup}}, 0, drain.Arrivals{Later: []types.NamespacedName{name}}},
		{"does not tolerate it, and nobody told", ignorant, node(held), nil, drain.Gate{}, 0, drain.Arrivals{}},
		{"kept off by a passing taint", ds, node(held, notReady), nil, drain.Gate{Held: []string{startup}, Passing: []string{corev1.TaintNodeNotReady}}, 0, waiting(drain.NoPod, "")},
		{"kept off by a passing taint, and nobody told", ds, node(held, notReady), nil, drain.Gate{Held: []string{startup}}, 0, drain.Arrivals{}},
		{"kept off for good", ds, node(held, foreign), nil, drain.Gate{Held: []string{startup}, Passing: []string{corev1.TaintNodeNotReady}}, 0, drain.Arrivals{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets := drain.Compile([]*appsv1.DaemonSet{c.ds}, placement.Options{})
			before := c.node.DeepCopy()
			assert.Equal(t, c.want, sets.Waiting(c.node, c.pods, c.gate, gen.Epoch.Add(c.now)))
			assert.Equal(t, before, c.node)
		})
	}
}

// Nothing is waited for exactly when each expected DaemonSet has a ready pod that
// stays, and shuffled input gives the same.
func TestWaitingIsWhatIsNotReady(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		n := gen.Node("n0").Draw(t, "node")
		ds := gen.DaemonSet().Draw(t, "daemonset")
		other := set("agent")
		pods := append(gen.Pods(ds, 4, []*corev1.Node{n}).Draw(t, "pods"), pod(other, "z", ready, func(p *corev1.Pod) { p.Spec.NodeName = "n0" }))
		sets := []*appsv1.DaemonSet{ds, other}
		got := drain.Compile(sets, placement.Options{}).Waiting(n, pods, drain.Gate{}, gen.Epoch)
		assert.Equal(t, got, drain.Compile(gen.Shuffled(t, sets), placement.Options{}).Waiting(n, gen.Shuffled(t, pods), drain.Gate{}, gen.Epoch))

		var want []types.NamespacedName
		if placement.Compile(&ds.Spec.Template, placement.Options{}).Match(n) == placement.Eligible {
			there := false
			for _, p := range pods {
				ref := metav1.GetControllerOf(p)
				mine := p.Labels["app"] == "probe" && (ref == nil && p.DeletionTimestamp == nil || drain.IsDaemonPod(p, drain.Controller, ds))
				facts := placement.Reading{}.Facts(p)
				there = there || mine && p.Spec.NodeName == "n0" && facts.Flags.Has(placement.Ready) &&
					!facts.Flags.Any(placement.Terminating|placement.Failed|placement.Succeeded)
			}
			reached.AddIf(there, "there")
			if !there {
				want = append(want, types.NamespacedName{Namespace: "ns", Name: "probe"})
			}
		}
		var waiting []types.NamespacedName
		for _, m := range got.Waiting {
			waiting = append(waiting, m.DaemonSet)
			reached.Add(string(m.Lack))
		}
		assert.Equal(t, want, waiting)
	})
	reached.Require(t, "there", string(drain.NoPod), string(drain.NotBound), string(drain.NotReady))
}
