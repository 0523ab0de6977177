package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/placement"
)

// shortened is the number of nodes up to which every one has a row. Above it
// the rows are those of nodes that are not eligible, no more than this many.
const shortened = 50

// writeTables prints a table and a summary for every DaemonSet.
func (r *report) writeTables(w io.Writer, all bool) {
	for i := range r.DaemonSets {
		if i > 0 {
			fmt.Fprintln(w)
		}
		ds := &r.DaemonSets[i]
		fmt.Fprintf(w, "%s: %d/%s eligible\n\n", r.title(i), ds.Summary.Eligible, output.Plural(ds.Summary.Nodes, "node is", "nodes are"))
		ds.writeRows(w, all)
		ds.writeGroups(w)
		ds.writePods(w)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

// title names the DaemonSet at an index.
func (r *report) title(at int) string {
	all := make([]input.Identity, len(r.DaemonSets))
	for i, ds := range r.DaemonSets {
		all[i] = ds.Identity
	}
	return input.Title(all, at)
}

// writeRows prints the table of nodes.
func (ds *daemonSetReport) writeRows(w io.Writer, all bool) {
	heads := []string{"NODE", "VERDICT", "REASON"}
	if ds.Pods != nil {
		heads = []string{"NODE", "VERDICT", "POD", "REASON"}
	}
	all = all || len(ds.Nodes) <= shortened
	rows := [][]string{heads}
	eligible, others := 0, 0 // that have no row
	for _, n := range ds.Nodes {
		switch {
		case all:
		case n.Verdict == placement.Eligible:
			eligible++
			continue
		case len(rows) > shortened:
			others++
			continue
		}
		row := []string{output.Clean(output.OrNoName(n.Name)), n.Verdict.String()}
		if ds.Pods != nil {
			row = append(row, n.podCell())
		}
		rows = append(rows, append(row, n.reasonCell()))
	}
	if len(rows) > 1 {
		output.Aligned(w, "", rows)
	}
	if !all {
		fmt.Fprintf(w, "Not shown: %s and %s that are not. -all shows every node.\n",
			output.Plural(eligible, "eligible node", "eligible nodes"), output.Thousands(others))
	}
}

// writeGroups prints what keeps the DaemonSet from nodes: a line for each first
// cause, the most frequent first.
func (ds *daemonSetReport) writeGroups(w io.Writer) {
	if len(ds.Summary.Groups) == 0 {
		return
	}
	fmt.Fprintf(w, "\nNot eligible, by the first reason:\n")
	var rows [][]string
	for _, g := range ds.Summary.Groups {
		cause := g.Cause.String()
		if g.Decider != g.Cause {
			cause += ", then " + g.Decider.String() + ", which decides"
		}
		rows = append(rows, []string{output.Thousands(len(g.Nodes)), g.Verdict.String(), output.Clean(cause), output.Few(g.Nodes)})
	}
	output.Aligned(w, "  ", rows)
}

// writePods prints what happens to pods, and only what does happen.
func (ds *daemonSetReport) writePods(w io.Writer) {
	if p := ds.Pods; p != nil {
		fmt.Fprintf(w, "\nPods: %s claimed\n", output.Thousands(p.Claimed))
		var rows [][]string
		add := func(what string, names []string) {
			if len(names) > 0 {
				rows = append(rows, []string{output.Thousands(len(names)), what, output.Few(names)})
			}
		}
		add("to adopt", p.Adopt)
		add("to release", p.Release)
		add("to create, on eligible nodes without one", p.MissingOn)
		add("to delete, on excluded nodes", p.DeletedFrom)
		add("will not come back once gone, on keep-only nodes", p.LatentLosses)
		add("on nodes that were not read", p.Stray)
		output.Aligned(w, "  ", rows)
	}
	if v := ds.Revisions; v != nil {
		fmt.Fprintf(w, "\nControllerRevisions: %s claimed, %s to adopt, %s to release\n", output.Thousands(v.Claimed), output.Thousands(v.Adopt), output.Thousands(v.Release))
	}
}

// reasonCell is the first reason, and how many others there are. When another
// one makes the verdict, as a NoExecute taint after a NoSchedule one does, the
// first alone would puzzle.
func (n nodeReport) reasonCell() string {
	if len(n.Reasons) == 0 {
		return "-"
	}
	text := output.Clean(n.Reasons[0].Brief())
	more := len(n.Reasons) - 1
	if more == 0 {
		return text
	}
	text += fmt.Sprintf(" (+%d more", more)
	if n.Reasons[0].Verdict != n.Verdict {
		for _, reason := range n.Reasons {
			if reason.Verdict == n.Verdict {
				text += "; " + output.Clean(reason.Cause.String()) + " decides"
				break
			}
		}
	}
	return text + ")"
}

func (n nodeReport) podCell() string {
	if len(n.Pods) == 0 {
		return "-"
	}
	cells := make([]string, len(n.Pods))
	for i, pod := range n.Pods {
		cells[i] = output.Clean(pod.String())
	}
	return strings.Join(cells, ", ")
}
