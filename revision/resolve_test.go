package revision_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// The first sync of a DaemonSet: one revision, called after the hash.
func TestResolveCreates(t *testing.T) {
	ds := daemonSet(0)
	ds.Annotations = map[string]string{revision.ChangeCauseAnnotation: "first", "x": "y"}
	h, err := revision.Resolve(state(ds, nil), revision.Options{})
	assert.NoError(t, err)
	hash := revision.Hash(&ds.Spec.Template, nil)
	assert.Same(t, h.Create, h.Current)
	assert.Equal(t, &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "probe-" + hash,
			Labels:          map[string]string{"app": "probe", revision.HashLabel: hash},
			Annotations:     ds.Annotations,
			OwnerReferences: []metav1.OwnerReference{*placement.OwnerOf(ds).ControllerRef()},
		},
		Data: runtime.RawExtension{Raw: patchOf(t, 0)}, Revision: 1,
	}, h.Create)
	assert.Equal(t, hash, h.Reading().Revision)

	// What is created shares nothing with the DaemonSet.
	h.Create.Labels["app"], h.Create.Annotations["x"] = "scribbled", "scribbled"
	assert.Equal(t, "probe", ds.Spec.Template.Labels["app"])
	assert.Equal(t, "y", ds.Annotations["x"])
}

// A change cause in the template is another template, not a cause
// (kubernetes/kubernetes#78890).
func TestChangeCauseOfTheTemplateDoesNotCount(t *testing.T) {
	ds := daemonSet(0)
	ds.Spec.Template.Annotations = map[string]string{revision.ChangeCauseAnnotation: "first"}
	h, err := revision.Resolve(state(ds, nil), revision.Options{})
	assert.NoError(t, err)
	assert.Empty(t, revision.Entries([]*appsv1.ControllerRevision{h.Create})[0].Cause)
	assert.NotEqual(t, revision.Hash(gen.HistoryTemplates()[0], nil), h.Create.Labels[revision.HashLabel])
}

// A template that comes back finds its revision, which gets the highest number
// (kubernetes/kubernetes#46144).
func TestResolveRenumbers(t *testing.T) {
	revisions := []*appsv1.ControllerRevision{stored(t, "one", 1, 0), stored(t, "two", 2, 1), stored(t, "three", 3, 2)}
	h, err := revision.Resolve(state(daemonSet(0), revisions), revision.Options{})
	assert.NoError(t, err)
	assert.Nil(t, h.Create)
	assert.Equal(t, "probe-one", h.Current.Name)
	assert.Equal(t, int64(4), h.Current.Revision, "the number that it gets, not the one that it has")
	assert.Same(t, h.Renumber, h.Current)
	assert.Equal(t, int64(1), revisions[0].Revision)
	assert.Equal(t, []string{"probe-two", "probe-three"}, names(h.Old))

	// Once renumbered, nothing is left to do.
	revisions[0] = h.Renumber
	h, err = revision.Resolve(state(daemonSet(0), revisions), revision.Options{})
	assert.NoError(t, err)
	assert.Nil(t, h.Renumber)
	assert.Equal(t, []string{"probe-two", "probe-three"}, names(h.Old))
}

// A hand-made copy of a revision, kubernetes/kubernetes#111280: of two current
// ones the higher number stays; all pods are relabelled, or those of the copy.
func TestResolveRemovesDuplicates(t *testing.T) {
	revisions := []*appsv1.ControllerRevision{stored(t, "one", 1, 0), stored(t, "dup1", 2, 0), stored(t, "two", 3, 1)}
	pods := []*corev1.Pod{pod("p-c", "one"), pod("p-b", "two"), pod("p-a", "two"), nil, pod("p-d", "dup1")}
	for _, c := range []struct {
		options revision.Options
		relabel []string
	}{
		{revision.Options{}, []string{"p-a", "p-b", "p-c"}},
		{revision.Options{RelabelDuplicatesOnly: true}, []string{"p-c"}},
	} {
		h, err := revision.Resolve(state(daemonSet(0), revisions, pods...), c.options)
		assert.NoError(t, err)
		assert.Equal(t, "probe-dup1", h.Current.Name)
		assert.Equal(t, int64(4), h.Renumber.Revision)
		assert.Equal(t, []string{"probe-one"}, names(h.Delete))
		assert.Equal(t, []string{"probe-two"}, names(h.Old))
		var relabel []string
		for _, r := range h.Relabel {
			assert.Equal(t, "dup1", r.Hash)
			relabel = append(relabel, r.Pod.Name)
		}
		assert.Equal(t, c.relabel, relabel)
		assert.Equal(t, "dup1", h.Reading().Revision)
	}
}

