package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runPlan(stdin string, args ...string) programtest.Ran {
	return programtest.Run(run, stdin, args...)
}

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/plan -run TestGolden -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	list := programtest.Text(t, "testdata/nodes.json")
	for _, test := range []struct{ name, args, stdin string }{
		{"demo", "", ""},
		{"demo-node", "-node kind-control-plane", ""},
		{"demo-yaml", "-o yaml", ""},
		{"help", "-h", ""},
		{"network", "-f testdata/nodes.json -f testdata/network.yaml", ""},
		{"network-stdin", "-f testdata/network.yaml -f -", list},
		{"network-pods", "-f testdata/nodes.json -f testdata/network.yaml -f testdata/pods.json", ""},
		{"network-pods-json", "-f testdata/nodes.json -f testdata/network.yaml -f testdata/pods.json -o json", ""},
		{"network-node-hint", "-f testdata/nodes.json -f testdata/network.yaml -f testdata/pods.json -node gpu-a", ""},
		{"network-node-terms", "-f testdata/nodes.json -f testdata/network.yaml -node win-a", ""},
		{"network-node-json", "-f testdata/nodes.json -f testdata/network.yaml -node worker-a -o json", ""},
		{"mistakes", "-f testdata/nodes.json -f testdata/mistakes.yaml", ""},
		{"mistakes-yaml", "-f testdata/nodes.json -f testdata/mistakes.yaml -o yaml", ""},
		{"twice", "-f testdata/nodes.json -f testdata/nodes.json -f testdata/network.yaml -f testdata/network.yaml", ""},
		{"many", "-f - -f testdata/network.yaml", manyNodes(120)},
		{"many-all", "-f - -f testdata/network.yaml -all", manyNodes(120)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runPlan(test.stdin, strings.Fields(test.args)...)
			programtest.Golden(t, *update, program, test.name, test.args, got)
		})
	}
}

// manyNodes is a list of n nodes, two thirds of which have the taint that the
// network of testdata does not tolerate.
func manyNodes(n int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: NodeList\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- metadata:\n    name: node-%04d\n    labels:\n      kubernetes.io/os: linux\n", i)
		if i%3 != 0 {
			fmt.Fprint(&b, "  spec:\n    taints:\n    - key: nvidia.com/gpu\n      effect: NoSchedule\n")
		}
	}
	return b.String()
}
