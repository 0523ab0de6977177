// Status answers whether a DaemonSet is rolled out, and if not, why: by the
// rules of the tools in the field side by side, by a rule of one's own, and node
// by node. What it does with the library is in status.go, and in the package
// examples/internal/current.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/status
//	go run ./examples/status -h
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// The exit statuses.
const (
	done     = output.Done
	waiting  = 1 // also when the output cannot be written
	unusable = output.Unusable
)

// program is its name in messages.
const program = "status"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, time.Now))
}

// run is the program with everything it sees and does as arguments. Progress is
// shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, clock func() time.Time) int {
	o, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames,
		Progress: output.ProgressOn(stderr, clock), NodeHealth: true, RevisionContents: true,
	})
	if err == nil {
		err = enough(in, o)
	}
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	if o.now.IsZero() {
		o.now = clock()
	}
	r := status(in, o)
	if err := show(stdout, stderr, o, r); err != nil {
		output.Complain(stderr, program, err)
		return waiting
	}
	if !r.done() {
		return waiting
	}
	return done
}

// enough reports what is missing, with what to do about it.
func enough(in input.Objects, o options) error {
	switch n := len(in.DaemonSets); {
	case n == 0:
		return in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json")
	case len(in.Nodes) == 0:
		return in.None(o.files, "Node", "write some with kubectl get nodes -o json > nodes.json and add -f nodes.json")
	case o.hash != "" && n > 1:
		return fmt.Errorf("-hash %s: is that of one DaemonSet, and %d were read", o.hash, n)
	}
	return nil
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings, Table: r.write,
		Demo: len(o.files) == 0, Before: demoIntroduction, After: demoConclusion,
	}.Show(stdout, stderr, o.format)
}
