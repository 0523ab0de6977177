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
		flags = "policy: -h tells about the flags\n"
		doc   = "policy: standard input: document 1 (line 1): "
	)
	agent := programtest.Text(t, "demo/agent.yaml")
	for _, test := range []struct{ args, stdin, want string }{
		{"-f none.yaml", "", "policy: none.yaml: no such file or directory\n"},
		{"-policy none.yaml", "", "policy: none.yaml: no such file or directory\n"},
		{"-policy testdata", "", "policy: testdata: is a directory\n"},
		{"-f testdata", "", "policy: testdata: is a directory: name the files in it, each with its own -f\n"},
		{"-f demo/pods.yaml", "", "policy: demo/pods.yaml: no DaemonSet of apps/v1 (found 8 Pod): write some with kubectl get daemonsets,nodes,pods,controllerrevisions -A -o json\n"},
		{"-f demo/agent.yaml", "", "policy: demo/agent.yaml: no Node (found 1 DaemonSet): write some with kubectl get nodes -o json > nodes.json and add -f nodes.json\n"},
		{"-f demo/agent.yaml -f demo/agent.yaml -f demo/nodes.yaml -hash a", "", "policy: -hash a: is that of one DaemonSet, and 2 were read\n"},
		{"-f demo/agent.yaml -f demo/agent.yaml -f demo/nodes.yaml -stable 1", "", "policy: -stable 1: is a revision of one DaemonSet, and 2 were read\n"},
		{"-stable 3", "", "policy: -stable 3: no revision of the DaemonSet has this hash or number: it has 1 7785d46b46, 2 7579c9478f\n"},
		{"-f demo/agent.yaml -f demo/nodes.yaml -hash a -stable 1", "", "policy: -stable 1: no ControllerRevision of the DaemonSet was read: they say what was stable\n"},
		{"-f - -stable 7785d46b46" + demoFilesBut("revisions.yaml"), strings.ReplaceAll(programtest.Text(t, "demo/revisions.yaml"), "replace", "merge"),
			"policy: -stable 7785d46b46: revision: agent-7785d46b46: data.spec.template.$patch: is \"merge\", must be \"replace\"\n"},

		{"-f -" + demoFilesBut("agent.yaml", "revisions.yaml"), strings.NewReplacer(`generation: "2"`, `generation: "3"`).Replace(agent),
			doc + "spec.template: which pods are old is unknown: no ControllerRevision of the DaemonSet was read, and no pod carries the hash that this program computes: give -hash\n"},
		{"-f -" + demoFilesBut("agent.yaml"), strings.Replace(agent, "maxUnavailable: 3", "maxUnavailable: few", 1),
			doc + "spec.updateStrategy.rollingUpdate.maxUnavailable: "},
		{"-f -" + demoFilesBut("agent.yaml"), strings.Replace(agent, "matchLabels:\n      app: agent", "matchExpressions: [{key: app, operator: Is}]", 1),
			doc + "spec.selector: pods and revisions are not looked at: \"Is\" is not a valid label selector operator\n"},
		{"-f -", "apiVersion: v1\nkind: Pod\nspec: {hostNetwork: 1}\n", doc + "spec.hostNetwork: must be true or false, not a number\n"},
		{"-f -", "apiVersion: v1\nkind: Pod\nstatus: {containerStatuses: [{state: {waiting: [1]}}]}\n", doc + "status.containerStatuses[0].state.waiting: must be an object, not a list\n"},
		{"-f -", "apiVersion: v1\nkind: Node\nspec: {unschedulable: yes please}\n", doc + "spec.unschedulable: must be true or false, not a string\n"},

		{"-now today", "", "policy: invalid value \"today\" for flag -now: must be a time such as 2026-03-04T11:02:00Z\n" + flags},
		{"-patience 5", "", "policy: invalid value \"5\" for flag -patience: must be a duration such as 90s or 10m\n" + flags},
		{"-patience 0s", "", "policy: invalid value \"0s\" for flag -patience: must be more than nothing\n" + flags},
		{"-policy=", "", "policy: invalid value \"\" for flag -policy: is no name of a file\n" + flags},
		{"-policy - -f -", "", "policy: -policy -: standard input can be read only once, and -f reads it\n" + flags},
		{"-o xml", "", "policy: -o xml: must be one of table, json, yaml\n" + flags},
		{"policy.yaml", "", "policy: unexpected argument \"policy.yaml\": every file has its own -f, as in -f policy.yaml\n" + flags},
	} {
		got := runPolicy(test.stdin, strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want)
	}
}

