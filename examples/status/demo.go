package main

import (
	"embed"
	"time"
)

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"nodes.yaml", "agent.yaml", "revisions.yaml", "pods.yaml"}

// demoNow is the moment of the demonstration.
var demoNow = time.Date(2026, 3, 4, 11, 2, 0, 0, time.UTC)

const demoIntroduction = `No -f was given, so this is the example that is built in (examples/status/demo),
at 2026-03-04T11:02:00Z, in the middle of a rollout:

  nodes.yaml      four nodes, the last of them tainted
  agent.yaml      a DaemonSet with minReadySeconds 30 and a new image
  revisions.yaml  its two revisions
  pods.yaml       a pod on every node: two new ones, one of which has just become
                  ready, and two old ones

`

const demoConclusion = `
On a cluster of your own:

  kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json > all.json
  go run ./examples/status -f all.json

The policy has flags, such as -unavailable 10%; -h tells about them. The exit
status is 1 because the policy is still waiting.
`
