package conformance_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/status"
)

// cluster is a random state around the DaemonSet ns/probe, and what a controller
// remembers of earlier syncs.
type cluster struct {
	ds        *appsv1.DaemonSet
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	revisions []*appsv1.ControllerRevision
	// live is the collision count that the API server has; the cache has that of
	// ds.
	live *int32

	now     time.Time
	backoff rollout.Backoff
	// inFlight are writes that are not seen yet, and seen those that have been
	// since, of the same sync.
	inFlight, seen rollout.InFlight
}

// drawCluster draws a state of n nodes in which nothing makes the reference
// panic: no negative numbers among several current revisions, and a history limit.
func drawCluster(t *rapid.T, n int) cluster {
	c := cluster{ds: gen.DaemonSet().Draw(t, "daemonset"), now: gen.Epoch}
	ds := c.ds
	ds.Spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 0, 30, -5)
	limit := gen.Pick[int32](t, "limit", 0, 1, 2, 10)
	ds.Spec.RevisionHistoryLimit = &limit
	ds.Spec.UpdateStrategy = drawStrategy(t)
	if gen.Chance(t, 30, "collision count") {
		n := gen.Pick[int32](t, "count", 0, 1, 3)
		ds.Status.CollisionCount = &n
	}
	c.live = ds.Status.CollisionCount
	if gen.Chance(t, 10, "stale count") {
		n := gen.Pick[int32](t, "live count", 0, 1, 4)
		c.live = &n
	}
	for i := range n {
		c.nodes = append(c.nodes, gen.Node(fmt.Sprintf("n%d", i)).Draw(t, "node"))
	}
	c.pods = gen.Pods(ds, 2+n*3/2, c.nodes).Draw(t, "pods")

	own, err := revision.Patch(&ds.Spec.Template)
	assert.NoError(t, err)
	patches := [][]byte{own, own}
	hashes := []string{revision.Hash(&ds.Spec.Template, ds.Status.CollisionCount), revision.Hash(&ds.Spec.Template, ds.Status.CollisionCount)}
	for _, template := range gen.HistoryTemplates()[:2] {
		patch, err := revision.Patch(template)
		assert.NoError(t, err)
		patches = append(patches, patch)
		hashes = append(hashes, revision.Hash(template, nil))
	}
	c.revisions = gen.History(ds, 6, patches, hashes).Draw(t, "revisions")
	for _, r := range c.revisions {
		r.Revision = max(r.Revision, 0)
		// Neither the API server nor the fake one stores what is not JSON.
		if !json.Valid(r.Data.Raw) {
			r.Data.Raw = []byte(`{}`)
		}
	}
	for _, pod := range c.pods {
		if len(c.revisions) > 0 && gen.Chance(t, 40, "hash of a revision") {
			pod.Labels[revision.HashLabel] = gen.Pick(t, "revision", c.revisions...).Labels[revision.HashLabel]
		}
	}
	return c
}

// drawStrategy draws limits of every kind, but none so huge that the reference
// runs out of memory.
func drawStrategy(t *rapid.T) appsv1.DaemonSetUpdateStrategy {
	limit := func(label string, more ...*intstr.IntOrString) *intstr.IntOrString {
		values := append(more, number(0), number(0), number(0), number(1), number(1), number(2), number(5), number(-1),
			percent("0%"), percent("10%"), percent("34%"), percent("+50%"), percent("050%"), percent("100%"), percent("1000%"), percent("-50%"))
		if gen.Chance(t, 15, "odd "+label) {
			values = []*intstr.IntOrString{nil, percent("5"), percent(" 50%")}
		}
		return gen.Pick(t, label, values...)
	}
	s := appsv1.DaemonSetUpdateStrategy{Type: gen.Pick(t, "type", appsv1.RollingUpdateDaemonSetStrategyType,
		appsv1.RollingUpdateDaemonSetStrategyType, appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType, "")}
	if !gen.Chance(t, 10, "no block") {
		s.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: limit("maxUnavailable"), MaxSurge: limit("maxSurge", nil, nil, nil, nil)}
	}
	return s
}