// Where numbers tie, the first name is kept, whatever the order.
func TestResolveTies(t *testing.T) {
	a, b, c := stored(t, "a", 2, 0), stored(t, "b", 2, 0), stored(t, "c", 1, 0)
	for _, revisions := range [][]*appsv1.ControllerRevision{{a, b, c}, {c, b, a}, {b, a, c}} {
		h, err := revision.Resolve(state(daemonSet(0), revisions), revision.Options{})
		assert.NoError(t, err)
		assert.Equal(t, "probe-a", h.Current.Name)
		assert.Equal(t, []string{"probe-c", "probe-b"}, names(h.Delete))
		assert.Nil(t, h.Renumber)
	}
	// All numbers negative: the reference panics.
	for _, r := range []*appsv1.ControllerRevision{a, b, c} {
		r.Revision -= 10
	}
	h, err := revision.Resolve(state(daemonSet(0), []*appsv1.ControllerRevision{a, b, c}), revision.Options{})
	assert.NoError(t, err)
	assert.Equal(t, "probe-a", h.Current.Name)
	assert.Equal(t, int64(1), h.Renumber.Revision)
}

// A collision in two syncs, kubernetes/kubernetes#66476: the first raises the
// count, the second hashes with it.
func TestResolveCollision(t *testing.T) {
	ds := daemonSet(0)
	taken := stored(t, revision.Hash(&ds.Spec.Template, nil), 1, 1)
	h, err := revision.Resolve(state(ds, []*appsv1.ControllerRevision{taken}), revision.Options{})
	assert.NoError(t, err)
	assert.Nil(t, h.Current)
	assert.Nil(t, h.Create)
	assert.Same(t, taken, h.Collision.Taken)
	assert.Empty(t, h.Reading().Revision)

	count, ok := h.Collision.Raise(nil)
	assert.True(t, ok)
	assert.Equal(t, int32(1), count)
	_, ok = h.Collision.Raise(ptr(int32(0)))
	assert.False(t, ok, "somebody raised it already: the cache is behind")

	ds.Status.CollisionCount = &count
	h, err = revision.Resolve(state(ds, []*appsv1.ControllerRevision{taken}), revision.Options{})
	assert.NoError(t, err)
	assert.Equal(t, "probe-"+revision.Hash(&ds.Spec.Template, &count), h.Create.Name)
	assert.Equal(t, int64(2), h.Create.Revision)
	assert.Equal(t, []string{taken.Name}, names(h.Old))

	for _, c := range []struct {
		used, live *int32
		want       int32
		ok         bool
	}{
		{nil, nil, 1, true},
		{ptr(int32(0)), ptr(int32(0)), 1, true},
		{ptr(int32(3)), ptr(int32(3)), 4, true},
		{ptr(int32(3)), ptr(int32(4)), 0, false},
		{ptr(int32(3)), nil, 0, false},
		{ptr(int32(2147483647)), ptr(int32(2147483647)), -2147483648, true},
	} {
		count, ok := revision.Collision{Used: c.used}.Raise(c.live)
		assert.Equal(t, c.want, count)
		assert.Equal(t, c.ok, ok)
	}
}

// The name is taken by an equal template that is not ours: it is used as it is.
func TestResolveBorrows(t *testing.T) {
	ds := daemonSet(0)
	taken := stored(t, revision.Hash(&ds.Spec.Template, nil), 7, 0)
	taken.OwnerReferences[0].UID = "other"
	h, err := revision.Resolve(state(ds, []*appsv1.ControllerRevision{taken}), revision.Options{})
	assert.NoError(t, err)
	assert.True(t, h.Borrowed)
	assert.Same(t, taken, h.Current)
	assert.Nil(t, h.Create)
	assert.Nil(t, h.Renumber)

	// The same in another namespace is nobody's business.
	taken.Namespace = "elsewhere"
	h, err = revision.Resolve(state(ds, []*appsv1.ControllerRevision{taken, nil}), revision.Options{})
	assert.NoError(t, err)
	assert.NotNil(t, h.Create)
}

