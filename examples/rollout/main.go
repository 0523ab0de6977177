// Rollout plays a rollout forward: how long it takes, how many nodes are without
// an available pod meanwhile, and where it gets stuck, before anybody touches a
// cluster. What it does with the library is in scenario.go and play.go.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/rollout
//	go run ./examples/rollout -h
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
	finished   = output.Done
	unfinished = 1 // also when the output cannot be written
	unusable   = output.Unusable
)

// program is its name in messages.
const program = "rollout"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, time.Now))
}

// run is the program with everything it sees and does as arguments. Progress is
// shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, clock func() time.Time) int {
	demo := len(args) == 0
	if demo {
		args = demoArgs()
	}
	o, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	from, warnings, err := open(o, stdin, stderr, clock)
	if err != nil {
		return output.NoInput(stderr, program, warnings, err)
	}
	var runs []*played
	watch := output.ProgressOn(stderr, clock)
	defer watch.Erase()
	for _, d := range from.documents {
		r, err := play(d, from, watch)
		watch.Erase()
		if err != nil {
			return output.NoInput(stderr, program, warnings, err)
		}
		runs = append(runs, r)
	}
	name(runs, o.compare)
	if err := show(stdout, stderr, o, demo, newReport(runs, from, warnings)); err != nil {
		output.Complain(stderr, program, err)
		return unfinished
	}
	for _, r := range runs {
		if !r.finished() {
			return unfinished
		}
	}
	return finished
}

// show writes the report in the format that is asked for, and its warnings when
// they are not part of it.
func show(stdout, stderr io.Writer, o options, demo bool, r *report) error {
	switch o.format {
	case "csv":
		output.Warn(stderr, program, r.Warnings)
		return writeCSV(stdout, r.runs)
	case "svg":
		output.Warn(stderr, program, r.Warnings)
		_, err := stdout.Write(draw(r.runs))
		return err
	}
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings,
		Table: func(w io.Writer) { r.write(w, o.width) },
		Demo:  demo, Before: demoIntroduction(), After: demoConclusion,
	}.Show(stdout, stderr, o.format)
}
