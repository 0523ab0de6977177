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

func runHistory(stdin string, args ...string) ran {
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr, func() time.Time { return time.Time{} })
	return ran{status, stdout.String(), stderr.String()}
}

func textOf(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
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
			assert.Equal(t, test.status, got.status)
			text := fmt.Sprintf("$ history %s\nexit status %d\n--- standard error\n%s--- standard output\n%s",
				test.args, got.status, got.stderr, got.stdout)
			file := filepath.Join("testdata", "golden", test.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			assert.Equal(t, textOf(t, file), text)
			ours := strings.ReplaceAll(got.stdout, "daemonset.apps/agent \n", "") // kubectl's
			assert.NotRegexp(t, `(?m)[ \t]$`, ours, "white space at the end of a line")
		})
	}
}
