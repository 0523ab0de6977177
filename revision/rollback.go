package revision

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/placement"
)

// Previous asks [RollBack] for the revision before the current one.
const Previous int64 = 0

// ErrNoPrevious: the previous revision was asked for, and there are fewer than
// two. The text is kubectl's.
var ErrNoPrevious = errors.New("no last revision to roll back to")

// NotFoundError says that no revision has the number that was asked for. The text
// is kubectl's.
type NotFoundError struct{ Revision int64 }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("unable to find specified revision %d in history", e.Revision)
}

// Visible returns the revisions that kubectl shows and goes back to, by number
// and name: those that match the selector and are controlled by the owner. The
// controller counts more as the owner's: see placement.Claim.
func Visible(owner placement.Owner, selector labels.Selector, revisions []*appsv1.ControllerRevision) []*appsv1.ControllerRevision {
	if owner.Object == nil || selector == nil {
		return nil
	}
	var all []*appsv1.ControllerRevision
	for _, r := range revisions {
		if r == nil || r.Namespace != owner.Object.GetNamespace() || !selector.Matches(labels.Set(r.Labels)) {
			continue
		}
		if metav1.IsControlledBy(r, owner.Object) {
			all = append(all, r)
		}
	}
	return sorted(all)
}

// Rollback is what to do to go back to an earlier template.
type Rollback struct {
	// Target is the revision to go back to, and Requested the number that was
	// asked for: 0 for [Previous].
	Target    *appsv1.ControllerRevision
	Requested int64
	// Template is the template to put in place, for kinds that know no strategic
	// merge patch.
	Template *corev1.PodTemplateSpec
	// Patch is the strategic merge patch to send to the API server for a
	// DaemonSet: the bytes that the revision stores.
	Patch []byte
	// Matches says that the template in force is that of the target already, so
	// that there is nothing to do.
	Matches bool
}

// String is what kubectl says afterwards, after the name of the object.
func (r Rollback) String() string {
	if r.Matches {
		return fmt.Sprintf("skipped rollback (current template already matches revision %d)", r.Requested)
	}
	return "rolled back"
}

// RollBack finds the revision to go back to among the visible ones: the one with
// the number, of several the first by name, or for [Previous] the second-highest.
// template is the one in force.
//
// Errors are [ErrNoPrevious], [*NotFoundError] also for negative numbers, and
// those of [Template] and [Patch].
func RollBack(template *corev1.PodTemplateSpec, visible []*appsv1.ControllerRevision, to int64) (Rollback, error) {
	all := sorted(slices.DeleteFunc(slices.Clone(visible), func(r *appsv1.ControllerRevision) bool { return r == nil }))
	r := Rollback{Requested: to}
	switch {
	case to < 0:
		return Rollback{}, &NotFoundError{to}
	case to == Previous && len(all) < 2:
		return Rollback{}, ErrNoPrevious
	case to == Previous:
		r.Target = all[len(all)-2]
	default:
		at := slices.IndexFunc(all, func(r *appsv1.ControllerRevision) bool { return r.Revision == to })
		if at < 0 {
			return Rollback{}, &NotFoundError{to}
		}
		r.Target = all[at]
	}
	var err error
	if r.Template, err = Template(r.Target); err != nil {
		return Rollback{}, err
	}
	if r.Matches, err = Matches(template, r.Target); err != nil {
		return Rollback{}, err
	}
	r.Patch = bytes.Clone(r.Target.Data.Raw)
	return r, nil
}
