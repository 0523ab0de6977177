package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/lint"
)

// columns is how wide the text is, but for words that are longer.
const columns = 100

// headings stand above the findings of a severity.
var headings = map[lint.Severity]string{
	lint.Error:   "ERRORS: this does not work as it is written",
	lint.Warning: "WARNINGS: this works, and is most likely not meant",
	lint.Notice:  "NOTICES: this may be meant; somebody should have looked",
}

// write prints the report for a person.
func (r *report) write(w io.Writer) {
	all := make([]input.Identity, len(r.DaemonSets))
	for i, ds := range r.DaemonSets {
		all[i] = ds.Identity
	}
	for i, ds := range r.DaemonSets {
		fmt.Fprintf(w, "%s: %s\n", input.Title(all, i), ds.Counts)
		ds.write(w)
		fmt.Fprintln(w)
	}
	r.writeNotAsked(w)
	if len(r.PassedOver) > 0 {
		wrap(w, "", "Passed over: "+output.Counts(r.PassedOver))
	}
	wrap(w, "", r.summary())
}

func (ds *daemonSetReport) write(w io.Writer) {
	var severity lint.Severity
	for _, f := range ds.Findings {
		if f.Severity != severity {
			severity = f.Severity
			fmt.Fprintf(w, "\n  %s\n", headings[severity])
		}
		fmt.Fprintf(w, "\n  %s\n", f.Rule)
		wrap(w, "    ", "at "+cmp.Or(f.Field, "the object"))
		wrap(w, "    ", f.Message)
		wrap(w, "    ", "-> "+f.Suggestion)
	}
}

// writeNotAsked lists the rules that were left out, by reason.
func (r *report) writeNotAsked(w io.Writer) {
	rules := map[string][]string{}
	for _, s := range r.NotAsked {
		rules[s.Reason] = append(rules[s.Reason], string(s.Rule))
	}
	for _, reason := range output.SortedKeys(rules) {
		wrap(w, "", "Not asked ("+reason+"): "+strings.Join(rules[reason], ", "))
	}
}

// summary is the report in a line.
func (r *report) summary() string {
	text := output.Plural(len(r.DaemonSets), "DaemonSet", "DaemonSets") + ", " + output.Plural(r.Nodes, "node", "nodes") + ": " + r.Counts.String()
	switch {
	case r.Failed:
		return text + ". Failed: " + atLeast(r.Fail) + "."
	case r.Counts == (counts{}):
		return text + "."
	}
	return text + ". Passed: no " + atLeast(r.Fail) + "."
}

func atLeast(s lint.Severity) string {
	if s == lint.Error {
		return "error"
	}
	return string(s) + " or worse"
}

func (c counts) String() string {
	if c == (counts{}) {
		return "nothing was found"
	}
	var parts []string
	add := func(n int, one string) {
		if n > 0 {
			parts = append(parts, output.Plural(n, one, one+"s"))
		}
	}
	add(c.Errors, "error")
	add(c.Warnings, "warning")
	add(c.Notices, "notice")
	return strings.Join(parts, ", ")
}

// writeRules prints the rules for a person.
func writeRules(w io.Writer, rules []lint.Rule) {
	for i, rule := range rules {
		if i > 0 {
			fmt.Fprintln(w)
		}
		title := fmt.Sprintf("%s (%s", rule.ID, rule.Severity)
		if rule.Needs != lint.NeedsNothing {
			title += ", needs " + string(rule.Needs)
		}
		fmt.Fprintf(w, "%s): %s\n", title, rule.Summary)
		wrap(w, "  ", rule.Why)
		fmt.Fprintf(w, "  %s\n", rule.Source)
	}
}

// wrap prints a text in lines of so many columns; all but the first are indented
// a little more.
func wrap(w io.Writer, indent, text string) {
	line, width := indent, 0
	for _, word := range strings.Fields(output.Clean(text)) {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
			line += word
			width = utf8.RuneCountInString(line)
		case width+1+n > columns:
			fmt.Fprintln(w, line)
			line = indent + "  " + word
			width = utf8.RuneCountInString(line)
		default:
			line += " " + word
			width += 1 + n
		}
	}
	fmt.Fprintln(w, line)
}
