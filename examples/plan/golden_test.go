package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outcome is all that a run leaves behind.
type outcome struct {
	status         int
	stdout, stderr string
}

func runPlan(stdin string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

func read1(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/plan -run TestGolden -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	list := read1(t, "testdata/nodes.json")
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
			text := fmt.Sprintf("$ plan %s\nexit status %d\n--- standard error\n%s--- standard output\n%s",
				test.args, got.status, got.stderr, got.stdout)
			file := filepath.Join("testdata", "golden", test.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			assert.Equal(t, read1(t, file), text)
			assert.NotRegexp(t, `(?m)[ \t]$`, got.stdout, "white space at the end of a line")
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
