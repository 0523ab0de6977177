package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// report is everything that the program says, and the form of -o json.
type report struct {
	Cases []caseReport `json:"cases"`
	Types typesReport  `json:"types"`
}

// caseReport is one case with its answers.
type caseReport struct {
	Title      string            `json:"title"`
	Source     string            `json:"source"`
	DaemonSets []daemonSetReport `json:"daemonSets"`
	Answers    []answerReport    `json:"answers"`
	// Elsewhere is what others make of it.
	Elsewhere string `json:"elsewhere"`
}

type daemonSetReport struct {
	Name   string `json:"name"`
	GoesTo string `json:"goesTo"`
}

// answerReport is what DaemonSets take from a node.
type answerReport struct {
	About string `json:"about"`
	// Name, Labels and Taints are those of the shape; there are none for a domain.
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Taints []corev1.Taint    `json:"taints,omitempty"`
	// Changed is what the question makes of the shape.
	Changed    []string            `json:"changed,omitempty"`
	DaemonSets []string            `json:"daemonSets"`
	Requests   corev1.ResourceList `json:"requests"`
	// Without are the DaemonSets that do not run there.
	Without []withoutReport `json:"without,omitempty"`
	// Depends are those of which nobody can tell, and AtMost is the sum with them.
	Depends []dependsReport     `json:"depends,omitempty"`
	AtMost  corev1.ResourceList `json:"atMost,omitempty"`
	// TooMuch is what does not fit into the node.
	TooMuch corev1.ResourceList `json:"tooMuch,omitempty"`
}

type withoutReport struct {
	DaemonSet string            `json:"daemonSet"`
	Verdict   placement.Verdict `json:"verdict"`
	Cause     placement.Cause   `json:"cause"`
}

type dependsReport struct {
	DaemonSet string   `json:"daemonSet"`
	Labels    []string `json:"labels"`
}

// typesReport is instance types by the DaemonSets that run there.
type typesReport struct {
	Source string `json:"source"`
	Types  int    `json:"types"`
	// Reads are the labels that make a difference.
	Reads  []string      `json:"reads"`
	Groups []groupReport `json:"groups"`
}

type groupReport struct {
	DaemonSets []string            `json:"daemonSets"`
	Requests   corev1.ResourceList `json:"requests"`
	Types      []string            `json:"types"`
}

// changed says in words what a question makes of a shape.
func changed(q cost.Question) []string {
	var parts []string
	for _, t := range q.IgnoreTaints {
		parts = append(parts, "without taint "+t.ToString())
	}
	for _, key := range output.SortedKeys(q.AssumeLabels) {
		parts = append(parts, "with label "+key+"="+q.AssumeLabels[key])
	}
	return parts
}

// write prints the report for a person.
func (r *report) write(w io.Writer) {
	for i, c := range r.Cases {
		fmt.Fprintf(w, "%d. %s (%s)\n", i+1, c.Title, c.Source)
		c.write(w)
		fmt.Fprintln(w)
	}
	r.Types.write(w)
}

func (c caseReport) write(w io.Writer) {
	rows := [][]string{{"DAEMONSET", "GOES TO"}}
	for _, ds := range c.DaemonSets {
		rows = append(rows, []string{ds.Name, ds.GoesTo})
	}
	output.Aligned(w, "   ", rows)
	rows = [][]string{{"NODE", "RUN THERE", "TAKE", "WHY"}}
	for _, a := range c.Answers {
		rows = append(rows, []string{a.About, several(a.DaemonSets), amounts(a.Requests), a.why()})
	}
	output.Aligned(w, "   ", rows)
	writeWrapped(w, "   elsewhere: ", c.Elsewhere)
}

// why says what the answer comes from, or that nothing stands against the node.
func (a answerReport) why() string {
	parts := append([]string(nil), a.Changed...)
	for _, o := range a.Without {
		parts = append(parts, fmt.Sprintf("%s is %s: %s", o.DaemonSet, o.Verdict, o.Cause))
	}
	for _, d := range a.Depends {
		parts = append(parts, fmt.Sprintf("%s depends on %s", d.DaemonSet, strings.Join(d.Labels, ", ")))
	}
	if len(a.AtMost) > 0 {
		parts = append(parts, "at most "+amounts(a.AtMost))
	}
	if len(a.TooMuch) > 0 {
		parts = append(parts, "too much by "+amounts(a.TooMuch))
	}
	if len(parts) == 0 {
		return "nothing is against it"
	}
	return strings.Join(parts, "; ")
}

func (t typesReport) write(w io.Writer) {
	fmt.Fprintf(w, "%s in %s (%s), by %s\n", output.Plural(t.Types, "instance type", "instance types"),
		output.Plural(len(t.Groups), "group", "groups"), t.Source, strings.Join(t.Reads, ", "))
	rows := [][]string{{"TYPES", "RUN THERE", "TAKE", "SUCH AS"}}
	for _, g := range t.Groups {
		rows = append(rows, []string{output.Thousands(len(g.Types)), several(g.DaemonSets), amounts(g.Requests), output.Few(g.Types)})
	}
	output.Aligned(w, "   ", rows)
}

// amounts writes resources by name: "cpu 300m, pods 2".
func amounts(list corev1.ResourceList) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		q := list[name]
		parts = append(parts, string(name)+" "+q.String())
	}
	return several(parts)
}

func several(parts []string) string {
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// writeWrapped prints a text in lines of up to 80 characters.
func writeWrapped(w io.Writer, indent, text string) {
	line := indent
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > 80:
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", len(indent)) + word
		default:
			line += " " + word
		}
	}
	fmt.Fprintln(w, line)
}
