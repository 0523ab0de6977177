package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// aged makes a pod ten minutes old.
func aged(p placement.Pod) placement.Pod {
	p.Created = now.Add(-10 * time.Minute)
	p.ReadyChanged = p.Created
	return p
}

// withCondition gives a node a Ready condition.
func withCondition(n placement.Node, status corev1.ConditionStatus, changed time.Duration) placement.Node {
	n = inZone(n, "")
	n.Ref.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, LastTransitionTime: metav1.NewTime(now.Add(changed))}}
	return n
}

// hostPort is a pod that takes a port of its node.
func hostPort(p placement.Pod) placement.Pod {
	p.Ref = &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{ContainerPort: 8080, HostPort: 18080}}}}}}
	return p
}

// TestPolicyScenarios are situations that people complained about, each with the
// policy that is an answer, what it makes of the plan, and the diagnosis before.
func TestPolicyScenarios(t *testing.T) {
	onDelete := rollout.Spec{Strategy: appsv1.OnDeleteDaemonSetStrategyType}
	for name, c := range map[string]struct {
		state     rollout.State
		policy    rollout.Policy
		plain     string // the plan without a policy
		plan      string
		diagnosis string // without the policy
	}{
		"aws/amazon-cloudwatch-agent-operator#183: pods that can never be scheduled": {
			state: state(one(1), on("fg1", aged(pod("q1", placement.Updated))), on("fg2", aged(pod("q2", placement.Updated))),
				on("vm1", pod("p1", old|ready)), on("vm2", pod("p2", old|ready))),
			policy: rollout.Policy{Count: rollout.Counting{Exempt: func(n *placement.Node) bool { return n.Name < "g" }}},
			plain:  "2 held: held-budget\n",
			plan:   "delete p1 on vm1: outdated-available\n1 held: held-budget\n",
			diagnosis: "blocked: 2 nodes with an old pod, 2 of maxUnavailable 1 spent\n" +
				"  fg1, q1: unscheduled since 2026-01-02T02:54:05Z, stuck\n  fg2, q2: unscheduled since 2026-01-02T02:54:05Z, stuck\n" +
				"  2 held: held-budget\n" +
				"  raise-budget: maxUnavailable 1 is spent: with 3 one more node would be updated\n" +
				"  repair-pods: new pods of 2 nodes do not become available: repair the template, or go back\n",
		},
		"kubernetes/kubernetes#86619: OnDelete is no pause": {
			state: func() rollout.State {
				s := state(one(1), on("a", pod("p1", fresh)), on("b", pod("p2", old|ready)), on("d"))
				s.Stable = "old"
				return s
			}(),
			policy: rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseUpdates}},
			plain:  "create on d: pod-missing\n", // of the target
			plan:   "create on d: pod-missing\n", // of the stable revision, see below
		},
		"kubernetes/enhancements#5262: paused, only what must go goes": {
			state:  state(one(1), node("a", placement.Excluded, pod("pa", fresh|ready)), on("b", pod("pb", old|ready)), on("c")),
			policy: rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseCreates}},
			plain:  "create on c: pod-missing\ndelete pa on a: not-eligible\n",
			plan:   "delete pa on a: not-eligible\n1 held: held-paused\n",
		},
		"prometheus-operator/runbooks#55: drained nodes keep their pods": {
			state:     state(one(1), node("o1", placement.KeepOnly, pod("p1", old|ready)), on("w1", pod("p2", fresh|ready))),
			policy:    rollout.Policy{Count: rollout.Counting{Nodes: rollout.EligibleNodes}},
			plain:     "delete p1 on o1: outdated-available\n",
			plan:      "1 held: held-not-eligible\n",
			diagnosis: "moving: 1 node with an old pod, 0 of maxUnavailable 1 spent\n",
		},
		"DataDog/extendeddaemonset#89: is it stuck, and on what?": {
			state:  state(one(1), on("a", aged(pod("pa", fresh))), on("b", aged(pod("pb", fresh))), on("c", pod("pc", old|ready))),
			policy: rollout.Policy{},
			plain:  "1 held: held-budget\n",
			plan:   "1 held: held-budget\n",
			diagnosis: "blocked: 1 node with an old pod, 2 of maxUnavailable 1 spent\n" +
				"  a, pa: pod-not-ready since 2026-01-02T02:54:05Z, stuck\n  b, pb: pod-not-ready since 2026-01-02T02:54:05Z, stuck\n" +
				"  1 held: held-budget\n" +
				"  raise-budget: maxUnavailable 1 is spent: with 3 one more node would be updated\n" +
				"  repair-pods: new pods of 2 nodes do not become available: repair the template, or go back\n",
		},
		"kubernetes/kubernetes#123232: one unready pod at a time already": {
			state:  state(one(1), on("a", pod("pa", old)), on("b", pod("pb", old|ready)), on("c", pod("pc", old|ready))),
			policy: rollout.Policy{Limit: rollout.Limiting{Strict: true}},
			plain:  "delete pa on a: outdated-unavailable\n2 held: held-budget\n",
			plan:   "delete pa on a: outdated-unavailable\n2 held: held-budget\n",
		},
		"openkruise/kruise#898: unready pods spend the budget too": {
			state: state(one(2), on("n1", pod("p1", old)), on("n2", pod("p2", old)), on("n3", pod("p3", old)), on("n4", pod("p4", old)),
				on("n5", pod("p5", old|ready)), on("n6", pod("p6", old|ready))),
			policy: rollout.Policy{Limit: rollout.Limiting{Strict: true}},
			plain: "delete p1 on n1: outdated-unavailable\ndelete p2 on n2: outdated-unavailable\n" +
				"delete p3 on n3: outdated-unavailable\ndelete p4 on n4: outdated-unavailable\n2 held: held-budget\n",
			plan: "delete p1 on n1: outdated-unavailable\ndelete p2 on n2: outdated-unavailable\n4 held: held-budget\n",
		},
		"aws/aws-eks-best-practices#645: a cap for each step": {
			state:  state(one(1), on("n1", pod("p1", old)), on("n2", pod("p2", old)), on("n3", pod("p3", old)), on("n4", pod("p4", old|ready))),
			policy: rollout.Policy{Limit: rollout.Limiting{PerStep: number(1)}},
			plain: "delete p1 on n1: outdated-unavailable\ndelete p2 on n2: outdated-unavailable\ndelete p3 on n3: outdated-unavailable\n" +
				"1 held: held-budget\n",
			plan: "delete p1 on n1: outdated-unavailable\n3 held: held-step\n",
		},
		"kubernetes/kubernetes#117204: a node that is not even desired blocks": {
			state:  state(one(1), on("a", pod("pa", old|ready)), on("b", pod("pb", old|ready)), node("c", placement.KeepOnly, aged(pod("pc", fresh)))),
			policy: rollout.Policy{Count: rollout.Counting{Nodes: rollout.EligibleNodes}},
			plain:  "2 held: held-budget\n",
			plan:   "delete pa on a: outdated-available\n1 held: held-budget\n",
			diagnosis: "blocked: 2 nodes with an old pod, 1 of maxUnavailable 1 spent\n" +
				"  c (not-eligible), pc: pod-not-ready since 2026-01-02T02:54:05Z, stuck\n" +
				"  2 held: held-budget\n" +
				"  count-eligible: pods that no other will follow, on 1 node, spend the budget: let only eligible nodes count\n" +
				"  raise-budget: maxUnavailable 1 is spent: with 2 one more node would be updated\n",
		},
		"kubernetes/kubernetes#117658: the new agent broke the node": {
			state:  state(one(1), withCondition(on("a", aged(pod("pa", fresh))), corev1.ConditionFalse, -time.Minute), on("b", pod("pb", old|ready))),
			policy: rollout.Policy{Count: rollout.Counting{Exempt: rollout.NotReadyBefore}},
			plain:  "1 held: held-budget\n",
			plan:   "1 held: held-budget\n",
			diagnosis: "blocked: 1 node with an old pod, 1 of maxUnavailable 1 spent\n" +
				"  a (not-ready), pa: pod-not-ready since 2026-01-02T02:54:05Z, stuck\n" +
				"  1 held: held-budget\n" +
				"  exempt-nodes: the kubelet of 1 node does not answer: exempt it from the budget\n" +
				"  raise-budget: maxUnavailable 1 is spent: with 2 one more node would be updated\n" +
				"  repair-nodes: the kubelet of 1 node does not answer\n",
		},
		"kubernetes/kubernetes#117658: the node was broken before": {
			state:  state(one(1), withCondition(on("a", aged(pod("pa", fresh))), corev1.ConditionUnknown, -time.Hour), on("b", pod("pb", old|ready))),
			policy: rollout.Policy{Count: rollout.Counting{Exempt: rollout.NotReadyBefore}},
			plain:  "1 held: held-budget\n",
			plan:   "delete pb on b: outdated-available\n",
		},
		"kubernetes/enhancements#1590: surge that is a surge": {
			state:  state(surging(1), on("a", pod("pa", old)), on("b", pod("pb", old)), on("c", pod("pc", old))),
			policy: rollout.Policy{Limit: rollout.Limiting{Strict: true}},
			plain:  "create on a: surge-unavailable\ncreate on b: surge-unavailable\ncreate on c: surge-unavailable\n",
			plan:   "create on a: surge-unavailable\n2 held: held-budget\n",
		},
		"kubernetes/kubernetes#50477: waiting for a pod to stop": {
			state:     state(one(1), on("a", pod("pa", fresh|ready|placement.Terminating)), on("b", pod("pb", old|ready))),
			plain:     "1 held: held-budget\n",
			plan:      "1 held: held-budget\n",
			diagnosis: "waiting: 1 node with an old pod, 1 of maxUnavailable 1 spent\n  a, pa: stopping\n  1 held: held-budget\n  raise-budget: maxUnavailable 1 is spent: with 2 one more node would be updated\n",
		},
		"kubernetes/kubernetes#113287: a burst of one's own": {
			state:  state(one(1), on("n1"), on("n2"), on("n3")),
			policy: rollout.Policy{Limit: rollout.Limiting{Burst: number(2)}},
			plain:  "create on n1: pod-missing\ncreate on n2: pod-missing\ncreate on n3: pod-missing\n",
			plan:   "create on n1: pod-missing\ncreate on n2: pod-missing\n1 held: held-burst\n",
		},
		"kubernetes/kubernetes#80130: wave 1 first": {
			state: state(one(2), inZone(on("a1", pod("pa1", old|ready)), "2"), inZone(on("a2", pod("pa2", old|ready)), "2"),
				inZone(on("b1", pod("pb1", old|ready)), "1"), inZone(on("b2", pod("pb2", old|ready)), "1")),
			policy: rollout.Policy{Order: rollout.Ordering{Waves: rollout.Waves{Label: "zone", MaxUnavailable: number(1)}}},
			plain:  "delete pa1 on a1: outdated-available\ndelete pa2 on a2: outdated-available\n2 held: held-budget\n",
			plan:   "delete pb1 on b1: outdated-available\n2 held: held-wave\n1 held: held-wave-budget\n",
		},
		"kubernetes/kubernetes#80130: or by a selector": {
			state:  state(one(2), inZone(on("a1", pod("pa1", old|ready)), "2"), inZone(on("b1", pod("pb1", old|ready)), "1")),
			policy: rollout.Policy{Candidates: rollout.Candidates{Selector: labels.SelectorFromSet(labels.Set{"zone": "1"})}},
			plain:  "delete pa1 on a1: outdated-available\ndelete pb1 on b1: outdated-available\n",
			plan:   "delete pb1 on b1: outdated-available\n1 held: held-selector\n",
		},
		"kubernetes/kubernetes#54565: a label removed by mistake": {
			state: state(one(1), node("a", placement.Excluded, pod("pa", fresh|ready)), node("b", placement.Excluded, pod("pb", fresh|ready)),
				node("c", placement.Excluded, pod("pc", fresh|ready))),
			policy: rollout.Policy{Limit: rollout.Limiting{Removals: number(1)}},
			plain:  "delete pa on a: not-eligible\ndelete pb on b: not-eligible\ndelete pc on c: not-eligible\n",
			plan:   "delete pa on a: not-eligible\n2 held: held-removals\n",
		},
		"kubereboot/kured#413: waiting to be deleted by hand": {
			state:     state(onDelete, on("a", pod("pa", old|ready)), on("b", pod("pb", old|ready))),
			plain:     "2 held: held-strategy\n",
			plan:      "2 held: held-strategy\n",
			diagnosis: "held: 2 nodes with an old pod\n  2 held: held-strategy\n  delete-pods: the strategy is not RollingUpdate: delete old pods by hand\n",
		},
		"NVIDIA/gpu-operator#2527: only a label of the template changed": {
			state:  state(one(1), on("a", pod("pa", old|ready)), on("b", pod("pb", fresh|ready))),
			policy: rollout.Policy{Candidates: rollout.Candidates{NoRestart: map[string]bool{"old": true}}},
			plain:  "delete pa on a: outdated-available\n",
			plan:   "1 held: held-no-restart\n",
		},
		"openkruise/kruise#2361: surge with a host port": {
			state: state(surging(1), on("a", hostPort(pod("pa", old|ready)), pod("pb", placement.Updated)), on("b", pod("pc", old|ready))),
			plain: "1 held: held-budget\n",
			plan:  "1 held: held-budget\n",
			diagnosis: "blocked: 2 nodes with an old pod, 1 of maxSurge 1 spent\n  a, pb: unscheduled\n  1 held: held-budget\n" +
				"  no-surge: the new pod needs a host port that the old one has: use maxUnavailable instead of maxSurge\n" +
				"  raise-budget: maxSurge 1 is spent: with 2 one more node would be updated\n",
		},
	} {
		plain, err := rollout.Sync(c.state, rollout.Policy{})
		assert.NoError(t, err, name)
		assert.Equal(t, c.plain, plain.String(), name)
		plan, err := rollout.Sync(c.state, c.policy)
		assert.NoError(t, err, name)
		assert.Equal(t, c.plan, plan.String(), name)
		if c.diagnosis != "" {
			d, err := rollout.Diagnose(c.state, rollout.Policy{}, rollout.DiagnoseOptions{})
			assert.NoError(t, err, name)
			assert.Equal(t, c.diagnosis, d.String(), name)
		}
		if c.state.Stable != "" {
			assert.Equal(t, "new", plain.Create[0].Revision)
			assert.Equal(t, "old", plan.Create[0].Revision)
		}
	}
}

