package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runStatus(stdin string, args ...string) programtest.Ran {
	return programtest.RunAt(run, demoNow.Add(time.Hour), stdin, args...)
}

const (
	withoutRevisions = "-f demo/agent.yaml -f demo/nodes.yaml -f demo/pods.yaml -now 2026-03-04T11:02:00Z "
	all              = "-f demo/revisions.yaml " + withoutRevisions
)

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/status -run TestGolden -update
//
// and read the difference. No file has a hash that the program computes: hashes
// depend on the version of k8s.io/api.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, args, stdin string
		status            int
	}{
		{"demo", "", "", waiting},
		{"demo-json", "-o json", "", waiting},
		{"demo-yaml", "-o yaml", "", waiting},
		{"help", "-h", "", done},
		{"later", "-f demo/revisions.yaml -f demo/agent.yaml -f demo/nodes.yaml -f demo/pods.yaml", "", waiting},
		{"policy", all + "-unavailable 34% -any-revision -any-pod -leave-out-not-ready", "", done},
		{"hash", withoutRevisions + "-hash 7785d46b46", "", waiting},
		{"many", "-f demo/revisions.yaml -f demo/agent.yaml -f demo/pods.yaml -f - -now 2026-03-04T11:02:00Z", manyNodes(60), waiting},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runStatus(test.stdin, strings.Fields(test.args)...)
			assert.Equal(t, test.status, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
		})
	}
}

// manyNodes is a list of n nodes without pods.
func manyNodes(n int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: NodeList\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- metadata:\n    name: node-%04d\n", i)
	}
	return b.String()
}
