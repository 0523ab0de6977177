// Package tolerations answers what a daemon pod tolerates and whether a taint
// is tolerated, by the rules of the DaemonSet controller of Kubernetes 1.37.
//
// The tolerations of a daemon pod are not those of its template. The
// controller adds a fixed list to every pod that it creates, and judges nodes
// with the sum:
//
//	own := template.Spec.Tolerations
//	all := tolerations.Effective(&template.Spec)      // what the pod gets
//	for _, c := range tolerations.Changes(own, tolerations.DefaultTolerations(&template.Spec)) {
//		fmt.Println(c)                            // what was added, and what was dropped
//	}
//	if i, found := tolerations.FirstUntolerated(node.Spec.Taints, all, tolerations.Blocking, tolerations.Options{}); found {
//		fmt.Println("add", tolerations.Format(tolerations.For(node.Spec.Taints[i])))
//	}
//
// # The defaults
//
// Six tolerations, all with the operator Exists: not-ready and unreachable
// for the effect NoExecute; disk-pressure, memory-pressure, pid-pressure and
// unschedulable for NoSchedule. With hostNetwork a seventh,
// network-unavailable for NoSchedule. Every key has the prefix
// node.kubernetes.io/. What surprises people: a cordoned node is tolerated,
// a control-plane node is not, and of not-ready only the effect NoExecute is,
// so that a network plugin needs a toleration of its own for
// node.kubernetes.io/not-ready:NoSchedule
// (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations).
//
// # Matching
//
// A toleration tolerates a taint when its effect is empty or equal, its key is
// empty or equal, and its value fits: any value under Exists, an equal one
// under Equal or no operator. tolerationSeconds, even 0, plays no part. The
// operators Lt and Gt of KEP-5471 compare integers; their feature gate,
// TaintTolerationComparisonOperators, is off by default in 1.37, and so is
// [Options].ComparisonOperators. Any other operator tolerates nothing.
// Malformed values match nothing and are no error.
//
// # Cost
//
// [Tolerates], [FirstUntolerated], [FirstTolerating] and [Covers] allocate nothing. [Merge],
// [Effective] and [DefaultTolerations] return new slices. No function writes
// to its arguments.
//
// # Not here
//
// How long a pod tolerates a NoExecute taint is for the eviction controller to
// decide. Whether a node as a whole takes a pod is the business of package
// placement.
package tolerations
