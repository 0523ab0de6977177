package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	counters "github.com/daemonplan/daemonplan/status"
)

// origin says how it was found which pods are updated.
type origin string

const (
	byFlag       origin = "flag"       // -hash
	byRevisions  origin = "revisions"  // the revision that stores the template
	byMeaning    origin = "meaning"    // the one that means the same
	byTemplate   origin = "template"   // the hash of the template, which a pod carries
	byGeneration origin = "generation" // all pods that count are of the template generation
	byNothing    origin = "unknown"
)

// current is the revision that pods should be of.
type current struct {
	origin  origin
	reading placement.Reading
	note    string // in words, where there is more to say
}

// currentOf finds out which pods are updated. pods are those of the DaemonSet.
func currentOf(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, pods []*corev1.Pod, o options) (current, error) {
	owner := placement.OwnerOf(ds)
	reading := placement.Reading{Revision: o.hash, Generation: owner.TemplateGeneration()}
	if o.hash != "" {
		return current{origin: byFlag, reading: reading}, nil
	}
	if len(placement.Claim(owner, selector, in.Revisions).Claimed) > 0 {
		return resolved(in, ds, selector, pods)
	}
	reading.Revision = revision.Hash(&ds.Spec.Template, ds.Status.CollisionCount)
	for _, pod := range pods {
		if pod.Labels[revision.HashLabel] == reading.Revision {
			return current{origin: byTemplate, reading: reading}, nil
		}
	}
	reading.Revision = ""
	return current{origin: byNothing, reading: reading}, nil
}

// resolved asks the history. When the controller has observed the generation,
// the template has a revision: if its bytes are those of no revision, what was
// read is not what the controller compared, and the meaning has to do.
func resolved(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, pods []*corev1.Pod) (current, error) {
	state := revision.State{
		Owner: placement.OwnerOf(ds), Template: &ds.Spec.Template, Selector: selector,
		Revisions: in.Revisions, Pods: pods, CollisionCount: ds.Status.CollisionCount,
	}
	h, err := revision.Resolve(state, revision.Options{})
	if err != nil {
		return current{}, err
	}
	observed := ds.Generation > 0 && ds.Status.ObservedGeneration >= ds.Generation
	if observed && (h.Create != nil || h.Collision != nil) {
		similar, err := revision.Resolve(state, revision.Options{ByMeaning: true})
		if err != nil {
			return current{}, err
		}
		if similar.Create == nil && similar.Collision == nil {
			return current{byMeaning, similar.Reading(), "no revision stores the template byte by byte; this one means the same"}, nil
		}
	}
	c := current{origin: byRevisions, reading: h.Reading()}
	switch {
	case h.Collision != nil:
		c.note = "no revision stores the template, and the name of the next one is taken: see examples/history"
	case h.Create != nil:
		c.note = "no revision stores the template yet"
	}
	return c, nil
}

// fleetOf reads nodes and pods. When the hash is unknown, the pods may still all
// be of the template generation; when they are not, every pod is read as
// updated, so that nothing is said to be old, and what follows from it is left
// out of the report.
func fleetOf(in input.Objects, m *placement.Matcher, pods []*corev1.Pod, ask counters.Input, c *current) placement.Fleet {
	fleet := placement.NewFleet(m, in.Nodes, pods, c.reading)
	if c.origin != byNothing {
		return fleet
	}
	if now := counters.Compute(fleet, ask).Status; now.UpdatedNumberScheduled == now.CurrentNumberScheduled {
		c.origin = byGeneration
		return fleet
	}
	c.note = "no ControllerRevision of the DaemonSet was read, and no pod carries the hash that this program computes: give -hash"
	c.reading.Pod = func(_ *corev1.Pod, p placement.Pod) placement.Pod {
		p.Flags |= placement.Updated
		return p
	}
	return placement.NewFleet(m, in.Nodes, pods, c.reading)
}
