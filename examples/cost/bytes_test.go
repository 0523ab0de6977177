package main

import (
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	nodes, sets, pods := programtest.Text(t, "demo/nodes.yaml"), programtest.Text(t, "demo/daemonsets.yaml"), programtest.Text(t, "testdata/pods.yaml")
	programtest.AnyBytes{
		Program: program, Run: runCost,
		Seeds: []string{manySet + "---\n" + manyNodes(2), sets, pods, nodes[:1200], sets + "---\n" + pods},
		Args: [][]string{
			{"-f", "-"}, {"-f", "-", "-f", "testdata/pods.yaml", "-shape", demoShape},
			{"-f", "-", "-shape", demoShape, "-o", "csv"},
			{"-f", "demo/daemonsets.yaml", "-f", "-", "-shape", demoShape, "-o", "json"},
		},
		Reported: []int{done}, Unusable: unusable,
	}.Check(t)
}
