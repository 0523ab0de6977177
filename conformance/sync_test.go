package conformance_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// drawStrategy draws limits of every kind, but none so huge that the reference
// runs out of memory.
func drawStrategy(t *rapid.T) appsv1.DaemonSetUpdateStrategy {
	limit := func(label string) *intstr.IntOrString {
		values := []intstr.IntOrString{
			intstr.FromInt32(0), intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromInt32(-1),
			intstr.FromString("0%"), intstr.FromString("34%"), intstr.FromString("100%"), intstr.FromString("1000%"), intstr.FromString("-50%"),
			intstr.FromString("5"), intstr.FromString(" 50%"),
		}
		at := rapid.IntRange(0, len(values)).Draw(t, label)
		if at == len(values) {
			return nil
		}
		return &values[at]
	}
	s := appsv1.DaemonSetUpdateStrategy{Type: gen.Pick(t, "type", appsv1.RollingUpdateDaemonSetStrategyType,
		appsv1.RollingUpdateDaemonSetStrategyType, appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType, "")}
	if !gen.Chance(t, 10, "no block") {
		s.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: limit("maxUnavailable"), MaxSurge: limit("maxSurge")}
	}
	return s
}

func backoffKey(ds *appsv1.DaemonSet, generation int64, node string) string {
	return fmt.Sprintf("%s/%d/%s", ds.UID, generation, node)
}

// podWrites are the nodes that the reference created pods on, each of the
// revision, and the names of those that it deleted.
func podWrites(t failer, r *reference, hash string) (created, deleted []string) {
	for _, action := range r.client.Actions() {
		if action.GetResource().Resource != "pods" {
			continue
		}
		switch action := action.(type) {
		case clienttesting.CreateAction:
			if action.GetVerb() != "create" {
				continue
			}
			pod := action.GetObject().(*corev1.Pod)
			if got := pod.Labels[revision.HashLabel]; got != hash {
				t.Fatal("a pod of revision", got)
			}
			created = append(created, targetOf(t, pod))
		case clienttesting.DeleteAction:
			deleted = append(deleted, action.GetName())
		}
	}
	return created, deleted
}

// targetOf is the node that a created pod is bound to by its affinity.
func targetOf(t failer, pod *corev1.Pod) string {
	required := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if _, err := nodeaffinity.NewNodeSelector(required); err != nil {
		t.Fatal(err)
	}
	return required.NodeSelectorTerms[0].MatchFields[0].Values[0]
}

// checkActions compares what is created or deleted with what the reference did.
// Where that picks in the order of a map, the numbers are equal, and what it took
// is among what we took or hold for the same want. What is not a matter of picking
// is the same. This is the only difference that is allowed.
func checkActions(t *rapid.T, theirs []string, ours int, forced, candidates map[string]bool) {
	assert.Len(t, theirs, ours)
	took := map[string]bool{}
	for _, name := range theirs {
		assert.False(t, took[name], "twice")
		took[name] = true
		assert.True(t, candidates[name], "the reference picks %s", name)
	}
	for name := range forced {
		assert.True(t, took[name], "the reference leaves %s alone", name)
	}
}

// drawBackoff draws the back-off of some nodes.
func drawBackoff(t *rapid.T, c *cluster) rollout.Backoff {
	b := rollout.Backoff{Generation: c.ds.Status.ObservedGeneration, Nodes: map[string]rollout.Delay{}}
	if gen.Chance(t, 20, "of another generation") {
		b.Generation++
	}
	for _, n := range c.nodes {
		if failures := gen.Pick(t, "failures", 0, 0, 1, 2, 12); failures > 0 {
			ago := gen.Pick(t, "ago", 0, time.Second, 3*time.Second, 15*time.Minute, 30*time.Minute, 31*time.Minute)
			b.Nodes[n.Name] = rollout.Delay{For: min(time.Second<<(failures-1), 15*time.Minute), Since: gen.Epoch.Add(-ago)}
		}
	}
	return b
}

// arm gives the reference the back-off, by as many failures as it takes.
func (r *reference) arm(ds *appsv1.DaemonSet, b rollout.Backoff, now time.Time) {
	for node, delay := range b.Nodes {
		key := backoffKey(ds, b.Generation, node)
		r.clock.SetTime(delay.Since)
		for r.backoff.Get(key) < delay.For {
			r.backoff.Next(key, delay.Since)
		}
	}
	r.clock.SetTime(now)
}

