package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/rollout"
)

// shown is how many rows a list has before it says how many more there are, and
// shownEach how many are shown of each reason when there are more.
const (
	shown     = 20
	shownEach = 4
)

// write prints the report for a person.
func (r *report) write(w io.Writer) {
	all := make([]input.Identity, len(r.DaemonSets))
	for i, ds := range r.DaemonSets {
		all[i] = ds.Identity
	}
	for i := range r.DaemonSets {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s at %s\n", input.Title(all, i), r.Now.Format(time.RFC3339))
		r.DaemonSets[i].write(w, r)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

func (ds *daemonSetReport) write(w io.Writer, r *report) {
	fmt.Fprintf(w, "%s: %s\n\n", ds.Diagnosis.Condition, ds.Diagnosis.Text)
	if r.Policy != "" {
		fmt.Fprintf(w, "The policy is that of %s.\n", output.Clean(r.Policy))
	}
	ds.Revision.Write(w)
	if ds.Stable != "" {
		fmt.Fprintf(w, "Nodes that are not updated get pods of %s.\n", output.Clean(ds.Stable))
	}
	if len(ds.NoRestart) > 0 {
		fmt.Fprintf(w, "As good as new are those of %s.\n", output.Few(ds.NoRestart))
	}
	ds.writeActions(w)
	ds.writeHolds(w)
	ds.writeWithout(w, r.Policy != "")
	ds.Diagnosis.write(w, r.Now)
	if ds.Plan.LookAgain.IsZero() {
		fmt.Fprintln(w, "\nLook again: when something happens.")
		return
	}
	fmt.Fprintf(w, "\nLook again: at %s, or when something happens.\n", ds.Plan.LookAgain.Format(time.RFC3339Nano))
}

// row is a line about a node, for a reason.
type row struct {
	reason, text string
	cells        []string
}

// writeActions prints what is done now.
func (ds *daemonSetReport) writeActions(w io.Writer) {
	var rows []row
	for _, c := range ds.Plan.Create {
		rows = append(rows, row{string(c.Reason), c.Text, []string{"create", c.Node, c.Wave, "of " + c.Revision}})
	}
	for _, d := range ds.Plan.Delete {
		rows = append(rows, row{string(d.Reason), d.Text, []string{"delete", d.Node, d.Wave, d.Pod}})
	}
	fmt.Fprintf(w, "\nTo do now: %s\n", ds.Plan.actions())
	writeRows(w, rows)
	if ds.Plan.manages() && ds.Diagnosis.Outdated > 0 {
		fmt.Fprintln(w, "  The update has its turn once every node has its one pod.")
	}
}

// writeHolds prints what has to wait.
func (ds *daemonSetReport) writeHolds(w io.Writer) {
	if len(ds.Holds) == 0 {
		return
	}
	var rows []row
	for _, h := range ds.Holds {
		rows = append(rows, row{string(h.Reason), h.Text, []string{h.Node, h.Wave, cmp.Or(h.Pod, "(a new pod)")}})
	}
	fmt.Fprintf(w, "\nHeld back: %s\n", output.Thousands(len(rows)))
	writeRows(w, rows)
}

// writeRows prints rows below their reasons. Of many it prints the first ones of
// each reason, and counts the others.
func writeRows(w io.Writer, rows []row) {
	var reasons []string // in the order of the rows
	of := map[string][]row{}
	for _, r := range rows {
		if of[r.reason] == nil {
			reasons = append(reasons, r.reason)
		}
		of[r.reason] = append(of[r.reason], r)
	}
	var table [][]string
	var heads, tails []string // before and after each row
	for _, reason := range reasons {
		all := of[reason]
		most := len(all)
		if len(rows) > shown {
			most = min(most, shownEach)
		}
		for i, r := range all[:most] {
			head, tail := "", ""
			if i == 0 {
				head = fmt.Sprintf("  %s: %s\n", reason, r.text)
			}
			if more := len(all) - most; i == most-1 && more > 0 {
				tail = fmt.Sprintf("    and %s more\n", output.Thousands(more))
			}
			table, heads, tails = append(table, r.cells), append(heads, head), append(tails, tail)
		}
	}
	var aligned strings.Builder
	output.Aligned(&aligned, "    ", cleanColumns(table))
	at := 0
	for line := range strings.Lines(aligned.String()) {
		fmt.Fprintf(w, "%s%s\n%s", heads[at], strings.TrimRight(line, " \n"), tails[at])
		at++
	}
}

// cleanColumns makes cells fit to be printed, and leaves out columns in which no
// row has anything.
func cleanColumns(rows [][]string) [][]string {
	kept := make([][]string, len(rows))
	for i, r := range rows {
		for at, cell := range r {
			if slices.ContainsFunc(rows, func(other []string) bool { return other[at] != "" }) {
				kept[i] = append(kept[i], output.Clean(cell))
			}
		}
	}
	return kept
}

// writeWithout says in one line what the controller does by its own rules.
func (ds *daemonSetReport) writeWithout(w io.Writer, policy bool) {
	if !policy {
		fmt.Fprintf(w, "\nNo -policy was given: these are the rules of the controller.\n")
		return
	}
	fmt.Fprintf(w, "\nWithout the policy: %s, %s\n", ds.Without.Condition, ds.Without.summary())
}

// actions counts what a plan does.
func (p *planReport) actions() string {
	var parts []string
	if n := len(p.Create); n > 0 {
		parts = append(parts, output.Plural(n, "create", "creates"))
	}
	if n := len(p.Delete); n > 0 {
		parts = append(parts, output.Plural(n, "delete", "deletes"))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// manages reports whether a plan is about one pod for each node: a sync that does
// something about that updates nothing.
func (p *planReport) manages() bool {
	first := []rollout.Reason{
		rollout.PodMissing, rollout.SurgeNoneLeft, rollout.Failed, rollout.Succeeded,
		rollout.Excess, rollout.NotEligible, rollout.NodeGone, rollout.SurgedOverUnready,
	}
	return slices.ContainsFunc(p.Create, func(c createReport) bool { return slices.Contains(first, c.Reason) }) ||
		slices.ContainsFunc(p.Delete, func(d deleteReport) bool { return slices.Contains(first, d.Reason) })
}

// summary is a plan in one line, with the first nodes.
func (p *planReport) summary() string {
	var nodes []string
	for _, c := range p.Create {
		nodes = append(nodes, c.Node)
	}
	for _, d := range p.Delete {
		nodes = append(nodes, d.Node)
	}
	text := p.actions() + named(nodes)
	for _, h := range p.Held {
		text += fmt.Sprintf(", %s %s", output.Thousands(h.N), h.Reason)
	}
	return text
}

// named names nodes, when they are few.
func named(nodes []string) string {
	if n := len(nodes); n == 0 || n > 3 {
		return ""
	}
	return " (" + output.Few(nodes) + ")"
}

// write prints what is not done yet, who spends the budget, and what would help.
func (d *diagnosisReport) write(w io.Writer, now time.Time) {
	fmt.Fprintf(w, "\n%s", output.Plural(d.Outdated, "node has an old pod", "nodes have an old pod"))
	if b := d.Budget; b != nil {
		fmt.Fprintf(w, "; of %s %s, %s spent", b.Name, output.Thousands(b.Limit), output.Plural(b.Spent, "is", "are"))
	}
	fmt.Fprintln(w)
	if n := len(d.Spenders); n > 0 {
		fmt.Fprintf(w, "In the way: %s\n", output.Plural(n, "node", "nodes"))
		var rows []row
		for _, s := range d.Spenders {
			rows = append(rows, row{string(s.Cause), s.Text, []string{output.OrNoName(s.Node), s.Pod, since(s.Since, now), s.notes()}})
		}
		writeRows(w, rows)
	}
	if len(d.Remedies) == 0 {
		return
	}
	fmt.Fprintln(w, "\nWhat would help:")
	var rows [][]string
	for _, r := range d.Remedies {
		rows = append(rows, []string{string(r.Code), output.Clean(r.Text) + named(r.Nodes)})
	}
	output.Aligned(w, "  ", rows)
}

// since is how long ago a moment was. A pod that terminates may have one to come.
func since(then, now time.Time) string {
	if then.IsZero() || then.After(now) {
		return ""
	}
	return "for " + duration.HumanDuration(now.Sub(then))
}

// notes are what else is to say of a node.
func (s *spenderReport) notes() string {
	var notes []string
	if s.NodeTrouble != "" {
		notes = append(notes, troubleTexts[s.NodeTrouble])
	}
	if s.Exempt {
		notes = append(notes, "exempt")
	}
	if s.Stuck {
		notes = append(notes, "stuck")
	}
	return strings.Join(notes, ", ")
}
