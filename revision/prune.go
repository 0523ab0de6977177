package revision

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// DefaultHistoryLimit is spec.revisionHistoryLimit when it is not set.
const DefaultHistoryLimit = 10

// Prune returns the old revisions to delete, by number and name, so that at most
// limit of them are left: the lowest numbers first. A revision whose hash is on
// one of the pods stays, and a newer one goes in its place, so that more than
// limit stay only when that many are in use. A nil limit is the API server's
// default, and a negative one is 0.
//
// old is [History].Old. pods are the claimed ones, also those that are
// terminating, have ended, or are on nodes that are gone; a pod without a target
// node protects nothing, see placement.TargetNode.
func Prune(old []*appsv1.ControllerRevision, pods []*corev1.Pod, limit *int32) []*appsv1.ControllerRevision {
	keep := DefaultHistoryLimit
	if limit != nil {
		keep = max(int(*limit), 0)
	}
	excess := len(old) - keep
	if excess <= 0 {
		return nil
	}
	live := make(map[string]bool)
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		if _, err := placement.TargetNode(pod); err == nil {
			live[pod.Labels[HashLabel]] = true
		}
	}
	// A pod without the label protects no revision, not even one whose own
	// label is empty.
	delete(live, "")
	var gone []*appsv1.ControllerRevision
	for _, r := range sorted(old) {
		if len(gone) == excess {
			break
		}
		if !live[r.Labels[HashLabel]] {
			gone = append(gone, r)
		}
	}
	return gone
}

// Updated reports whether a pod is of a revision: its hash label is the hash,
// which must not be empty, or its template generation label is the number. A nil
// pod is not.
func Updated(pod *corev1.Pod, hash string, generation *int64) bool {
	if pod == nil {
		return false
	}
	r := placement.Reading{Revision: hash, Generation: generation}
	return r.Facts(pod).Flags.Has(placement.Updated)
}