// syncBoth runs one sync of the reference on a state, and compares the pods that
// it creates and deletes, and the back-off that it remembers, with our plan. Ok is
// false where there is no plan to carry out.
func syncBoth(t *rapid.T, reached *tally.Tally, c *cluster, backoff rollout.Backoff, now time.Time) (s both, ok bool) {
	r := c.reference(t)
	r.arm(c.ds, backoff, now)
	s.history = c.resolve(t)
	err := r.sync()
	writes, _ := historyWrites(r)
	if s.history.Collision == nil {
		s.history = c.afterTie(t, s.history, writes)
	}
	reading := s.history.Reading()
	s.created, s.deleted = podWrites(t, r, reading.Revision)
	nothing := func() {
		assert.Error(t, err)
		assert.Empty(t, s.created)
		assert.Empty(t, s.deleted)
	}
	if s.history.Collision != nil {
		nothing()
		return s, false
	}
	state := rollout.State{
		Fleet:  c.fleet(t, reading),
		Spec:   rollout.SpecOf(c.ds),
		Target: reading.Revision, Backoff: backoff,
		ObservedGeneration: c.ds.Status.ObservedGeneration, Now: now,
	}
	plan, ourErr := rollout.Sync(state)
	holds, _ := rollout.Holds(state)
	s.plan, s.state = plan, state
	if ourErr != nil {
		nothing()
		reached.Add("bad limit")
		return s, false
	}
	for _, h := range holds {
		if h.Reason == rollout.HeldNodeGone {
			// The documented departure: the reference does nothing at all.
			nothing()
			reached.Add(string(h.Reason))
			return s, false
		}
	}
	assert.NoError(t, err)
	checkPlan(t, reached, state, plan, holds, s.created, s.deleted)

	s.backoff = backoff.With(state.ObservedGeneration, plan.Backoff, now)
	for _, n := range c.nodes {
		if d, ok := s.backoff.Nodes[n.Name]; ok {
			assert.Equal(t, r.backoff.Get(backoffKey(c.ds, state.ObservedGeneration, n.Name)), d.For)
		}
		for _, b := range plan.Backoff {
			reached.AddIf(b.Node == n.Name && b.Delay.For == time.Second, "back-off: first")
			reached.AddIf(b.Node == n.Name && b.Delay.For > time.Second, "back-off: another")
		}
	}
	return s, true
}

// both is what came out on both sides.
type both struct {
	history          revision.History
	state            rollout.State
	plan             rollout.Plan
	backoff          rollout.Backoff
	created, deleted []string // by the reference: nodes, and pods
}

// settle replaces the pods by running ones of which manage mostly wants nothing,
// so that update has its turn: one for a node, on some an old and a new one.
func (c *cluster) settle(t *rapid.T) {
	if gen.Chance(t, 75, "anywhere") { // but for taints
		spec := &c.ds.Spec.Template.Spec
		spec.NodeSelector, spec.Affinity, spec.NodeName = nil, nil, ""
	}
	if gen.Chance(t, 40, "surge") {
		one := intstr.FromInt32(1)
		c.ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type:          appsv1.RollingUpdateDaemonSetStrategyType,
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: new(intstr.IntOrString), MaxSurge: &one},
		}
	}
	current := c.resolve(t).Reading().Revision
	c.pods = nil
	for _, node := range c.nodes {
		for _, hash := range gen.Pick(t, "hashes", []string{"old"}, []string{"old"}, []string{current}, []string{"old", current}) {
			pod := placement.NewPod(placement.OwnerOf(c.ds), &c.ds.Spec.Template, node.Name, placement.PodOptions{Hash: hash})
			pod.Name = fmt.Sprintf("settled-%d", len(c.pods))
			pod.UID, pod.Spec.NodeName = types.UID(pod.Name), node.Name
			if gen.Chance(t, 75, "ready") {
				since := gen.Epoch.Add(-gen.Pick(t, "ready since", -time.Minute, 0, time.Minute, time.Hour))
				pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(since)}}
			}
			c.pods = append(c.pods, pod)
		}
	}
}

// TestSync compares on random states.
func TestSync(t *testing.T) {
	n := checks(t, 20_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		c.ds.Spec.UpdateStrategy = drawStrategy(t)
		if gen.Chance(t, 40, "settled") {
			c.settle(t)
		}
		syncBoth(t, &reached, &c, drawBackoff(t, &c), gen.Epoch)
	})
	reached.Require(t, "bad limit", "nothing", "back-off: first", "back-off: another",
		"pod-missing", "surge-none-left", "surge-unavailable", "surge-available",
		"failed", "succeeded", "excess", "not-eligible", "node-gone", "surged-over-unready", "surged-over",
		"outdated-unavailable", "outdated-available", "outdated-not-eligible",
		"held-backoff", "held-budget", "held-capacity", "held-node-gone", "held-strategy")
	t.Logf("%d states", n)
}

// picked are the reasons of which the reference picks some at random.
var picked = map[rollout.Reason]bool{
	rollout.SurgeAvailable:      true, // within maxSurge
	rollout.OutdatedAvailable:   true, // within maxUnavailable
	rollout.OutdatedNotEligible: true, // as long as enough are available
	rollout.Failed:              true, // one of a node
}

// eligible counts the eligible nodes.
func eligible(f placement.Fleet) (n int) {
	for _, node := range f.Nodes {
		if node.Verdict == placement.Eligible {
			n++
		}
	}
	return n
}

