package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/revision"
)

const usage = `usage: history [-f FILE]... [-undo N] [-diff A,B] [-limit[=N]] [-o table|json|yaml]

history says what has become of a DaemonSet's template: its revisions as kubectl
rollout history shows them, which one is in force, what the controller writes
next, and, when asked, what an undo would do and what differs. Without -f it
shows an example that is built in, a DaemonSet with three revisions, with -undo
0, unless other flags ask for something else.

  -f FILE     read FILE; - is standard input. Give it once for each file. YAML
              with any number of documents, JSON, and lists as kubectl prints
              them. DaemonSets are needed, and ControllerRevisions for there to
              be a history; Pods are used when there are any; other kinds are
              counted and passed over.
  -undo N     what kubectl rollout undo --to-revision=N would do, and what it
              would change; 0 is the revision before the last one
  -diff A,B   what differs between the templates of the revisions A and B
  -limit[=N]  which revisions the controller deletes to keep the limit of the
              DaemonSet (spec.revisionHistoryLimit), or N. Revisions that pods
              use are kept, so Pods are needed.
  -o FORMAT   table (the default), or one document of json or yaml

The revision in force is the one that stores the DaemonSet's template byte by
byte: so the controller compares. kubectl prints what is stored in another form,
and it is put back into the controller's: sorted keys, no white space. A
template that means the same is named as well; clusters before 1.34 store a null
time that newer ones leave out, and a field that is newer than this program is
lost in the DaemonSet (there is a warning) and not in its revisions.

The name of a revision that does not exist yet ends in a hash that depends on
the version of the API types: a controller of another version gives it another
name.

A namespace that is missing is "default". A DaemonSet that is given twice is
shown twice, so two versions of a manifest can be compared. A manifest has no
UID: its revisions are known by the owner they name, if all name the same one.

Exit status: 0; 1 when there is no such revision to go back to or to compare, or
when the output cannot be written; 2 for input that cannot be used.

On a cluster of your own:

  kubectl get daemonsets,controllerrevisions,pods -A -o json | history -f - -undo 0
`

// options are what the command line says.
type options struct {
	files  []string
	format string
	undo   *int64
	diff   *[2]int64
	limit  limit
}

// limit is the flag -limit, with or without a number. Without one it is nil,
// which asks for the limit of the DaemonSet.
type limit struct {
	wanted bool
	number *int32
}

func (l *limit) String() string { return "" }

func (l *limit) IsBoolFlag() bool { return true }

func (l *limit) Set(text string) error {
	l.wanted, l.number = true, nil
	if text == "true" { // -limit alone
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return fmt.Errorf("must be a number of revisions from 0 to %d", math.MaxInt32)
	}
	number := int32(n)
	l.number = &number
	return nil
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{}
	flags := input.NewFlags(program)
	flags.Func("undo", "", func(text string) error {
		n, err := number(text)
		o.undo = &n
		return err
	})
	flags.Func("diff", "", func(text string) error {
		first, second, two := strings.Cut(text, ",")
		a, err := number(first)
		if !two || err != nil {
			return errors.New("must be two numbers of revisions, as in 1,3")
		}
		b, err := number(second)
		if err != nil {
			return errors.New("must be two numbers of revisions, as in 1,3")
		}
		o.diff = &[2]int64{a, b}
		return nil
	})
	flags.Var(&o.limit, "limit", "")
	err := flags.Parse(args)
	o.files, o.format = flags.Files, flags.Format
	if len(o.files) == 0 && o.undo == nil && o.diff == nil && !o.limit.wanted {
		previous := revision.Previous
		o.undo = &previous
	}
	return o, err
}

func number(text string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return 0, errors.New("must be the number of a revision")
	}
	return n, nil
}
