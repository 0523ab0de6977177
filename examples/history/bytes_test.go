package main

import (
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	seeds := []string{
		programtest.Text(t, "demo/agent.yaml"), programtest.Text(t, "demo/revisions.yaml"), programtest.Text(t, "testdata/back.yaml"), programtest.Text(t, "testdata/pods.json"),
		programtest.Text(t, "demo/agent.yaml") + "---\n" + programtest.Text(t, "demo/revisions.yaml"),
	}
	programtest.AnyBytes{
		Program: program, Run: runHistory, Seeds: seeds,
		Args: [][]string{
			{"-f", "-"}, {"-f", "-", "-f", "demo/revisions.yaml", "-undo", "1", "-diff", "1,2", "-limit", "-o", "json"},
			{"-f", "demo/agent.yaml", "-f", "-", "-undo", "0", "-diff", "3,2", "-limit=0"},
		},
		Reported: []int{done, refused}, Unusable: unusable,
	}.Check(t)
}