func checkPlan(t *rapid.T, reached *tally.Tally, s rollout.State, plan rollout.Plan, holds []rollout.Hold, created, deleted []string) {
	forced, forcedPods := map[string]bool{}, map[string]bool{}
	candidates, candidatePods := map[string]bool{}, map[string]bool{}
	for _, c := range plan.Create {
		reached.Add(string(c.Reason))
		candidates[c.Node] = true
		if !picked[c.Reason] {
			forced[c.Node] = true
		}
	}
	for _, d := range plan.Delete {
		reached.Add(string(d.Reason))
		candidatePods[d.Pod] = true
		if !picked[d.Reason] {
			forcedPods[d.Pod] = true
		}
	}
	for _, h := range holds {
		reached.Add(string(h.Reason))
		switch h.Reason {
		case rollout.HeldBudget:
			// With surge the budget is one of creates, without it of deletes.
			if limits, err := s.Spec.Limits(eligible(s.Fleet)); err == nil && limits.MaxSurge != 0 {
				candidates[h.Node] = true
			} else {
				candidatePods[h.Pod] = true
			}
		case rollout.HeldCapacity:
			candidatePods[h.Pod] = true
		case rollout.HeldBackoff:
			for _, b := range plan.Backoff { // another failed pod of a node where one goes
				candidatePods[h.Pod] = candidatePods[h.Pod] || b.Node == h.Node
			}
		}
	}
	reached.AddIf(plan.Empty(), "nothing")
	checkActions(t, created, len(plan.Create), forced, candidates)
	checkActions(t, deleted, len(plan.Delete), forcedPods, candidatePods)
}

// TestSyncBurst: each part is cut at the same number.
func TestSyncBurst(t *testing.T) {
	c := cluster{ds: gen.DaemonSet().Example(1)}
	c.ds.DeletionTimestamp = nil
	limit := int32(10)
	c.ds.Spec.RevisionHistoryLimit = &limit
	c.ds.Spec.Template.Spec = corev1.PodSpec{Containers: c.ds.Spec.Template.Spec.Containers}
	for i := range rollout.Burst + 50 {
		n := gen.Nodes(1).Filter(func(n []*corev1.Node) bool { return len(n) == 1 }).Example(1)[0].DeepCopy()
		n.Name = fmt.Sprintf("n%d", i)
		n.Spec = corev1.NodeSpec{}
		c.nodes = append(c.nodes, n)
	}
	r := c.reference(t)
	assert.NoError(t, r.sync())
	created, _ := podWrites(t, r, revision.Hash(&c.ds.Spec.Template, c.ds.Status.CollisionCount))
	plan := rollout.Manage(rollout.State{
		Fleet:  placement.NewFleet(placement.Compile(&c.ds.Spec.Template, placement.Options{}), c.nodes, nil, placement.Reading{}),
		Target: "x", Now: gen.Epoch,
	})
	assert.Len(t, created, rollout.Burst)
	assert.Len(t, plan.Create, rollout.Burst)
	assert.Equal(t, []rollout.Count{{Reason: rollout.HeldBurst, N: 50}}, plan.Held)
}

// TestSyncBurstOrder: of more deletes than a burst, those that no limit concerns
// come first on both sides; which of them is a matter of picking.
func TestSyncBurstOrder(t *testing.T) {
	c := cluster{ds: gen.DaemonSet().Example(1)}
	c.ds.DeletionTimestamp = nil
	limit, all := int32(10), intstr.FromString("100%")
	c.ds.Spec.RevisionHistoryLimit = &limit
	c.ds.Spec.MinReadySeconds = 0
	c.ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
		Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &all},
	}
	c.ds.Spec.Template.Spec = corev1.PodSpec{Containers: c.ds.Spec.Template.Spec.Containers}
	owner := placement.OwnerOf(c.ds)
	for i := range 2 * rollout.Burst {
		n := &corev1.Node{}
		n.Name = fmt.Sprintf("n%d", i)
		c.nodes = append(c.nodes, n)
		pod := placement.NewPod(owner, &c.ds.Spec.Template, n.Name, placement.PodOptions{Hash: "old"})
		pod.Name, pod.UID, pod.Spec.NodeName = fmt.Sprintf("p%d", i), types.UID(n.Name), n.Name
		if i%5 < 3 { // three of five are available
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		c.pods = append(c.pods, pod)
	}
	r := c.reference(t)
	assert.NoError(t, r.sync())
	_, deleted := podWrites(t, r, "")
	plan, err := rollout.PlanRollingUpdate(c.ds, c.nodes, c.pods, "new", gen.Epoch)
	assert.NoError(t, err)

	unavailable := map[string]bool{}
	for _, pod := range c.pods {
		unavailable[pod.Name] = len(pod.Status.Conditions) == 0
	}
	theirs, ours := 0, 0
	for _, name := range deleted {
		if unavailable[name] {
			theirs++
		}
	}
	for _, d := range plan.Delete {
		if unavailable[d.Pod] {
			ours++
		}
	}
	assert.Len(t, deleted, rollout.Burst)
	assert.Len(t, plan.Delete, rollout.Burst)
	assert.Equal(t, 2*rollout.Burst*2/5, theirs)
	assert.Equal(t, theirs, ours)
}
