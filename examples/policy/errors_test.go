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

// TestBadPolicy: what a policy must not say, and what is said of it. Everything of
// a kind is told at once.
func TestBadPolicy(t *testing.T) {
	const fields = "is not known: must be one of candidates, count, gate, limit, order"
	const amount = ": must be a number or a percentage, as in 2 or 10%, not "
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

		{"apiVersion: v1", "apiVersion: " + fields},
		{"Limit: {}", "Limit: " + fields},
		{"limit: {brust: 1}", "limit.brust: is not known: must be one of burst, perStep, removals, slowStart, strict"},
		{"candidates: {selector: {matchlabels: {a: b}}}", "candidates.selector.matchlabels: is not known: must be one of matchExpressions, matchLabels"},
		{"candidates: {selector: {matchExpressions: [{key: a, op: In}]}}", "candidates.selector.matchExpressions[0].op: is not known: must be one of key, operator, values"},
		{"limt: {}\nlimit: {burst: all, perStep: [1]}\ngate: 1", "gate: must be an object, not a number\n" +
			"limit.burst" + amount + "\"all\"\nlimit.perStep" + amount + "[1]\nlimt: " + fields},

		{"count: 3", "count: must be an object, not a number"},
		{"count: {nodes: all}", `count.nodes: must be existing or eligible, not "all"`},
		{"count: {nodes: 3}", "count.nodes: must be a string, not a number (write it in quotes)"},
		{"count: {exempt: not-ready}", "count.exempt: must be a list, not a string"},
		{"count: {exempt: [cordoned, dead]}", `count.exempt[1]: must be not-ready, not-ready-before or cordoned, not "dead"`},
		{"count: {exemptSelector: {matchExpressions: [{key: a, operator: Is}]}}", `count.exemptSelector: "Is" is not a valid label selector operator`},
		{"count: {maxExempt: 1}", "count.maxExempt: has no effect without exempt or exemptSelector"},
		{"count: {exempt: [cordoned], maxExempt: -1}", "count.maxExempt: -1 is negative"},

		{"candidates: {selector: a=b}", "candidates.selector: must be an object, not a string"},
		{"candidates: {selector: {matchLabels: {a b: c}}}", `candidates.selector: key: Invalid value: "a b"`},
		{"candidates: {nodes: {a: true}}", "candidates.nodes: must be a list, not an object"},
		{"candidates: {partition: {value: 1.5}}", "candidates.partition.value" + amount + "1.5"},
		{"candidates: {partition: {value: -5%}}", "candidates.partition.value: -5% is negative"},
		{"candidates: {partition: {value: 1, rounding: up}}", `candidates.partition.rounding: must be down, not "up"`},
		{"candidates: {partition: {value: 1, base: many}}", "candidates.partition.base: must be an integer, not a string"},
		{"candidates: {partition: {value: 1, base: -1}}", "candidates.partition.base: -1 is negative"},
		{"candidates: {partition: {rounding: down, base: 1}}", "candidates.partition.rounding: has no effect without value\ncandidates.partition.base: has no effect without value"},
		{"candidates: {noRestart: [other]}", `candidates.noRestart[0]: must be none, metadata-only, placement-only, image-only or resources-only, not "other"`},
		{"candidates: {noRestart: image-only}", "candidates.noRestart: must be a list, not a string"},

		{"order: {by: age}", `order.by: must be name or name-descending, not "age"`},
		{"order: {waves: {values: [a], maxUnavailable: 1}}", "order.waves.values: has no effect without label\norder.waves.maxUnavailable: has no effect without label"},
		{"order: {waves: {label: a, values: a}}", "order.waves.values: must be a list, not a string"},
		{"order: {waves: {label: a, maxUnavailable: half}}", "order.waves.maxUnavailable" + amount + `"half"`},
		{"count: {nodes: eligible}\norder: {waves: {label: a, maxUnavailable: -1}}", "order.waves.maxUnavailable: -1 is negative"},

		{"limit: {strict: 1}", "limit.strict: must be true or false, not a number"},
		{"limit: {perStep: true}", "limit.perStep" + amount + "true"},
		{"limit: {perStep: -1}", "limit.perStep: -1 is negative"},
		{"limit: {removals: 5 %}", "limit.removals" + amount + `"5 %"`},
		{"limit: {removals: -1}", "limit.removals: -1 is negative"},
		{`limit: {burst: "5"}`, "limit.burst" + amount + `"5"`},
		{"limit: {burst: -1}", "limit.burst: -1 is negative"},
		{"limit: {burst: 3000000000}", "limit.burst" + amount + "3000000000"},
		{"limit: {slowStart: {step: 1}}", "limit.slowStart: has no effect without interval"},
		{"limit: {slowStart: {interval: 1m}}", "limit.slowStart: has no effect without since"},
		{"limit: {slowStart: {since: 2026-03-04, interval: 60}}", "limit.slowStart.interval: must be a duration such as 90s or 10m, not 60\n" +
			`limit.slowStart.since: must be a time such as 2026-03-04T11:02:00Z, not "2026-03-04"`},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: -1m}}", "limit.slowStart.interval: -1m0s is negative"},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: 1m, step: -1}}", "limit.slowStart.step: -1 is negative"},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: 1m, max: -1}}", "limit.slowStart.max: -1 is negative"},

		{"gate: {pause: true}", "gate.pause: must be a string, not true or false (write it in quotes)"},
		{"gate: {pause: everything}", `gate.pause: must be updates, creates or all, not "everything"`},
		{"gate: {failures: {unreadyFor: 5m}}", "gate.failures.unreadyFor: has no effect without max"},
		{"gate: {failures: {max: 1, unreadyFor: -5m}}", "gate.failures.unreadyFor: -5m0s is negative"},
		{"gate: {failures: {max: -1%}}", "gate.failures.max: -1% is negative"},
		{"gate: {from: 11:00}", "gate.from: must be a time such as 2026-03-04T11:02:00Z, not "},
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
