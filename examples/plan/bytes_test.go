package main

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestAnyBytes: whatever the input is, the program ends with 0 or 2, and says
// something on exactly one of its outputs that counts.
func TestAnyBytes(t *testing.T) {
	seeds := []string{programtest.MinimalSet + "---\n" + programtest.MinimalNode, manyNodes(3), "---\n" + programtest.MinimalNode}
	for _, file := range []string{"testdata/nodes.json", "testdata/network.yaml", "testdata/mistakes.yaml", "testdata/pods.json", "demo/kind-nodes.yaml"} {
		seeds = append(seeds, programtest.Text(t, file))
	}
	programtest.AnyBytes{
		Program: program, Run: runPlan, Seeds: seeds,
		Texts: []*rapid.Generator[string]{
			rapid.Map(rapid.SliceOf(rapid.SampledFrom(strings.SplitAfter("kind: |Node\n|List\n|items:\n|- |apiVersion: v1\n|---\n|  |{|}|[|]|\"|,|:|null|&a |*a |\t|# ", "|"))),
				func(parts []string) string { return strings.ReplaceAll(strings.Join(parts, ""), "|", "") }),
		},
		Args: [][]string{
			{"-f", "-"}, {"-f", "-", "-f", "testdata/nodes.json"}, {"-f", "testdata/network.yaml", "-f", "-", "-f", "testdata/nodes.json", "-o", "json"},
			{"-f", "demo/agent.yaml", "-f", "-", "-f", "testdata/nodes.json", "-node", "gpu-a"},
		},
		Reported: []int{done}, Unusable: unusable,
	}.Check(t)
}
