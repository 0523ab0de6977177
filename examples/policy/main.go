// Policy says what a rollout does now under a policy of one's own, written as
// YAML: what is created and deleted, what is held back and why, what the
// controller would do without the policy, and what stands in the way. What it
// does with the library is in plan.go, and in examples/internal/policies.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/policy
//	go run ./examples/policy -h
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
	blocked  = 1 // also when the output cannot be written
	unusable = output.Unusable
)

// program is its name in messages.
const program = "policy"

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
	if o.now.IsZero() {
		o.now = clock()
	}
	p, err := readPolicy(o, stdin)
	if err != nil {
		return output.NoInput[input.Warning](stderr, program, nil, err)
	}
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames, Progress: output.ProgressOn(stderr, clock),
		NodeHealth: true, PodContainers: true, RevisionContents: true,
	})
	if err == nil {
		err = enough(in, o)
	}
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	r, err := plan(in, o, p)
	if err != nil {
		return output.NoInput(stderr, program, r.Warnings, err)
	}
	if err := show(stdout, stderr, o, r); err != nil {
		output.Complain(stderr, program, err)
		return blocked
	}
	if r.blocked() {
		return blocked
	}
	return done
}

// enough reports what is missing, with what to do about it.
func enough(in input.Objects, o options) error {
	n := len(in.DaemonSets)
	switch {
	case n == 0:
		return in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json")
	case len(in.Nodes) == 0:
		return in.None(o.files, "Node", "write some with kubectl get nodes -o json > nodes.json and add -f nodes.json")
	case n > 1 && o.hash != "":
		return fmt.Errorf("-hash %s: is that of one DaemonSet, and %d were read", o.hash, n)
	case n > 1 && o.stable != "":
		return fmt.Errorf("-stable %s: is a revision of one DaemonSet, and %d were read", o.stable, n)
	}
	return nil
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	before := demoIntroduction
	if o.policy == "" {
		before += demoPolicy()
	}
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings, Table: r.write,
		Demo: len(o.files) == 0, Before: before, After: demoConclusion,
	}.Show(stdout, stderr, o.format)
}
