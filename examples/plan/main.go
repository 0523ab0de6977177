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
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// The exit statuses.
const (
	done       = 0
	unwritable = 1
	unusable   = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program with everything it sees and does as arguments. Progress is
// shown when stderr is a terminal.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var p *progress
	if isTerminal(stderr) {
		p = newProgress(stderr, time.Now)
	}
	return runWith(p, args, stdin, stdout, stderr)
}

func runWith(p *progress, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return done
	case err != nil:
		complain(stderr, err)
		fmt.Fprintln(stderr, "plan: -h tells about the flags")
		return unusable
	}
	in, err := read(o, stdin, p)
	if err != nil {
		// They often explain the error: a kind that was passed over.
		printWarnings(stderr, in.warnings)
		complain(stderr, err)
		return unusable
	}
	if err := show(stdout, stderr, o, plan(in, o.node)); err != nil {
		complain(stderr, err)
		return unwritable
	}
	return done
}

// read reads all files, and finds out whether they are enough for a plan.
func read(o options, stdin io.Reader, p *progress) (input, error) {
	r := newReader(stdin, p)
	defer p.erase()
	if len(o.files) == 0 {
		if err := r.demonstration(); err != nil {
			return r.input, err
		}
	}
	for _, name := range o.files {
		if err := r.file(name); err != nil {
			return r.input, err
		}
	}
	in := r.finish()
	return in, enough(in, o)
}

// enough reports what is missing for a plan, with what to do about it.
func enough(in input, o options) error {
	var files []string
	for _, name := range o.files {
		files = append(files, placeOf(name).String())
	}
	found := "nothing else was found"
	if n := counts(kinds(in)); n != "" {
		found = "found " + n
	}
	switch {
	case len(in.daemonSets) == 0:
		return fmt.Errorf("%s: no DaemonSet of apps/v1 (%s): give a manifest with -f", strings.Join(files, ", "), found)
	case len(in.nodes) == 0:
		return fmt.Errorf("%s: no Node (%s): write some with kubectl get nodes -o json > nodes.json and add -f nodes.json", strings.Join(files, ", "), found)
	case o.node != "" && !slices.ContainsFunc(in.nodes, func(n *corev1.Node) bool { return n.Name == o.node }):
		return noSuchNode(o.node, in.nodes)
	}
	return nil
}

// kinds counts all that was read.
func kinds(in input) map[string]int {
	all := map[string]int{}
	for kind, n := range in.passedOver {
		all[kind] = n
	}
	for kind, n := range map[string]int{
		daemonSetKind.Kind: len(in.daemonSets), nodeKind.Kind: len(in.nodes),
		podKind.Kind: len(in.pods), revisionKind.Kind: len(in.revisions),
	} {
		if n > 0 {
			all[kind] += n
		}
	}
	return all
}

func noSuchNode(name string, nodes []*corev1.Node) error {
	if similar := placement.NewVocabulary(nodes).SimilarNames(name); len(similar) > 0 {
		return fmt.Errorf("-node %s: no such node; similar names: %s", name, few(similar))
	}
	all := names(nodes)
	return fmt.Errorf("-node %s: no such node; %s read: %s", name, plural(len(all), "node was", "nodes were"), few(all))
}

// show writes the report, and its warnings when they are not part of it.
func show(stdout, stderr io.Writer, o options, r *report) error {
	w := bufio.NewWriter(stdout)
	if o.format != "table" {
		if err := r.writeDocument(w, o.format); err != nil {
			return err
		}
		return w.Flush()
	}
	printWarnings(stderr, r.Warnings)
	demo := len(o.files) == 0
	if demo {
		io.WriteString(w, demoIntroduction)
	}
	if o.node == "" {
		r.writeTables(w, o.all)
	} else {
		r.writeExplanations(w)
	}
	if demo {
		io.WriteString(w, demoConclusion)
	}
	return w.Flush() // has the first error of all that was written
}

func printWarnings(stderr io.Writer, warnings []warning) {
	for _, w := range warnings {
		fmt.Fprintf(stderr, "plan: warning: %s\n", clean(w.String()))
	}
}

// complain prints an error, and each of several on its own line.
func complain(stderr io.Writer, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			complain(stderr, one)
		}
		return
	}
	fmt.Fprintf(stderr, "plan: %s\n", clean(err.Error()))
}
