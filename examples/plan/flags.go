package main

import "github.com/daemonplan/daemonplan/examples/internal/input"

const usage = `usage: plan [-f FILE]... [-node NAME] [-o table|json|yaml] [-all]

plan says which nodes a DaemonSet runs on, and why not on the others. Without
-f it shows an example that is built in: a kind cluster of three nodes, and one
DaemonSet without and with a toleration for the control plane.

  -f FILE     read FILE; - is standard input. Give it once for each file. YAML
              with any number of documents, JSON, and lists as kubectl prints
              them. DaemonSets and Nodes are needed; Pods and
              ControllerRevisions are used when there are any; other kinds are
              counted and passed over.
  -node NAME  explain this node in full, instead of the table of all nodes
  -o FORMAT   table (the default), or one document of json or yaml
  -all        give every node a row. Without it, a table of more than 50 nodes
              leaves out the eligible ones and ends after 50 others; json and
              yaml always have all nodes.

The verdict on a node is eligible (a pod runs there, and is created where there
is none), keep-only (no pod is created, but one that runs there may stay) or
excluded (a pod that runs there is deleted).

A DaemonSet is judged with the defaults of the API server; what the API server
would refuse is a warning on standard error, or in the document. A namespace
that is missing is "default". A DaemonSet that is given twice is shown twice,
so two versions of a manifest can be compared. A manifest has no UID: its pods
are known by the owner they name, if all name the same one.

Exit status: 0; 2 for input that cannot be used; 1 when the output cannot be
written.

On a cluster of your own:

  kubectl get nodes -o json > nodes.json
  kubectl get nodes,pods,daemonsets -A -o json | plan -f - -node NAME
`

// options are what the command line says.
type options struct {
	files  []string
	node   string
	format string
	all    bool
}

// parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func parse(args []string) (options, error) {
	o := options{}
	flags := input.NewFlags(program)
	flags.StringVar(&o.node, "node", "", "")
	flags.BoolVar(&o.all, "all", false, "")
	err := flags.Parse(args)
	o.files, o.format = flags.Files, flags.Format
	return o, err
}
