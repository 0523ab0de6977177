// Package drain answers what a drain asks about daemon pods: which pods they are,
// what kubectl does with each, whether the controller puts a pod back after it
// was evicted, and which daemon pods a new node still lacks.
//
//	verdicts := drain.Judge(podsOfNode, daemonSets, now, drain.Options{IgnoreDaemonSets: true})
//	if errs := drain.Errors(verdicts); len(errs) > 0 {
//		return errs // what kubectl drain stops with
//	}
//	sets := drain.Compile(daemonSets, placement.Options{})
//	for _, v := range verdicts {
//		if back := sets.Return(node, podsOfNode, v.Pod); back.Outcome == drain.Lost {
//			fmt.Println(v.Pod.Name, "will not come back:", back.Cause)
//		}
//	}
//
// # Who is a daemon pod
//
// Five definitions are in use, and tools that act on one cluster disagree about
// pods of custom resources, of a deleted DaemonSet, or with two owners. [Modes]
// names them; [IsDaemonPod] asks one.
//
// # What kubectl does
//
// [Judge] is kubectl drain of 1.37: its filters in their order, the first that
// refuses deciding, with its texts ([Errors], [Warnings]). A filter of kubectl
// overwrites the warning of an earlier one; what was overwritten is in
// [Verdict].Overwritten. kubectl joins groups of pods in the order of a map; here
// they are sorted by their text.
//
// kubectl skips a daemon pod since it would be recreated at once. That is not
// always so: see [Sets.Return].
//
// # A node that is getting ready
//
// [Sets.Waiting] lists the daemon pods that a node is to have and that are not
// ready there, so that a node is kept tainted until its agents run. It knows the
// trap of that: a DaemonSet that does not tolerate the taint gets its pod only
// once the taint is gone, so nobody may wait for it.
//
// # Not here
//
// Eviction itself, disruption budgets and the order of evictions. Whether a node
// has room for the pod that comes back is the business of the scheduler.
package drain
