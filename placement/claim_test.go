package placement_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

// probe is a selector of app=probe.
var probe = labels.SelectorFromSet(labels.Set{"app": "probe"})

func TestClaimTable(t *testing.T) {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "u"}}
	deleting := ds.DeepCopy()
	deleting.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
	ref := func(change func(*metav1.OwnerReference)) []metav1.OwnerReference {
		r := *placement.OwnerOf(ds).ControllerRef()
		change(&r)
		return []metav1.OwnerReference{r}
	}
	ours := ref(func(*metav1.OwnerReference) {})
	for name, c := range map[string]struct {
		owner       *appsv1.DaemonSet
		refs        []metav1.OwnerReference
		app         string
		namespace   string
		terminating bool
		pod, other  string // what happens to a pod, and to a revision
	}{
		"ours":                          {ds, ours, "probe", "ns", false, "claimed", "claimed"},
		"ours, the owner goes":          {deleting, ours, "probe", "ns", false, "claimed", "claimed"},
		"ours, terminating":             {ds, ours, "probe", "ns", true, "claimed", "claimed"},
		"no match":                      {ds, ours, "else", "ns", false, "released", "released"},
		"no match, terminating":         {ds, ours, "else", "ns", true, "released", "released"},
		"no match, the owner goes":      {deleting, ours, "else", "ns", false, "", ""},
		"orphan":                        {ds, nil, "probe", "ns", false, "adopted", "adopted"},
		"orphan, terminating":           {ds, nil, "probe", "ns", true, "", ""},
		"orphan, the owner goes":        {deleting, nil, "probe", "ns", false, "", ""},
		"orphan, no match":              {ds, nil, "else", "ns", false, "", ""},
		"orphan elsewhere":              {ds, nil, "probe", "ns2", false, "", ""},
		"ours elsewhere":                {ds, ours, "probe", "ns2", false, "", ""},
		"another UID":                   {ds, ref(func(r *metav1.OwnerReference) { r.UID = "v" }), "probe", "ns", false, "", ""},
		"another kind":                  {ds, ref(func(r *metav1.OwnerReference) { r.Kind = "ReplicaSet" }), "probe", "ns", false, "", "claimed"},
		"another kind, no match":        {ds, ref(func(r *metav1.OwnerReference) { r.Kind = "ReplicaSet" }), "else", "ns", false, "", "released"},
		"another name":                  {ds, ref(func(r *metav1.OwnerReference) { r.Name = "x" }), "probe", "ns", false, "", "claimed"},
		"another group is all the same": {ds, ref(func(r *metav1.OwnerReference) { r.APIVersion = "x/v1" }), "probe", "ns", false, "claimed", "claimed"},
		"an owner, not the controller":  {ds, ref(func(r *metav1.OwnerReference) { r.Controller = nil }), "probe", "ns", false, "adopted", "adopted"},
	} {
		meta := metav1.ObjectMeta{Namespace: c.namespace, Name: "o", UID: "o", Labels: map[string]string{"app": c.app}, OwnerReferences: c.refs}
		if c.terminating {
			meta.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
		}
		pod := &corev1.Pod{ObjectMeta: meta}
		assert.Equal(t, c.pod, outcome(placement.Claim(placement.OwnerOf(c.owner), probe, []*corev1.Pod{pod}), pod), "pod: "+name)
		revision := &appsv1.ControllerRevision{ObjectMeta: meta}
		assert.Equal(t, c.other, outcome(placement.Claim(placement.OwnerOf(c.owner), probe, []*appsv1.ControllerRevision{revision}), revision), "revision: "+name)
	}
}

// outcome says in which lists an object is.
func outcome[T placement.Claimable](c placement.Claims[T], object T) string {
	claimed, adopt, release := slices.Contains(c.Claimed, object), slices.Contains(c.Adopt, object), slices.Contains(c.Release, object)
	switch {
	case claimed && adopt && !release:
		return "adopted"
	case claimed && !adopt && !release:
		return "claimed"
	case release && !claimed && !adopt:
		return "released"
	case !claimed && !adopt && !release:
		return ""
	}
	return "in lists that exclude each other"
}

