package main

import "embed"

//go:embed demo
var demoFiles embed.FS

// The files of the demonstration, in the order in which they are read.
var demoNames = []string{"nodes.yaml", "agent.yaml"}

const demoIntroduction = `No -f was given, so this is the example that is built in (examples/lint/demo):

  nodes.yaml  four nodes: two large ones, two small ones
  agent.yaml  a DaemonSet that is not ready for them

`

const demoConclusion = `
With a cluster of your own:

  kubectl get daemonsets,nodes -A -o json > all.json
  go run ./examples/lint -f all.json

A manifest alone will do, and more is found when the nodes are there. -rules tells
why each rule is there, and -off rule,rule leaves some out. The exit status is 1
because of what is a warning or worse; -fail error asks for errors alone.
`
