// Package rollout decides what to create and delete now, by the rules of the
// controller of Kubernetes 1.37: one pod for each eligible node, and then, where
// nothing is outstanding, the next step of a rolling update.
//
//	plan, err := rollout.Sync(rollout.State{
//		Fleet: fleet, Spec: rollout.SpecOf(ds), Target: history.Reading().Revision,
//		Backoff: backoff, ObservedGeneration: ds.Status.ObservedGeneration, Now: now,
//	}, rollout.Policy{})
//	if err != nil {
//		return err // a limit of the strategy that is neither a number nor a percentage
//	}
//	for _, c := range plan.Create {
//		create(placement.NewPod(owner, template, c.Node, placement.PodOptions{Hash: c.Revision}))
//	}
//	for _, d := range plan.Delete {
//		remove(d.Pod, d.UID)
//	}
//	backoff = backoff.With(ds.Status.ObservedGeneration, plan.Backoff, now)
//	lookAgain(plan.Next)
//
// [Manage], [Update] and [Sync] are functions of one [State] and a [Policy].
// [PlanRollingUpdate] takes plain objects. [Diagnose] says why an update does not
// move.
//
// # Manage: one pod for each node
//
// An eligible node without a pod gets one. On a node that may keep pods, a failed
// pod is deleted, unless the back-off of the node holds it, a pod that has ended
// is deleted, and of several running ones the first stays: scheduled before
// unscheduled, then the oldest, then by name. With surge the oldest pod of the
// new revision and the oldest of any other stay together until the old one is not
// ready, or the new one is available; and there a failed pod that its back-off holds
// does not keep another from being created, which may fail at once again. On a node that is excluded every pod goes.
// Unscheduled pods that are meant for a node that does not exist go too.
//
// # Update: the next step
//
// Without surge: old pods that are not available are deleted without limit, old
// available ones as long as no more than maxUnavailable nodes are without an
// available pod. With surge: a node whose old pod is not available gets a new one
// beside it without limit, others up to maxSurge at a time, and an old pod goes
// once the new one is available. Percentages are of the eligible nodes, rounded
// up.
//
// # Order
//
// A plan lists first what is wanted whatever the limits, then what is picked
// within them; each by node name, after [State.After] and around, and then in the
// order of the pods of the node. Where the controller picks at random among
// candidates, the first ones in this order are picked. It creates at most 250 pods
// in one sync and deletes at most 250, and so does a plan; the rest is held for the
// next sync.
//
// A plan costs a pass over the nodes, another over those that have not all that they
// should have, a bit for each node, and memory for what a burst takes: [Holds], which
// names everything that is held, costs more.
//
// # Policies
//
// The zero [Policy] is the controller. Others exempt nodes from the budget, choose
// candidates, order them, go in waves, limit more strictly, or stop: see there for
// what each field does, which engine has it, and how it differs. A policy with every
// stage costs two to three times the plain plan.
//
// With [State.Stable], nodes that a policy does not update are served from the last
// good revision: they get its pods, and its verdict says whether they are eligible.
// A status is still that of the fleet's target.
//
// # Departures from the controller
//
// With surge, a live old pod on a node that does not exist makes the controller's
// update fail; here the pod is passed over. Limits beyond any fleet are as good as
// all of its nodes, where the controller runs out of memory.
package rollout
