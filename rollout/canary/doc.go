// Package canary tries a new revision on a few nodes first: [Select] says on
// which, and [Judge] whether to go on with it, by the health of its pods and by
// time. What they say is put into the policy of a rollout:
//
//	var policy rollout.Policy
//	if target != stable { // otherwise there is nothing to try
//		selected, err := canary.Select(fleet, stored.Nodes, canary.Selection{Replicas: &tenPercent})
//		if err != nil {
//			return err // a field that cannot be used
//		}
//		pods := canary.HealthIn(fleet, selected.Set())
//		judgement, state, err := canary.Judge(pods, canary.ExtendedDaemonSet(), stored.State.For(target), now)
//		if err != nil {
//			return err
//		}
//		store(selected.Nodes, state)
//		lookAgain(judgement.Next)
//
//		policy.Candidates.Nodes = selected.Set() // all others stay at the stable revision
//		switch judgement.Verdict {
//		case canary.Pause:
//			policy.Gate.Pause = rollout.PauseUpdates // no more pods of the target
//		case canary.Fail:
//			policy.Gate.Pause = rollout.PauseUpdates
//			putBack(stable)
//		case canary.Promote:
//			stable, policy = target, rollout.Policy{}
//		}
//	}
//	plan, err := rollout.Sync(rollout.State{Fleet: fleet, Target: target, Stable: stable, …}, policy)
//
// # Selection
//
// A node that was chosen stays chosen as long as it is eligible and its labels
// match, so that a trial is not cut short by what happens elsewhere. Nodes are
// added while there are too few: those with the fewest container restarts first,
// as a node that is in trouble says little about a revision. [Selected] tells how
// many could not be found, and why a node is no longer chosen.
//
// # Judgement
//
// [Thresholds] are [Rules] that fail the canary, the same kind of rules to pause
// it, and a [Promotion] that ends it well. In this order:
//
//  1. A canary that has failed or was promoted stays so.
//  2. A person has rejected it: fail; or validated it: promote.
//  3. A rule of Fail is broken: fail.
//  4. A person has unpaused it: no rule of Pause counts, nor did any before.
//  5. A rule of Pause is broken, or was once: pause.
//  6. A person has paused it: pause.
//  7. Its time is over: promote; or else continue.
//
// All rules compare strictly: five restarts are not more than five, and after ten
// minutes to the nanosecond ten minutes are not over.
//
// What is remembered from one judgement to the next is a [State], which goes in and
// comes out. It is that of one revision: see [State.For].
//
// # What to do on fail
//
// Put the template of the stable revision back, as ExtendedDaemonSet does
// (updateInstanceWithCurrentRS): revision.RollBack finds it, and returns template
// and patch. Ask it for the number of the stable revision and not for
// revision.Previous: if this canary replaced one that had failed, that is the one
// before. The stable revision is the target then, and plans replace the pods of the
// canary as outdated ones. The example of [Verdict] does it.
//
// # Departures from ExtendedDaemonSet
//
// [ExtendedDaemonSet] has its rules and defaults, as far as they are known here;
// what is not known, or is ours, is said at each field. In general: too few nodes
// are an outcome and no error; a node that does not fit uses up no share of its
// label value; a person can reject a canary, and a failed one cannot be validated.
package canary
