package main

import (
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// warnOfSizes tells of nodes that do not say what pods may use of them, as rules pass
// over these.
func warnOfSizes(in *input.Objects) {
	var without []string
	for _, node := range in.Nodes {
		if len(node.Status.Allocatable) == 0 {
			without = append(without, node.Name)
		}
	}
	if len(without) > 0 {
		in.Warnings = append(in.Warnings, input.Warning{Field: "status.allocatable", Message: "is unknown of " +
			output.Plural(len(without), "node", "nodes") + ", so cost-share and surge-exclusive-resource pass over them: " + output.Few(without)})
	}
}