// A revision without the hash label gets its name as one, without any labels
// too; a present empty one stays, and then no pod is up to date by hash.
func TestResolveLabels(t *testing.T) {
	bare, bald, empty := stored(t, "a", 1, 1), stored(t, "b", 2, 2), stored(t, "c", 3, 0)
	delete(bare.Labels, revision.HashLabel)
	bald.Labels = nil
	empty.Labels[revision.HashLabel] = ""
	s := state(daemonSet(0), []*appsv1.ControllerRevision{bare, bald, empty})
	s.Selector = labels.Everything()
	h, err := revision.Resolve(s, revision.Options{})
	assert.NoError(t, err)
	assert.Equal(t, []string{"probe-a", "probe-b"}, names(h.Label))
	for _, r := range h.Label {
		assert.Equal(t, r.Name, r.Labels[revision.HashLabel])
	}
	assert.NotContains(t, bare.Labels, revision.HashLabel)
	assert.Nil(t, bald.Labels)
	assert.Equal(t, "probe-c", h.Current.Name)
	assert.Empty(t, h.Reading().Revision)
}

// The case of kubernetes/kubernetes#78633 and #134773: by bytes a new revision
// and a restart of every pod, or a collision; by meaning nothing at all.
func TestResolveByMeaning(t *testing.T) {
	ds := daemonSet(0)
	legacy := stored(t, revision.Hash(&ds.Spec.Template, nil), 1, 0)
	legacy.Data.Raw = bytes.Replace(legacy.Data.Raw, []byte(`"metadata":{`), []byte(`"metadata":{"creationTimestamp":null,`), 1)
	revisions := []*appsv1.ControllerRevision{legacy}
	h, err := revision.Resolve(state(ds, revisions), revision.Options{})
	assert.NoError(t, err)
	assert.NotNil(t, h.Collision, "the name is taken by what looks like another template")
	h, err = revision.Resolve(state(ds, revisions), revision.Options{ByMeaning: true})
	assert.NoError(t, err)
	assert.Same(t, legacy, h.Current)

	defaulted := daemonSet(0)
	defaulted.Spec.Template.Spec.SecurityContext = &corev1.PodSecurityContext{}
	revisions = []*appsv1.ControllerRevision{stored(t, "one", 1, 0)}
	h, err = revision.Resolve(state(defaulted, revisions), revision.Options{})
	assert.NoError(t, err)
	assert.Equal(t, int64(2), h.Create.Revision)
	h, err = revision.Resolve(state(defaulted, revisions), revision.Options{ByMeaning: true})
	assert.NoError(t, err)
	assert.Nil(t, h.Create)
	assert.Equal(t, "probe-one", h.Current.Name)
}

// store applies what a history asks for, as an API server would.
type store struct {
	revisions []*appsv1.ControllerRevision
	pods      []*corev1.Pod
}

func (s *store) put(r *appsv1.ControllerRevision) {
	s.drop(r)
	r = r.DeepCopy()
	if r.UID == "" {
		r.UID = types.UID("uid-of-" + r.Name)
	}
	s.revisions = append(s.revisions, r)
}

func (s *store) drop(r *appsv1.ControllerRevision) {
	s.revisions = slices.DeleteFunc(s.revisions, func(have *appsv1.ControllerRevision) bool { return have.Name == r.Name })
}

func (s *store) apply(owner placement.Owner, h revision.History) {
	for _, r := range h.Adopt {
		r = r.DeepCopy()
		r.OwnerReferences = append(r.OwnerReferences, *owner.ControllerRef())
		s.put(r)
	}
	for _, r := range h.Release {
		r = r.DeepCopy()
		r.OwnerReferences = nil
		s.put(r)
	}
	for _, r := range h.Label {
		have := s.named(r.Name).DeepCopy()
		have.Labels = r.Labels
		s.put(have)
	}
	if h.Create != nil {
		s.put(h.Create)
	}
	for _, l := range h.Relabel {
		for i, pod := range s.pods {
			if pod.Name == l.Pod.Name {
				s.pods[i] = pod.DeepCopy()
				s.pods[i].Labels[revision.HashLabel] = l.Hash
			}
		}
	}
	for _, r := range h.Delete {
		s.drop(r)
	}
	if h.Renumber != nil {
		have := s.named(h.Renumber.Name).DeepCopy()
		have.Revision = h.Renumber.Revision
		s.put(have)
	}
}

func (s *store) named(name string) *appsv1.ControllerRevision {
	for _, r := range s.revisions {
		if r.Name == name {
			return r
		}
	}
	panic("no revision is called " + name)
}

