package canary

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// Selection says on how many nodes, and on which. The zero value is
// ExtendedDaemonSet's default, any one node. Its rules are in
// extendeddaemonset/controller.go:selectNodes.
type Selection struct {
	// Replicas is a number, or a percentage of the eligible nodes, rounded up; nil
	// is 1. ExtendedDaemonSet takes a percentage of the desired number in its
	// status, which is that of an earlier sync; Nomad takes it of the updates that
	// are not done in place, and then no more than it updates at a time.
	Replicas *intstr.IntOrString
	// Selector is of the labels of nodes; nil selects all. ExtendedDaemonSet has it
	// (nodeSelector), and OpenKruise as the selector of its rolling update. Beware
	// that metav1.LabelSelectorAsSelector turns nil into a selector of nothing.
	Selector labels.Selector
	// SpreadOver are the keys of labels over whose values the nodes are spread. Of
	// the nodes with one value no more than a share is picked: Replicas divided by
	// the number of values, rounded up. ExtendedDaemonSet has it
	// (nodeAntiAffinityKeys); there a node that does not fit uses up the share of
	// its value. That only nodes that can be chosen count, that several keys make
	// one value, and that a node without a label has the empty one, is ours.
	//
	// Nodes that were chosen before count, and stay even where they are more than
	// their share, as it may shrink when a node joins. To spread anew, select
	// without them.
	SpreadOver []string
}

// Selected are the nodes of a canary.
type Selected struct {
	// Nodes are their names, sorted. The next Select takes them as current.
	Nodes []string `json:"nodes,omitempty"`
	// Wanted is Replicas as a number, and Short how many could not be found, which
	// makes ExtendedDaemonSet fail.
	Wanted int `json:"wanted"`
	Short  int `json:"short,omitempty"`
	// Candidates is how many nodes are eligible and match the selector, the chosen
	// ones among them. Where Short is not 0 and there are more than were chosen,
	// SpreadOver keeps the others out.
	Candidates int `json:"candidates"`
	// Dropped are the nodes chosen before that are not any more, by name. No other
	// engine tells.
	Dropped []Dropped `json:"dropped,omitempty"`
}

// Dropped is a node that was chosen before and is not any more.
type Dropped struct {
	Node   string `json:"node"`
	Reason Reason `json:"reason"`
}

// Set returns the nodes in a new map, never nil, for the Candidates.Nodes of a
// rollout.Policy, where a nil map stands for all nodes.
func (s Selected) Set() map[string]bool {
	set := make(map[string]bool, len(s.Nodes))
	for _, name := range s.Nodes {
		set[name] = true
	}
	return set
}

// String says it in one line.
func (s Selected) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d nodes", len(s.Nodes), s.Wanted)
	if len(s.Nodes) > 0 {
		fmt.Fprintf(&b, ": %s", strings.Join(s.Nodes, ", "))
	}
	for _, d := range s.Dropped {
		fmt.Fprintf(&b, "; no longer %s: %s", d.Node, d.Reason)
	}
	return b.String()
}

// rejects says why a node cannot be chosen; empty where it can.
func (s *Selection) rejects(n *placement.Node) Reason {
	switch {
	case n.Verdict == placement.Unevaluated && n.Ref == nil:
		return NodeGone
	case n.Verdict != placement.Eligible:
		return NotEligible
	case s.Selector != nil && !s.Selector.Matches(labels.Set(labelsOf(n))):
		return NotSelected
	}
	return ""
}

// value is what a node is spread by.
func (s *Selection) value(n *placement.Node) string {
	of := labelsOf(n)
	if len(s.SpreadOver) == 1 {
		return of[s.SpreadOver[0]]
	}
	var b strings.Builder
	for _, key := range s.SpreadOver {
		b.WriteString(of[key])
		b.WriteByte(0) // is in no label
	}
	return b.String()
}

func labelsOf(n *placement.Node) map[string]string {
	if n.Ref == nil {
		return nil
	}
	return n.Ref.Labels
}
