package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/rollout"
)

// writeDiagnosis prints why a run is not finished. There may be thousands of nodes
// that stand in the way, so those of one kind share a line.
func writeDiagnosis(w io.Writer, letter string, r *played, width int) {
	d := r.Diagnosis
	fmt.Fprintf(w, "%s%s: %s with an old pod", letter, endInWords(r.End), output.Plural(d.Outdated, "node", "nodes"))
	if d.Budget != (rollout.Budget{}) {
		limit := "maxUnavailable"
		if d.Budget.Surge {
			limit = "maxSurge"
		}
		fmt.Fprintf(w, "; of %s %s, %s spent by", limit, output.Thousands(d.Budget.Limit), output.Thousands(d.Budget.Spent))
	}
	fmt.Fprintln(w)
	var rows [][]string
	for _, g := range grouped(d.Spenders) {
		rows = append(rows, []string{output.Thousands(len(g.nodes)), g.inWords(), output.Few(g.nodes)})
	}
	for _, h := range d.Held {
		rows = append(rows, []string{output.Thousands(h.N), "held", string(h.Reason)})
	}
	output.Aligned(w, "  ", rows)
	if len(d.Remedies) > 0 {
		fmt.Fprintln(w, "What would help:")
	}
	widest := 0
	for _, one := range d.Remedies {
		widest = max(widest, len(one.Code))
	}
	for _, one := range d.Remedies {
		hang(w, fmt.Sprintf("  %-*s  ", widest, one.Code), output.Clean(one.Text), width)
	}
}

// spenders are those of one kind.
type spenders struct {
	rollout.Spender
	nodes []string
}

// grouped groups spenders by their kind, the most frequent first.
func grouped(all []rollout.Spender) []spenders {
	var groups []spenders
	for _, s := range all {
		same := func(g spenders) bool {
			return g.Cause == s.Cause && g.NodeTrouble == s.NodeTrouble && g.Exempt == s.Exempt && g.Stuck == s.Stuck
		}
		at := slices.IndexFunc(groups, same)
		if at < 0 {
			at, groups = len(groups), append(groups, spenders{Spender: s})
		}
		groups[at].nodes = append(groups[at].nodes, s.Node)
	}
	slices.SortStableFunc(groups, func(a, b spenders) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	return groups
}

// inWords is the kind.
func (s spenders) inWords() string {
	text := string(s.Cause)
	if s.NodeTrouble != "" {
		text += ", node " + string(s.NodeTrouble)
	}
	if s.Exempt {
		text += ", exempt"
	}
	return text
}

// extraInWords are resources, in the order of their names.
func extraInWords(list corev1.ResourceList) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		q := list[name]
		parts = append(parts, q.String()+" "+output.Clean(string(name)))
	}
	return strings.Join(parts, " and ")
}
