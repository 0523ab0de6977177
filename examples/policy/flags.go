package main

import (
	"errors"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
)

const usage = `usage: policy [-f FILE]... [-policy FILE] [-now TIME] [-patience DURATION]
              [-hash HASH] [-stable HASH|NUMBER] [-o table|json|yaml]

policy says what a rollout does now under a policy of your own: what is created
and deleted, what is held back and why, what the controller would do without the
policy, and what stands in the way. It changes nothing. Without -f it shows an
example that is built in, an update in the middle, at a fixed moment.

  -f FILE        read FILE; - is standard input. Give it once for each file. YAML
                 with any number of documents, JSON, and lists as kubectl prints
                 them. DaemonSets and Nodes are needed, and Pods unless there are
                 none; ControllerRevisions tell which pods are old; other kinds
                 are counted and passed over.
  -policy FILE   the policy, in YAML or JSON; - is standard input. Without it the
                 rules are the controller's.
  -now TIME      the moment to plan for, as in 2026-03-04T11:02:00Z; the current
                 time by default. Give the moment at which the files were written.
  -patience D    for how long a pod may start or stop before it counts as stuck;
                 10m by default
  -hash HASH     the hash of the current revision, as in the label
                 controller-revision-hash, when there are no ControllerRevisions
  -stable R      the last good revision, by hash or by number: nodes that the
                 policy does not update get their pods from it
  -o FORMAT      table (the default), or one document of json or yaml

The policy. Everything may be left out; {} is the controller. N is a number or a
percentage of the eligible nodes, which is rounded up. Fields that are not here
are refused.

  count:                        # who spends the budget
    nodes: existing | eligible  #   not nodes that are gone | that get no new pod
    exempt: [not-ready, not-ready-before, cordoned]  # unavailable for free
    exemptSelector: {matchLabels: {pool: spot}}      # these nodes too
    maxExempt: N                #   so many at most
  candidates:                   # which old pods are replaced
    selector: {matchLabels: {canary: "yes"}}  # on these nodes alone
    nodes: [node-a, node-b]                   # on these alone
    partition: {value: N, rounding: down, base: 40}  # so many keep what they have
    noRestart: [none, metadata-only, placement-only, image-only, resources-only]
                                # revisions that differ in these alone are as good
  order:
    by: name | name-descending
    waves:                      # nodes with the same value go together
      label: topology.kubernetes.io/zone
      values: [zone-a]          #   these first, the others sorted
      maxUnavailable: N         #   of the nodes of the wave
  limit:                        # how many at a time
    strict: true                #   old pods that are not available spend, too
    perStep: N                  #   updates in one plan
    removals: N                 #   deletes on nodes that get no pod any more
    burst: N                    #   creates, and deletes, in one plan; 250 at most
    slowStart: {since: "2026-03-04T11:00:00Z", interval: 1m, step: N, max: N}
  gate:                         # whether anything is updated now
    pause: updates | creates | all
    failures: {max: N, unreadyFor: 10m}     # N of the new pods
    from: "2026-03-04T22:00:00Z"
    until: "2026-03-05T04:00:00Z"

not-ready-before is a node that was not ready before it got a new pod, so that the
pod cannot be the cause. See the package rollout for what each field means.

Which pods are old is found as in examples/status: by -hash, by revisions, by the
hash of the template if a pod carries it, or by the template generation. The
program does not remember earlier plans: it knows of no back-off, and of no writes
that are under way.

Exit status: 0 when a plan was made of every DaemonSet; 1 when one of them is
blocked, so that nothing will happen until somebody does something, or when the
output cannot be written; 2 for input that cannot be used.

On a cluster of your own:

  kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json |
    policy -f - -policy policy.yaml
`

// options are what the command line says.
type options struct {
	files    []string
	format   string
	policy   string    // file; empty for none
	now      time.Time // zero for the current time
	patience time.Duration
	hash     string
	stable   string
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{}
	flags := input.NewFlags(program)
	flags.Func("policy", "", func(name string) error {
		if name == "" {
			return errors.New("is no name of a file")
		}
		o.policy = name
		return nil
	})
	flags.Func("now", "", func(text string) error {
		now, err := policies.ParseMoment(text)
		o.now = now.Time
		return err
	})
	flags.Func("patience", "", func(text string) error {
		patience, err := policies.ParseSpan(text)
		if o.patience = patience.Duration; err == nil && o.patience == 0 {
			err = errors.New("must be more than nothing")
		}
		return err
	})
	flags.StringVar(&o.hash, "hash", "", "")
	flags.StringVar(&o.stable, "stable", "", "")
	err := flags.Parse(args)
	o.files, o.format = flags.Files, flags.Format
	if err == nil && o.policy == "-" && slices.Contains(o.files, "-") {
		err = errors.New("-policy -: standard input can be read only once, and -f reads it")
	}
	if len(o.files) == 0 && o.now.IsZero() {
		o.now = demoNow
	}
	return o, err
}
