package canary

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// Select chooses the nodes of a canary among those that are eligible, by
// Node.Verdict, and match the selector. current are the names that were chosen
// before, in any order.
//
// Of these, the ones that can still be chosen stay. If they are more than are
// wanted, the first by name stay, those within the share of their value before the
// others. If they are fewer, others within the share of their value are added, those
// with the fewest restarts first, and of these by name. The restarts of a node are
// those of all containers and init containers of its pods; pods that are only facts
// have none. ExtendedDaemonSet orders by restarts too; the rest of the order is
// ours. A node without a name is passed over.
//
// It is an error when Replicas is neither a number nor a percentage, or negative.
//
// The cost is up to two passes over the nodes that ask the selector, and memory for
// the chosen nodes and for the values that they are spread over.
func Select(fleet placement.Fleet, current []string, s Selection) (Selected, error) {
	before := make(map[string]Reason, len(current)) // why not any more
	for _, name := range current {
		if name != "" {
			before[name] = NodeGone
		}
	}
	var out Selected
	var stay []*placement.Node
	eligible := 0
	values := make(map[string]bool)
	for i := range fleet.Nodes {
		n := &fleet.Nodes[i]
		if n.Name == "" {
			continue
		}
		if n.Verdict == placement.Eligible {
			eligible++
		}
		why := s.rejects(n)
		_, chosen := before[n.Name]
		if chosen {
			before[n.Name] = why
		}
		if why != "" {
			continue
		}
		out.Candidates++
		values[s.value(n)] = true
		if chosen {
			stay = append(stay, n)
		}
	}

	replicas := intstr.FromInt32(1)
	if s.Replicas != nil {
		replicas = *s.Replicas
	}
	var err error
	if _, out.Wanted, err = amount("selection.replicas", replicas, eligible); err != nil {
		return Selected{}, err
	}
	c := choice{selection: &s, wanted: out.Wanted, share: share(out.Wanted, len(values)), of: make(map[string]int)}
	for _, n := range c.keep(stay) {
		before[n.Name] = Surplus
	}
	if len(c.names) < c.wanted {
		c.fill(fleet, before)
	}
	slices.Sort(c.names)
	out.Nodes, out.Short = c.names, out.Wanted-len(c.names)
	for name, why := range before {
		if why != "" {
			out.Dropped = append(out.Dropped, Dropped{name, why})
		}
	}
	slices.SortFunc(out.Dropped, func(a, b Dropped) int { return cmp.Compare(a.Node, b.Node) })
	return out, nil
}

// share is how many nodes of one value are picked, rounded up; without SpreadOver
// there is but one value.
func share(wanted, values int) int { return (wanted-1)/max(values, 1) + 1 }

// choice is a selection being made.
type choice struct {
	selection *Selection
	wanted    int
	share     int            // of each value
	of        map[string]int // how many are chosen of each value
	names     []string
}

func (c *choice) take(n *placement.Node) {
	c.of[c.selection.value(n)]++
	c.names = append(c.names, n.Name)
}

// keep takes those chosen before and returns those that are too many.
func (c *choice) keep(stay []*placement.Node) (surplus []*placement.Node) {
	slices.SortFunc(stay, func(a, b *placement.Node) int { return cmp.Compare(a.Name, b.Name) })
	var rest []*placement.Node
	for _, n := range stay {
		if len(c.names) < c.wanted && c.of[c.selection.value(n)] < c.share {
			c.take(n)
		} else {
			rest = append(rest, n)
		}
	}
	room := min(c.wanted-len(c.names), len(rest))
	for _, n := range rest[:room] {
		c.take(n)
	}
	return rest[room:]
}

// fill picks new nodes up to the number wanted. Of each value it looks only at as
// many as there is room for.
func (c *choice) fill(fleet placement.Fleet, before map[string]Reason) {
	lists := make(map[string]*shortlist)
	for i := range fleet.Nodes {
		n := &fleet.Nodes[i]
		if _, chosen := before[n.Name]; chosen || n.Name == "" || c.selection.rejects(n) != "" {
			continue
		}
		value := c.selection.value(n)
		room := min(c.share-c.of[value], c.wanted-len(c.names), len(fleet.Nodes))
		if room <= 0 {
			continue
		}
		if lists[value] == nil {
			lists[value] = &shortlist{room: room}
		}
		lists[value].add(pick{n, restartsOf(n)})
	}
	var picks []pick
	for _, l := range lists {
		l.cut()
		picks = append(picks, l.picks...)
	}
	slices.SortFunc(picks, pick.compare)
	for _, p := range picks[:min(len(picks), c.wanted-len(c.names))] {
		c.take(p.node)
	}
}

// pick is a node that may be picked.
type pick struct {
	node     *placement.Node
	restarts int64
}

func (p pick) compare(q pick) int {
	return cmp.Or(cmp.Compare(p.restarts, q.restarts), cmp.Compare(p.node.Name, q.node.Name))
}

// shortlist keeps the first few picks in their order.
type shortlist struct {
	room  int
	picks []pick
}

func (l *shortlist) add(p pick) {
	if l.picks = append(l.picks, p); len(l.picks) >= 2*l.room {
		l.cut()
	}
}

func (l *shortlist) cut() {
	slices.SortFunc(l.picks, pick.compare)
	l.picks = l.picks[:min(len(l.picks), l.room)]
}

// restartsOf adds up the restarts on a node.
func restartsOf(n *placement.Node) int64 {
	var sum int64
	for i := range n.Pods {
		if pod := n.Pods[i].Ref; pod != nil {
			for c := range containers(pod) {
				sum += int64(max(c.RestartCount, 0))
			}
		}
	}
	return sum
}
