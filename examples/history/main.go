// History says what has become of a DaemonSet's template: its revisions, which
// of them is in force, what an undo would do, and what differs. What it does
// with the library is in history.go.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/history
//	go run ./examples/history -h
package main

import (
	"io"
	"os"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// The exit statuses.
const (
	done     = output.Done
	refused  = 1 // also when the output cannot be written
	unusable = output.Unusable
)

// program is its name in messages.
const program = "history"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, time.Now))
}

// run is the program with everything it sees and does as arguments. The clock
// is for progress alone, which is shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, clock func() time.Time) int {
	o, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames,
		Progress: output.ProgressOn(stderr, clock), RevisionContents: true,
	})
	if err == nil && len(in.DaemonSets) == 0 {
		err = in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,controllerrevisions -o json")
	}
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	r := history(in, o)
	if err := show(stdout, stderr, o, r); err != nil {
		output.Complain(stderr, program, err)
		return refused
	}
	if r.refused() {
		return refused
	}
	return done
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings, Table: r.write,
		Demo: len(o.files) == 0, Before: demoIntroduction, After: demoConclusion,
	}.Show(stdout, stderr, o.format)
}
