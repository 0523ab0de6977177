package main

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/examples/internal/input"
)

const usage = `usage: status [-f FILE]... [-now TIME] [-hash HASH] [-unavailable N|N%]
              [-any-revision] [-any-pod] [-leave-out-not-ready]
              [-o table|json|yaml]

status says whether a DaemonSet is rolled out, and if not, why. Without -f it
shows an example that is built in, a rollout at half-time, at a fixed moment.

  -f FILE     read FILE; - is standard input. Give it once for each file. YAML
              with any number of documents, JSON, and lists as kubectl prints
              them. DaemonSets and Nodes are needed, and Pods unless there are
              none; ControllerRevisions tell which pods are updated; other
              kinds are counted and passed over.
  -now TIME   the moment to answer for, as in 2026-03-04T11:02:00Z; the current
              time by default. Give the moment at which the files were written.
  -hash HASH  the hash of the current revision, as in the label
              controller-revision-hash; ControllerRevisions are not asked then
  -o FORMAT   table (the default), or one document of json or yaml

The policy is a rule of your own, and decides about the exit status. Without a
flag it wants every eligible node done.

  -unavailable N|N%      so many of the nodes may be without an available pod; a
                         percentage is rounded up
  -any-revision          do not ask whether pods are updated
  -any-pod               look at every pod of a node, not only at the one that
                         the controller counts, such as an old one that is
                         still terminating
  -leave-out-not-ready   nodes that are not ready do not count

kubectl, helm, kstatus and argocd judge by the status that is stored in the
object. The policy and the states of the nodes are computed from the pods; so
are the counters beside those that are stored. "Look again" is the moment at
which a pod that is ready has been so for minReadySeconds.

Which pods are updated is found in this order: by -hash; by the revision that
stores the template byte by byte, and if there is none although the controller
has observed the generation, by the one that means the same (clusters before
1.34 store a null time that newer ones leave out); without revisions by the hash
of the template, if a pod carries it. Otherwise it is unknown, and not guessed
from the pods, unless the template generation shows that all are.

A namespace that is missing is "default". A manifest has no UID: its pods are
known by the owner they name, if all name the same one.

Exit status: 0 when the policy says done of every DaemonSet; 1 when it does not,
when nobody can tell, or when the output cannot be written; 2 for input that
cannot be used.

On a cluster of your own:

  kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json | status -f -
`

// options are what the command line says.
type options struct {
	files  []string
	format string
	now    time.Time // zero for the current time
	hash   string
	policy policyOptions
}

type policyOptions struct {
	unavailable      *intstr.IntOrString
	anyRevision      bool
	anyPod           bool
	leaveOutNotReady bool
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{}
	flags := input.NewFlags(program)
	flags.Func("now", "", func(text string) error {
		now, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return errors.New("must be a time such as 2026-03-04T11:02:00Z")
		}
		o.now = now.UTC()
		return nil
	})
	flags.StringVar(&o.hash, "hash", "", "")
	flags.Func("unavailable", "", func(text string) error {
		n := intstr.Parse(text)
		if scaled, err := intstr.GetScaledValueFromIntOrPercent(&n, 100, true); err != nil || scaled < 0 {
			return errors.New("must be a number of nodes or a percentage, as in 2 or 10%")
		}
		o.policy.unavailable = &n
		return nil
	})
	flags.BoolVar(&o.policy.anyRevision, "any-revision", false, "")
	flags.BoolVar(&o.policy.anyPod, "any-pod", false, "")
	flags.BoolVar(&o.policy.leaveOutNotReady, "leave-out-not-ready", false, "")
	err := flags.Parse(args)
	o.files, o.format = flags.Files, flags.Format
	if len(o.files) == 0 && o.now.IsZero() {
		o.now = demoNow
	}
	return o, err
}
