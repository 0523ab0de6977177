package main

import "embed"

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"kind-nodes.yaml", "agent.yaml", "agent-tolerating.yaml"}

const demoIntroduction = `No -f was given, so this is the example that is built in (examples/plan/demo):

  kind-nodes.yaml        three nodes of a kind cluster, as kubectl get nodes -o
                         yaml prints them: a tainted control plane, two workers
  agent.yaml             a DaemonSet without tolerations of its own
  agent-tolerating.yaml  the same with a toleration for the control plane

`

const demoConclusion = `
On a keep-only node no pod is created, but one that runs there may stay; on an
excluded node it is deleted.

On a cluster of your own:

  kubectl get nodes -o json > nodes.json
  go run ./examples/plan -f nodes.json -f agent.yaml

-node NAME explains one node in full; -h tells about the other flags.
`
