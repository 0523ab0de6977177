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
		flags = "history: -h tells about the flags\n"
		doc   = "history: standard input: document 1 (line 1): "
		head  = "apiVersion: apps/v1\nkind: ControllerRevision\n"
	)
	for _, test := range []struct{ args, stdin, want string }{
		{"-f none.yaml", "", "history: none.yaml: no such file or directory\n"},
		{"-f demo/revisions.yaml", "", "history: demo/revisions.yaml: no DaemonSet of apps/v1 (found 3 ControllerRevision): write some with kubectl get daemonsets,controllerrevisions -o json\n"},
		{"-f -", head + "revision: one\n", doc + "revision: must be an integer, not a string\n"},
		{"-f -", head + "metadata: {annotations: {a: 1}}\n", doc + "metadata.annotations[a]: must be a string, not a number (write it in quotes)\n"},
		{"-f -", `{"apiVersion": "apps/v1", "kind": "ControllerRevision", "data": {"spec": }}`, doc + "data: malformed JSON in line 1: "},
		{"-f -", "a: b: c\n", doc + "malformed YAML: mapping values are not allowed in this context\n"},
		{"-undo x", "", "history: invalid value \"x\" for flag -undo: must be the number of a revision\n" + flags},
		{"-diff 1", "", "history: invalid value \"1\" for flag -diff: must be two numbers of revisions, as in 1,3\n" + flags},
		{"-diff 1,b", "", "must be two numbers of revisions, as in 1,3\n" + flags},
		{"-limit=-1", "", "must be a number of revisions from 0 to 2147483647\n" + flags},
		{"-limit 3", "", "history: unexpected argument \"3\""},
		{"-o xml", "", "history: -o xml: must be one of table, json, yaml\n" + flags},
	} {
		got := runHistory(test.stdin, strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want)
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{nil, {"-o", "json"}, {"-o", "yaml"}} {
		var stderr strings.Builder
		assert.Equal(t, refused, run(args, strings.NewReader(""), programtest.BrokenWriter{}, &stderr, time.Now))
		assert.Equal(t, "history: file already closed\n", stderr.String())
	}
}
