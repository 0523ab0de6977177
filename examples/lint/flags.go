package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/lint"
)

const usage = `usage: lint [-f FILE]... [-fail error|warning|notice] [-off RULE,RULE]...
            [-max-share N] [-max-rollout DURATION] [-pod-start DURATION]
            [-o table|json|yaml|sarif]
       lint -rules [-o table|json|yaml]

lint says what is wrong with DaemonSets: what the API server would refuse, and what
it would take although it is hardly meant. Without -f it shows an example that is
built in.

  -f FILE          read FILE; - is standard input. Give it once for each file. YAML
                   with any number of documents, JSON, and lists as kubectl prints
                   them. Every DaemonSet is checked, also against the others. With
                   Nodes more is found; other kinds are counted and passed over.
  -fail SEVERITY   the severity from which on the exit status is 1: error, warning
                   (the default) or notice
  -off RULE,RULE   leave out these rules
  -max-share N     how many percent of the smallest node a pod may ask for; 25 by
                   default
  -max-rollout D   how long a rollout may take; 1h by default, 0 for any time
  -pod-start D     how long it takes to replace one pod, until it is ready; 30s by
                   default
  -rules           list all rules, with why they are there and who it happened to
  -o FORMAT        table (the default), one document of json or yaml, or sarif, the
                   form (version 2.1.0) that code hosts show beside a change

An error does not work as it is written, a warning works and is most likely not
meant, and a notice may be meant: switch it off once somebody has looked. The rule
"invalid" is the API server: what it would refuse when the DaemonSet is created, as
far as the package lint knows its rules. No cluster is asked.

Fields are those of the object with its defaults filled in. A line is that of the
document a DaemonSet is in, not that of the field. A namespace that is missing is
"default". For cost-share and surge-exclusive-resource nodes need their
status.allocatable.

Exit status: 0 when nothing is found that is bad enough; 1 when something is, or
when the output cannot be written; 2 for input that cannot be used.

On a cluster of your own:

  kubectl get daemonsets,nodes -A -o json | lint -f -
`

// sarifFormat is a format of this program alone.
const sarifFormat = "sarif"

var formats = []string{"table", "json", "yaml", sarifFormat}

// options are what the command line says.
type options struct {
	files  []string
	format string
	fail   lint.Severity
	rules  bool
	// Limits, and the rules that are off, are those of a context without objects.
	context lint.Context
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{fail: lint.Warning, context: lint.Context{MaxShare: 25, MaxRollout: time.Hour, PodStart: 30 * time.Second}}
	flags := input.NewFlags(program)
	flags.BoolVar(&o.rules, "rules", false, "")
	flags.Func("fail", "", func(text string) error {
		if o.fail = lint.Severity(text); !slices.Contains(severities, o.fail) {
			return errors.New("must be error, warning or notice")
		}
		return nil
	})
	flags.Func("off", "", func(text string) error {
		for _, name := range strings.Split(text, ",") {
			id := lint.RuleID(strings.TrimSpace(name))
			if !slices.ContainsFunc(allRules(), func(r lint.Rule) bool { return r.ID == id }) {
				return fmt.Errorf("there is no rule %q: -rules lists them", id)
			}
			o.context.Off = append(o.context.Off, id)
		}
		return nil
	})
	flags.Func("max-share", "", func(text string) error {
		n, err := strconv.Atoi(strings.TrimSuffix(text, "%"))
		if err != nil || n < 1 || n > 100 {
			return errors.New("must be a percentage from 1 to 100")
		}
		o.context.MaxShare = n
		return nil
	})
	flags.Func("max-rollout", "", func(text string) error {
		span, err := policies.ParseSpan(text)
		o.context.MaxRollout = span.Duration
		return err
	})
	flags.Func("pod-start", "", func(text string) error {
		span, err := policies.ParseSpan(text)
		if o.context.PodStart = span.Duration; err == nil && o.context.PodStart == 0 {
			err = errors.New("must be more than nothing")
		}
		return err
	})
	err := flags.FlagSet.Parse(args)
	o.files, o.format = flags.Files, flags.Format
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q: every file has its own -f, as in -f %[1]s", flags.Arg(0))
	case !slices.Contains(formats, o.format):
		err = fmt.Errorf("-o %s: must be one of %s", o.format, strings.Join(formats, ", "))
	case o.rules && o.format == sarifFormat:
		err = errors.New("-o sarif: is for findings, and -rules has none")
	case o.rules && len(o.files) > 0:
		err = errors.New("-rules: reads no files")
	}
	return o, err
}
