// Cost answers what DaemonSets take: from the nodes there are, by DaemonSet and by
// group of nodes, and from a node that does not exist yet. What it does with the
// library is in cost.go.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/cost
//	go run ./examples/cost -h
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// The exit statuses.
const (
	done      = output.Done
	unwritten = 1 // the output cannot be written
	unusable  = output.Unusable
)

// program is its name in messages.
const program = "cost"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program with everything it sees and does as arguments. Progress is
// shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	in, err := read(o, stdin, stderr)
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	r, err := costs(in, o)
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	if err := show(stdout, stderr, o, r); err != nil {
		output.Complain(stderr, program, err)
		return unwritten
	}
	return done
}

// read reads what there is, with what nodes have and pods request.
func read(o options, stdin io.Reader, stderr io.Writer) (input.Objects, error) {
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames,
		Progress: output.ProgressOn(stderr, time.Now), NodeAllocatable: true, WholePods: true,
	})
	if err == nil {
		err = enough(in, o)
	}
	return in, err
}

// enough reports what is missing, with what to do about it.
func enough(in input.Objects, o options) error {
	switch {
	case len(in.DaemonSets) == 0:
		return in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,nodes,pods -A -o json")
	case len(in.Nodes) == 0 && len(o.shapes) == 0:
		return in.None(o.files, "Node", "write some with kubectl get nodes -o json > nodes.json and add -f nodes.json, or ask about a -shape")
	}
	return nil
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	demo := len(o.files) == 0
	if o.format == "csv" {
		// To go to a file it has nothing around it.
		return output.Report[input.Warning]{Program: program, Warnings: r.Warnings, Table: r.writeCSV}.Show(stdout, stderr, "table")
	}
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: slices.Clone(r.Warnings), Table: r.write,
		Demo: demo, After: fmt.Sprintf(demoConclusion, demoShape),
	}.Show(stdout, stderr, o.format)
}
