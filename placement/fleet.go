package placement

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const hashLabel = appsv1.DefaultDaemonSetUniqueLabelKey

// Fleet is what one sync decides on: the nodes with their verdicts, and for
// each the facts of its pods. The packages status and rollout read nothing
// else.
//
// Existing nodes come first, in the order of the input; then, by name, nodes
// that pods are meant for and that do not exist: their verdict is Unevaluated
// and their Ref nil. No algorithm depends on the order of nodes.
type Fleet struct {
	Nodes []Node
}

// Node is what decides about a node.
type Node struct {
	Name string
	// Verdict is that of the template in force. Stable is that of the last
	// good template, which a paused or partial rollout serves from; it is the
	// same as Verdict where none was given.
	Verdict, Stable Verdict
	// Pods are in the order in which the controller prefers them: scheduled
	// before unscheduled, older before younger, then by name. Terminating
	// pods are among them, but for those that have also ended: they are as
	// good as gone. It is nil for a node without pods.
	Pods []Pod
	// Marks and Group are what a caller has read about the node besides, by
	// [Reading.Node]: a rollout's policy, for example, the zone of the node and
	// that it is cordoned. Placement looks at neither.
	Marks Marks
	Group string
	// Ref is the object that was read; nil for a node that does not exist and
	// for one that is only facts.
	Ref *corev1.Node
}

// Marks are a set of up to 16 marks of whoever reads the nodes.
type Marks uint16

// Has reports whether all of the given marks are set.
func (m Marks) Has(all Marks) bool { return m&all == all }

// Reading says how pods are read.
type Reading struct {
	// Revision is the hash by which a pod is Updated; empty for none.
	Revision string
	// Generation is the template generation by which a pod is Updated too:
	// see [Owner.TemplateGeneration].
	Generation *int64
	// Stable is the matcher for Node.Stable; nil for the one in force.
	Stable *Matcher
	// Pod corrects the facts of a pod, for a caller with rules of its own: an
	// in-place update that is under way clears Ready, a pre-delete hook sets
	// Terminating. It gets the pod and what was read, and returns what holds.
	// It must be pure. Nil changes nothing.
	Pod func(*corev1.Pod, Pod) Pod
	// Node adds to the facts of a node that exists, before its pods are read,
	// which Pods does not list yet. It must be pure. Nil adds nothing.
	Node func(Node) Node
}

// NewFleet reads nodes and the pods claimed for a DaemonSet. A pod belongs to
// the node that [TargetNode] names; one without target is in no fleet. Nor is
// one that has ended and is terminating.
//
// Of nodes with the same name and of pods with the same UID, unless it is
// empty, the last one counts; nil entries are passed over. With a nil matcher
// every verdict is Unevaluated. The result points to the objects, and the
// objects must not change while it is in use.
//
// The cost is one map entry for each node and pod, and a fixed number of
// allocations besides.
func NewFleet(m *Matcher, nodes []*corev1.Node, pods []*corev1.Pod, r Reading) Fleet {
	f := fleetBuilder{nodes: make([]Node, 0, len(nodes)), byName: newLookup(len(nodes))}
	for _, node := range nodes {
		if node != nil {
			f.addNode(m, &r, node)
		}
	}
	existing := len(f.nodes)
	f.addPods(pods, r)
	// A node that does not exist is in the fleet for its pods alone.
	missing := slices.DeleteFunc(f.nodes[existing:], func(n Node) bool { return len(n.Pods) == 0 })
	slices.SortFunc(missing, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
	return Fleet{Nodes: f.nodes[:existing+len(missing)]}
}

// FleetOf reads plain objects with the options of a default cluster: the nodes,
// and the pods that the DaemonSet has, as [Claim] returns them. Pods that another
// object controls are passed over. hash is that of the current revision. It is
// [Compile] and [NewFleet]; a nil DaemonSet has the zero Fleet.
func FleetOf(ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, hash string) Fleet {
	if ds == nil {
		return Fleet{}
	}
	var mine []*corev1.Pod
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		if ref := metav1.GetControllerOfNoCopy(pod); ref == nil || ref.UID == ds.UID {
			mine = append(mine, pod)
		}
	}
	return NewFleet(Compile(&ds.Spec.Template, Options{}), nodes, mine, Reading{
		Revision: hash, Generation: OwnerOf(ds).TemplateGeneration(),
	})
}

