package revision

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/daemonplan/daemonplan/placement"
)

// HashLabel is the label with which revisions and pods carry the hash.
const HashLabel = appsv1.DefaultDaemonSetUniqueLabelKey

// State is what the history of an owner is resolved from.
type State struct {
	Owner    placement.Owner
	Template *corev1.PodTemplateSpec
	// Selector is that of the owner. It decides which revisions are the
	// owner's, as it does for pods; nil matches nothing.
	Selector labels.Selector
	// Revisions are all of the owner's namespace, also those of others: a name
	// may be taken.
	Revisions []*appsv1.ControllerRevision
	// Pods are the claimed ones, of any phase, terminating ones included. They
	// are looked at for relabelling alone.
	Pods []*corev1.Pod
	// CollisionCount is status.collisionCount of the owner.
	CollisionCount *int32
}

// Options are departures from the controller, on request.
type Options struct {
	// ByMeaning takes a revision as current when its template means the same:
	// see [MatchesByMeaning]. Then a field that the API server starts to fill
	// in restarts nothing.
	ByMeaning bool
	// RelabelDuplicatesOnly relabels only the pods that carry the hash of a
	// duplicate that is deleted. The controller relabels all, so that pods of
	// other templates pass as up to date and are never replaced.
	RelabelDuplicatesOnly bool
}

// History is what holds after the writes that it asks for, in this order: Adopt,
// Release, Label, Create or Relabel, Delete, Renumber. The objects to write are
// copies; everything else is from the input.
type History struct {
	// Current is the revision of the template, with the label and the number
	// that it gets. It is nil exactly when there is a collision.
	Current *appsv1.ControllerRevision
	// Old are the owner's other revisions, labels added, by number and name.
	Old []*appsv1.ControllerRevision
	// Adopt and Release are as in placement.Claims.
	Adopt, Release []*appsv1.ControllerRevision
	// Label are those that had no hash label and get their own name as one.
	Label []*appsv1.ControllerRevision
	// Create is the revision to create; it is Current. When the API server
	// answers that the name is taken, by something that Revisions did not show,
	// ask [Conflict].
	Create *appsv1.ControllerRevision
	// Relabel are the pods that get the hash of Current, by name.
	Relabel []Relabel
	// Delete are duplicates of Current, by number and name.
	Delete []*appsv1.ControllerRevision
	// Renumber is Current with its new number, when it existed with a lower
	// one.
	Renumber *appsv1.ControllerRevision
	// Borrowed says that Current is another object that has the name and the
	// data of the revision to create: one that is not the owner's, or that the
	// selector does not match. The controller uses it as it is.
	Borrowed bool
	// Collision says that the name is taken by another template. The sync ends
	// with the writes before Create and with this.
	Collision *Collision

	generation *int64
}

// Relabel is a pod and the hash label that it gets.
type Relabel struct {
	Pod  *corev1.Pod
	Hash string
}

// Reading is how pods are read for the resolved history. After a collision
// there is no revision to be up to date with.
func (h History) Reading() placement.Reading {
	r := placement.Reading{Generation: h.generation}
	if h.Current != nil {
		r.Revision = h.Current.Labels[HashLabel]
	}
	return r
}

// Resolve finds the current revision of the template and what has to be written
// for it to be the only one. The template is marshalled once.
//
// It is an error when the template cannot be written as JSON; see [Patch].
func Resolve(s State, o Options) (History, error) {
	patch, err := Patch(s.Template)
	if err != nil {
		return History{}, err
	}
	claims := placement.Claim(s.Owner, s.Selector, s.Revisions)
	h := History{Adopt: claims.Adopt, Release: claims.Release, generation: s.Owner.TemplateGeneration()}

	var meaning *meaning
	if o.ByMeaning {
		meaning = meaningOf(s.Template)
	}
	var current []*appsv1.ControllerRevision
	for _, r := range sorted(claims.Claimed) {
		if _, labelled := r.Labels[HashLabel]; !labelled {
			r = r.DeepCopy()
			setLabel(r, r.Name)
			h.Label = append(h.Label, r)
		}
		if bytes.Equal(patch, r.Data.Raw) || meaning != nil && meaning.of(r) {
			current = append(current, r)
		} else {
			h.Old = append(h.Old, r)
		}
	}
	number := highest(h.Old) + 1
	if len(current) == 0 {
		h.create(s, patch, number)
		return h, nil
	}
	h.keep(current, s.Pods, o)
	if h.Current.Revision < number {
		h.Renumber = h.Current.DeepCopy()
		h.Renumber.Revision = number
		h.Current = h.Renumber
	}
	return h, nil
}

