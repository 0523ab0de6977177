package main

import "embed"

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"agent.yaml", "revisions.yaml"}

const demoIntroduction = `No -f was given, so this is the example that is built in (examples/history/demo):

  agent.yaml      a DaemonSet, as kubectl get daemonset -o yaml prints it
  revisions.yaml  its three revisions, as kubectl get controllerrevisions -o yaml
                  prints them; the second has a change-cause

`

const demoConclusion = `
On a cluster of your own:

  kubectl get daemonsets,controllerrevisions,pods -A -o json > history.json
  go run ./examples/history -f history.json -undo 0

-diff 1,3 compares two revisions; -h tells about the other flags.
`
