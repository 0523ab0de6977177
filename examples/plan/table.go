package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
		fmt.Fprintf(w, "%s: %d/%s eligible\n\n", r.title(ds), ds.Summary.Eligible, plural(ds.Summary.Nodes, "node is", "nodes are"))
		ds.writeRows(w, all)
		ds.writeGroups(w)
		ds.writePods(w)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", counts(r.PassedOver))
	}
}

// title names a DaemonSet, and where it is from when there are several of the
// name, as two versions of one manifest are.
func (r *report) title(ds *daemonSetReport) string {
	title := "DaemonSet " + clean(ds.Namespace+"/"+orNoName(ds.Name))
	for i := range r.DaemonSets {
		other := &r.DaemonSets[i]
		if other == ds || other.Namespace != ds.Namespace || other.Name != ds.Name {
			continue
		}
		if other.Source.File != ds.Source.File {
			return title + " of " + ds.Source.File
		}
		return title + " of " + ds.Source.String()
	}
	return title
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
		row := []string{clean(orNoName(n.Name)), n.Verdict.String()}
		if ds.Pods != nil {
			row = append(row, n.podCell())
		}
		rows = append(rows, append(row, n.reasonCell()))
	}
	if len(rows) > 1 {
		writeAligned(w, "", rows)
	}
	if !all {
		fmt.Fprintf(w, "Not shown: %s and %s that are not. -all shows every node.\n",
			plural(eligible, "eligible node", "eligible nodes"), thousands(others))
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
		rows = append(rows, []string{thousands(len(g.Nodes)), g.Verdict.String(), clean(cause), few(g.Nodes)})
	}
	writeAligned(w, "  ", rows)
}

// writePods prints what happens to pods, and only what does happen.
func (ds *daemonSetReport) writePods(w io.Writer) {
	if p := ds.Pods; p != nil {
		fmt.Fprintf(w, "\nPods: %s claimed\n", thousands(p.Claimed))
		var rows [][]string
		add := func(what string, names []string) {
			if len(names) > 0 {
				rows = append(rows, []string{thousands(len(names)), what, few(names)})
			}
		}
		add("to adopt", p.Adopt)
		add("to release", p.Release)
		add("to create, on eligible nodes without one", p.MissingOn)
		add("to delete, on excluded nodes", p.DeletedFrom)
		add("will not come back once gone, on keep-only nodes", p.LatentLosses)
		add("on nodes that were not read", p.Stray)
		writeAligned(w, "  ", rows)
	}
	if v := ds.Revisions; v != nil {
		fmt.Fprintf(w, "\nControllerRevisions: %s claimed, %s to adopt, %s to release\n", thousands(v.Claimed), thousands(v.Adopt), thousands(v.Release))
	}
}

// reasonCell is the first reason, and how many others there are. When another
// one makes the verdict, as a NoExecute taint after a NoSchedule one does, the
// first alone would puzzle.
func (n nodeReport) reasonCell() string {
	if len(n.Reasons) == 0 {
		return "-"
	}
	text := clean(n.Reasons[0].Brief())
	more := len(n.Reasons) - 1
	if more == 0 {
		return text
	}
	text += fmt.Sprintf(" (+%d more", more)
	if n.Reasons[0].Verdict != n.Verdict {
		for _, reason := range n.Reasons {
			if reason.Verdict == n.Verdict {
				text += "; " + clean(reason.Cause.String()) + " decides"
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
		cells[i] = clean(pod.String())
	}
	return strings.Join(cells, ", ")
}

// writeAligned prints rows with their columns aligned.
func writeAligned(w io.Writer, indent string, rows [][]string) {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(t, "%s%s\n", indent, strings.Join(row, "\t"))
	}
	t.Flush() // a buffer takes everything
	w.Write(b.Bytes())
}
