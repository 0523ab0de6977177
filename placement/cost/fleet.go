package cost

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/placement"
)

// Workload is a DaemonSet with the pods it has.
type Workload struct {
	Daemon *Daemon
	// Pods are its own, as placement.Claim returns them. Static and mirror pods can be
	// given as those of a Daemon of their own; nothing here tells them apart. Pods
	// that have ended, or are on a node that is not asked about, do not count.
	Pods []*corev1.Pod
	// Reading says which pods are of the current revision. Without Revision, Generation
	// and Pod there is none, and no pod is of an old one.
	Reading placement.Reading
}

// Grouping sorts nodes into groups. The zero value makes none.
type Grouping struct {
	// Label is a label whose value is the name of the group; a node without it is in
	// the group "".
	Label string
	// By names the group of a node, in place of Label. It must be pure.
	By func(*corev1.Node) string
}

func (g *Grouping) of(node *corev1.Node) string {
	if g.By != nil {
		return g.By(node)
	}
	return node.Labels[g.Label]
}

// Report is what DaemonSets cost a fleet. Total is the sum of the nodes, as it is of
// the DaemonSets and of the groups.
type Report struct {
	Nodes   []NodeCost   // by name, those without one first, as they came
	Daemons []DaemonCost // by namespace and name
	Groups  []GroupCost  // by name; nil without a Grouping
	Total   Total
}

// NodeCost is what all DaemonSets cost a node.
type NodeCost struct {
	Name        string
	Group       string
	Allocatable Resources
	Sums
}

// DaemonCost is what one DaemonSet costs all nodes.
type DaemonCost struct {
	Daemon *Daemon
	// Nodes is how many it is Eligible for.
	Nodes int
	Sums
}

// Total is what all DaemonSets cost some nodes.
type Total struct {
	Nodes       int
	Allocatable Resources
	Sums
}

// GroupCost is what all DaemonSets cost the nodes of a group.
type GroupCost struct {
	Name string
	Total
}

// Fleet returns what DaemonSets cost a fleet. Of nodes with the same name, of
// workloads with the same key and of pods with the same UID the last one counts,
// unless it is empty; nil entries are passed over.
//
// The error names the node or the pod and the field of a quantity that is negative
// or out of range, or is [ErrOverflow] with what could not be summed up.
//
// Nodes that look the same to every DaemonSet are judged once, as by [Set.Group]; then
// the cost is in the number of nodes and of pods, and memory grows with the nodes.
func Fleet(nodes []*corev1.Node, workloads []Workload, g Grouping) (Report, error) {
	f := fleet{table: newTable(), at: make(map[string]int, len(nodes))}
	if err := f.read(nodes); err != nil {
		return Report{}, err
	}
	workloads = lastDaemons(workloads, func(w Workload) *Daemon { return w.Daemon })
	f.expect(workloads)
	for i := range workloads {
		if err := f.charge(i, &workloads[i]); err != nil {
			return Report{}, fmt.Errorf("cost: %s: %w", workloads[i].Daemon.Key, err)
		}
	}
	return f.report(&g)
}

