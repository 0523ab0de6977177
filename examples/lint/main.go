// Lint says what is wrong with DaemonSets: what the API server would refuse, and
// what it would take although it is hardly meant, alone or on a fleet of nodes.
// What it does with the library is in lint.go.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/lint
//	go run ./examples/lint -h
package main

import (
	"bufio"
	"io"
	"os"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// The exit statuses.
const (
	done     = output.Done
	found    = 1 // also when the output cannot be written
	unusable = output.Unusable
)

// program is its name in messages.
const program = "lint"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, time.Now))
}

// run is the program with everything it sees and does as arguments. The clock is
// for progress, which is shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, clock func() time.Time) int {
	o, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	if o.rules {
		return exit(stderr, showRules(stdout, o.format), done)
	}
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames,
		Progress: output.ProgressOn(stderr, clock), NodeAllocatable: true,
	})
	if err == nil && len(in.DaemonSets) == 0 {
		err = in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,nodes -A -o json")
	}
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	warnOfSizes(&in)
	r := check(in, o)
	status := done
	if r.Failed {
		status = found
	}
	return exit(stderr, show(stdout, stderr, o, r, status), status)
}

// exit is the exit status, unless the output could not be written.
func exit(stderr io.Writer, err error, status int) int {
	if err != nil {
		output.Complain(stderr, program, err)
		return found
	}
	return status
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report, status int) error {
	out := output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings, Table: r.write,
		Demo: len(o.files) == 0, Before: demoIntroduction, After: demoConclusion,
	}
	if o.format == sarifFormat {
		out.Document, o.format = sarifOf(r, status), "json"
	}
	return out.Show(stdout, stderr, o.format)
}

// showRules writes what there is to look for.
func showRules(stdout io.Writer, format string) error {
	w := bufio.NewWriter(stdout)
	if format == "table" {
		writeRules(w, allRules())
	} else if err := output.Document(w, format, allRules()); err != nil {
		return err
	}
	return w.Flush()
}
