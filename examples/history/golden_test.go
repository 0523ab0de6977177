package main

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runHistory(stdin string, args ...string) programtest.Ran {
	return programtest.RunAt(run, time.Time{}, stdin, args...)
}

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/history -run TestGolden -update
//
// and read the difference. No file has a hash that the program computes: hashes
// depend on the version of k8s.io/api.
func TestGolden(t *testing.T) {
	const back = "-f testdata/back.yaml -f demo/revisions.yaml "
	for _, test := range []struct {
		name, args string
		status     int
	}{
		{"demo", "", done},
		{"demo-yaml", "-o yaml", done},
		{"demo-all", "-undo 1 -diff 1,3 -limit=1", done},
		{"help", "-h", done},
		{"back", back + "-undo 2", done},
		{"back-skipped-json", back + "-undo 1 -diff 2,2 -limit -o json", done},
		{"limit", "-f demo/agent.yaml -f demo/revisions.yaml -f testdata/pods.json -limit=1", done},
		{"limit-kept", "-f demo/agent.yaml -f demo/revisions.yaml -f testdata/pods.json -limit=0", done},
		{"unknown-revision", back + "-undo 9 -diff 1,7", refused},
		{"twice", "-f demo/agent.yaml -f testdata/back.yaml -f demo/revisions.yaml -f testdata/pods.json", done},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runHistory("", strings.Fields(test.args)...)
			assert.Equal(t, test.status, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got, "daemonset.apps/agent \n") // kubectl's
		})
	}
}
