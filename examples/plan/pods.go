package main

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
)

// claim says which of the pods and revisions that were read are the
// DaemonSet's, and what the controller has to do about them. Without pods the
// report has no pods.
func (r *daemonSetReport) claim(in input.Objects, ds *appsv1.DaemonSet, m *placement.Matcher, warn func(field, format string, args ...any)) {
	if len(in.Pods) == 0 && len(in.Revisions) == 0 {
		return
	}
	selector, problem := in.Own(ds)
	if problem != nil {
		warn(problem.Field, "%s", problem.Message)
		return
	}
	if len(in.Revisions) > 0 {
		claims := placement.Claim(placement.OwnerOf(ds), selector, in.Revisions)
		r.Revisions = &revisionsReport{len(claims.Claimed), len(claims.Adopt), len(claims.Release)}
	}
	if len(in.Pods) == 0 {
		return
	}
	claims := placement.Claim(placement.OwnerOf(ds), selector, in.Pods)
	fleet := placement.NewFleet(m, in.Nodes, claims.Claimed, placement.Reading{})
	r.Pods = &podsReport{
		Claimed: len(claims.Claimed),
		Adopt:   names(claims.Adopt), Release: names(claims.Release),
		MissingOn: []string{}, DeletedFrom: []string{},
		LatentLosses: append([]string{}, fleet.LatentLosses()...),
		Stray:        []string{},
	}
	pods := r.Pods.file(fleet)
	for _, pod := range claims.Claimed {
		if _, err := placement.TargetNode(pod); err != nil {
			r.Pods.Stray = append(r.Pods.Stray, pod.Name+" (no node)")
		}
	}
	for _, list := range [][]string{r.Pods.MissingOn, r.Pods.DeletedFrom, r.Pods.Stray} {
		slices.Sort(list)
	}
	for i := range r.Nodes {
		r.Nodes[i].Pods = pods[r.Nodes[i].Name]
	}
}

// file goes over the fleet once. It returns the pods of each node that exists.
func (r *podsReport) file(fleet placement.Fleet) map[string][]podReport {
	pods := make(map[string][]podReport, len(fleet.Nodes))
	for _, node := range fleet.Nodes {
		running := false
		for _, pod := range node.Pods {
			if node.Ref == nil {
				r.Stray = append(r.Stray, fmt.Sprintf("%s (%s)", pod.Name, node.Name))
				continue
			}
			pods[node.Name] = append(pods[node.Name], podReport{pod.Name, state(pod)})
			running = running || !pod.Flags.Has(placement.Terminating)
		}
		switch {
		case node.Verdict.ShouldRun() && len(node.Pods) == 0:
			r.MissingOn = append(r.MissingOn, node.Name)
		case node.Verdict == placement.Excluded && running:
			r.DeletedFrom = append(r.DeletedFrom, node.Name)
		}
	}
	return pods
}

// state is the first thing that is wrong with a pod.
func state(pod placement.Pod) string {
	switch {
	case pod.Flags.Has(placement.Terminating):
		return "terminating"
	case pod.Flags.Has(placement.Failed):
		return "failed"
	case pod.Flags.Has(placement.Succeeded):
		return "succeeded"
	case !pod.Flags.Has(placement.Scheduled):
		return "unscheduled"
	case !pod.Flags.Has(placement.Ready):
		return "not ready"
	}
	return ""
}

func (p podReport) String() string {
	if p.State == "" {
		return p.Name
	}
	return p.Name + " (" + p.State + ")"
}

// names returns the names of objects, sorted.
func names[T metav1.Object](objects []T) []string {
	all := make([]string, len(objects))
	for i, object := range objects {
		all[i] = object.GetName()
	}
	slices.SortFunc(all, strings.Compare)
	return all
}
