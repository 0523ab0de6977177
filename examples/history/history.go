package main

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// history looks at every DaemonSet that was read.
func history(in input.Objects, o options) *report {
	r := &report{DaemonSets: []daemonSetReport{}, PassedOver: in.PassedOver, Warnings: append([]input.Warning{}, in.Warnings...)}
	for _, m := range in.DaemonSets {
		warn := func(field, format string, args ...any) {
			r.Warnings = append(r.Warnings, m.Warning(field, format, args...))
		}
		r.DaemonSets = append(r.DaemonSets, historyOf(in, m, o, warn))
	}
	return r
}

// historyOf looks at one DaemonSet, with the defaults of the API server filled
// in.
func historyOf(in input.Objects, m input.Manifest, o options, warn func(field, format string, args ...any)) daemonSetReport {
	ds := lint.Default(m.DaemonSet)
	r := daemonSetReport{
		Identity:  input.Identity{Namespace: ds.Namespace, Name: ds.Name, Source: m.Place},
		Strategy:  string(ds.Spec.UpdateStrategy.Type),
		Revisions: []revision.Entry{},
	}
	selector, problem := in.Own(ds)
	if problem != nil {
		warn(problem.Field, "%s", problem.Message)
		return r
	}
	if problem := input.Unsynced(ds, selector); problem != nil {
		warn(problem.Field, "%s", problem.Message)
	}
	visible := revision.Visible(placement.OwnerOf(ds), selector, in.Revisions)
	for _, entry := range revision.Entries(visible) {
		entry.Created = output.Time(entry.Created)
		r.Revisions = append(r.Revisions, entry)
	}
	r.Table = revision.Table("daemonset.apps/"+ds.Name, visible)

	if err := r.resolve(in, ds, selector, o.limit); err != nil {
		warn("spec.template", "%v", err)
		return r
	}
	if o.undo != nil {
		r.Undo = undo(&ds.Spec.Template, visible, *o.undo)
	}
	if o.diff != nil {
		r.Diff = diff(visible, o.diff[0], o.diff[1])
	}
	return r
}

// resolve finds the current revision, and what the limit deletes.
func (r *daemonSetReport) resolve(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, l limit) error {
	owner := placement.OwnerOf(ds)
	pods := placement.Claim(owner, selector, in.Pods).Claimed
	h, err := revision.Resolve(revision.State{
		Owner: owner, Template: &ds.Spec.Template, Selector: selector,
		Revisions: in.Revisions, Pods: pods, CollisionCount: ds.Status.CollisionCount,
	}, revision.Options{})
	if err != nil {
		return err
	}
	r.Current = currentOf(h, ds)
	if l.wanted {
		if l.number == nil {
			l.number = ds.Spec.RevisionHistoryLimit
		}
		r.Limit = limitOf(h, in.Pods, pods, *l.number)
	}
	return nil
}

// currentOf sorts out what the history asks for.
func currentOf(h revision.History, ds *appsv1.DaemonSet) *currentReport {
	r := &currentReport{
		Outcome: isCurrent,
		Adopt:   references(h.Adopt), Release: references(h.Release),
		Label: references(h.Label), Delete: references(h.Delete),
		Relabel: []string{},
	}
	for _, pod := range h.Relabel {
		r.Relabel = append(r.Relabel, pod.Pod.Name)
	}
	switch {
	case h.Collision != nil:
		r.Outcome = isCollided
		if count, ok := h.Collision.Raise(ds.Status.CollisionCount); ok {
			r.CollisionCount = &count
		}
		r.Revision = referenceTo(h.Collision.Taken)
	case h.Create != nil:
		r.Outcome = isCreate
	case h.Borrowed:
		r.Outcome = isBorrowed
	case h.Renumber != nil:
		r.Outcome = isRenumber
	}
	if h.Current != nil {
		r.Revision = referenceTo(h.Current)
	}
	var same []*appsv1.ControllerRevision
	for _, old := range h.Old {
		// One that stores no template of a DaemonSet does not mean the same.
		if ok, err := revision.MatchesByMeaning(&ds.Spec.Template, old); ok && err == nil {
			same = append(same, old)
		}
	}
	r.SameMeaning = references(same)
	return r
}

// undo is a rollback to the revision of the number.
func undo(template *corev1.PodTemplateSpec, visible []*appsv1.ControllerRevision, to int64) *undoReport {
	r := &undoReport{Requested: to}
	back, err := revision.RollBack(template, visible, to)
	if err == nil {
		var d revision.Difference
		if d, err = revision.Diff(template, back.Template); err == nil {
			target := referenceTo(back.Target)
			r.Target, r.Result, r.Difference = &target, back.String(), &d
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// diff compares the templates of two revisions.
func diff(visible []*appsv1.ControllerRevision, from, to int64) *diffReport {
	r := &diffReport{From: from, To: to}
	before, err := templateOf(visible, from)
	if err == nil {
		var after *corev1.PodTemplateSpec
		if after, err = templateOf(visible, to); err == nil {
			var d revision.Difference
			if d, err = revision.Diff(before, after); err == nil {
				r.Difference = &d
			}
		}
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// templateOf is the template of the revision with the number, of several the
// first by name, as for a rollback.
func templateOf(visible []*appsv1.ControllerRevision, number int64) (*corev1.PodTemplateSpec, error) {
	at := slices.IndexFunc(visible, func(r *appsv1.ControllerRevision) bool { return r.Revision == number })
	if at < 0 {
		return nil, &revision.NotFoundError{Revision: number}
	}
	return revision.Template(visible[at])
}

// limitOf says what the limit deletes. all are the pods that were read, claimed
// those of the DaemonSet.
func limitOf(h revision.History, all, claimed []*corev1.Pod, limit int32) *limitReport {
	r := &limitReport{Limit: limit, Old: len(h.Old), InUse: []reference{}, Delete: []reference{}}
	switch {
	case h.Collision != nil:
		r.Unknown = "the sync ends with the collision"
	case len(all) == 0:
		r.Unknown = "no Pod was read, and revisions that pods use are kept: add kubectl get pods -o json"
	default:
		r.Delete = references(revision.Prune(h.Old, claimed, &limit))
		// With a limit of nothing, what is left is in use.
		gone := revision.Prune(h.Old, claimed, new(int32))
		for _, old := range h.Old {
			if !slices.Contains(gone, old) {
				r.InUse = append(r.InUse, referenceTo(old))
			}
		}
	}
	return r
}

func referenceTo(r *appsv1.ControllerRevision) reference { return reference{r.Revision, r.Name} }

func references(revisions []*appsv1.ControllerRevision) []reference {
	all := make([]reference, len(revisions))
	for i, r := range revisions {
		all[i] = referenceTo(r)
	}
	return all
}
