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
		flags = "status: -h tells about the flags\n"
		doc   = "status: standard input: document 1 (line 1): "
	)
	for _, test := range []struct{ args, stdin, want string }{
		{"-f none.yaml", "", "status: none.yaml: no such file or directory\n"},
		{"-f demo/pods.yaml", "", "status: demo/pods.yaml: no DaemonSet of apps/v1 (found 4 Pod): write some with kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json\n"},
		{"-f demo/agent.yaml", "", "status: demo/agent.yaml: no Node (found 1 DaemonSet): write some with kubectl get nodes -o json > nodes.json and add -f nodes.json\n"},
		{"-f demo/agent.yaml -f demo/agent.yaml -f demo/nodes.yaml -hash a", "", "status: -hash a: is that of one DaemonSet, and 2 were read\n"},
		{"-f -", "apiVersion: v1\nkind: Node\nstatus: {conditions: [{type: Ready, status: true}]}\n",
			doc + "status.conditions[0].status: must be a string, not true or false (write it in quotes)\n"},
		{"-f -", "apiVersion: v1\nkind: Pod\nstatus: {conditions: {}}\n", doc + "status.conditions: must be a list, not an object\n"},
		{"-f -", `{"kind": "Pod"`, doc + "ends before it is complete: was it cut off?\n"},
		{"-now today", "", "status: invalid value \"today\" for flag -now: must be a time such as 2026-03-04T11:02:00Z\n" + flags},
		{"-unavailable few", "", "status: invalid value \"few\" for flag -unavailable: must be a number of nodes or a percentage, as in 2 or 10%\n" + flags},
		{"-unavailable -1", "", "must be a number of nodes or a percentage, as in 2 or 10%\n" + flags},
		{"-o xml", "", "status: -o xml: must be one of table, json, yaml\n" + flags},
		{"all.json", "", "status: unexpected argument \"all.json\": every file has its own -f, as in -f all.json\n" + flags},
	} {
		got := runStatus(test.stdin, strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want)
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	args := strings.Fields(all + "-any-revision -unavailable 3")
	for _, format := range []string{"table", "json", "yaml"} {
		var stderr strings.Builder
		assert.Equal(t, waiting, run(append(args, "-o", format), strings.NewReader(""), programtest.BrokenWriter{}, &stderr, time.Now))
		assert.Equal(t, "status: file already closed\n", stderr.String())
	}
}
