package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Summary says how many nodes of a fleet a DaemonSet runs on, and what keeps
// it from the others.
type Summary struct {
	Nodes    int `json:"nodes"`
	Eligible int `json:"eligible"`
	KeepOnly int `json:"keepOnly"`
	Excluded int `json:"excluded"`
	// Groups are the nodes that are not eligible by first cause and verdict:
	// larger groups first, equally large ones by verdict, from Excluded up,
	// and then by code, key, value and effect of the cause and of the decider.
	Groups []Group `json:"groups,omitempty"`
}

// Group is a set of nodes with the same verdict, first and deciding cause.
type Group struct {
	// Cause is the first, see [Matcher.Cause]. Decider is the one that makes the
	// verdict, see [Matcher.DecidingCause]; mostly they are the same.
	Cause   Cause   `json:"cause"`
	Decider Cause   `json:"decider"`
	Verdict Verdict `json:"verdict"`
	// Nodes are the names, sorted. Every node without a name has an entry.
	Nodes []string `json:"nodes"`
}

// Summarize judges every node. Of nodes with the same name the last one
// counts; nil entries are passed over.
func Summarize(m *Matcher, nodes []*corev1.Node) Summary {
	var s Summary
	type key struct {
		cause, decider Cause
		verdict        Verdict
	}
	groups := make(map[key]int)
	for node := range lastByName(nodes) {
		s.Nodes++
		k := key{verdict: m.Match(node)}
		switch k.verdict {
		case Eligible:
			s.Eligible++
			continue
		case KeepOnly:
			s.KeepOnly++
		case Excluded:
			s.Excluded++
		}
		k.cause, k.decider = m.Cause(node), m.DecidingCause(node)
		at, ok := groups[k]
		if !ok {
			at = len(s.Groups)
			groups[k] = at
			s.Groups = append(s.Groups, Group{Cause: k.cause, Decider: k.decider, Verdict: k.verdict})
		}
		s.Groups[at].Nodes = append(s.Groups[at].Nodes, node.Name)
	}
	for i := range s.Groups {
		slices.Sort(s.Groups[i].Nodes)
	}
	slices.SortFunc(s.Groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(len(b.Nodes), len(a.Nodes)),
			cmp.Compare(a.Verdict, b.Verdict),
			a.Cause.compare(b.Cause),
			a.Decider.compare(b.Decider),
		)
	})
	return s
}

// causes names the first cause and, where it is another, the one that decides.
func (g Group) causes() string {
	if g.Decider == g.Cause {
		return g.Cause.String()
	}
	return g.Cause.String() + " and " + g.Decider.String()
}

// String says it in one line, in the manner of the scheduler:
// "3/8 nodes are eligible: 3 taint infra=1:NoSchedule (keep-only), 2 ...".
func (s Summary) String() string {
	head := fmt.Sprintf("%d/%d nodes are eligible", s.Eligible, s.Nodes)
	if len(s.Groups) == 0 {
		return head
	}
	parts := make([]string, len(s.Groups))
	for i, g := range s.Groups {
		parts[i] = fmt.Sprintf("%d %s (%s)", len(g.Nodes), g.causes(), g.Verdict)
	}
	return head + ": " + strings.Join(parts, ", ")
}
