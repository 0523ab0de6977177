package input

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// Problem is what stands in the way of telling whose pods and revisions are
// whose, at a field of a DaemonSet.
type Problem struct{ Field, Message string }

// Own makes a DaemonSet fit to be the owner of what was read, and returns its
// selector. One from a file has no UID and is given one: that of the DaemonSet
// of its name that owns pods or revisions, or one that owns nothing yet, so that
// it can adopt what has no owner, as it will when it is created. The problem is
// nil when all is well.
func (o Objects) Own(ds *appsv1.DaemonSet) (labels.Selector, *Problem) {
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		return nil, &Problem{"spec.selector", fmt.Sprintf("pods and revisions are not looked at: %v", err)}
	}
	if ds.UID != "" {
		return selector, nil
	}
	uids := o.uidsOf(ds)
	if len(uids) > 1 {
		return nil, &Problem{"metadata.uid", fmt.Sprintf("is missing, and %d DaemonSets of this name own pods and revisions (%s), which are not looked at: "+
			"read the DaemonSet from the cluster", len(uids), output.Few(uids))}
	}
	ds.UID = unborn
	if len(uids) == 1 {
		ds.UID = types.UID(uids[0])
	}
	return selector, nil
}

// Unsynced says why the controller does nothing for a DaemonSet, if so.
func Unsynced(ds *appsv1.DaemonSet, selector labels.Selector) *Problem {
	switch {
	case ds.DeletionTimestamp != nil:
		return &Problem{"metadata.deletionTimestamp", "is set: the controller does nothing more for this DaemonSet, whatever is said here"}
	case selector.Empty():
		return &Problem{"spec.selector", "selects everything: the controller does nothing for this DaemonSet, whatever is said here"}
	}
	return nil
}

// unborn is the UID of a DaemonSet that is not in the cluster yet, or that owns
// nothing there.
const unborn = "(not in the cluster)"

// uidsOf returns the UIDs of the DaemonSets that own pods or revisions under
// this name. A manifest has no UID of its own: when its pods all name the same
// one, that is it.
func (o Objects) uidsOf(ds *appsv1.DaemonSet) []string {
	found := map[string]bool{}
	look := func(object metav1.Object) {
		ref := metav1.GetControllerOfNoCopy(object)
		if ref != nil && ref.Kind == daemonSetKind.Kind && ref.Name == ds.Name && object.GetNamespace() == ds.Namespace {
			found[string(ref.UID)] = true
		}
	}
	for _, pod := range o.Pods {
		look(pod)
	}
	for _, revision := range o.Revisions {
		look(revision)
	}
	return output.SortedKeys(found)
}