// fleetBuilder collects a fleet.
type fleetBuilder struct {
	nodes   []Node
	byName  lookup           // the index in nodes of one that exists
	missing map[string]int32 // and of one that does not
}

// addNode judges a node and files it, in the place of an earlier one with the
// same name.
func (f *fleetBuilder) addNode(m *Matcher, r *Reading, node *corev1.Node) {
	n := Node{Name: node.Name, Ref: node}
	if m != nil {
		n.Verdict = m.Match(node)
	}
	n.Stable = n.Verdict
	if r.Stable != nil {
		n.Stable = r.Stable.Match(node)
	}
	if r.Node != nil {
		n = r.Node(n)
	}
	if node.Name == "" {
		// No pod can be meant for it.
		f.nodes = append(f.nodes, n)
		return
	}
	at, free := f.find(node.Name)
	if at >= 0 {
		f.nodes[at] = n
		return
	}
	f.byName.put(free, len(f.nodes))
	f.nodes = append(f.nodes, n)
}

// find looks a node up that exists.
func (f *fleetBuilder) find(name string) (int, slot) {
	return f.byName.find(name, func(i int) bool { return f.nodes[i].Name == name })
}

// nodeOf is the index of the node of a name, of a new one where there is none.
func (f *fleetBuilder) nodeOf(name string) int32 {
	if at, _ := f.find(name); at >= 0 {
		return int32(at)
	}
	at, known := f.missing[name]
	if !known {
		if f.missing == nil {
			f.missing = map[string]int32{}
		}
		at = int32(len(f.nodes))
		f.missing[name] = at
	}
	return at
}

// addPods gives every pod to its node. It counts first, so that the pods of
// all nodes lie in one block of memory, node by node.
func (f *fleetBuilder) addPods(pods []*corev1.Pod, r Reading) {
	if len(pods) == 0 {
		return
	}
	places := make([]int32, len(pods)) // the node of each pod; -1 for none
	for i := range places {
		places[i] = -1
	}
	counts := make([]int32, len(f.nodes), len(f.nodes)+16)
	total := 0
	for i, pod := range lastByUID(pods) {
		name, _, ok := target(pod)
		if !ok {
			continue
		}
		at := f.nodeOf(name)
		if int(at) == len(f.nodes) {
			f.nodes = append(f.nodes, Node{Name: name})
			counts = append(counts, 0)
		}
		places[i] = at
		counts[at]++
		total++
	}

	block := make([]Pod, total)
	next := 0
	for i, count := range counts {
		if count > 0 {
			f.nodes[i].Pods = block[next : next : next+int(count)]
			next += int(count)
		}
	}
	generation := r.generation()
	for i, at := range places {
		if at < 0 {
			continue
		}
		facts := r.facts(pods[i], generation)
		if facts.Flags.Has(Terminating) && facts.Flags.Any(Failed|Succeeded) {
			continue
		}
		f.nodes[at].Pods = append(f.nodes[at].Pods, facts)
	}
	for i, count := range counts {
		switch n := &f.nodes[i]; {
		case len(n.Pods) == 0:
			n.Pods = nil
		case count > 1:
			slices.SortFunc(n.Pods, func(a, b Pod) int { return a.compare(&b) })
		}
	}
}

// LatentLosses returns the nodes that will lose their pod without anybody
// doing anything to the DaemonSet: they are KeepOnly and hold a pod that is not
// terminating, which will not come back once it goes away. The names are
// sorted.
func (f Fleet) LatentLosses() []string {
	var names []string
	for i := range f.Nodes {
		n := &f.Nodes[i]
		if n.Verdict == KeepOnly && slices.ContainsFunc(n.Pods, func(p Pod) bool { return !p.Flags.Has(Terminating) }) {
			names = append(names, n.Name)
		}
	}
	slices.Sort(names)
	return names
}
