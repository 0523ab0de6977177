package placement

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Claimable is a pointer to an API object, such as *corev1.Pod or
// *appsv1.ControllerRevision.
type Claimable interface {
	comparable
	metav1.Object
}

// Claims sorts objects by what an owner has to do about them. Objects of
// others, and those that stay as they are without being the owner's, are in
// none of the lists.
type Claims[T Claimable] struct {
	// Claimed are the owner's own and those that it adopts, in the order of
	// the input. Adopted ones take part in the same sync.
	Claimed []T
	// Adopt are those among Claimed that still need the controller
	// reference, by namespace and name. Before writing one, read the owner
	// from the API server and make sure that it is not being deleted and has
	// the same UID: a cache may be behind.
	Adopt []T
	// Release are those that have the owner's controller reference and do
	// not match its selector any more, by namespace and name. They take no
	// part in this sync.
	Release []T
}

// Claim decides whose the objects are, by the rules of the controller:
//
//   - The owner's and matching: claimed, also while the owner is being deleted.
//   - The owner's and not matching: released, unless the owner is being deleted.
//   - Nobody's and matching: adopted, unless the owner or the object is being
//     deleted.
//   - Anything else is left alone.
//
// A pod is the owner's when its controller reference has the owner's kind, name
// and UID; a ControllerRevision when it has the UID. Objects of other namespaces
// are never the owner's, unless the owner has none itself. An owner without UID,
// name or kind has nothing and adopts nothing.
//
// The selector is that of the owner, see [metav1.LabelSelectorAsSelector]; nil
// matches nothing, so that all of the owner's objects are released. An empty one
// matches everything, every orphan of the namespace included: the controller
// refuses to sync an owner with an empty selector, and so should the caller. Nor
// does the controller sync an owner that is being deleted. Nil objects are passed
// over, and of objects with the same UID, unless it is empty, the
// last one counts. The slices are new.
func Claim[T Claimable](owner Owner, selector labels.Selector, objects []T) Claims[T] {
	var c Claims[T]
	if !owner.known() {
		return c
	}
	if selector == nil {
		selector = labels.Nothing()
	}
	uid, namespace := owner.Object.GetUID(), owner.Object.GetNamespace()
	deleting := owner.Object.GetDeletionTimestamp() != nil
	for _, object := range lastByUID(objects) {
		if namespace != "" && object.GetNamespace() != namespace {
			continue
		}
		ref := metav1.GetControllerOfNoCopy(object)
		switch {
		case ref != nil && (ref.UID != uid || !owner.refers(ref, object)):
		case ref == nil && (deleting || object.GetDeletionTimestamp() != nil):
		case selector.Matches(labels.Set(object.GetLabels())):
			if c.Claimed == nil {
				c.Claimed = make([]T, 0, len(objects))
			}
			c.Claimed = append(c.Claimed, object)
			if ref == nil {
				c.Adopt = append(c.Adopt, object)
			}
		case ref != nil && !deleting:
			c.Release = append(c.Release, object)
		}
	}
	slices.SortStableFunc(c.Adopt, byName[T])
	slices.SortStableFunc(c.Release, byName[T])
	return c
}

// refers reports whether a reference with the owner's UID is to the owner. The
// controller finds pods by kind, name and UID together, and revisions by UID.
func (o Owner) refers(ref *metav1.OwnerReference, object metav1.Object) bool {
	switch object := object.(type) {
	case *appsv1.ControllerRevision:
		return true
	case *metav1.PartialObjectMetadata:
		if object.Kind == "ControllerRevision" {
			return true
		}
	}
	return ref.Kind == o.Kind.Kind && ref.Name == o.Object.GetName()
}

// byName orders objects by namespace, name and UID.
func byName[T Claimable](a, b T) int {
	return cmp.Or(
		cmp.Compare(a.GetNamespace(), b.GetNamespace()),
		cmp.Compare(a.GetName(), b.GetName()),
		cmp.Compare(a.GetUID(), b.GetUID()),
	)
}
