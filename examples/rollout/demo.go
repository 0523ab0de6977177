package main

import "strings"

// demoCommand is what is played without arguments, and the picture in README.
const demoCommand = "-nodes 3000 -max-unavailable 10% -ready 40s -min-ready-seconds 30 -zone-down b@4m-10m -compare exempt=not-ready"

func demoArgs() []string { return strings.Fields(demoCommand) }

func demoIntroduction() string {
	return `Nothing was asked, so this is an example: 3,000 nodes, 300 at a time, and the
nodes of zone b do not answer for six minutes. A is the controller, and B does not
count nodes that are not ready.

  rollout ` + strings.ReplaceAll(demoCommand, " -zone", " \\\n    -zone") + "\n\n"
}

const demoConclusion = `
On a cluster of your own:

  kubectl get daemonsets,nodes,pods -A -o json > all.json
  go run ./examples/rollout -f all.json -daemonset NAMESPACE/NAME -ready 40s

-o svg draws it, -h tells about the other flags.
`