func TestClaimEdges(t *testing.T) {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "u"}}
	own := func(name string, uid types.UID) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: name, UID: uid,
			Labels: map[string]string{"app": "probe"}, OwnerReferences: []metav1.OwnerReference{*placement.OwnerOf(ds).ControllerRef()},
		}}
	}
	pods := []*corev1.Pod{own("b", "1"), nil, own("a", "2")}
	claims := placement.Claim(placement.OwnerOf(ds), probe, pods)
	assert.Equal(t, []*corev1.Pod{pods[0], pods[2]}, claims.Claimed, "the order of the input, without nil")
	claims.Claimed[0] = nil
	assert.NotNil(t, pods[0], "the slice is new")

	// A nil selector matches nothing, so everything is released, by name.
	claims = placement.Claim(placement.OwnerOf(ds), nil, pods)
	assert.Empty(t, claims.Claimed)
	assert.Equal(t, []*corev1.Pod{pods[2], pods[0]}, claims.Release)

	// Without an owner, or without its UID, nothing is anybody's.
	orphan := own("o", "3")
	orphan.OwnerReferences = nil
	assert.Zero(t, placement.Claim(placement.Owner{}, probe, []*corev1.Pod{orphan}))
	assert.Zero(t, placement.Claim(placement.OwnerOf(&appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns"}}), probe, []*corev1.Pod{orphan}))

	// Nor without its name or kind, and a nil pointer is no object.
	nameless1 := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", UID: "u"}}
	assert.Zero(t, placement.Claim(placement.OwnerOf(nameless1), probe, []*corev1.Pod{orphan}))
	assert.Zero(t, placement.Claim(placement.Owner{Object: ds}, probe, []*corev1.Pod{orphan}))
	none := placement.Owner{Object: (*appsv1.DaemonSet)(nil), Kind: placement.OwnerOf(ds).Kind}
	assert.Zero(t, placement.Claim(none, probe, []*corev1.Pod{orphan}))
	assert.Nil(t, none.ControllerRef())
	assert.Nil(t, none.TemplateGeneration())
	assert.Empty(t, placement.NewPod(none, nil, "n", placement.PodOptions{}).Namespace)
	assert.Len(t, placement.Claim[metav1.Object](placement.OwnerOf(ds), probe, []metav1.Object{(*corev1.Pod)(nil), nil, pods[0]}).Claimed, 1)

	// Metadata alone are told by their kind.
	partial := func(kind, refKind string) *metav1.PartialObjectMetadata {
		p := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: kind}, ObjectMeta: *pods[0].ObjectMeta.DeepCopy()}
		p.OwnerReferences[0].Kind = refKind
		return p
	}
	for _, c := range []struct {
		object *metav1.PartialObjectMetadata
		want   int
	}{{partial("Pod", "DaemonSet"), 1}, {partial("Pod", "ReplicaSet"), 0}, {partial("ControllerRevision", "ReplicaSet"), 1}} {
		assert.Len(t, placement.Claim(placement.OwnerOf(ds), probe, []*metav1.PartialObjectMetadata{c.object}).Claimed, c.want)
	}

	// An owner without namespace, as a cluster-scoped one, has pods anywhere.
	wide := placement.Owner{Object: &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "probe", UID: "u"}}, Kind: placement.OwnerOf(ds).Kind}
	assert.Len(t, placement.Claim(wide, probe, pods).Claimed, 2)

	// The last object of a UID counts; without a UID there is no telling.
	stale := pods[0].DeepCopy()
	stale.Labels["app"] = "else"
	assert.Equal(t, []*corev1.Pod{pods[0]}, placement.Claim(placement.OwnerOf(ds), probe, []*corev1.Pod{stale, pods[0]}).Claimed)
	assert.Equal(t, []*corev1.Pod{stale}, placement.Claim(placement.OwnerOf(ds), probe, []*corev1.Pod{pods[0], stale}).Release)
	nameless := []*corev1.Pod{pods[0].DeepCopy(), pods[0].DeepCopy()}
	nameless[0].UID, nameless[1].UID = "", ""
	assert.Len(t, placement.Claim(placement.OwnerOf(ds), probe, nameless).Claimed, 2)
}

func TestClaimDoesNotDependOnTheOrder(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		if rapid.Bool().Draw(t, "deleting") {
			ds.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
		}
		pods := gen.Pods(ds, 6, nil).Draw(t, "pods")
		shuffled := gen.Shuffled(t, pods)
		a := placement.Claim(placement.OwnerOf(ds), probe, pods)
		b := placement.Claim(placement.OwnerOf(ds), probe, shuffled)
		assert.ElementsMatch(t, a.Claimed, b.Claimed)
		assert.Equal(t, a.Adopt, b.Adopt)
		assert.Equal(t, a.Release, b.Release)
		for _, pod := range pods {
			reached.Add("pod: " + outcome(a, pod))
		}
		for _, revision := range gen.Revisions(ds, 3).Draw(t, "revisions") {
			c := placement.Claim(placement.OwnerOf(ds), probe, []*appsv1.ControllerRevision{revision})
			reached.Add("revision: " + outcome(c, revision))
		}
	})
	reached.Require(t, "pod: claimed", "pod: adopted", "pod: released", "pod: ", "revision: claimed", "revision: adopted", "revision: released", "revision: ")
	assert.Zero(t, reached.Count("pod: in lists that exclude each other"))
}