// TestHeldOnce: what is held by a pause is counted once, though manage and update
// both look at it; and a node that the target alone would serve is held too.
func TestHeldOnce(t *testing.T) {
	all := rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseAll}}
	s := state(one(1), node("a", placement.Excluded, pod("pa", old|ready)), on("b", pod("pb", old|ready)))
	plan, err := rollout.Sync(s, all)
	assert.NoError(t, err)
	assert.Equal(t, "2 held: held-paused\n", plan.String())

	for _, stable := range []placement.Verdict{placement.KeepOnly, placement.Excluded} {
		n := on("n")
		n.Stable = stable
		s = state(one(1), n)
		s.Stable = "old"
		plan, err = rollout.Sync(s, rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseUpdates}})
		assert.NoError(t, err)
		assert.Equal(t, "1 held: held-paused\n", plan.String(), stable)
	}
}

// TestDiagnosisWords: what is wrong with a node, an old pod, and who is patient.
func TestDiagnosisWords(t *testing.T) {
	diagnose := func(s rollout.State, p rollout.Policy) rollout.Diagnosis {
		d, err := rollout.Diagnose(s, p, rollout.DiagnoseOptions{})
		assert.NoError(t, err)
		return d
	}
	// A dead node is dead, also where its taint makes it not eligible.
	dead := withCondition(node("a", placement.KeepOnly, aged(pod("pa", fresh))), corev1.ConditionUnknown, -time.Hour)
	d := diagnose(state(one(1), dead, on("b", pod("pb", old|ready))), rollout.Policy{})
	assert.Equal(t, rollout.TroubleNotReady, d.Spenders[0].NodeTrouble)
	assert.Len(t, d.Remedies, 4)
	assert.Equal(t, rollout.CountEligible, d.Remedies[0].Code)

	// An old pod that crashes is no fault of the new template.
	s := state(one(1), on("a", aged(pod("pa", old|placement.CrashLooping))), on("b", pod("pb", old|ready)))
	d = diagnose(s, rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseUpdates}})
	assert.Equal(t, rollout.Held, d.Condition, "whatever else is under way")
	assert.True(t, d.Spenders[0].Old)
	assert.Equal(t, []rollout.Remedy{{Code: rollout.Resume, Text: "the rollout is paused"}}, d.Remedies)

	// Since when a pod stops is when it was asked to.
	grace := int64(600)
	at := metav1.NewTime(now.Add(2 * time.Minute))
	stopping := pod("pa", fresh|placement.Terminating)
	stopping.Ref = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &at, DeletionGracePeriodSeconds: &grace}}
	d = diagnose(state(one(1), on("a", stopping), on("b", pod("pb", old|ready))), rollout.Policy{})
	assert.Equal(t, now.Add(-8*time.Minute), d.Spenders[0].Since)

	// What a partition keeps is held by choice, with waves too.
	s = state(one(1), inZone(on("a", pod("pa", old|ready)), "a"), inZone(on("b", pod("pb", old|ready)), "b"))
	kept := rollout.Policy{Candidates: rollout.Candidates{Partition: rollout.Partition{Value: number(2)}}}
	assert.Equal(t, rollout.Held, diagnose(s, kept).Condition)
	kept.Order.Waves.Label = "zone"
	assert.Equal(t, rollout.Held, diagnose(s, kept).Condition)

	// Who is exempt does not make it move.
	exempt := rollout.Policy{Count: rollout.Counting{Exempt: rollout.NotReady}, Candidates: rollout.Candidates{Nodes: map[string]bool{}}}
	dead = withCondition(on("a", pod("pa", fresh)), corev1.ConditionUnknown, -time.Second)
	assert.Equal(t, rollout.Held, diagnose(state(one(1), dead, on("b", pod("pb", old|ready))), exempt).Condition)
}

