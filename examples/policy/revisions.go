package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// ownRevisions are those of a DaemonSet, by number and name.
func ownRevisions(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector) []*appsv1.ControllerRevision {
	own := placement.Claim(placement.OwnerOf(ds), selector, in.Revisions).Claimed
	slices.SortStableFunc(own, func(a, b *appsv1.ControllerRevision) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Name, b.Name))
	})
	return own
}

// hashOf is the hash of a revision; one without gets its name for that.
func hashOf(r *appsv1.ControllerRevision) string {
	return cmp.Or(r.Labels[revision.HashLabel], r.Name)
}

// stableOf finds the revision that -stable names, by hash or else by number, and
// says where its pods may run.
func stableOf(own []*appsv1.ControllerRevision, name string) (string, *placement.Matcher, error) {
	at := slices.IndexFunc(own, func(r *appsv1.ControllerRevision) bool { return hashOf(r) == name })
	if number, err := strconv.ParseInt(name, 10, 64); err == nil && at < 0 {
		at = slices.IndexFunc(own, func(r *appsv1.ControllerRevision) bool { return r.Revision == number })
	}
	if at < 0 {
		known := make([]string, len(own))
		for i, r := range own {
			known[i] = fmt.Sprintf("%d %s", r.Revision, hashOf(r))
		}
		if len(own) == 0 {
			return "", nil, fmt.Errorf("-stable %s: no ControllerRevision of the DaemonSet was read: they say what was stable", name)
		}
		return "", nil, fmt.Errorf("-stable %s: no revision of the DaemonSet has this hash or number: it has %s", name, output.Few(known))
	}
	template, err := revision.Template(own[at])
	if err != nil {
		return "", nil, fmt.Errorf("-stable %s: %w", name, err)
	}
	return hashOf(own[at]), placement.Compile(template, placement.Options{}), nil
}

// asGood finds the revisions that differ from the template in nothing but changes
// of the classes, so that their pods need no restart.
func asGood(own []*appsv1.ControllerRevision, ds *appsv1.DaemonSet, target string, classes []revision.Class, warn func(format string, args ...any)) []string {
	hashes := []string{}
	if len(classes) == 0 {
		return hashes
	}
	if len(own) == 0 {
		warn("no ControllerRevision of %s/%s was read, so nobody knows what differs", ds.Namespace, ds.Name)
	}
	for _, r := range own {
		if hashOf(r) == target {
			continue
		}
		template, err := revision.Template(r)
		if err != nil {
			warn("%v", err)
			continue
		}
		difference, err := revision.Diff(template, &ds.Spec.Template)
		if err != nil {
			warn("%v", err)
			continue
		}
		if difference.Only(classes...) {
			hashes = append(hashes, hashOf(r))
		}
	}
	return hashes
}
