package main

import (
	"strings"
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	var seeds []string
	for _, name := range demoNames {
		seeds = append(seeds, programtest.Text(t, "demo/"+name))
	}
	seeds = append(seeds, strings.Join(seeds, "---\n"))
	programtest.AnyBytes{
		Program: program, Run: runStatus, Seeds: seeds,
		Args: [][]string{
			{"-f", "-"}, {"-f", "demo/agent.yaml", "-f", "-", "-f", "demo/nodes.yaml", "-unavailable", "50%", "-o", "json"},
			{"-f", "-", "-f", "demo/nodes.yaml", "-f", "demo/pods.yaml", "-f", "demo/revisions.yaml", "-any-pod", "-leave-out-not-ready"},
			{"-f", "demo/agent.yaml", "-f", "demo/nodes.yaml", "-f", "-", "-any-revision", "-unavailable", "3"},
			{"-f", "-", "-f", "demo/agent.yaml", "-f", "demo/nodes.yaml", "-any-revision", "-any-pod", "-unavailable", "100%"},
		},
		Reported: []int{done, waiting}, Unusable: unusable,
	}.Check(t)
}
