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
	seeds = append(seeds, strings.Join(seeds, "---\n"), cluster(t, 1, "a1 new unready", "a2 old", "b1 old"))
	programtest.AnyBytes{
		Program: program, Run: runPolicy, Seeds: seeds,
		Args: [][]string{
			{"-f", "-", "-hash", "new"}, {"-f", "-", "-hash", "new", "-now", "2026-03-04T11:02:00Z", "-o", "json"},
			{"-f", "demo/agent.yaml", "-f", "-", "-f", "demo/nodes.yaml", "-policy", "testdata/everything.yaml", "-o", "json"},
			{"-f", "-", "-f", "demo/nodes.yaml", "-f", "demo/pods.yaml", "-f", "demo/revisions.yaml", "-policy", "demo/policy.yaml", "-stable", "1"},
			{"-f", "demo/agent.yaml", "-f", "demo/nodes.yaml", "-f", "-", "-policy", "testdata/zones.json"},
		},
		Reported: []int{done, blocked}, Unusable: unusable,
	}.Check(t)
}

// TestAnyPolicy: nor does it matter what the policy is.
func TestAnyPolicy(t *testing.T) {
	programtest.AnyBytes{
		Program: program, Run: runPolicy,
		Seeds: []string{
			programtest.Text(t, "demo/policy.yaml"), programtest.Text(t, "testdata/zones.json"),
			programtest.Text(t, "testdata/everything.yaml"), programtest.Text(t, "testdata/paused.yaml"), "{}",
		},
		Args: [][]string{
			{"-policy", "-"}, {"-policy", "-", "-o", "json"}, {"-policy", "-", "-stable", "1"},
			append(strings.Fields("-policy - -now 2026-03-04T12:02:00Z"+demoFilesBut()), "-o", "json"),
		},
		Reported: []int{done}, Unusable: unusable,
	}.Check(t)
}