// Lines returns what each DaemonSet costs one node, by namespace and name: those that
// are Eligible for it or have a pod there. A nil node has no lines. Errors are those
// of [Fleet].
func Lines(node *corev1.Node, workloads []Workload) ([]DaemonCost, error) {
	if node == nil {
		return nil, nil
	}
	report, err := Fleet([]*corev1.Node{node}, workloads, Grouping{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(report.Daemons, func(d DaemonCost) bool {
		return d.Nodes == 0 && len(d.Reserved) == 0
	}), nil
}

// fleet collects a report.
type fleet struct {
	table *table
	nodes []*corev1.Node // by name
	at    map[string]int // the index of a name
	costs []NodeCost
	sums  []accumulator // by node
	runs  []Bits        // by node: the numbers of the DaemonSets that are Eligible

	prices  [][]entry // by daemon
	daemons []DaemonCost
	totals  []accumulator // by daemon

	// Memory that is used again for every DaemonSet.
	pods podReader
}

// read takes the nodes in.
func (f *fleet) read(nodes []*corev1.Node) error {
	last := make(map[string]int, len(nodes))
	for i, node := range nodes {
		if node != nil {
			last[node.Name] = i
		}
	}
	f.nodes = make([]*corev1.Node, 0, len(nodes))
	for i, node := range nodes {
		if node != nil && (node.Name == "" || last[node.Name] == i) {
			f.nodes = append(f.nodes, node)
		}
	}
	slices.SortStableFunc(f.nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	f.costs = make([]NodeCost, len(f.nodes))
	f.sums = make([]accumulator, len(f.nodes))
	for i, node := range f.nodes {
		allocatable, err := ResourcesOf(node.Status.Allocatable, field.NewPath("status", "allocatable"))
		if err != nil {
			return fmt.Errorf("cost: node %q: %w", node.Name, err)
		}
		f.costs[i] = NodeCost{Name: node.Name, Allocatable: allocatable}
		if node.Name != "" {
			f.at[node.Name] = i
		}
	}
	return nil
}

// expect judges the nodes, and files for each node and DaemonSet what is expected. All
// of it is missing until a pod is found.
func (f *fleet) expect(workloads []Workload) {
	daemons := make([]*Daemon, len(workloads))
	f.prices = make([][]entry, len(workloads))
	for i := range workloads {
		daemons[i] = workloads[i].Daemon
		f.prices[i] = f.table.entries(daemons[i].Requests)
	}
	set := NewSet(daemons) // the numbers are those of workloads, which have the same order
	look := grouper{set: set, question: &Question{}, kept: set.kept(Filter{}), byLook: map[string]int32{}, byBits: map[string]int32{}}
	f.runs = make([]Bits, len(f.nodes))
	of := make([]int32, len(f.nodes))
	for i, node := range f.nodes {
		shape := placement.ShapeOf(node)
		of[i] = look.group(&shape)
	}
	sums := make([]accumulator, len(look.groups))
	eligible := make([]int, len(workloads))
	for g := range look.groups {
		for i := range look.groups[g].Set.All() {
			sums[g].add(expected, f.prices[i])
			sums[g].add(missing, f.prices[i])
			eligible[i] += int(look.counts[g])
		}
	}
	for i, g := range of {
		f.runs[i] = look.groups[g].Set
		f.sums[i] = sums[g].clone()
	}
	f.daemons = make([]DaemonCost, len(workloads))
	f.totals = make([]accumulator, len(workloads))
	for i := range workloads {
		f.daemons[i] = DaemonCost{Daemon: daemons[i], Nodes: eligible[i]}
		f.totals[i].addTimes(expected, f.prices[i], eligible[i])
		f.totals[i].addTimes(missing, f.prices[i], eligible[i])
	}
}

// charge adds what the pods of one DaemonSet take.
func (f *fleet) charge(number int, w *Workload) error {
	if err := f.pods.read(w, f); err != nil {
		return err
	}
	total := &f.totals[number]
	for i := range f.nodes {
		pods := f.pods.on(i)
		if len(pods) == 0 {
			continue
		}
		runs := f.runs[i].Has(number)
		if runs {
			f.sums[i].takeBack(missing, f.prices[number])
			total.takeBack(missing, f.prices[number])
		}
		for j := range pods {
			p := &pods[j]
			to := surge
			switch {
			case !runs:
				to = unexpected
			case j == 0:
				to = present
			}
			f.sums[i].add(to, p.takes)
			f.sums[i].add(reserved, p.takes)
			total.add(to, p.takes)
			total.add(reserved, p.takes)
			if p.old {
				f.sums[i].add(oldRevision, p.takes)
				total.add(oldRevision, p.takes)
			}
		}
	}
	return nil
}

// report sums up.
func (f *fleet) report(g *Grouping) (Report, error) {
	r := Report{Nodes: f.costs, Daemons: f.daemons}
	grouped := g.By != nil || g.Label != ""
	var err error
	for i := range f.daemons {
		if f.daemons[i].Sums, err = f.totals[i].sums(f.table); err != nil {
			return Report{}, fmt.Errorf("%s: %w", f.daemons[i].Daemon.Key, err)
		}
	}
	all := subtotal{}
	groups := map[string]*subtotal{}
	for i := range f.costs {
		n := &f.costs[i]
		if n.Sums, err = f.sums[i].sums(f.table); err != nil {
			return Report{}, fmt.Errorf("node %q: %w", n.Name, err)
		}
		allocatable := f.table.entries(n.Allocatable)
		all.add(&f.sums[i], allocatable)
		if grouped {
			n.Group = g.of(f.nodes[i])
			if groups[n.Group] == nil {
				groups[n.Group] = &subtotal{}
			}
			groups[n.Group].add(&f.sums[i], allocatable)
		}
	}
	if r.Total, err = all.total(f.table); err != nil {
		return Report{}, fmt.Errorf("total: %w", err)
	}
	for name, s := range groups {
		total, err := s.total(f.table)
		if err != nil {
			// What does not fit here does not fit in the total either.
			return Report{}, fmt.Errorf("total: %w", err)
		}
		r.Groups = append(r.Groups, GroupCost{name, total})
	}
	slices.SortFunc(r.Groups, func(a, b GroupCost) int { return strings.Compare(a.Name, b.Name) })
	return r, nil
}

// subtotal sums up nodes.
type subtotal struct {
	nodes       int
	sums        accumulator
	allocatable accumulator // in the first bucket
}

func (s *subtotal) add(sums *accumulator, allocatable []entry) {
	s.nodes++
	s.sums.addAll(sums)
	s.allocatable.add(0, allocatable)
}

func (s *subtotal) total(t *table) (Total, error) {
	sums, err := s.sums.sums(t)
	if err != nil {
		return Total{}, err
	}
	allocatable, err := s.allocatable.sums(t)
	if err != nil {
		return Total{}, fmt.Errorf("allocatable: %w", err)
	}
	return Total{Nodes: s.nodes, Allocatable: allocatable.Expected, Sums: sums}, nil
}
