package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// ran is all that a run leaves behind.
type ran struct {
	status         int
	stdout, stderr string
}

func runStatus(stdin string, args ...string) ran {
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr, func() time.Time { return demoNow.Add(time.Hour) })
	return ran{status, stdout.String(), stderr.String()}
}

func textOf(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
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
			assert.Equal(t, test.status, got.status)
			text := fmt.Sprintf("$ status %s\nexit status %d\n--- standard error\n%s--- standard output\n%s",
				test.args, got.status, got.stderr, got.stdout)
			file := filepath.Join("testdata", "golden", test.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			assert.Equal(t, textOf(t, file), text)
			assert.NotRegexp(t, `(?m)[ \t]$`, got.stdout, "white space at the end of a line")
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
