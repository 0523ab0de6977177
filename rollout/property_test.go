package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

func drawLimit(t *rapid.T, label string) intstr.IntOrString {
	return gen.Pick(t, label, intstr.FromInt(0), intstr.FromInt(0), intstr.FromInt(1), intstr.FromInt(2), intstr.FromInt(-1),
		intstr.FromString("34%"), intstr.FromString("100%"), intstr.FromString("9223372036854775807%"))
}

func drawSpec(t *rapid.T) rollout.Spec {
	s := rolling(drawLimit(t, "maxUnavailable"), drawLimit(t, "maxSurge"))
	s.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 0, 30, 90, -5)
	switch {
	case gen.Chance(t, 10, "no block"):
		s.RollingUpdate = nil
	case gen.Chance(t, 10, "not rolling"):
		s.Strategy = gen.Pick(t, "strategy", appsv1.OnDeleteDaemonSetStrategyType, "", "Other")
	case gen.Chance(t, 5, "bad limit"):
		bad := intstr.FromString(gen.Pick(t, "text", "5", "", " 1%"))
		s.RollingUpdate.MaxUnavailable = gen.Pick(t, "limit", nil, &bad)
	}
	return s
}

// drawSettled draws running pods of which manage mostly wants nothing: one for a
// node, on some an old one and a new one.
func drawSettled(t *rapid.T, nodes []*corev1.Node) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, n := range nodes {
		hashes := gen.Pick(t, "hashes", []string{"old"}, []string{"old"}, []string{"new"}, []string{"old", "new"})
		for _, hash := range hashes {
			pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: n.Name}}
			pod.Name = hash + "-" + n.Name
			pod.Labels = map[string]string{appsv1.DefaultDaemonSetUniqueLabelKey: hash}
			if gen.Chance(t, 75, "ready") {
				since := now.Add(-gen.Pick(t, "ready since", -time.Minute, 0, time.Minute, time.Hour))
				pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(since)}}
			}
			pods = append(pods, pod)
		}
	}
	if len(nodes) > 0 && gen.Chance(t, 10, "a node goes") {
		pods[0].Spec.NodeName = "gone"
	}
	return pods
}

// planIsSound checks what holds of every plan. It is a fuzz target too.
func planIsSound(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		nodes := gen.Nodes(5).Draw(t, "nodes")
		pods := gen.Pods(ds, 8, nodes).Draw(t, "pods")
		for _, p := range pods {
			p.OwnerReferences = nil
		}
		if gen.Chance(t, 70, "settled") {
			pods = drawSettled(t, nodes)
		}
		s := rollout.State{
			Fleet: placement.FleetOf(ds, nodes, pods, "new"), Spec: drawSpec(t), Target: "new",
			ObservedGeneration: 1, Backoff: rollout.Backoff{Generation: 1, Nodes: map[string]rollout.Delay{}}, Now: now,
		}
		for _, n := range nodes {
			if gen.Chance(t, 20, "backed off") {
				s.Backoff.Nodes[n.Name] = rollout.Delay{For: 10, Since: now.Add(gen.Pick[time.Duration](t, "since", 0, -5, -20))}
			}
		}
		plan, err := rollout.Sync(s, rollout.Policy{})
		holds, holdsErr := rollout.Holds(s, rollout.Policy{})
		assert.Equal(t, err == nil, holdsErr == nil)
		if err != nil {
			assert.Equal(t, rollout.Plan{}, plan)
			reached.Add("bad limit")
			return
		}

		// Nothing was changed, and order does not matter.
		assert.Equal(t, placement.FleetOf(ds, nodes, pods, "new"), s.Fleet)
		shuffled := s
		shuffled.Fleet = placement.FleetOf(ds, gen.Shuffled(t, nodes), gen.Shuffled(t, pods), "new")
		again, err := rollout.Sync(shuffled, rollout.Policy{})
		assert.NoError(t, err)
		assert.Equal(t, plan, again)

		// A sync is one of its parts.
		if manage := manage(s); !manage.Empty() {
			assert.Equal(t, manage, plan)
			reached.Add("manage")
		} else {
			update, err := rollout.Update(s, rollout.Policy{})
			assert.NoError(t, err)
			assert.Equal(t, update.Create, plan.Create)
			assert.Equal(t, update.Delete, plan.Delete)
			reached.AddIf(!update.Empty(), "update")
		}

		counts := map[rollout.Reason]int{}
		for _, h := range holds {
			counts[h.Reason]++
			reached.Add(string(h.Reason))
		}
		for _, c := range plan.Held {
			assert.Equal(t, counts[c.Reason], c.N)
			delete(counts, c.Reason)
		}
		assert.Empty(t, counts)

		seen := map[string]bool{}
		for _, c := range plan.Create {
			assert.False(t, seen[c.Node], "two creates on one node")
			seen[c.Node] = true
			for _, n := range s.Fleet.Nodes {
				assert.True(t, n.Name != c.Node || n.Verdict == placement.Eligible)
			}
		}
		for _, d := range plan.Delete {
			assert.False(t, seen["pod "+d.Pod], "deleted twice")
			seen["pod "+d.Pod] = true
		}
		assert.True(t, plan.Next.IsZero() || plan.Next.After(now))
		assert.NotEmpty(t, plan.String())
		reached.AddIf(!plan.Next.IsZero(), "next")
		checkBudgets(t, reached, s, plan)
	}
}

// checkBudgets: where an available pod goes within maxUnavailable, no more than
// that many eligible nodes are without an available one afterwards; where one
// comes within maxSurge, no more than that many have two and are waiting.
func checkBudgets(t *rapid.T, reached *tally.Tally, s rollout.State, plan rollout.Plan) {
	desired, without, waiting := 0, 0, 0
	deleted, created := map[string]bool{}, map[string]bool{}
	spent, surged := false, false
	for _, d := range plan.Delete {
		deleted[d.Pod] = true
		spent = spent || d.Reason == rollout.OutdatedAvailable
	}
	for _, c := range plan.Create {
		created[c.Node] = c.Reason == rollout.SurgeAvailable
		surged = surged || created[c.Node]
	}
	for _, n := range s.Fleet.Nodes {
		usable, stale, unfinished := false, false, false
		for _, p := range n.Pods {
			if p.Flags.Has(placement.Terminating) || deleted[p.Name] {
				continue
			}
			at, ok := p.AvailableAt(s.Spec.MinReadySeconds)
			available := ok && !at.After(s.Now)
			usable = usable || available
			stale = stale || !p.Flags.Has(placement.Updated)
			unfinished = unfinished || p.Flags.Has(placement.Updated) && !available
		}
		if n.Verdict == placement.Eligible {
			desired++
			if !usable {
				without++
			}
		}
		if created[n.Name] || stale && unfinished {
			waiting++
		}
	}
	if !spent && !surged {
		return
	}
	limits, err := s.Spec.Limits(desired)
	assert.NoError(t, err)
	if spent {
		assert.LessOrEqual(t, without, limits.MaxUnavailable)
		reached.Add("within maxUnavailable")
	}
	if surged {
		assert.LessOrEqual(t, waiting, limits.MaxSurge)
		reached.Add("within maxSurge")
	}
}

func TestPlanIsSound(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, planIsSound(&reached))
	reached.Require(t, "bad limit", "manage", "update", "next", "within maxUnavailable", "within maxSurge",
		"held-backoff", "held-budget", "held-capacity", "held-node-gone", "held-strategy")
}

func FuzzSync(f *testing.F) { f.Fuzz(rapid.MakeFuzz(planIsSound(&tally.Tally{}))) }
