// Package placement decides which nodes a daemon pod belongs on, says why, and
// builds the pod: the rules of the DaemonSet controller of Kubernetes 1.37.
//
// Compile a pod template once, then ask about as many nodes as there are:
//
//	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
//	for _, node := range nodes {
//		if matcher.Match(node) != placement.Eligible {
//			fmt.Println(node.Name, matcher.Cause(node))
//		}
//	}
//	fmt.Println(matcher.Explain(node, placement.NewVocabulary(nodes)))
//
// A [Matcher] is immutable and safe for concurrent use. [Matcher.Match] and
// [Matcher.Cause] allocate nothing. For a node that does not exist yet, ask
// with a [Shape].
//
// # Verdicts
//
// A node is one of three things to a DaemonSet. [Eligible]: a pod runs there,
// and is created where there is none. [KeepOnly]: nothing is created, but a
// pod that runs there may stay; this is a node with an untolerated NoSchedule
// taint. [Excluded]: a pod that runs there is deleted. The fourth value,
// [Unevaluated], is the zero: nobody asked, or the node does not exist.
//
// # The rules, in their order
//
// The template's nodeName, when set, is the name of the node. Every entry of
// nodeSelector is a label of the node, with this very value. One term of the
// required node affinity matches: terms are ORed, the requirements in a term
// are ANDed, a term that cannot be parsed matches nothing while the others
// still count, and a list without a term to match matches nothing. Every taint
// with the effect NoSchedule or NoExecute is tolerated by the template's
// tolerations and the defaults (package tolerations). Then come the
// predicates of the caller. Missing one of these excludes the node, but for a
// NoSchedule taint, or a predicate that says so, which leaves it KeepOnly.
//
// Not looked at, as in the controller: spec.unschedulable, conditions and the
// deletion of the node, free resources, ports, pod affinity, topology spread,
// volumes, RuntimeClass, preferred affinity, PreferNoSchedule taints and the
// DaemonSet's own selector, which selects pods.
// (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/)
//
// # Reasons
//
// [Matcher.Cause] is the first thing that stands against a node, small and
// comparable: fit for counting, as [Summarize] does. [Matcher.Explain] is
// everything that stands against it, with near misses. Both agree with
// Match on every node. Their codes are stable; texts are for people and may
// change.
//
// # From one node to a sync
//
// [Claim] sorts out whose pods are whose; [NewFleet] reads nodes and pods into
// the facts on which the packages status and rollout work; [NewPod] builds
// the pod for a node; [DiffTemplates] and [DiffNodes] say beforehand what a
// change will take away; [Matcher.Trigger] says whether a node event matters.
//
// # Departures from the controller
//
// A node without a name has a name that is none of the names written in the
// template: In fails, NotIn holds, a set nodeName fails. The controller's
// helper skips matchFields for such a node, so that an autoscaler's nameless
// template node matches a pod pinned to another node.
//
// Where a list repeats a node name or a pod UID, the last one counts, and nil
// entries are passed over; the controller never sees such lists.
package placement
