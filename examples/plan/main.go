// Plan says which nodes a DaemonSet runs on, and why not on the others. It is
// the first program to read: what it does with the library is in plan.go and
// pods.go, everything else is about reading files and printing.
//
// Run it without arguments to see an example, and with -h for its flags:
//
//	go run ./examples/plan
//	go run ./examples/plan -h
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/placement"
)

// The exit statuses.
const (
	done       = output.Done
	unwritable = 1
	unusable   = output.Unusable
)

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
	in, err := input.Read(input.Source{
		Files: o.files, Stdin: stdin, Demo: demoFiles, DemoNames: demoNames,
		Progress: output.ProgressOn(stderr, time.Now),
	})
	if err == nil {
		err = enough(in, o)
	}
	if err != nil {
		return output.NoInput(stderr, program, in.Warnings, err)
	}
	if err := show(stdout, stderr, o, plan(in, o.node)); err != nil {
		output.Complain(stderr, program, err)
		return unwritable
	}
	return done
}

// program is its name in messages.
const program = "plan"

// enough reports what is missing for a plan, with what to do about it.
func enough(in input.Objects, o options) error {
	switch {
	case len(in.DaemonSets) == 0:
		return in.None(o.files, "DaemonSet of apps/v1", "give a manifest with -f")
	case len(in.Nodes) == 0:
		return in.None(o.files, "Node", "write some with kubectl get nodes -o json > nodes.json and add -f nodes.json")
	case o.node != "" && !slices.ContainsFunc(in.Nodes, func(n *corev1.Node) bool { return n.Name == o.node }):
		return noSuchNode(o.node, in.Nodes)
	}
	return nil
}

func noSuchNode(name string, nodes []*corev1.Node) error {
	if similar := placement.NewVocabulary(nodes).SimilarNames(name); len(similar) > 0 {
		return fmt.Errorf("-node %s: no such node; similar names: %s", name, output.Few(similar))
	}
	all := names(nodes)
	return fmt.Errorf("-node %s: no such node; %s read: %s", name, output.Plural(len(all), "node was", "nodes were"), output.Few(all))
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	table := r.writeExplanations
	if o.node == "" {
		table = func(w io.Writer) { r.writeTables(w, o.all) }
	}
	return output.Report[input.Warning]{
		Program: program, Document: r, Warnings: r.Warnings, Table: table,
		Demo: len(o.files) == 0, Before: demoIntroduction, After: demoConclusion,
	}.Show(stdout, stderr, o.format)
}
