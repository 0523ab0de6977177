package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Diff is what a change of the template, or of the nodes, does to a DaemonSet
// before any pod is looked at. Each list is sorted by node name.
type Diff struct {
	// Gained: eligible now and not before. A pod is created there, unless one
	// had stayed on a node that was KeepOnly.
	Gained []NodeChange `json:"gained,omitempty"`
	// LostNow: a pod that is there is deleted at once. No update strategy
	// and no budget slows this down. A node that was KeepOnly is here too: it
	// may have held a pod. So is a node that is gone, with the verdict
	// Unevaluated.
	LostNow []NodeChange `json:"lostNow,omitempty"`
	// LostAtRestart: a pod that is there stays until it next goes away, for
	// whatever reason, and is then never created again. Nothing in the
	// status but numberMisscheduled tells.
	LostAtRestart []NodeChange `json:"lostAtRestart,omitempty"`
	// Kept: eligible before and after.
	Kept []NodeChange `json:"kept,omitempty"`
	// Untouched counts the other nodes: nothing is created or deleted there,
	// neither before nor after.
	Untouched int `json:"untouched"`
}

// NodeChange is one node before and after.
type NodeChange struct {
	Node   string  `json:"node"`
	Before Verdict `json:"before"`
	After  Verdict `json:"after"`
	// Cause is what makes the node what it is afterwards: see
	// [Matcher.DecidingCause].
	Cause Cause `json:"cause"`
}

// DiffTemplates compares two templates, compiled, on the same nodes.
func DiffTemplates(before, after *Matcher, nodes []*corev1.Node) Diff {
	var d Diff
	for node := range lastByName(nodes) {
		d.add(NodeChange{Node: node.Name, Before: before.Match(node), After: after.Match(node), Cause: after.DecidingCause(node)})
	}
	d.sort()
	return d
}

// DiffNodes compares two states of a fleet under the same template: labels and
// taints that changed, nodes that joined and nodes that are gone. Nodes are
// told apart by name; those without one are passed over.
func DiffNodes(m *Matcher, before, after []*corev1.Node) Diff {
	var d Diff
	old := make(map[string]Verdict, len(before))
	for node := range lastByName(before) {
		old[node.Name] = m.Match(node)
	}
	for node := range lastByName(after) {
		if node.Name == "" {
			continue
		}
		d.add(NodeChange{Node: node.Name, Before: old[node.Name], After: m.Match(node), Cause: m.DecidingCause(node)})
		delete(old, node.Name)
	}
	for name, verdict := range old {
		if name != "" {
			d.add(NodeChange{Node: name, Before: verdict})
		}
	}
	d.sort()
	return d
}

// add files one node under what happens to a pod there.
func (d *Diff) add(c NodeChange) {
	held := c.Before.ShouldContinue() // a pod may have been there
	switch {
	case c.After == Eligible && c.Before == Eligible:
		d.Kept = append(d.Kept, c)
	case c.After == Eligible:
		d.Gained = append(d.Gained, c)
	case c.After == KeepOnly && c.Before == Eligible:
		d.LostAtRestart = append(d.LostAtRestart, c)
	case c.After != KeepOnly && held:
		d.LostNow = append(d.LostNow, c)
	default:
		d.Untouched++
	}
}

func (d *Diff) sort() {
	for _, list := range [][]NodeChange{d.Gained, d.LostNow, d.LostAtRestart, d.Kept} {
		slices.SortFunc(list, func(a, b NodeChange) int {
			return cmp.Or(
				strings.Compare(a.Node, b.Node),
				cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After), a.Cause.compare(b.Cause),
			)
		})
	}
}

// String is a line of counts, and one for each node that loses or gains.
func (d Diff) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d gained, %d lost now, %d lost at the next restart, %d kept, %d untouched\n",
		len(d.Gained), len(d.LostNow), len(d.LostAtRestart), len(d.Kept), d.Untouched)
	for _, part := range []struct {
		name string
		list []NodeChange
	}{{"gained", d.Gained}, {"lost now", d.LostNow}, {"lost at the next restart", d.LostAtRestart}} {
		for _, c := range part.list {
			fmt.Fprintf(&b, "  %s: %s, %s before, %s after", part.name, c.Node, c.Before, c.After)
			if c.Cause.Code != "" {
				fmt.Fprintf(&b, ": %s", c.Cause)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
