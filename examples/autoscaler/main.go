// Autoscaler makes the calls that an autoscaler makes, about nodes that do not
// exist yet, against the cases in which autoscalers are known to have answered
// wrong. The cases are in cases.go, the calls to the library in ask.go.
//
// It needs no input:
//
//	go run ./examples/autoscaler
//	go run ./examples/autoscaler -h
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// The exit statuses.
const (
	done     = output.Done
	broken   = 1 // the output cannot be written
	unusable = output.Unusable
)

// program is its name in messages.
const program = "autoscaler"

const usage = `usage: autoscaler [-o table|json]

autoscaler asks the library what DaemonSets take from nodes that do not exist
yet: in cases in which autoscalers have answered wrong, and for many instance
types at once. It reads nothing; the cases are in examples/autoscaler/cases.go.

  -o FORMAT   table (the default), or one document of json

Of each case it prints the DaemonSets, what is asked, the answer, why a DaemonSet
is not in it, and what goes wrong elsewhere. That last text is about the source of
other projects as of August 2026 and about their issues; they may have changed.

Exit status: 0; 1 when the output cannot be written; 2 for flags that cannot be
used.
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program with everything it sees and does as arguments.
func run(args []string, stdout, stderr io.Writer) int {
	format, err := parse(args)
	if err != nil {
		return output.NoFlags(stdout, stderr, program, usage, err)
	}
	r, err := answers()
	if err == nil {
		err = output.Report[noWarning]{Program: program, Document: r, Table: r.write}.Show(stdout, stderr, format)
	}
	if err != nil {
		output.Complain(stderr, program, err)
		return broken
	}
	return done
}

// noWarning is what the program never has: there is no input to warn about.
type noWarning struct{}

func (noWarning) String() string { return "" }

// parse reads the command line, which says nothing but the format. The error
// flag.ErrHelp is a wish, not a fault.
func parse(args []string) (format string, err error) {
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&format, "o", "table", "")
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	if flags.NArg() > 0 {
		return "", fmt.Errorf("unexpected argument %q: nothing is read", flags.Arg(0))
	}
	if !slices.Contains([]string{"table", "json"}, format) {
		return "", errors.New("-o " + format + ": must be one of table, json")
	}
	return format, nil
}
