package revision_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// agent is a DaemonSet with an image.
func agent(image string) *appsv1.DaemonSet {
	app := map[string]string{"app": "agent"}
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "logging", Name: "agent", UID: "agent-uid",
			Annotations: map[string]string{revision.ChangeCauseAnnotation: "image " + image},
		},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: app},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: app},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
			},
		},
	}
}

// resolve is what a controller does with the history in a sync.
func resolve(ds *appsv1.DaemonSet, revisions []*appsv1.ControllerRevision) revision.History {
	h, err := revision.Resolve(revision.State{
		Owner: placement.OwnerOf(ds), Template: &ds.Spec.Template, Selector: labels.SelectorFromSet(ds.Spec.Selector.MatchLabels),
		Revisions: revisions, CollisionCount: ds.Status.CollisionCount,
	}, revision.Options{})
	if err != nil {
		panic(err)
	}
	return h
}

// exampleHistory is the history after two changes of the image.
func exampleHistory() []*appsv1.ControllerRevision {
	var revisions []*appsv1.ControllerRevision
	for _, image := range []string{"agent:1", "agent:2", "agent:3"} {
		created := resolve(agent(image), revisions).Create
		created.UID = "uid-of-" + created.UID
		revisions = append(revisions, created)
	}
	for i, r := range revisions {
		r.Name = fmt.Sprintf("agent-%d", i+1) // for the reader; the hashes depend on the version of k8s.io/api
	}
	return revisions
}

func ExampleResolve() {
	var revisions []*appsv1.ControllerRevision
	first := resolve(agent("agent:1"), revisions)
	fmt.Println("create revision", first.Create.Revision)

	revisions = append(revisions, first.Create)
	second := resolve(agent("agent:2"), revisions)
	fmt.Println("create revision", second.Create.Revision, "beside", len(second.Old), "old")

	revisions = append(revisions, second.Create)
	back := resolve(agent("agent:1"), revisions)
	fmt.Println("renumber to", back.Renumber.Revision, "and create nothing:", back.Create == nil)
	fmt.Println("pods are up to date with the first hash:", back.Reading().Revision == first.Current.Labels[revision.HashLabel])
	// Output:
	// create revision 1
	// create revision 2 beside 1 old
	// renumber to 3 and create nothing: true
	// pods are up to date with the first hash: true
}

// The name is taken by another template: raise the count and end the sync. The
// next one makes another name.
func ExampleCollision() {
	ds := agent("agent:1")
	taken := resolve(ds, nil).Create
	taken.Data.Raw = []byte(`{}`)
	h := resolve(ds, []*appsv1.ControllerRevision{taken})
	var collision *revision.Collision = h.Collision
	live := ds.Status.CollisionCount // as the API server has it now
	if count, ok := collision.Raise(live); ok {
		fmt.Println("write collisionCount", count)
		ds.Status.CollisionCount = &count
	}
	fmt.Println(resolve(ds, []*appsv1.ControllerRevision{taken}).Create.Name != taken.Name)
	// Output:
	// write collisionCount 1
	// true
}

// The API server answered that the name is taken, by a revision that the cache
// did not have.
func ExampleConflict() {
	ds := agent("agent:1")
	wanted := resolve(ds, nil).Create
	existing := wanted.DeepCopy()
	current, collision := revision.Conflict(wanted, existing, ds.Status.CollisionCount)
	fmt.Println(current == existing, collision)
	// Output: true <nil>
}

// A copy of a revision that somebody made by hand is deleted. The pods that carry
// its hash, and on request no others, get that of the one that stays.
func ExampleOptions() {
	ds := agent("agent:1")
	one := resolve(ds, nil).Create
	copied := one.DeepCopy()
	copied.Name, copied.UID, copied.Revision = "agent-copy", "copy", 0
	copied.Labels[revision.HashLabel] = "copy"
	pods := []*corev1.Pod{
		{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{revision.HashLabel: "copy"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "b", Labels: map[string]string{revision.HashLabel: "older"}}},
	}
	for _, o := range []revision.Options{{}, {RelabelDuplicatesOnly: true}} {
		h, err := revision.Resolve(revision.State{
			Owner: placement.OwnerOf(ds), Template: &ds.Spec.Template, Selector: labels.Everything(),
			Revisions: []*appsv1.ControllerRevision{one, copied}, Pods: pods,
		}, o)
		if err != nil {
			panic(err)
		}
		var relabel []revision.Relabel = h.Relabel
		fmt.Println("delete", h.Delete[0].Name, "and relabel", len(relabel))
	}
	// Output:
	// delete agent-copy and relabel 2
	// delete agent-copy and relabel 1
}

func ExamplePatch() {
	patch, err := revision.Patch(&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "n"}})
	fmt.Println(string(patch), err)
	// Output: {"spec":{"template":{"$patch":"replace","metadata":{},"spec":{"containers":null,"nodeName":"n"}}}} <nil>
}

func ExampleHash() {
	one := int32(1)
	template := &agent("agent:1").Spec.Template
	fmt.Println(revision.Hash(template, nil) != revision.Hash(template, &one))
	// Output: true
}

