package main

import (
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runCost(stdin string, args ...string) programtest.Ran {
	return programtest.Run(run, stdin, args...)
}

const (
	demo       = "-f demo/nodes.yaml -f demo/daemonsets.yaml "
	emptyShape = "-f demo/daemonsets.yaml -shape cpu=4,memory=16Gi,pods=110,label.kubernetes.io/os=windows "
)

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/cost -run TestGolden -update
//
// and read the difference.
func TestGolden(t *testing.T) {
	for _, test := range []struct{ name, args string }{
		{"demo", ""},
		{"demo-csv", "-o csv"},
		{"demo-json", "-o json"},
		{"demo-yaml", "-o yaml"},
		{"help", "-h"},
		{"shape", "-shape " + demoShape},
		{"shape-csv", "-o csv -shape " + demoShape},
		{"shape-json", "-o json -f demo/daemonsets.yaml -shape " + demoShape},
		{"shape-ignored", "-f demo/daemonsets.yaml -ignore-taint dedicated -assume-label kubernetes.io/os=linux -shape cpu=4,taint.dedicated=batch:NoSchedule"},
		{"shape-lacking", "-f demo/daemonsets.yaml -shape cpu=100m,memory=1Gi,pods=2,nvidia.com/gpu=1,label.kubernetes.io/os=linux"},
		{"shape-none", emptyShape},
		{"no-groups", demo + "-group="},
		{"group", demo + "-group kubernetes.io/arch"},
		{"pods", demo + "-f testdata/pods.yaml"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runCost("", strings.Fields(test.args)...)
			assert.Equal(t, done, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
		})
	}
}
