// Package revision answers what changed in a DaemonSet's template, by the rules
// of the controller of Kubernetes 1.37: the patch and the hash of a template,
// which revisions there are and which is current, what to write so that this
// holds, which pods are up to date, how to go back, and what differs.
//
// A controller resolves the history once in a sync, and writes what it is told:
//
//	history, err := revision.Resolve(revision.State{
//		Owner: owner, Template: &ds.Spec.Template, Selector: selector,
//		Revisions: revisions, Pods: mine.Claimed, CollisionCount: ds.Status.CollisionCount,
//	}, revision.Options{})
//	if err != nil {
//		return err // the template cannot be written as JSON
//	}
//	if history.Collision != nil {
//		return raise(history.Collision) // the sync ends here
//	}
//	fleet := placement.NewFleet(matcher, nodes, mine.Claimed, history.Reading())
//	…
//	remove(revision.Prune(history.Old, mine.Claimed, ds.Spec.RevisionHistoryLimit))
//
// # The revision of a template
//
// A revision stores its template as a strategic merge patch of the owner,
// {"spec":{"template":{"$patch":"replace",…}}}, with sorted keys; see [Patch].
// It is called after its owner and a hash of the template; see [Hash]. The hash
// names a revision and nothing more: it depends on the version of k8s.io/api,
// since it changes whenever a field is added to the types.
//
// Which revision is current is decided by comparing patches byte by byte; see
// [Matches]. A field that the API server starts to fill in, or a list in another
// order, therefore makes a new revision and restarts every pod.
// [MatchesByMeaning] compares what the templates mean instead, on request.
//
// # Numbers
//
// A new revision has the highest number of the old ones and one. A revision
// that becomes current again keeps its name and is raised to that number.
//
// # Departures from the controller
//
// The patch never has "creationTimestamp":null, whatever version of k8s.io/api
// is linked in: the types of Kubernetes 1.34 and newer leave it out, and older
// ones write it. A revision that has it is not current by bytes, as in the
// controller.
//
// Of several current revisions with the same number the controller keeps the
// last that it saw; here it is the one whose name comes first. Where it panics,
// on a revision without labels, on negative numbers, and without a history
// limit, there is an answer here.
//
// The controller gives the pods of every other revision the label of the one it
// keeps when it removes duplicates, so that outdated pods pass as up to date
// (kubernetes/kubernetes#111280). [Options].RelabelDuplicatesOnly leaves them
// alone.
package revision