// demoFilesBut are flags for the files of the demonstration without some.
func demoFilesBut(without ...string) string {
	args := ""
	for _, name := range demoNames {
		if !strings.Contains(strings.Join(without, " "), name) {
			args += " -f demo/" + name
		}
	}
	return args
}

// TestBadPolicy: what is no policy, and what is said of it. What a policy must not
// say is told at once, as far as it is of a kind; the package policies knows it.
func TestBadPolicy(t *testing.T) {
	for _, test := range []struct{ policy, want string }{
		{"", "is empty: {} is a document without anything in it"},
		{"# nothing\n---\n", "is empty: {} is a document without anything in it"},
		{"[]", "is no object: []"},
		{"null", "is no object: null"},
		{"{}\n---\nlimit: {}\n", "has another document in line 3: one is wanted"},
		{"a: b: c", "malformed YAML: mapping values are not allowed in this context"},
		{"limit:\n\tburst: 1", "malformed YAML: line 2: found character that cannot start any token (line 2 is indented with a tab; YAML wants spaces)"},
		{"limit: {{ .Limit }}", "malformed YAML: "},
		{"\xff\xfel", "is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)"},
		{"limit:\n  burst: 1\n  burst: 2\n", "malformed YAML: line 3: key \"burst\" already set in map"},
		{`{"limit": {"burst": 1, "burst": 2}}`, "limit.burst: is written twice"},
		{`{"candidates": {"nodes": ["a"], "selector": {"matchExpressions": [{}, {"key": "a", "key": "b"}]}}}`, "candidates.selector.matchExpressions[1].key: is written twice"},

		{"limit: {burst: all, perStep: [1]}", "limit.burst: must be a number or a percentage, as in 2 or 10%, not \"all\"\n" +
			"limit.perStep: must be a number or a percentage, as in 2 or 10%, not [1]"},
		{"gate: {pause: everything}\norder: {by: age}", `gate.pause: must be updates, creates or all, not "everything"` + "\n" + `order.by: must be name or name-descending, not "age"`},
		{"gate: {from: 2026-03-04T11:02:00Z, until: 2026-03-04T12:02:00+01:00}", "gate.until: not after from"},
	} {
		for _, from := range []struct{ args, name string }{{"-", "standard input"}, {t.TempDir() + "/p.yaml", ""}} {
			name := from.name
			if name == "" {
				name = from.args
				write(t, name, test.policy)
			}
			got := runPolicy(test.policy, "-policy", from.args)
			assert.Equal(t, unusable, got.Status, test.policy)
			assert.Empty(t, got.Stdout)
			want := "policy: " + name + ": " + strings.ReplaceAll(test.want, "\n", "\npolicy: "+name+": ")
			assert.True(t, strings.HasPrefix(got.Stderr, want), "%s\nwant %s\ngot  %s", test.policy, want, got.Stderr)
			assert.Equal(t, strings.Count(want, "\n")+1, strings.Count(got.Stderr, "\n"), got.Stderr)
		}
	}
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, format := range []string{"table", "json", "yaml"} {
		var stderr strings.Builder
		assert.Equal(t, blocked, run([]string{"-o", format}, strings.NewReader(""), programtest.BrokenWriter{}, &stderr, time.Now))
		assert.Equal(t, "policy: file already closed\n", stderr.String())
	}
}
