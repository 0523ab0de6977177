package main

import (
	"fmt"
	"io"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/revision"
)

// write prints the histories for a person.
func (r *report) write(w io.Writer) {
	all := make([]input.Identity, len(r.DaemonSets))
	for i, ds := range r.DaemonSets {
		all[i] = ds.Identity
	}
	for i := range r.DaemonSets {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n", input.Title(all, i))
		r.DaemonSets[i].write(w)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

func (ds *daemonSetReport) write(w io.Writer) {
	if ds.Table == "" {
		fmt.Fprintln(w, "\nNobody can tell which revisions are its own.")
		return
	}
	fmt.Fprintf(w, "\n%s", cleanLines("", strings.TrimSuffix(ds.Table, "\n")))
	if ds.Current == nil {
		return
	}
	ds.Current.write(w)
	if ds.Undo != nil {
		ds.Undo.write(w, ds)
	}
	if ds.Diff != nil {
		ds.Diff.write(w, ds)
	}
	if ds.Limit != nil {
		ds.Limit.write(w)
	}
}

// write prints what becomes of the template in force, and what is written.
func (c *currentReport) write(w io.Writer) {
	name := output.Clean(output.OrNoName(c.Revision.Name))
	fmt.Fprintf(w, "\nTemplate in force: ")
	switch c.Outcome {
	case isCurrent:
		fmt.Fprintf(w, "revision %d, %s\n", c.Revision.Number, name)
	case isRenumber:
		fmt.Fprintf(w, "stored by %s, which is current again and becomes revision %d\n", name, c.Revision.Number)
	case isCreate:
		fmt.Fprintf(w, "stored by no revision; the controller creates revision %d\n", c.Revision.Number)
		fmt.Fprintf(w, "  called %s by the API types of this program\n", name)
	case isBorrowed:
		fmt.Fprintf(w, "revision %d, %s, which is not the DaemonSet's and is used as it is\n", c.Revision.Number, name)
	case isCollided:
		fmt.Fprintf(w, "stored by no revision, and %s, as the next one would be called, stores another template\n", name)
		if c.CollisionCount != nil {
			fmt.Fprintf(w, "  status.collisionCount becomes %d, and the next sync tries another name\n", *c.CollisionCount)
		}
	}
	if len(c.SameMeaning) > 0 {
		fmt.Fprintf(w, "  the same in meaning, in other bytes: %s\n", few(c.SameMeaning))
	}
	var rows [][]string
	add := func(what string, revisions []reference) {
		if len(revisions) > 0 {
			rows = append(rows, []string{output.Thousands(len(revisions)), what, few(revisions)})
		}
	}
	add("to adopt", c.Adopt)
	add("to release", c.Release)
	add("to give a hash label", c.Label)
	add("to delete, duplicates of the one in force", c.Delete)
	output.Aligned(w, "  ", rows)
	if n := len(c.Relabel); n > 0 {
		fmt.Fprintf(w, "  %s its hash, whatever their template: %s\n", output.Plural(n, "pod gets", "pods get"), output.Few(c.Relabel))
	}
}

// write prints a rollback as kubectl would.
func (u *undoReport) write(w io.Writer, ds *daemonSetReport) {
	fmt.Fprintf(w, "\n-undo %d: ", u.Requested)
	if u.Error != "" {
		fmt.Fprintf(w, "error: %s\n", output.Clean(u.Error))
		return
	}
	fmt.Fprintf(w, "goes back to revision %d, %s\n", u.Target.Number, output.Clean(u.Target.Name))
	fmt.Fprintf(w, "  daemonset.apps/%s %s\n", output.Clean(ds.Name), u.Result)
	writeDifference(w, u.Difference, ds.Strategy)
}

func (d *diffReport) write(w io.Writer, ds *daemonSetReport) {
	fmt.Fprintf(w, "\n-diff %d,%d: ", d.From, d.To)
	if d.Error != "" {
		fmt.Fprintf(w, "error: %s\n", output.Clean(d.Error))
		return
	}
	fmt.Fprintf(w, "from revision %d to revision %d\n", d.From, d.To)
	writeDifference(w, d.Difference, ds.Strategy)
}

// writeDifference prints what differs in the words of the library.
func writeDifference(w io.Writer, d *revision.Difference, strategy string) {
	io.WriteString(w, cleanLines("  ", d.String()))
	if d.NewRevision && strategy == string(appsv1.OnDeleteDaemonSetStrategyType) {
		fmt.Fprintln(w, "  (OnDelete: each of them when somebody deletes it)")
	}
}

func (l *limitReport) write(w io.Writer) {
	fmt.Fprintf(w, "\n-limit %d: ", l.Limit)
	if l.Unknown != "" {
		fmt.Fprintf(w, "unknown: %s\n", l.Unknown)
		return
	}
	fmt.Fprintf(w, "of %s ", output.Plural(l.Old, "old revision", "old revisions"))
	if len(l.Delete) == 0 {
		fmt.Fprintf(w, "none is deleted\n")
	} else {
		fmt.Fprintf(w, "the controller deletes %s\n", few(l.Delete))
	}
	if len(l.InUse) > 0 {
		fmt.Fprintf(w, "  pods are of %s\n", few(l.InUse))
	}
}

// few lists revisions: "revision 1 (agent-5b9f)".
func few(revisions []reference) string {
	texts := make([]string, len(revisions))
	for i, r := range revisions {
		texts[i] = fmt.Sprintf("revision %d (%s)", r.Number, output.OrNoName(r.Name))
	}
	return output.Few(texts)
}

// cleanLines puts an indent before every line and keeps what came from a file
// from breaking one.
func cleanLines(indent, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + output.Clean(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}
