package conformance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clienttesting "k8s.io/client-go/testing"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/status"
)

// cluster is a random state around the DaemonSet ns/probe.
type cluster struct {
	ds        *appsv1.DaemonSet
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	revisions []*appsv1.ControllerRevision
	// live is the collision count that the API server has; the cache has that of
	// ds.
	live *int32
}

// drawCluster draws a state in which nothing makes the reference panic: no
// negative numbers among several current revisions, and a history limit.
func drawCluster(t *rapid.T) cluster {
	c := cluster{ds: gen.DaemonSet().Draw(t, "daemonset")}
	ds := c.ds
	ds.Spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 0, 30, -5)
	limit := gen.Pick[int32](t, "limit", 0, 1, 2, 10)
	ds.Spec.RevisionHistoryLimit = &limit
	ds.Spec.UpdateStrategy.Type = gen.Pick(t, "strategy", appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType)
	if gen.Chance(t, 30, "collision count") {
		n := gen.Pick[int32](t, "count", 0, 1, 3)
		ds.Status.CollisionCount = &n
	}
	c.live = ds.Status.CollisionCount
	if gen.Chance(t, 10, "stale count") {
		n := gen.Pick[int32](t, "live count", 0, 1, 4)
		c.live = &n
	}
	c.nodes = gen.Nodes(4).Draw(t, "nodes")
	c.pods = gen.Pods(ds, 6, c.nodes).Draw(t, "pods")

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
	if gen.Chance(t, 40, "status as it will be") {
		c.ds.Status = c.expectedStatus(t, c.resolve(t))
	}
	return c
}

// reference is the controller that sees the state.
func (c *cluster) reference(t failer) *reference {
	r := newReference(t, gen.Epoch, c.ds, c.nodes, c.pods, c.revisions)
	r.live.Status.CollisionCount = c.live
	return r
}

func (c *cluster) claimed(t *rapid.T) []*corev1.Pod {
	selector, err := metav1.LabelSelectorAsSelector(c.ds.Spec.Selector)
	assert.NoError(t, err)
	return placement.Claim(placement.OwnerOf(c.ds), selector, c.pods).Claimed
}

// resolve is our history of the state.
func (c *cluster) resolve(t *rapid.T) revision.History {
	selector, err := metav1.LabelSelectorAsSelector(c.ds.Spec.Selector)
	assert.NoError(t, err)
	h, err := revision.Resolve(revision.State{
		Owner: placement.OwnerOf(c.ds), Template: &c.ds.Spec.Template, Selector: selector,
		Revisions: c.revisions, Pods: c.claimed(t), CollisionCount: c.ds.Status.CollisionCount,
	}, revision.Options{})
	assert.NoError(t, err)
	return h
}

// expectedStatus is our status for a history that resolved.
func (c *cluster) expectedStatus(t *rapid.T, h revision.History) appsv1.DaemonSetStatus {
	return c.computed(t, h.Reading()).Status
}

func (c *cluster) computed(t *rapid.T, reading placement.Reading) status.Result {
	return status.Compute(c.fleet(t, reading), status.InputOf(c.ds, gen.Epoch))
}

func (c *cluster) fleet(t *rapid.T, reading placement.Reading) placement.Fleet {
	return placement.NewFleet(placement.Compile(&c.ds.Spec.Template, placement.Options{}), c.nodes, c.claimed(t), reading)
}

// historyWrites are what the reference wrote that concerns the history, as a
// sorted list of lines. Claims are compared elsewhere, and repeated ones, of pods
// that the cache does not show as claimed yet, are of no interest.
func historyWrites(r *reference) (writes []string, created []*appsv1.ControllerRevision) {
	for _, action := range r.client.Actions() {
		resource := action.GetResource().Resource
		switch action := action.(type) {
		case clienttesting.CreateAction: // an update is one too
			o, ok := action.GetObject().(*appsv1.ControllerRevision)
			switch {
			case !ok:
			case action.GetVerb() == "create":
				created = append(created, o)
			default:
				writes = append(writes, updated(o))
			}
		case clienttesting.DeleteAction:
			if resource == "controllerrevisions" {
				writes = append(writes, "delete "+action.GetName())
			}
		case clienttesting.PatchAction:
			switch {
			case resource == "controllerrevisions":
				writes = append(writes, fmt.Sprintf("patch %s %s", action.GetName(), action.GetPatch()))
			case strings.Contains(string(action.GetPatch()), revision.HashLabel):
				writes = append(writes, fmt.Sprintf("relabel %s %s", action.GetName(), action.GetPatch()))
			}
		}
	}
	slices.Sort(writes)
	return writes, created
}

func updated(r *appsv1.ControllerRevision) string {
	return fmt.Sprintf("update %s to %d, labels %v", r.Name, r.Revision, r.Labels)
}

