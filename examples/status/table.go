package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// grouped is the number of nodes up to which every one that is not done has a
// row. Above it there is one row for each state.
const grouped = 50

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
		fmt.Fprintf(w, "%s at %s\n\n", input.Title(all, i), r.Now.Format(time.RFC3339))
		r.DaemonSets[i].write(w)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

func (ds *daemonSetReport) write(w io.Writer) {
	rows := [][]string{{"RULE", "DONE", "PHASE", "MESSAGE"}}
	for _, v := range ds.Verdicts {
		message := strings.TrimSuffix(v.Message, "\n")
		if v.Error != "" {
			message = "error: " + v.Error
		}
		rows = append(rows, []string{string(v.Rule), yesNo(v.Done), orDash(v.Phase), orDash(output.Clean(message))})
	}
	c := ds.Computed
	if c == nil {
		output.Aligned(w, "", rows)
		fmt.Fprintln(w, "\nNobody can tell which pods are its own.")
		return
	}
	rows = append(rows, []string{"policy", yesNo(c.Policy.Done), "-", c.Policy.Text})
	output.Aligned(w, "", rows)
	fmt.Fprintf(w, "\nThe policy: %s.\n", c.Policy.Rule)
	c.Revision.Write(w)
	c.writeCounters(w)
	c.writeNodes(w)
	c.Details.write(w)
}

// writeCounters prints the counters, and when to look again.
func (c *computedReport) writeCounters(w io.Writer) {
	fmt.Fprintln(w)
	rows := [][]string{{"COUNTER", "STORED", "NOW"}}
	for _, n := range c.Counters {
		now := "unknown"
		switch {
		case n.Now == nil:
		case *n.Now == n.Stored:
			now = strconv.FormatInt(*n.Now, 10)
		default:
			now = strconv.FormatInt(*n.Now, 10) + " (differs)"
		}
		rows = append(rows, []string{n.Name, strconv.FormatInt(n.Stored, 10), now})
	}
	output.Aligned(w, "", rows)
	if c.LookAgain.IsZero() {
		fmt.Fprintln(w, "\nLook again: when something happens; no pod is waiting for minReadySeconds.")
		return
	}
	fmt.Fprintf(w, "\nLook again: at %s, when the next pod becomes available.\n", c.LookAgain.Format(time.RFC3339Nano))
}

// writeNodes prints the nodes that are not done, in groups when there are many.
func (c *computedReport) writeNodes(w io.Writer) {
	switch n := len(c.Nodes); {
	case n == 0:
		fmt.Fprintln(w, "\nEvery node is done.")
		return
	case n <= grouped:
		fmt.Fprintf(w, "\n%s not done:\n", output.Plural(n, "node is", "nodes are"))
		var rows [][]string
		for _, node := range c.Nodes {
			rows = append(rows, []string{output.Clean(output.OrNoName(node.Node)), output.Clean(node.Text)})
		}
		output.Aligned(w, "  ", rows)
	default:
		fmt.Fprintf(w, "\n%s not done:\n", output.Plural(n, "node is", "nodes are"))
		var rows [][]string
		for _, state := range c.States {
			rows = append(rows, []string{output.Thousands(len(state.Nodes)), string(state.State), output.Few(state.Nodes)})
		}
		output.Aligned(w, "  ", rows)
	}
}

// write prints what the counters hide.
func (d detailsReport) write(w io.Writer) {
	fmt.Fprintf(w, "\nBehind the counters:\n")
	number := func(n *int) string {
		if n == nil {
			return "unknown"
		}
		return output.Thousands(*n)
	}
	output.Aligned(w, "  ", [][]string{
		{number(&d.MayStay), "misscheduled, may stay until the pod goes away"},
		{number(&d.MustGo), "misscheduled, the next sync deletes the pod"},
		{number(&d.NodesGone), "nodes that pods are on and that were not read"},
		{number(d.Behind), "nodes with a new pod that is ready behind the one that counts"},
		{number(d.Surging), "nodes with an old and a new pod"},
	})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
