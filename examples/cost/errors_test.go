package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestUnusable: exit status 2, nothing on standard output, and on standard error
// what cannot be used.
func TestUnusable(t *testing.T) {
	const flags = "cost: -h tells about the flags\n"
	for _, test := range []struct{ args, stdin, want string }{
		{"-f none.yaml", "", "cost: none.yaml: no such file or directory\n"},
		{"-f demo/nodes.yaml", "", "cost: demo/nodes.yaml: no DaemonSet of apps/v1 (found 8 Node): write some with kubectl get daemonsets,nodes,pods -A -o json\n"},
		{"-f demo/daemonsets.yaml", "", "or ask about a -shape\n"},
		{"-f - -f demo/daemonsets.yaml", programtest.MinimalNode + "status: {allocatable: {cpu: many}}\n", "cost: standard input: document 1 (line 1): status.allocatable[cpu]: "},
		{"-f - -f demo/daemonsets.yaml", programtest.MinimalNode + "status: {allocatable: {cpu: -1}}\n", "allocatable[cpu]"},
		{"-f - -f demo/nodes.yaml", strings.Replace(manySet, "100m", "-1", 1), "cost: standard input: document 1 (line 1): spec.template"},
		{"-f - -f demo/nodes.yaml", manySet + "  updateStrategy: {rollingUpdate: {maxSurge: few}}\n", "spec.updateStrategy.rollingUpdate.maxSurge: "},
		{"-f - -f demo/nodes.yaml", strings.Replace(manySet, "128Mi", "8E", 1), "out of range"},
		{"-shape cpu", "", `"cpu": must be RESOURCE=QUANTITY, label.KEY=VALUE or taint.KEY=VALUE:EFFECT` + "\n" + flags},
		{"-shape cpu=few", "", `"few" is no quantity, such as 4, 500m or 16Gi` + "\n" + flags},
		{"-shape cpu=-1", "", "must not be negative\n" + flags},
		{"-shape cpu=10E", "", flags},
		{"-shape cpu=1,cpu=2", "", "is written twice\n" + flags},
		{"-shape c/p/u=1", "", "is no name of a resource"},
		{"-shape label.a", "", "must be KEY=VALUE\n" + flags},
		{"-shape label.a=b,label.a=c", "", "the label a is written twice\n" + flags},
		{"-shape label.a=/", "", "is no value of a label"},
		{"-shape label.=b", "", "is no key of a label"},
		{"-shape taint.a=b", "", "must end with an effect, as in taint.KEY=VALUE:NoSchedule\n" + flags},
		{"-shape taint.a=b:Never", "", `"Never" is no effect of a taint`},
		{"-shape cpu=1 -ignore-taint =b", "", "is no key of a taint"},
		{"-shape cpu=1 -ignore-taint a=/", "", "is no value of a taint"},
		{"-ignore-taint a", "", "cost: -ignore-taint and -assume-label are about a -shape, and there is none\n" + flags},
		{"-group /", "", "is no key of a label"},
		{"-o xml", "", "cost: -o xml: must be one of table, csv, json, yaml\n" + flags},
		{"all.json", "", "cost: unexpected argument \"all.json\": every file has its own -f, as in -f all.json\n" + flags},
	} {
		got := runCost(test.stdin, strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want)
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, format := range []string{"table", "csv", "json", "yaml"} {
		var stderr strings.Builder
		assert.Equal(t, unwritten, run([]string{"-o", format}, strings.NewReader(""), programtest.BrokenWriter{}, &stderr))
		assert.Equal(t, "cost: file already closed\n", stderr.String())
	}
}
