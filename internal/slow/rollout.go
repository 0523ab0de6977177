package slow

import "github.com/daemonplan/daemonplan/placement"

// Actions are what a part of a sync does: Create and Delete whatever the limits,
// and Take of each list of candidates. Creates are names of nodes, deletes are
// names of pods.
type Actions struct {
	Create, Delete                     []string
	CreateCandidates, DeleteCandidates []string
	TakeCreates, TakeDeletes           int
}

// which returns the pods of a kind.
func which(pods []placement.Pod, kind func(placement.Pod) bool) (found []placement.Pod) {
	for _, p := range pods {
		if kind(p) {
			found = append(found, p)
		}
	}
	return found
}

func has(flags placement.Flags) func(placement.Pod) bool {
	return func(p placement.Pod) bool { return p.Flags.Has(flags) }
}

func not(kind func(placement.Pod) bool) func(placement.Pod) bool {
	return func(p placement.Pod) bool { return !kind(p) }
}

// Manage is one pod for each node, in the words of the rules. Held says on which
// nodes failed pods are left alone.
func Manage(f placement.Fleet, surge bool, target string, available func(placement.Pod) bool, held func(node string) bool) Actions {
	var a Actions
	remove := func(pods ...placement.Pod) {
		for _, p := range pods {
			a.Delete = append(a.Delete, p.Name)
		}
	}
	for _, n := range f.Nodes {
		live := which(n.Pods, not(has(placement.Terminating)))
		failed := which(live, has(placement.Failed))
		ended := which(live, has(placement.Succeeded))
		running := which(live, func(p placement.Pod) bool { return !p.Flags.Any(placement.Failed | placement.Succeeded) })
		switch n.Verdict {
		case placement.Unevaluated:
			if n.Ref == nil {
				remove(which(n.Pods, not(has(placement.Scheduled)))...)
			}
			continue
		case placement.Excluded:
			remove(live...)
			continue
		case placement.Eligible:
			if len(n.Pods) == 0 || surge && len(running) == 0 {
				a.Create = append(a.Create, n.Name)
			}
		}
		if len(failed) > 0 && !held(n.Name) {
			remove(failed[0])
		}
		remove(ended...)
		if !surge {
			if len(running) > 1 {
				remove(running[1:]...)
			}
			continue
		}
		current := func(p placement.Pod) bool { return p.Revision == target }
		fresh, old := which(running, current), which(running, not(current))
		if len(fresh) > 1 {
			remove(fresh[1:]...)
		}
		if len(old) > 1 {
			remove(old[1:]...)
		}
		if len(fresh) > 0 && len(old) > 0 && (!old[0].Flags.Has(placement.Ready) || available(fresh[0])) {
			remove(old[0])
		}
	}
	return a
}

// Update is the next step of a rolling update: without surge where maxSurge is 0.
func Update(f placement.Fleet, maxUnavailable, maxSurge int, available func(placement.Pod) bool) Actions {
	var a Actions
	desired, unavailable, surging, usable := 0, 0, 0, 0
	for _, n := range f.Nodes {
		eligible := n.Verdict == placement.Eligible
		if eligible {
			desired++
		}
		live := which(n.Pods, not(has(placement.Terminating)))
		fresh, old := which(live, has(placement.Updated)), which(live, not(has(placement.Updated)))
		orderly := len(fresh) <= 1 && len(old) <= 1
		onlyOld := len(fresh) == 0 && len(old) == 1
		onlyFresh := len(fresh) == 1 && len(old) == 0
		both := len(fresh) == 1 && len(old) == 1
		if maxSurge == 0 {
			done := onlyFresh && available(fresh[0]) || onlyOld && available(old[0])
			if !done && (eligible || len(n.Pods) > 0) {
				unavailable++
			}
			if onlyOld && available(old[0]) {
				a.DeleteCandidates = append(a.DeleteCandidates, old[0].Name)
			} else if onlyOld {
				a.Delete = append(a.Delete, old[0].Name)
			}
			continue
		}
		if !orderly || both && !available(fresh[0]) {
			surging++
		}
		if orderly && (len(old) == 1 && available(old[0]) || onlyFresh && available(fresh[0])) {
			usable++
		}
		switch {
		case both && available(fresh[0]):
			a.Delete = append(a.Delete, old[0].Name)
		case !onlyOld || n.Verdict == placement.Unevaluated:
		case eligible && available(old[0]):
			a.CreateCandidates = append(a.CreateCandidates, n.Name)
		case eligible:
			a.Create = append(a.Create, n.Name)
		case available(old[0]):
			a.DeleteCandidates = append(a.DeleteCandidates, old[0].Name)
		default:
			a.Delete = append(a.Delete, old[0].Name)
		}
	}
	if maxSurge == 0 {
		a.TakeDeletes = maxUnavailable - unavailable
	} else {
		a.TakeDeletes, a.TakeCreates = usable-desired, maxSurge-surging
	}
	a.TakeDeletes = max(0, min(a.TakeDeletes, len(a.DeleteCandidates)))
	a.TakeCreates = max(0, min(a.TakeCreates, len(a.CreateCandidates)))
	return a
}
