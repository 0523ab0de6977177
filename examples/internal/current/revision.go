package current

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	counters "github.com/daemonplan/daemonplan/status"
)

// Origin says how it was found which pods are updated. The values are stable.
type Origin string

// The origins.
const (
	ByFlag       Origin = "flag"       // -hash
	ByRevisions  Origin = "revisions"  // the revision that stores the template
	ByMeaning    Origin = "meaning"    // the one that means the same
	ByTemplate   Origin = "template"   // the hash of the template, which a pod carries
	ByGeneration Origin = "generation" // all pods that count are of the template generation
	ByNothing    Origin = "unknown"
)

// Revision is the one that pods should be of.
type Revision struct {
	Origin  Origin
	Reading placement.Reading
	Note    string // in words, where there is more to say
	// Collision says that the name of the next revision is taken, so that there
	// is none to be of.
	Collision bool
}

// Known reports whether it is known which pods are updated.
func (c *Revision) Known() bool { return c.Origin != ByNothing }

// Find finds out which pods are updated. pods are those of the DaemonSet, and hash
// is what -hash says, or empty. A program must read revisions with their contents.
func Find(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, pods []*corev1.Pod, hash string) (Revision, error) {
	owner := placement.OwnerOf(ds)
	reading := placement.Reading{Revision: hash, Generation: owner.TemplateGeneration()}
	if hash != "" {
		return Revision{Origin: ByFlag, Reading: reading}, nil
	}
	if len(placement.Claim(owner, selector, in.Revisions).Claimed) > 0 {
		return resolved(in, ds, selector, pods)
	}
	reading.Revision = revision.Hash(&ds.Spec.Template, ds.Status.CollisionCount)
	for _, pod := range pods {
		if pod.Labels[revision.HashLabel] == reading.Revision {
			return Revision{Origin: ByTemplate, Reading: reading}, nil
		}
	}
	reading.Revision = ""
	return Revision{Origin: ByNothing, Reading: reading}, nil
}

// resolved asks the history. When the controller has observed the generation,
// the template has a revision: if its bytes are those of no revision, what was
// read is not what the controller compared, and the meaning has to do.
func resolved(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, pods []*corev1.Pod) (Revision, error) {
	state := revision.State{
		Owner: placement.OwnerOf(ds), Template: &ds.Spec.Template, Selector: selector,
		Revisions: in.Revisions, Pods: pods, CollisionCount: ds.Status.CollisionCount,
	}
	h, err := revision.Resolve(state, revision.Options{})
	if err != nil {
		return Revision{}, err
	}
	observed := ds.Generation > 0 && ds.Status.ObservedGeneration >= ds.Generation
	if observed && (h.Create != nil || h.Collision != nil) {
		similar, err := revision.Resolve(state, revision.Options{ByMeaning: true})
		if err != nil {
			return Revision{}, err
		}
		if similar.Create == nil && similar.Collision == nil {
			return Revision{
				Origin: ByMeaning, Reading: similar.Reading(),
				Note: "no revision stores the template byte by byte; this one means the same",
			}, nil
		}
	}
	c := Revision{Origin: ByRevisions, Reading: h.Reading(), Collision: h.Collision != nil}
	switch {
	case h.Collision != nil:
		c.Note = "no revision stores the template, and the name of the next one is taken: see examples/history"
	case h.Create != nil:
		c.Note = "no revision stores the template yet"
	}
	return c, nil
}

// Fleet reads nodes and pods. When the hash is unknown, the pods may still all
// be of the template generation; when they are not, every pod is read as
// updated, so that nothing is said to be old, and what follows from it is left
// out of the report: see [Revision.Known].
func (c *Revision) Fleet(in input.Objects, m *placement.Matcher, pods []*corev1.Pod, ask counters.Input) placement.Fleet {
	fleet := placement.NewFleet(m, in.Nodes, pods, c.Reading)
	if c.Origin != ByNothing {
		return fleet
	}
	if now := counters.Compute(fleet, ask).Status; now.UpdatedNumberScheduled == now.CurrentNumberScheduled {
		c.Origin = ByGeneration
		return fleet
	}
	c.Note = "no ControllerRevision of the DaemonSet was read, and no pod carries the hash that this program computes: give -hash"
	c.Reading.Pod = func(_ *corev1.Pod, p placement.Pod) placement.Pod {
		p.Flags |= placement.Updated
		return p
	}
	return placement.NewFleet(m, in.Nodes, pods, c.Reading)
}
