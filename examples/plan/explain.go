package main

import (
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/tolerations"
)

// writeExplanations prints, for every DaemonSet, all that there is to say about
// the one node of the report.
func (r *report) writeExplanations(w io.Writer) {
	for i := range r.DaemonSets {
		if i > 0 {
			fmt.Fprintln(w)
		}
		ds := &r.DaemonSets[i]
		fmt.Fprintf(w, "%s\n", r.title(i))
		for _, n := range ds.Nodes {
			for line := range strings.Lines(n.explanation.String()) {
				fmt.Fprintf(w, "  %s\n", output.Clean(strings.TrimSuffix(line, "\n")))
			}
			n.writeTolerated(w, ds.Tolerations.Effective)
			if ds.Pods != nil {
				fmt.Fprintf(w, "  pods: %s\n", n.podCell())
			}
		}
		ds.Tolerations.write(w)
	}
}

// writeTolerated prints which taints of the node do not matter, and why.
func (n nodeReport) writeTolerated(w io.Writer, list []corev1.Toleration) {
	for _, taint := range n.taints {
		at, found := tolerations.FirstTolerating(list, &taint, tolerations.Options{})
		if found && tolerations.Blocking.Has(taint.Effect) {
			fmt.Fprintf(w, "    taint %s is tolerated by %s\n", output.Clean(tolerations.FormatTaint(taint)), output.Clean(tolerations.Format(list[at])))
		}
	}
}

// write prints the tolerations with where each is from.
func (t *tolerationsReport) write(w io.Writer) {
	fmt.Fprintf(w, "\n  Tolerations of its pods:\n")
	changed := make(map[int]tolerations.Change, len(t.Changes))
	for _, c := range t.Changes {
		changed[c.Index] = c
	}
	var rows [][]string
	for i, toleration := range t.Effective {
		from := fmt.Sprintf("the template's tolerations[%d]", i)
		switch c := changed[i]; c.Code {
		case tolerations.Added:
			from = "added by the controller"
		case tolerations.SecondsReplaced:
			from += ", which the controller replaced: it was " + tolerations.Format(c.Before)
		}
		rows = append(rows, []string{output.Clean(tolerations.Format(toleration)), output.Clean(from)})
	}
	output.Aligned(w, "    ", rows)
}