func number(n int32) *intstr.IntOrString {
	v := intstr.FromInt32(n)
	return &v
}

func percent(s string) *intstr.IntOrString {
	v := intstr.FromString(s)
	return &v
}

// remember draws what earlier syncs left behind: the status, the back-off and the
// writes that are in flight.
func (c *cluster) remember(t *rapid.T) {
	if gen.Chance(t, 40, "status as it will be") {
		c.ds.Status = status.Compute(c.fleet(t, c.resolve(t).Reading()), status.InputOf(c.ds, c.now)).Status
		c.ds.Status.ObservedGeneration += gen.Pick[int64](t, "observed", 0, 0, 0, 0, -1, 1)
	}
	c.drawBackoff(t)
	if gen.Chance(t, 8, "in flight") {
		c.inFlight, c.seen = c.drawWrites(t), c.drawWrites(t)
	}
}

// drawBackoff draws the back-off of some nodes.
func (c *cluster) drawBackoff(t *rapid.T) {
	c.backoff = rollout.Backoff{Generation: c.ds.Status.ObservedGeneration, Nodes: map[string]rollout.Delay{}}
	if gen.Chance(t, 20, "of another generation") {
		c.backoff.Generation++
	}
	for _, n := range c.nodes {
		if failures := gen.Pick(t, "failures", 0, 0, 1, 2, 12); failures > 0 {
			ago := gen.Pick(t, "ago", 0, time.Second, 3*time.Second, 15*time.Minute, 30*time.Minute, 31*time.Minute)
			c.backoff.Nodes[n.Name] = rollout.Delay{For: min(time.Second<<(failures-1), 15*time.Minute), Since: c.now.Add(-ago)}
		}
	}
}

// drawWrites draws a few creates and deletes.
func (c *cluster) drawWrites(t *rapid.T) rollout.InFlight {
	f := rollout.InFlight{Creates: map[string]int{}, Deletes: map[types.UID]bool{}}
	if len(c.nodes) > 0 {
		for range gen.Pick(t, "creates", 0, 1, 2) {
			f.Creates[gen.Pick(t, "node", c.nodes...).Name]++
		}
	}
	if len(c.pods) > 0 {
		for range gen.Pick(t, "deletes", 0, 1, 2) {
			f.Deletes[gen.Pick(t, "pod", c.pods...).UID] = true
		}
	}
	return f
}

// waits reports whether anything is in flight.
func (c *cluster) waits() bool { return len(c.inFlight.Creates)+len(c.inFlight.Deletes) > 0 }

// reference is the controller that sees the state and remembers the same.
func (c *cluster) reference(t failer) *reference {
	r := newReference(t, c.now, c.ds, c.nodes, c.pods, c.revisions)
	r.live.Status.CollisionCount = c.live
	r.arm(c.ds, c.backoff, c.now)
	r.expect(t, c.inFlight, c.seen)
	return r
}

// claims sorts the pods by whose they are.
func (c *cluster) claims(t assert.TestingT) placement.Claims[*corev1.Pod] {
	selector, err := metav1.LabelSelectorAsSelector(c.ds.Spec.Selector)
	assert.NoError(t, err)
	return placement.Claim(placement.OwnerOf(c.ds), selector, c.pods)
}

// resolve is our history of the state.
func (c *cluster) resolve(t assert.TestingT) revision.History {
	selector, err := metav1.LabelSelectorAsSelector(c.ds.Spec.Selector)
	assert.NoError(t, err)
	h, err := revision.Resolve(revision.State{
		Owner: placement.OwnerOf(c.ds), Template: &c.ds.Spec.Template, Selector: selector,
		Revisions: c.revisions, Pods: c.claims(t).Claimed, CollisionCount: c.ds.Status.CollisionCount,
	}, revision.Options{})
	assert.NoError(t, err)
	return h
}

func (c *cluster) fleet(t assert.TestingT, reading placement.Reading) placement.Fleet {
	return placement.NewFleet(placement.Compile(&c.ds.Spec.Template, placement.Options{}), c.nodes, c.claims(t).Claimed, reading)
}