// ourWrites are the same of a history, and of what is pruned after it.
func (c *cluster) ourWrites(h revision.History, pruned []*appsv1.ControllerRevision) []string {
	var writes []string
	owner := placement.OwnerOf(c.ds)
	for _, r := range h.Adopt {
		writes = append(writes, fmt.Sprintf("patch %s %s", r.Name, placement.AdoptPatch(owner, r.UID)))
	}
	for _, r := range h.Release {
		writes = append(writes, fmt.Sprintf("patch %s %s", r.Name, placement.ReleasePatch(owner, r.UID)))
	}
	for _, r := range h.Label {
		writes = append(writes, updated(r))
	}
	for _, l := range h.Relabel {
		patch, _ := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{revision.HashLabel: l.Hash}}})
		writes = append(writes, fmt.Sprintf("relabel %s %s", l.Pod.Name, patch))
	}
	for _, r := range append(slices.Clone(h.Delete), pruned...) {
		writes = append(writes, "delete "+r.Name)
	}
	if h.Renumber != nil {
		writes = append(writes, updated(h.Renumber))
	}
	slices.Sort(writes)
	return writes
}

// afterTie turns a history into the one that keeps another of the current
// revisions with the highest number. This is the one difference that is allowed:
// the reference keeps the last of them that it sees, in the order of a map.
func (c *cluster) afterTie(t *rapid.T, h revision.History, deleted []string) revision.History {
	if len(h.Delete) == 0 || !slices.Contains(deleted, "delete "+h.Current.Name) {
		return h
	}
	before := h.Current
	if h.Renumber != nil {
		for _, r := range append(slices.Clone(c.revisions), h.Label...) {
			if r.Name == before.Name {
				before = r
			}
		}
	}
	at := slices.IndexFunc(h.Delete, func(r *appsv1.ControllerRevision) bool { return !slices.Contains(deleted, "delete "+r.Name) })
	if !assert.GreaterOrEqual(t, at, 0, "the reference keeps one") {
		return h
	}
	kept := h.Delete[at]
	assert.Equal(t, before.Revision, kept.Revision, "only revisions with the highest number tie")
	h.Delete = slices.Clone(h.Delete)
	h.Delete[at] = before
	h.Current = kept
	if h.Renumber != nil {
		number := h.Renumber.Revision
		h.Renumber = kept.DeepCopy()
		h.Renumber.Revision = number
	}
	h.Relabel = nil
	for _, pod := range c.claimed(t) {
		if hash := kept.Labels[revision.HashLabel]; pod.Labels[revision.HashLabel] != hash {
			h.Relabel = append(h.Relabel, revision.Relabel{Pod: pod, Hash: hash})
		}
	}
	return h
}

// prunedWithTies returns the old revisions that the reference deleted, after
// making sure that ours would be the same but for equal numbers: the reference
// sorts by number alone, so that of old revisions with the same number it deletes
// those that map order puts first. That is the second difference that is allowed.
func prunedWithTies(t *rapid.T, old, ours []*appsv1.ControllerRevision, writes []string) []*appsv1.ControllerRevision {
	var theirs []*appsv1.ControllerRevision
	for _, r := range old {
		if slices.Contains(writes, "delete "+r.Name) {
			theirs = append(theirs, r)
		}
	}
	numbers := func(list []*appsv1.ControllerRevision) (all []int64) {
		for _, r := range list {
			all = append(all, r.Revision)
		}
		return all
	}
	assert.Equal(t, numbers(theirs), numbers(ours))
	return theirs
}

// TestHistoryAndStatus runs whole syncs of the reference and compares everything
// that it writes about revisions, and the status.
func TestHistoryAndStatus(t *testing.T) {
	n := checks(t, 20_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		h := c.resolve(t)
		r := c.reference(t)
		err := r.sync()
		writes, created := historyWrites(r)

		if h.Collision != nil {
			c.checkCollision(t, &reached, r, h, err, writes)
			return
		}
		assert.NoError(t, err)
		h = c.afterTie(t, h, writes)
		reached.AddIf(h.Current != nil && h.Create == nil && len(h.Delete) > 0, "duplicates")
		pruned := revision.Prune(h.Old, c.claimed(t), c.ds.Spec.RevisionHistoryLimit)
		pruned = prunedWithTies(t, h.Old, pruned, writes)
		assert.Equal(t, writes, c.ourWrites(h, pruned))
		c.checkCreated(t, &reached, h, created)

		want := writtenStatus(r)
		got := c.computed(t, h.Reading())
		assert.Equal(t, want != nil, got.Write)
		if want != nil {
			assert.Equal(t, *want, got.Status)
		}
		reached.AddIf(want == nil, "status: nothing to write")
		reached.AddIf(want != nil, "status: written")
		count(&reached, h, pruned, got.Status)
	})
	reached.Require(t, "create", "borrowed", "collision", "stale collision", "renumber", "label", "relabel", "duplicates", "adopt", "release",
		"prune", "status: written", "status: nothing to write", "misscheduled", "updated", "available", "ready, not available")
	t.Logf("%d states", n)
}