// resolveSettles draws any history, lets it be resolved until nothing is left to
// write, and checks what holds then. It is a fuzz target too.
func resolveSettles(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		template := gen.Pick(t, "template", 0, 1, 2, 3, 4)
		ds := daemonSet(template)
		if gen.Chance(t, 30, "collision count") {
			ds.Status.CollisionCount = ptr(gen.Pick[int32](t, "count", 0, 1, 5))
		}
		var patches [][]byte
		var hashes []string
		for i, p := range gen.HistoryTemplates() {
			patches = append(patches, patchOf(t, i))
			hashes = append(hashes, revision.Hash(p, ds.Status.CollisionCount))
		}
		patches = append(patches, patches[template], patches[template])
		o := revision.Options{
			ByMeaning: gen.Chance(t, 30, "by meaning"), RelabelDuplicatesOnly: gen.Chance(t, 30, "relabel duplicates only"),
		}
		s := store{revisions: gen.History(ds, 6, patches, hashes).Draw(t, "history")}
		for i := range gen.Pick(t, "pods", 0, 1, 3) {
			s.pods = append(s.pods, pod(fmt.Sprintf("p%d", i), gen.Pick(t, "hash", append(hashes, "h0", "h1", "")...)))
		}
		owner := placement.OwnerOf(ds)
		first := true
		for step := 0; ; step++ {
			if step > 6 {
				t.Fatalf("does not settle")
			}
			in := state(ds, s.revisions, s.pods...)
			before := copies(s.revisions)
			h, err := revision.Resolve(in, o)
			assert.NoError(t, err)
			assert.Equal(t, before, copies(s.revisions), "the input is as it was")
			again := in
			again.Revisions = append(gen.Shuffled(t, s.revisions), nil)
			again.Pods = append(gen.Shuffled(t, s.pods), nil)
			other, err := revision.Resolve(again, o)
			assert.NoError(t, err)
			assert.Equal(t, h, other, "the order of the input does not matter")

			if first {
				first = false
				count(reached, h)
			}
			if h.Collision != nil {
				assert.Nil(t, h.Current)
				raised, ok := h.Collision.Raise(ds.Status.CollisionCount)
				assert.True(t, ok)
				s.apply(owner, h)
				ds.Status.CollisionCount = &raised
				continue
			}
			if settled(h) {
				checkSettled(t, s, in, h, o)
				return
			}
			s.apply(owner, h)
		}
	}
}

func settled(h revision.History) bool {
	return len(h.Adopt)+len(h.Release)+len(h.Label)+len(h.Relabel)+len(h.Delete) == 0 && h.Create == nil && h.Renumber == nil
}

// checkSettled checks the state in which nothing is left to write.
func checkSettled(t *rapid.T, s store, in revision.State, h revision.History, o revision.Options) {
	same, err := revision.Matches(in.Template, h.Current)
	assert.NoError(t, err)
	if o.ByMeaning {
		same, err = revision.MatchesByMeaning(in.Template, h.Current)
		assert.NoError(t, err)
	}
	assert.True(t, same)
	for _, r := range h.Old {
		if !h.Borrowed {
			assert.Greater(t, h.Current.Revision, r.Revision)
		}
		old, err := revision.Matches(in.Template, r)
		assert.NoError(t, err)
		assert.False(t, old, "one revision is current, and it is not an old one")
	}
	assert.Equal(t, h.Current.Labels[revision.HashLabel], h.Reading().Revision)
}

func count(reached *tally.Tally, h revision.History) {
	reached.AddIf(h.Create != nil, "create")
	reached.AddIf(h.Collision != nil, "collision")
	reached.AddIf(h.Borrowed, "borrowed")
	reached.AddIf(h.Renumber != nil, "renumber")
	reached.AddIf(len(h.Label) > 0, "label")
	reached.AddIf(len(h.Relabel) > 0, "relabel")
	reached.AddIf(len(h.Delete) > 0, "delete")
	reached.AddIf(len(h.Adopt) > 0, "adopt")
	reached.AddIf(len(h.Release) > 0, "release")
	reached.AddIf(settled(h) && h.Collision == nil, "nothing to do")
}

func copies(list []*appsv1.ControllerRevision) []*appsv1.ControllerRevision {
	var all []*appsv1.ControllerRevision
	for _, r := range list {
		all = append(all, r.DeepCopy())
	}
	return all
}

func TestResolveSettles(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, resolveSettles(&reached))
	reached.Require(t, "create", "collision", "borrowed", "renumber", "label", "relabel", "delete", "adopt", "release", "nothing to do")
}

func FuzzResolve(f *testing.F) { f.Fuzz(rapid.MakeFuzz(resolveSettles(&tally.Tally{}))) }
