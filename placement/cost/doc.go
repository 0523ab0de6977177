// Package cost says what DaemonSets take from nodes: from those there are, from a
// node that does not exist yet, from a whole fleet, and what a change of template or
// fleet makes of it.
//
// Compile each DaemonSet once, then ask:
//
//	daemon, err := cost.Compile(ds, cost.Options{})          // what one pod takes, and where it goes
//	set := cost.NewSet(daemons)                              // many of them
//
//	overhead, err := set.Overhead(shape, cost.Question{})    // a node that an autoscaler may add
//	groups, err := set.Group(shapes, cost.Question{})        // thousands of those
//	bounds, err := set.On(domain, cost.Question{})           // a pool whose labels are half known
//
//	report, err := cost.Fleet(nodes, workloads, cost.Grouping{Label: "pool"})
//	lines, err := cost.Lines(node, workloads)                // one node, by DaemonSet
//	change, err := cost.Compare(before, after, cost.Rollout{})
//	better, err := cost.Recommend(daemon, usage, pods, cost.Sizing{})
//
// # The price of a pod
//
// What a pod takes is not what its template says. The API server copies limits to
// requests, on pods only; a LimitRange fills in what is left open; a RuntimeClass
// adds its overhead. [Admit] does this, [Compile] calls it and lets PodRequests of
// component-helpers sum up: the most that any phase needs, of init containers beside
// earlier sidecars and of containers beside all of them; then what the pod asks for
// as a whole in place of that; then the overhead. Every pod takes one of "pods".
// Where webhooks or a VPA size pods, the caller passes one ([Options].Pod).
// Where pods go is always read from the template, since the affinity of a pod was
// replaced by the name of its node.
//
// A pod that runs costs what [RequestsOf] says, in which its status counts: a pod
// that is resized in place takes the greater of the old and the new size.
//
// # Amounts
//
// [Resources] are exact to a thousandth, with no float anywhere. What does not fit is
// [ErrOverflow], never a wrong number. A [Ratio] of nothing is undefined, never
// infinite. What a node holds back for itself, capacity less allocatable, is no cost
// of a DaemonSet.
//
// # Present and missing
//
// [Sums] keep apart what is expected, present, missing, unexpected, of an old
// revision, and doubled by a surge, for each DaemonSet on each node; they are added up
// and never set off against each other. What is free on a node, once the DaemonSets
// have all they are to have, is allocatable less all its pods less Missing.
//
// # Nodes that do not exist
//
// A [Question] names the taints that will be gone and the labels that will be there,
// and which DaemonSets count. When a label has no one value, ask with a [Domain]: the
// answer is yes, no, or depends, with the labels on which it does. It is exact: yes
// and no hold for every node of the domain, and where the answer is depends there are
// nodes of both kinds, unless it says that it is unsettled or depends on a predicate.
//
// # Order
//
// DaemonSets are by namespace and name, nodes and groups by name, resources by name,
// ports by number; shuffled input gives an equal result. Of a list that repeats a key
// the last one counts.
//
// # What is not here
//
// Whether a pod fits beside other pods, prices in money, and what the scheduler asks
// for beyond the DaemonSet controller. A RuntimeClass with a node selector is such a
// case: the controller does not see it and creates pods that stay pending; [Admit]
// shows it in the pod's spec.
package cost