// checkCollision: the sync ends with an error, and either the count is raised or,
// where the cache was behind, it is left alone.
func (c *cluster) checkCollision(t *rapid.T, reached *tally.Tally, r *reference, h revision.History, err error, writes []string) {
	assert.Error(t, err)
	assert.Equal(t, writes, c.ourWrites(h, nil))
	want := writtenStatus(r)
	raised, ok := h.Collision.Raise(c.live)
	assert.Equal(t, want != nil, ok)
	if want == nil {
		reached.Add("stale collision")
		return
	}
	reached.Add("collision")
	assert.Equal(t, raised, *want.CollisionCount)
}

// checkCreated compares the created revision, object for object. An attempt to
// create one whose name is taken by an equal one is answered with that one.
func (c *cluster) checkCreated(t *rapid.T, reached *tally.Tally, h revision.History, created []*appsv1.ControllerRevision) {
	switch {
	case h.Create != nil:
		if assert.Len(t, created, 1) && !equality.Semantic.DeepEqual(created[0], h.Create) {
			assert.Equal(t, created[0], h.Create)
		}
	case h.Borrowed:
		reached.Add("borrowed")
		assert.Len(t, created, 1)
		assert.Equal(t, created[0].Name, h.Current.Name)
	default:
		assert.Empty(t, created)
	}
}

// writtenStatus is the last status that the reference wrote, or nil.
func writtenStatus(r *reference) *appsv1.DaemonSetStatus {
	var last *appsv1.DaemonSetStatus
	for _, action := range r.client.Actions() {
		if update, ok := action.(clienttesting.UpdateAction); ok && action.GetVerb() == "update" && action.GetSubresource() == "status" {
			last = &update.GetObject().(*appsv1.DaemonSet).Status
		}
	}
	return last
}

func count(reached *tally.Tally, h revision.History, pruned []*appsv1.ControllerRevision, s appsv1.DaemonSetStatus) {
	reached.AddIf(h.Create != nil, "create")
	reached.AddIf(h.Renumber != nil, "renumber")
	reached.AddIf(len(h.Label) > 0, "label")
	reached.AddIf(len(h.Relabel) > 0, "relabel")
	reached.AddIf(len(h.Adopt) > 0, "adopt")
	reached.AddIf(len(h.Release) > 0, "release")
	reached.AddIf(len(pruned) > 0, "prune")
	reached.AddIf(s.NumberMisscheduled > 0, "misscheduled")
	reached.AddIf(s.UpdatedNumberScheduled > 0, "updated")
	reached.AddIf(s.NumberAvailable > 0, "available")
	reached.AddIf(s.NumberReady > s.NumberAvailable, "ready, not available")
}

// TestPatchAndHash compares on templates with every field filled in.
func TestPatchAndHash(t *testing.T) {
	checks(t, 5000)
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		gen.Metadata(t, &ds.Spec.Template)
		if gen.Chance(t, 50, "filled") {
			ds.Spec.Template = newLintFill(rapid.Uint64().Draw(t, "seed")).daemonSet().Spec.Template
		}
		var collisions *int32
		if gen.Chance(t, 50, "collisions") {
			n := rapid.Int32().Draw(t, "count")
			collisions = &n
		}
		assert.Equal(t, kubecontroller.ComputeHash(&ds.Spec.Template, collisions), revision.Hash(&ds.Spec.Template, collisions))
		want, wantErr := getPatch(ds)
		got, err := revision.Patch(&ds.Spec.Template)
		assert.Equal(t, wantErr == nil, err == nil) // a port may have no form in JSON
		assert.Equal(t, string(want), string(got))
	})
}

// The hashes hold for k8s.io/api v0.37.2 and no other version: a field that is
// added to the types changes them.
func TestGoldenHashes(t *testing.T) {
	template := func(image string) *corev1.PodTemplateSpec {
		return &corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "probe"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
		}
	}
	one := int32(1)
	for _, c := range []struct {
		image      string
		collisions *int32
		want       string
	}{
		{"registry.example/probe:1", nil, "67bd59b97b"},
		{"registry.example/probe:2", nil, "6c88bd8857"},
		{"registry.example/probe:3", nil, "6c45c6fccd"},
		{"registry.example/probe:1", &one, "dc689489c"},
	} {
		assert.Equal(t, c.want, revision.Hash(template(c.image), c.collisions))
	}
	patch, err := revision.Patch(template("registry.example/probe:1"))
	assert.NoError(t, err)
	assert.Equal(t, `{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"probe"}},`+
		`"spec":{"containers":[{"image":"registry.example/probe:1","name":"main","resources":{}}]}}}}`, string(patch))
}
