// Package status answers how far a DaemonSet is: the status that the controller
// of Kubernetes 1.37 writes, what lies behind its counters node by node, and
// whether a rollout is finished by the rules of those who ask.
//
// A controller computes the status from the facts of a fleet at the end of a
// sync, whatever the sync did, and looks again at the moment it is told:
//
//	result := status.Compute(fleet, status.Input{
//		Previous: ds.Status, Generation: ds.Generation,
//		MinReadySeconds: ds.Spec.MinReadySeconds, Now: now,
//	})
//	if result.Write {
//		write(result.Status)
//	}
//	lookAgain(result.Next)
//
// A tool that only reads asks with objects, [ComputeStatus], or with the status
// that is stored:
//
//	verdict := status.Judge(ds, status.Kubectl)
//	fmt.Print(verdict.Message)
//
// # The counters
//
// On each eligible node, desired counts 1, and current if it has a pod at all.
// Then one pod of the node is looked at, the one that the controller prefers:
// scheduled before unscheduled, then the oldest, then by name. Terminating pods
// are among them, so an old one that is on its way out hides a new one that is
// ready already. ready, available and updated are about that pod. A node that is
// not eligible and has a pod counts as misscheduled, and nowhere else. Nodes that
// do not exist count nowhere. unavailable is desired less available.
//
// [Details] has what the counters hide: pods behind others, and misscheduled
// pods that stay apart from those that go. [Nodes] says of every node why it is
// not done.
//
// # Availability
//
// A pod is available once it has been Ready for minReadySeconds, by the transition
// time of its Ready condition. A time that lies ahead, because a clock is wrong,
// is taken as it is: the pod becomes available that much later. The controller
// looks again after minReadySeconds, and again; here the moment is computed.
//
// # Is it finished
//
// Four rules in the field disagree about the same counters, and [Judge] gives the
// verdict of each: [Kubectl], [Helm], [Kstatus] and [ArgoCD]. [Policy] is for a
// rule of one's own, on the nodes behind the counters. [Track] tells from one
// observation to the next whether a rollout moves.
//
// # Departures from the controller
//
// None in the counters. Where a deadline, a wake-up or a breakdown is given, the
// controller has none.
package status
