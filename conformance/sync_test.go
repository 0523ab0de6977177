package conformance_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/status"
)

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

// both is what came out on both sides.
type both struct {
	history          revision.History
	state            rollout.State
	plan             rollout.Plan
	status           appsv1.DaemonSetStatus
	backoff          rollout.Backoff
	created, deleted []string // by the reference: nodes, and pods
}

// syncBoth runs one sync of the reference on a state, and compares everything that
// it writes, and the back-off that it remembers, with ours. Ok is false where there
// is no plan to carry out.
func syncBoth(t *rapid.T, reached *tally.Tally, c *cluster) (s both, ok bool) {
	r := c.reference(t)
	h := c.resolve(t)
	err := r.sync()
	writes, revisions := writesBeside(r)
	if h.Collision != nil {
		c.checkCollision(t, reached, r, h, err, writes)
		return s, false
	}
	h = c.afterTie(t, h, writes)
	c.checkCreated(t, reached, h, revisions)
	s.history = h
	s.state = rollout.State{
		Fleet: c.fleet(t, h.Reading()), Spec: rollout.SpecOf(c.ds), Target: h.Reading().Revision,
		Backoff: c.backoff, ObservedGeneration: c.ds.Status.ObservedGeneration, InFlight: c.inFlight, Now: c.now,
	}
	s.created, s.deleted = podWrites(t, r, s.state.Target)
	ok = c.checkPods(t, reached, &s, err)

	claims := c.claims(t)
	pruned := revision.Prune(h.Old, claims.Claimed, c.ds.Spec.RevisionHistoryLimit)
	reached.AddIf(!ok && len(pruned) > 0, "prune: not after an error")
	reached.AddIf(c.waits() && len(pruned) > 0, "prune: not while in flight")
	if !ok || c.waits() {
		pruned = nil
	}
	pruned = prunedWithTies(t, h.Old, pruned, writes)
	assert.Equal(t, writes, c.ourWrites(h, claims, pruned))
	countHistory(reached, h, claims, pruned)

	in := status.InputOf(c.ds, c.now)
	in.Unobserved = c.waits()
	result := status.Compute(s.state.Fleet, in)
	c.checkStatus(t, reached, r, result)
	s.status = result.Status
	s.backoff = c.checkBackoff(t, reached, r, s.plan.Backoff)
	return s, ok
}

// checkPods compares the pods that are created and deleted with our plan. It
// returns whether there is one that the reference follows.
func (c *cluster) checkPods(t *rapid.T, reached *tally.Tally, s *both, err error) bool {
	plan, ourErr := rollout.Sync(s.state, rollout.Policy{})
	s.plan = plan
	holds, _ := rollout.Holds(s.state, rollout.Policy{})
	gone := slices.ContainsFunc(holds, func(h rollout.Hold) bool { return h.Reason == rollout.HeldNodeGone })
	if ourErr != nil || gone {
		// An error of the update. That on a node that is gone is the documented
		// departure: the reference does nothing at all.
		assert.Error(t, err)
		assert.Empty(t, s.created)
		assert.Empty(t, s.deleted)
		reached.AddIf(ourErr != nil, "bad limit")
		reached.AddIf(gone, string(rollout.HeldNodeGone))
		return false
	}
	assert.NoError(t, err)
	checkPlan(t, reached, s.state, plan, holds, s.created, s.deleted)
	if c.waits() {
		assert.True(t, plan.Empty())
		return true
	}
	updates := !plan.Empty() && !manages(s.state)
	reached.AddIf(len(c.nodes) >= 9, "9 nodes or more")
	reached.AddIf(len(c.nodes) >= 9 && updates, "9 nodes or more: update")
	if updates {
		// Of plain objects it is the same.
		plain, err := rollout.PlanRollingUpdate(c.ds, c.nodes, c.claims(t).Claimed, s.state.Target, c.now)
		assert.NoError(t, err)
		assert.Equal(t, plan.Create, plain.Create)
		assert.Equal(t, plan.Delete, plain.Delete)
	}
	return true
}

// checkBackoff compares the back-off of each node after the sync.
func (c *cluster) checkBackoff(t *rapid.T, reached *tally.Tally, r *reference, changes []rollout.BackoffChange) rollout.Backoff {
	generation := c.ds.Status.ObservedGeneration
	after := c.backoff.With(generation, changes, c.now)
	for _, n := range c.nodes {
		key := backoffKey(c.ds, generation, n.Name)
		d, ok := after.Nodes[n.Name]
		if ok {
			assert.Equal(t, r.backoff.Get(key), d.For)
		}
		held := ok && c.now.Sub(d.Since) < d.For
		assert.Equal(t, r.backoff.IsInBackOffSinceUpdate(key, c.now), held)
	}
	for _, b := range changes {
		reached.AddIf(b.Delay.For == time.Second, "back-off: first")
		reached.AddIf(b.Delay.For > time.Second, "back-off: another")
	}
	return after
}

// TestSync compares whole syncs on random states.
func TestSync(t *testing.T) {
	n := checks(t, 20_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, gen.Pick(t, "nodes", 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
		if gen.Chance(t, 60, "settled") {
			c.settle(t)
		}
		c.remember(t)
		if c.waits() {
			// Nothing happens until what is in flight is seen, and then the same as
			// if it had never been.
			syncBoth(t, &reached, &c)
			c.seen, c.inFlight = c.inFlight, rollout.InFlight{}
		}
		syncBoth(t, &reached, &c)
	})
	reached.Require(t, slices.Concat(besides, []string{"bad limit", "nothing", "back-off: first", "back-off: another",
		"pod-missing", "surge-none-left", "surge-unavailable", "surge-available",
		"failed", "succeeded", "excess", "not-eligible", "node-gone", "surged-over-unready", "surged-over",
		"outdated-unavailable", "outdated-available", "outdated-not-eligible",
		"held-backoff", "held-budget", "held-capacity", "held-node-gone", "held-strategy", "held-in-flight",
		"status: written, not observed", "prune: not after an error", "prune: not while in flight",
		"9 nodes or more", "9 nodes or more: update", "creates: several of more", "deletes: several of more"})...)
	t.Logf("%d states", n)
}
