package main

import "embed"

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"nodes.yaml", "daemonsets.yaml"}

// demoShape is a node to ask about after the demonstration.
const demoShape = "cpu=4,memory=16Gi,pods=110,label.kubernetes.io/os=linux,taint.dedicated=batch:NoSchedule"

// It comes after the answer, which is the first line.
const demoConclusion = `
No -f was given, so this is the example that is built in (examples/cost/demo):

  nodes.yaml       six small nodes, and two large ones that are tainted
  daemonsets.yaml  a CNI on every node, a log shipper on those that are not
                   tainted, and node metrics on every one, with a surge

A node that does not exist yet:

  go run ./examples/cost -shape %s

On a cluster of your own:

  kubectl get daemonsets,nodes,pods -A -o json > all.json
  go run ./examples/cost -f all.json

LimitRanges, RuntimeClasses and webhooks are not read; -h tells what that means,
and about the flags.
`