// TestDiagnosisIsSound: the condition agrees with the plan, the budget with those
// who spend it, and only what does not move has remedies.
func TestDiagnosisIsSound(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawPolicyState(t), drawPolicy(t)
		plan, err := rollout.Sync(s, p)
		d, diagnoseErr := rollout.Diagnose(s, p, rollout.DiagnoseOptions{})
		if err != nil || diagnoseErr != nil {
			// A limit of the strategy may be looked at by the diagnosis alone.
			assert.Error(t, diagnoseErr)
			assert.Equal(t, rollout.Diagnosis{}, d)
			return
		}
		assert.Equal(t, plan.Held, d.Held)
		assert.Equal(t, plan.Next, d.Next)
		assert.Equal(t, !plan.Empty(), d.Condition == rollout.Moving)
		moves := d.Condition == rollout.Moving || d.Condition == rollout.Done
		assert.False(t, moves && len(d.Remedies) > 0)
		if d.Condition == rollout.Done {
			assert.Zero(t, d.Outdated)
		}
		if d.Condition == rollout.Blocked {
			assert.NotEmpty(t, d.Remedies, "%s%s", plan, d)
		}
		spent := 0
		for _, spender := range d.Spenders {
			reached.Add(string(spender.Cause))
			reached.Add("node: " + string(spender.NodeTrouble))
			if !spender.Exempt {
				spent++
			}
		}
		if d.Budget != (rollout.Budget{}) && !d.Budget.Surge {
			assert.LessOrEqual(t, spent, d.Budget.Spent)
		}
		reached.Add(string(d.Condition))
		for _, r := range d.Remedies {
			reached.Add(string(r.Code))
			assert.NotEmpty(t, r.Text)
		}
		assert.NotEmpty(t, d.String())
	})
	reached.Require(t, "done", "moving", "waiting", "held", "blocked",
		"no-pod", "stopping", "several-pods", "pod-failed", "crash-loops", "pod-not-ready", "not-ready-for-long",
		"node: gone", "node: not-eligible", "node: not-ready", "node: ",
		"repair-pods", "repair-nodes", "exempt-nodes", "count-eligible", "raise-budget", "more-available", "delete-pods", "resume", "widen-policy", "open-window")
}