func ExampleNew() {
	ds := agent("agent:1")
	r, err := revision.New(placement.OwnerOf(ds), &ds.Spec.Template, 1, nil)
	fmt.Println(r.Name == "agent-"+revision.Hash(&ds.Spec.Template, nil), r.Labels["app"], r.Annotations[revision.ChangeCauseAnnotation], err)
	// Output: true agent image agent:1 <nil>
}

// Template reads back what a revision stores.
func ExampleTemplate() {
	template, err := revision.Template(exampleHistory()[1])
	fmt.Println(template.Spec.Containers[0].Image, err)
	_, err = revision.Template(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-1"}})
	fmt.Println(err)
	// Output:
	// agent:2 <nil>
	// revision: web-1: data: unexpected end of JSON input
}

// A field that the API server has begun to fill in: another revision by bytes,
// the same one by meaning.
func ExampleMatchesByMeaning() {
	stored := exampleHistory()[0]
	template := agent("agent:1").Spec.Template
	template.Spec.DNSPolicy = corev1.DNSClusterFirst
	bytes, _ := revision.Matches(&template, stored)
	meaning, _ := revision.MatchesByMeaning(&template, stored)
	fmt.Println(bytes, meaning)
	fmt.Println(revision.Normalize(&template).Spec.RestartPolicy)
	// Output:
	// false true
	// Always
}

func ExamplePrune() {
	history := exampleHistory()
	limit := int32(1)
	for _, r := range revision.Prune(history[:2], nil, &limit) {
		fmt.Println("delete", r.Name)
	}
	fmt.Println("without a limit it is", revision.DefaultHistoryLimit)
	// Output:
	// delete agent-1
	// without a limit it is 10
}

func ExampleUpdated() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{revision.HashLabel: "67bd59b97b"}}}
	fmt.Println(revision.Updated(pod, "67bd59b97b", nil), revision.Updated(pod, "6c88bd8857", nil))
	// Output: true false
}

func ExampleTable() {
	table := revision.Table("daemonset.apps/agent", exampleHistory())
	fmt.Print(strings.Replace(table, "agent \n", "agent\n", 1)) // kubectl ends the first line with a space
	for _, e := range revision.Entries(exampleHistory()) {
		var entry revision.Entry = e
		fmt.Println(entry.Number, entry.Name)
	}
	// Output:
	// daemonset.apps/agent
	// REVISION  CHANGE-CAUSE
	// 1         image agent:1
	// 2         image agent:2
	// 3         image agent:3
	//
	// 1 agent-1
	// 2 agent-2
	// 3 agent-3
}

func ExampleRollBack() {
	ds := agent("agent:3")
	visible := revision.Visible(placement.OwnerOf(ds), labels.Everything(), exampleHistory())
	var back revision.Rollback
	back, err := revision.RollBack(&ds.Spec.Template, visible, revision.Previous)
	fmt.Println(back.Target.Name, back.Template.Spec.Containers[0].Image, back, err)
	same, err := revision.RollBack(&ds.Spec.Template, visible, 3)
	fmt.Println(same, err)
	_, err = revision.RollBack(&ds.Spec.Template, visible, 9)
	var notFound *revision.NotFoundError
	fmt.Println(errors.As(err, &notFound), notFound.Error())
	_, err = revision.RollBack(&ds.Spec.Template, visible[:1], revision.Previous)
	fmt.Println(errors.Is(err, revision.ErrNoPrevious), err)
	// Output:
	// agent-2 agent:2 rolled back <nil>
	// skipped rollback (current template already matches revision 3) <nil>
	// true unable to find specified revision 9 in history
	// true no last revision to roll back to
}

func ExampleRestartPatch() {
	fmt.Println(string(revision.RestartPatch(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))))
	fmt.Println(revision.RestartedAtAnnotation)
	// Output:
	// {"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-02T03:04:05Z"}}}}}
	// kubectl.kubernetes.io/restartedAt
}

// Does this change restart every pod, and could it be done in place?
func ExampleDiff() {
	after := agent("agent:2").Spec.Template
	after.Annotations = map[string]string{"note": "x"}
	var d revision.Difference
	d, err := revision.Diff(&agent("agent:1").Spec.Template, &after)
	fmt.Print(d)
	fmt.Println(d.Only(revision.ImageOnly, revision.MetadataOnly), err)
	// Output:
	// other: every pod restarts
	//   metadata.annotations: added {"note":"x"}
	//   spec.containers[main].image: "agent:1" became "agent:2"
	// true <nil>
}

func ExampleClass() {
	for _, c := range []revision.Class{
		revision.NoChange, revision.MetadataOnly, revision.PlacementOnly, revision.ImageOnly, revision.ResourcesOnly, revision.Other,
	} {
		fmt.Println(c)
	}
	fmt.Println(revision.FieldChange{Field: "spec.nodeName", Class: revision.PlacementOnly, After: []byte(`"n"`)})
	// Output:
	// none
	// metadata-only
	// placement-only
	// image-only
	// resources-only
	// other
	// spec.nodeName: added "n"
}
