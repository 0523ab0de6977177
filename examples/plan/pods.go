package main

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// claim says which of the pods and revisions that were read are the
// DaemonSet's, and what the controller has to do about them. Without pods the
// report has no pods.
func (r *daemonSetReport) claim(in input, ds *appsv1.DaemonSet, m *placement.Matcher, warn func(field, format string, args ...any)) {
	if len(in.pods) == 0 && len(in.revisions) == 0 {
		return
	}
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		warn("spec.selector", "pods and revisions are not looked at: %v", err)
		return
	}
	if ds.UID == "" {
		uids := uidsOf(in, ds)
		if len(uids) > 1 {
			warn("metadata.uid", "is missing, and %d DaemonSets of this name own pods and revisions (%s), which are not looked at: "+
				"read the DaemonSet from the cluster", len(uids), few(uids))
			return
		}
		ds.UID = unborn
		if len(uids) == 1 {
			ds.UID = types.UID(uids[0])
		}
	}
	if len(in.revisions) > 0 {
		claims := placement.Claim(placement.OwnerOf(ds), selector, in.revisions)
		r.Revisions = &revisionsReport{len(claims.Claimed), len(claims.Adopt), len(claims.Release)}
	}
	if len(in.pods) == 0 {
		return
	}
	claims := placement.Claim(placement.OwnerOf(ds), selector, in.pods)
	fleet := placement.NewFleet(m, in.nodes, claims.Claimed, placement.Reading{})
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

// unborn is the UID of a DaemonSet that is not in the cluster yet, or that owns
// nothing there. With one it can adopt what has no owner, as it will when it is
// created.
const unborn = "(not in the cluster)"

// uidsOf returns the UIDs of the DaemonSets that own pods or revisions under
// this name. A manifest has no UID of its own: when its pods all name the same
// one, that is it.
func uidsOf(in input, ds *appsv1.DaemonSet) []string {
	found := map[string]bool{}
	look := func(object metav1.Object) {
		ref := metav1.GetControllerOfNoCopy(object)
		if ref != nil && ref.Kind == daemonSetKind.Kind && ref.Name == ds.Name && object.GetNamespace() == ds.Namespace {
			found[string(ref.UID)] = true
		}
	}
	for _, pod := range in.pods {
		look(pod)
	}
	for _, revision := range in.revisions {
		look(revision)
	}
	return sortedKeys(found)
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
