package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestUnusable: exit status 2, nothing on standard output, and on standard error
// which file, which document, which field.
func TestUnusable(t *testing.T) {
	const (
		flags = "lint: -h tells about the flags\n"
		doc   = "lint: standard input: document 1 (line 1): "
	)
	for _, test := range []struct{ args, stdin, want string }{
		{"-f none.yaml", "", "lint: none.yaml: no such file or directory\n"},
		{"-f demo/nodes.yaml", "", "lint: demo/nodes.yaml: no DaemonSet of apps/v1 (found 4 Node): write some with kubectl get daemonsets,nodes -A -o json\n"},
		{"-f -", "", "lint: warning: standard input: is empty\nlint: standard input: no DaemonSet of apps/v1 (nothing else was found): "},
		{"-f - -f -", programtest.MinimalSet, "lint: standard input: can be read only once\n"},
		{"-f -", "apiVersion: apps/v1\nkind: DaemonSet\nspec: {minReadySeconds: soon}\n", doc + "spec.minReadySeconds: must be an integer, not a string\n"},
		{"-f -", `{"kind": "DaemonSet"`, doc + "ends before it is complete: was it cut off?\n"},
		{"-fail never", "", "lint: invalid value \"never\" for flag -fail: must be error, warning or notice\n" + flags},
		{"-off no-node,no-mode", "", "lint: invalid value \"no-node,no-mode\" for flag -off: there is no rule \"no-mode\": -rules lists them\n" + flags},
		{"-max-share 0", "", "must be a percentage from 1 to 100\n" + flags},
		{"-max-share 101%", "", "must be a percentage from 1 to 100\n" + flags},
		{"-max-rollout long", "", "must be a duration such as 90s or 10m\n" + flags},
		{"-pod-start 0", "", "must be more than nothing\n" + flags},
		{"-pod-start -1s", "", "lint: invalid value \"-1s\" for flag -pod-start: "},
		{"-o xml", "", "lint: -o xml: must be one of table, json, yaml, sarif\n" + flags},
		{"-rules -o sarif", "", "lint: -o sarif: is for findings, and -rules has none\n" + flags},
		{"-rules -f demo/agent.yaml", "", "lint: -rules: reads no files\n" + flags},
		{"all.json", "", "lint: unexpected argument \"all.json\": every file has its own -f, as in -f all.json\n" + flags},
	} {
		got := runLint(test.stdin, strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout, test.args)
		assert.Contains(t, got.Stderr, test.want, test.args)
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, args := range []string{
		"-f testdata/clean.yaml", "-f testdata/clean.yaml -o json", "-f testdata/clean.yaml -o yaml", "-f testdata/clean.yaml -o sarif",
		"-rules", "-rules -o json",
	} {
		var stderr strings.Builder
		assert.Equal(t, found, run(strings.Fields(args), strings.NewReader(""), programtest.BrokenWriter{}, &stderr, time.Now))
		assert.Equal(t, "lint: file already closed\n", stderr.String())
	}
}
