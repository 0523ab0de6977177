package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

const cpu, memory = corev1.ResourceCPU, corev1.ResourceMemory

// write prints the report for a person.
func (r *report) write(w io.Writer) {
	for i, s := range r.Shapes {
		if i > 0 {
			fmt.Fprintln(w)
		}
		s.write(w)
	}
	if r.Fleet != nil {
		if len(r.Shapes) > 0 {
			fmt.Fprintln(w)
		}
		r.Fleet.write(w)
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

func (f *fleetReport) write(w io.Writer) {
	fmt.Fprintf(w, "%s %s on %s", output.Plural(len(f.DaemonSets), "DaemonSet takes", "DaemonSets take"), brief(f.Total.Requests), output.Plural(f.Total.Nodes, "node", "nodes"))
	if f.Smallest != nil {
		fmt.Fprintf(w, "; %s of the smallest node", f.Smallest.most())
	}
	fmt.Fprint(w, ".\n\n")
	rows := [][]string{{"DAEMONSET", "CPU/POD", "MEMORY/POD", "NODES", "CPU", "MEMORY", "SURGE CPU", "SURGE MEMORY"}}
	for _, d := range f.DaemonSets {
		rows = append(rows, []string{d.Name.String(), of(d.PerPod, cpu), of(d.PerPod, memory), output.Thousands(d.Nodes),
			of(d.Total, cpu), of(d.Total, memory), of(d.Surge, cpu), of(d.Surge, memory)})
	}
	rows = append(rows, []string{"total", "-", "-", output.Thousands(f.Total.Nodes),
		of(f.Total.Requests, cpu), of(f.Total.Requests, memory), of(f.Total.Surge, cpu), of(f.Total.Surge, memory)})
	output.Aligned(w, "", rows)
	if others := other(f.Total.Requests); len(others) > 0 {
		fmt.Fprintf(w, "\nAlso: %s.\n", words(others))
	}
	f.writeNodes(w)
	f.writeNow(w)
}

// writeNodes prints what groups, the smallest and the largest node have to bear.
func (f *fleetReport) writeNodes(w io.Writer) {
	rows := [][]string{{"NODES OF", "NODES", "CPU", "SHARE", "MEMORY", "SHARE", "PODS", "SHARE"}}
	for _, g := range f.Groups {
		rows = append(rows, g.row(cmp.Or(output.Clean(g.Name), "(no label)")))
	}
	rows = append(rows, f.Total.row("all"))
	if f.Smallest != nil {
		rows = append(rows, f.Smallest.row("smallest: "+output.Clean(output.OrNoName(f.Smallest.Name))),
			f.Largest.row("largest: "+output.Clean(output.OrNoName(f.Largest.Name))))
	}
	if f.GroupLabel != "" {
		fmt.Fprintf(w, "\nBy %s:", f.GroupLabel)
	}
	fmt.Fprintln(w)
	output.Aligned(w, "", rows)
}

// writeNow prints what the pods that were read take.
func (f *fleetReport) writeNow(w io.Writer) {
	if f.Total.Now == nil {
		return
	}
	fmt.Fprintln(w, "\nThe pods there are now:")
	rows := [][]string{{"DAEMONSET", "PODS", "CPU", "MEMORY", "MISSING", "DOUBLED", "UNEXPECTED"}}
	row := func(name string, n *nowReport) []string {
		return []string{name, of(n.Reserved, corev1.ResourcePods), of(n.Reserved, cpu), of(n.Reserved, memory), words(n.Missing), words(n.Surge), words(n.Unexpected)}
	}
	for _, d := range f.DaemonSets {
		rows = append(rows, row(d.Name.String(), d.Now))
	}
	output.Aligned(w, "", append(rows, row("total", f.Total.Now)))
}

func (s shapeReport) write(w io.Writer) {
	all := len(s.Runs) + len(s.DoesNotRun)
	run := "run"
	if len(s.Runs) == 1 {
		run = "runs"
	}
	fmt.Fprintf(w, "%d of %s %s on a node of this shape and take %s", len(s.Runs), output.Plural(all, "DaemonSet", "DaemonSets"), run, brief(s.Requests))
	if len(s.Share) > 0 {
		fmt.Fprintf(w, ", %s", s.most())
	}
	fmt.Fprintf(w, ": %s\n\n", output.Clean(s.Shape))
	rows := [][]string{{"DAEMONSET", "CPU", "MEMORY"}}
	for _, d := range s.Runs {
		rows = append(rows, []string{d.Name.String(), of(d.PerPod, cpu), of(d.PerPod, memory)})
	}
	for _, d := range s.DoesNotRun {
		rows = append(rows, []string{d.String(), "does not run there", ""})
	}
	output.Aligned(w, "", trimmed(rows))
	rows = [][]string{{"RESOURCE", "SHAPE", "TAKEN", "SHARE", "LEFT"}}
	for _, name := range names(s.Requests, s.Left) {
		there, left := "not known", "-"
		if _, named := s.Left[name]; named {
			there, left = of(s.Allocatable, name), of(s.Left, name)
		}
		rows = append(rows, []string{string(name), there, of(s.Requests, name), s.share(name), left})
	}
	if len(rows) > 1 {
		fmt.Fprintln(w)
		output.Aligned(w, "", rows)
	}
	if len(s.Lacking) > 0 {
		fmt.Fprintf(w, "\nThey do not fit: the node lacks %s.\n", words(s.Lacking))
	}
}

// trimmed leaves out the empty cells at the end of rows.
func trimmed(rows [][]string) [][]string {
	for i, row := range rows {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		rows[i] = row
	}
	return rows
}

func (d daemonName) String() string {
	return output.Clean(d.Namespace + "/" + output.OrNoName(d.Name))
}

// row is a row about nodes.
func (s sums) row(name string) []string {
	const pods = corev1.ResourcePods
	return []string{name, output.Thousands(s.Nodes), of(s.Requests, cpu), s.share(cpu), of(s.Requests, memory), s.share(memory), of(s.Requests, pods), s.share(pods)}
}

// share is a share in percent.
func (s sums) share(name corev1.ResourceName) string {
	share, ok := s.Share[name]
	switch {
	case ok:
		return percent(share)
	case s.isZero(name):
		return percent(0)
	}
	return "-"
}

// isZero reports whether nothing is taken of what there is.
func (s sums) isZero(name corev1.ResourceName) bool {
	taken, there := s.Requests[name], s.Allocatable[name]
	return taken.IsZero() && !there.IsZero()
}

// most says of which of cpu and memory the greater part is taken.
func (s sums) most() string {
	name := cpu
	if s.Share[memory] > s.Share[cpu] {
		name = memory
	}
	return s.share(name) + " of the " + string(name)
}

func percent(perMille int64) string { return fmt.Sprintf("%d.%d%%", perMille/10, perMille%10) }

// of is how much there is of a resource.
func of(l corev1.ResourceList, name corev1.ResourceName) string {
	q := l[name]
	return q.String()
}

// brief is the cpu and the memory of a sentence.
func brief(l corev1.ResourceList) string {
	q := l[cpu]
	number := q.AsDec().String()
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " CPU and " + of(l, memory)
}

// words are all the amounts of a list; "-" for none.
func words(l corev1.ResourceList) string {
	var parts []string
	for _, name := range names(l) {
		parts = append(parts, output.Clean(string(name))+" "+of(l, name))
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}

// other is a list without the resources that have columns.
func other(l corev1.ResourceList) corev1.ResourceList {
	rest := corev1.ResourceList{}
	for name, q := range l {
		if name != cpu && name != memory && name != corev1.ResourcePods {
			rest[name] = q
		}
	}
	return rest
}

// names are those of all lists, in order.
func names(lists ...corev1.ResourceList) []corev1.ResourceName {
	all := corev1.ResourceList{}
	for _, l := range lists {
		maps.Copy(all, l)
	}
	return slices.Sorted(maps.Keys(all))
}

// writeCSV prints one table. The column row says what a row is about.
func (r *report) writeCSV(w io.Writer) {
	c := csv.NewWriter(w)
	c.Write([]string{"row", "shape", "namespace", "name", "nodes", "cpuPerPod", "memoryPerPod", "cpu", "memory", "pods",
		"cpuSurge", "memorySurge", "cpuSharePerMille", "memorySharePerMille", "podsSharePerMille", "cpuLeft", "memoryLeft", "podsLeft"})
	daemon := func(row, shape string, name daemonName, nodes int, perPod, total corev1.ResourceList, surge []string) {
		c.Write(append(append([]string{row, shape, name.Namespace, name.Name, strconv.Itoa(nodes), of(perPod, cpu), of(perPod, memory),
			of(total, cpu), of(total, memory), of(total, corev1.ResourcePods)}, surge...), "", "", "", "", "", ""))
	}
	nodes := func(row, shape, name string, s sums, surge []string, left corev1.ResourceList) {
		record := append([]string{row, shape, "", name, strconv.Itoa(s.Nodes), "", "", of(s.Requests, cpu), of(s.Requests, memory), of(s.Requests, corev1.ResourcePods)}, surge...)
		for _, of := range []corev1.ResourceName{cpu, memory, corev1.ResourcePods} {
			share := ""
			if n, ok := s.Share[of]; ok {
				share = strconv.FormatInt(n, 10)
			} else if s.isZero(of) {
				share = "0"
			}
			record = append(record, share)
		}
		for _, of := range []corev1.ResourceName{cpu, memory, corev1.ResourcePods} {
			amount := ""
			if q, ok := left[of]; ok {
				amount = q.String()
			}
			record = append(record, amount)
		}
		c.Write(record)
	}
	none := []string{"", ""}
	for _, s := range r.Shapes {
		for _, d := range s.Runs {
			daemon("shapeDaemonSet", s.Shape, d.Name, 1, d.PerPod, d.PerPod, none)
		}
		nodes("shape", s.Shape, "", s.sums, none, s.Left)
	}
	if f := r.Fleet; f != nil {
		for _, d := range f.DaemonSets {
			daemon("daemonSet", "", d.Name, d.Nodes, d.PerPod, d.Total, []string{of(d.Surge, cpu), of(d.Surge, memory)})
		}
		nodes("total", "", "", f.Total.sums, []string{of(f.Total.Surge, cpu), of(f.Total.Surge, memory)}, nil)
		for _, g := range f.Groups {
			nodes("group", "", g.Name, g.sums, none, nil)
		}
		if f.Smallest != nil {
			nodes("smallestNode", "", f.Smallest.Name, f.Smallest.sums, none, nil)
			nodes("largestNode", "", f.Largest.Name, f.Largest.sums, none, nil)
		}
	}
	c.Flush() // the writer below has the first error
}
