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

// writesBeside are what the reference wrote beside pods and the status, as a
// sorted list of lines, and the revisions that it created. Claims of pods are
// there once: it repeats them in each step, since the cache does not show them.
func writesBeside(r *reference) (writes []string, created []*appsv1.ControllerRevision) {
	claims := map[string]bool{}
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
			switch line := fmt.Sprintf("patch %s %s %s", resource, action.GetName(), action.GetPatch()); {
			case resource == "pods" && !strings.Contains(string(action.GetPatch()), revision.HashLabel):
				claims[line] = true
			default:
				writes = append(writes, line)
			}
		}
	}
	for line := range claims {
		writes = append(writes, line)
	}
	slices.Sort(writes)
	return writes, created
}

func updated(r *appsv1.ControllerRevision) string {
	return fmt.Sprintf("update %s to %d, labels %v", r.Name, r.Revision, r.Labels)
}

// ourWrites are the same of a history, of the claims of pods and of what is pruned
// after it.
func (c *cluster) ourWrites(h revision.History, pods placement.Claims[*corev1.Pod], pruned []*appsv1.ControllerRevision) []string {
	owner := placement.OwnerOf(c.ds)
	writes := append(claimWrites("controllerrevisions", owner, h.Adopt, h.Release), claimWrites("pods", owner, pods.Adopt, pods.Release)...)
	for _, r := range h.Label {
		writes = append(writes, updated(r))
	}
	for _, l := range h.Relabel {
		patch, _ := json.Marshal(map[string]any{"metadata": map[string]any{"labels": map[string]string{revision.HashLabel: l.Hash}}})
		writes = append(writes, fmt.Sprintf("patch pods %s %s", l.Pod.Name, patch))
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

func claimWrites[T placement.Claimable](resource string, owner placement.Owner, adopt, release []T) (writes []string) {
	for _, o := range adopt {
		writes = append(writes, fmt.Sprintf("patch %s %s %s", resource, o.GetName(), placement.AdoptPatch(owner, o.GetUID())))
	}
	for _, o := range release {
		writes = append(writes, fmt.Sprintf("patch %s %s %s", resource, o.GetName(), placement.ReleasePatch(owner, o.GetUID())))
	}
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
	for _, pod := range c.claims(t).Claimed {
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

// TestHistoryAndStatus is TestSync on small fleets, where most of a sync is about
// revisions.
func TestHistoryAndStatus(t *testing.T) {
	n := checks(t, 5000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t, gen.Pick(t, "nodes", 0, 1, 2, 3, 4))
		c.remember(t)
		syncBoth(t, &reached, &c)
	})
	reached.Require(t, besides...)
	t.Logf("%d states", n)
}

// besides are what a sync does beside creating and deleting pods.
var besides = []string{"create", "borrowed", "collision", "stale collision", "renumber", "label", "relabel", "duplicates", "adopt", "release",
	"prune", "adopt a pod", "release a pod", "status: written", "status: nothing to write", "misscheduled", "updated", "available", "ready, not available"}

// checkCollision: the sync ends with an error before it looks at a pod, and either
// the count is raised or, where the cache was behind, it is left alone.
func (c *cluster) checkCollision(t *rapid.T, reached *tally.Tally, r *reference, h revision.History, err error, writes []string) {
	assert.Error(t, err)
	assert.Equal(t, writes, c.ourWrites(h, placement.Claims[*corev1.Pod]{}, nil))
	created, deleted := podWrites(t, r, "")
	assert.Empty(t, created)
	assert.Empty(t, deleted)
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

// checkStatus compares what is written of the status, or that nothing is.
func (c *cluster) checkStatus(t *rapid.T, reached *tally.Tally, r *reference, got status.Result) {
	want := writtenStatus(r)
	assert.Equal(t, want != nil, got.Write)
	if want != nil {
		assert.Equal(t, *want, got.Status)
	}
	reached.AddIf(want == nil, "status: nothing to write")
	reached.AddIf(want != nil, "status: written")
	reached.AddIf(want != nil && c.waits() && want.ObservedGeneration < c.ds.Generation, "status: written, not observed")
	reached.AddIf(got.Status.NumberMisscheduled > 0, "misscheduled")
	reached.AddIf(got.Status.UpdatedNumberScheduled > 0, "updated")
	reached.AddIf(got.Status.NumberAvailable > 0, "available")
	reached.AddIf(got.Status.NumberReady > got.Status.NumberAvailable, "ready, not available")
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

func countHistory(reached *tally.Tally, h revision.History, pods placement.Claims[*corev1.Pod], pruned []*appsv1.ControllerRevision) {
	reached.AddIf(h.Create != nil, "create")
	reached.AddIf(h.Create == nil && len(h.Delete) > 0, "duplicates")
	reached.AddIf(h.Renumber != nil, "renumber")
	reached.AddIf(len(h.Label) > 0, "label")
	reached.AddIf(len(h.Relabel) > 0, "relabel")
	reached.AddIf(len(h.Adopt) > 0, "adopt")
	reached.AddIf(len(h.Release) > 0, "release")
	reached.AddIf(len(pruned) > 0, "prune")
	reached.AddIf(len(pods.Adopt) > 0, "adopt a pod")
	reached.AddIf(len(pods.Release) > 0, "release a pod")
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