// sorted returns revisions by number and name, in a new slice.
func sorted(revisions []*appsv1.ControllerRevision) []*appsv1.ControllerRevision {
	all := slices.Clone(revisions)
	slices.SortStableFunc(all, func(a, b *appsv1.ControllerRevision) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Name, b.Name))
	})
	return all
}

func setLabel(r *appsv1.ControllerRevision, hash string) {
	if r.Labels == nil {
		r.Labels = make(map[string]string)
	}
	r.Labels[HashLabel] = hash
}

// highest is the highest number of the revisions, or 0.
func highest(revisions []*appsv1.ControllerRevision) int64 {
	n := int64(0)
	for _, r := range revisions {
		n = max(n, r.Revision)
	}
	return n
}

// create makes the revision of the template, unless its name is taken.
func (h *History) create(s State, patch []byte, number int64) {
	created := newRevision(s.Owner, s.Template, patch, number, s.CollisionCount)
	for _, taken := range s.Revisions {
		if taken == nil || taken.Name != created.Name || taken.Namespace != created.Namespace {
			continue
		}
		existing, collision := Conflict(created, taken, s.CollisionCount)
		if collision != nil {
			h.Collision = collision
			return
		}
		h.Current, h.Borrowed = existing, true
		return
	}
	h.Current, h.Create = created, created
}

// keep keeps the highest-numbered of several current revisions, of equal ones
// the first by name, and has the others deleted.
func (h *History) keep(current []*appsv1.ControllerRevision, pods []*corev1.Pod, o Options) {
	// They are sorted, so the last number is the highest, and the first with
	// this number has the first name.
	last := current[len(current)-1].Revision
	at := slices.IndexFunc(current, func(r *appsv1.ControllerRevision) bool { return r.Revision == last })
	h.Current = current[at]
	if len(current) == 1 {
		return
	}
	hash := h.Current.Labels[HashLabel]
	duplicates := make(map[string]bool)
	for i, r := range current {
		if i != at {
			h.Delete = append(h.Delete, r)
			duplicates[r.Labels[HashLabel]] = true
		}
	}
	for _, pod := range pods {
		if pod == nil || pod.Labels[HashLabel] == hash || o.RelabelDuplicatesOnly && !duplicates[pod.Labels[HashLabel]] {
			continue
		}
		h.Relabel = append(h.Relabel, Relabel{Pod: pod, Hash: hash})
	}
	slices.SortStableFunc(h.Relabel, func(a, b Relabel) int { return cmp.Compare(a.Pod.Name, b.Pod.Name) })
}

// New returns the revision that the controller creates for a template: called
// after the owner and the hash, with the template's labels and the hash label,
// the owner's annotations, and the owner's controller reference. It shares no
// memory with anything.
//
// It is an error when the template cannot be written as JSON; see [Patch].
func New(owner placement.Owner, template *corev1.PodTemplateSpec, number int64, collisionCount *int32) (*appsv1.ControllerRevision, error) {
	patch, err := Patch(template)
	if err != nil {
		return nil, err
	}
	return newRevision(owner, template, patch, number, collisionCount), nil
}

func newRevision(owner placement.Owner, template *corev1.PodTemplateSpec, patch []byte, number int64, collisionCount *int32) *appsv1.ControllerRevision {
	hash := Hash(template, collisionCount)
	r := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: "-" + hash},
		Data:       runtime.RawExtension{Raw: patch},
		Revision:   number,
	}
	if template != nil {
		r.Labels = maps.Clone(template.Labels)
	}
	setLabel(r, hash)
	if owner.Object != nil {
		r.Name = owner.Object.GetName() + "-" + hash
		r.Namespace = owner.Object.GetNamespace()
		r.Annotations = maps.Clone(owner.Object.GetAnnotations())
		r.OwnerReferences = []metav1.OwnerReference{*owner.ControllerRef()}
	}
	return r
}
