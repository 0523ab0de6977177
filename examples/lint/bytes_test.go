package main

import (
	"strings"
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	seeds := []string{programtest.Text(t, "testdata/clean.yaml")}
	for _, name := range demoNames {
		seeds = append(seeds, programtest.Text(t, "demo/"+name))
	}
	seeds = append(seeds, strings.Join(seeds, "---\n"))
	programtest.AnyBytes{
		Program: program, Run: runLint, Seeds: seeds,
		Args: [][]string{
			{"-f", "-"}, {"-f", "-", "-fail", "error"}, {"-f", "-", "-fail", "notice", "-o", "sarif"},
			{"-f", "demo/agent.yaml", "-f", "-", "-fail", "error", "-off", "invalid,surge-host-port", "-o", "json"},
			{"-f", "-", "-f", "demo/nodes.yaml", "-max-share", "1", "-max-rollout", "1s", "-pod-start", "1h", "-o", "json"},
		},
		Reported: []int{done, found}, Unusable: unusable,
	}.Check(t)
}
