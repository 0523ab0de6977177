package main

import (
	"embed"
	"strings"
	"time"
)

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"nodes.yaml", "agent.yaml", "revisions.yaml", "pods.yaml"}

// demoPolicyName is the file of its policy.
const demoPolicyName = "policy.yaml"

// demoNow is the moment of the demonstration.
var demoNow = time.Date(2026, 3, 4, 11, 2, 0, 0, time.UTC)

// demoText is an embedded file.
func demoText(name string) []byte {
	text, _ := demoFiles.ReadFile("demo/" + name) // a name from here
	return text
}

const demoIntroduction = `No -f was given, so this is the example that is built in (examples/policy/demo),
at 2026-03-04T11:02:00Z, in the middle of an update:

  nodes.yaml      eight nodes in two zones; node-a3 stopped answering at 10:41
  agent.yaml      a DaemonSet with maxUnavailable 3 and a new image
  revisions.yaml  its two revisions
  pods.yaml       a pod on every node: two new ones in zone-a, and six old ones, of
                  which that of node-a3 is terminating and that of node-b2 crashes

`

// demoPolicy shows the policy of the demonstration.
func demoPolicy() string {
	text := strings.TrimSuffix(string(demoText(demoPolicyName)), "\n")
	return "under this policy:\n\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n\n"
}

const demoConclusion = `
On a cluster of your own:

  kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json > all.json
  go run ./examples/policy -f all.json -policy policy.yaml

-h tells what a policy may say. -policy without -f tries a policy on this example.
`
