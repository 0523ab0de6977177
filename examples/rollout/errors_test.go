package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestUnusable: exit status 2, nothing on standard output, and on standard error
// which flag or file, and what is wrong with it.
func TestUnusable(t *testing.T) {
	const flags = "\nrollout: -h tells about the flags\n"
	for _, test := range []struct{ args, want string }{
		{"3000", `unexpected argument "3000": every file has its own -f, as in -f 3000` + flags},
		{"-o xml", "-o xml: must be one of table, csv, json, yaml, svg" + flags},
		{"-width 10", "-width 10: must be from 60 to 1000" + flags},
		{"-nodes many", `invalid value "many" for flag -nodes: must be a number from 0 to 100000` + flags},
		{"-nodes 1000000", "must be a number from 0 to 100000" + flags},
		{"-max-unavailable few", "must be a number or a percentage, as in 2 or 10%" + flags},
		{"-max-unavailable -1", `invalid value "-1" for flag -max-unavailable: -1 is negative` + flags},
		{"-max-surge 4294967297", "must be a number or a percentage, as in 2 or 10%" + flags},
		{"-max-unavailable 0", "maxUnavailable: 0 and maxSurge 0: the API server wants one of them, and not both, to be more than 0\n"},
		{"-max-unavailable 1 -max-surge 10%", "maxUnavailable: 1 and maxSurge 10%: the API server wants one of them, and not both, to be more than 0\n"},
		{"-min-ready-seconds -3", "must be a number of seconds" + flags},
		{"-ready soon", "must be a duration such as 40s, or a range such as 20s-60s" + flags},
		{"-ready 60s-20s", "must be a duration such as 40s, or a range such as 20s-60s" + flags},
		{"-until -1s", "-1s is negative" + flags},
		{"-until 1000000h", "must be at most ten years" + flags},
		{"-until soon", "must be a duration such as 90s or 10m" + flags},
		{"-now today", "must be a time such as 2026-03-04T11:02:00Z" + flags},
		{"-seed x", "must be a number" + flags},
		{"-strict=x", "must be true or false" + flags},
		{"-exempt not-ready,sleepy", "must be some of not-ready,not-ready-before,cordoned" + flags},
		{"-zone-down b@", "must be a zone and a time, as in b, b@10m or b@10m-30m" + flags},
		{"-zone-down b@2m-1m", "must be a zone and a time, as in b, b@10m or b@10m-30m" + flags},
		{"-zone-down=", "must be a zone, as in b, b@10m or b@10m-30m" + flags},
		{"-zone-down d", `-zone-down d: no node is in zone "d": the zones are a, b, c` + "\n"},
		{"-zones= -zone-down d", "-zone-down d: no node has the label topology.kubernetes.io/zone\n"},
		{"-never-ready [", "must be names of nodes, or patterns such as node-1*" + flags},
		{"-never-ready node-1", "-never-ready node-1: no node is called so\n"},
		{"-compare faster", `-compare faster: "faster" is no setting: write flags without their dash, as in max-unavailable=20%,strict, or a file that ends in .yaml or .json` + "\n"},
		{"-compare ready=soon", `-compare ready=soon: invalid value "soon" for flag -ready: must be a duration`},
		{"-compare none.yaml", "none.yaml: no such file or directory\n"},
		{"-scenario none.yaml", "none.yaml: no such file or directory\n"},
		{"-scenario - -f -", "-scenario -: standard input can be read only once, and -f reads it" + flags},
		{"-daemonset a/b", "-daemonset a/b: is looked for in files, and there is no -f" + flags},
		{"-f testdata/cluster.yaml -daemonset kube-system/other", "-daemonset kube-system/other: is not among kube-system/agent\n"},
		{"-f testdata/cluster.yaml -f testdata/cluster.yaml", "2 DaemonSets were read: choose one with -daemonset, of kube-system/agent, kube-system/agent\n"},
		{"-f testdata/cluster.yaml -f testdata/cluster.yaml -daemonset kube-system/agent", "-daemonset kube-system/agent: was read 2 times\n"},
		{"-f testdata/cluster.yaml -nodes 3", "nodes: and zones are those of the files that -f names\n"},
		{"-f testdata/busy.yaml", "testdata/busy.yaml: document 1 (line 2): kind: is missing, so this is no Kubernetes object\n"},
		{"-nodes 3000 -ready 1s -max-unavailable 1 -slow", "flag provided but not defined: -slow" + flags},
	} {
		got := runRollout("", strings.Fields(test.args)...)
		assert.Equal(t, unusable, got.Status, test.args)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want, test.args)
	}
}

// TestScenarioIsStrict: what the program does not know in a scenario it refuses,
// with the field.
func TestScenarioIsStrict(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "standard input: is empty: {} is a document without anything in it"},
		{"- a", "is no object: "},
		{"nodes: 3\n---\nnodes: 4", "has another document in line 3: one is wanted"},
		{"node: 3", "node: is not known: must be one of "},
		{"nodes: three", "nodes: must be an integer, not a string"},
		{"nodes: -1", "nodes: must be a number from 0 to 100000"},
		{"maxUnavailable: few", `maxUnavailable: must be a number or a percentage, as in 2 or 10%, not "few"`},
		{"maxUnavailable: -1", "maxUnavailable: -1 is negative\n"},
		{`maxUnavailable: "1"`, `maxUnavailable: must be a number or a percentage, as in 2 or 10%, not "1"`},
		{"maxUnavailable: 0", "maxUnavailable: 0 and maxSurge 0: the API server"},
		{"minReadySeconds: -1", "minReadySeconds: must not be negative"},
		{"pods: {ready: 40}", "pods.ready: must be a duration such as 40s, or a range such as 20s-60s, not 40"},
		{"pods: {fate: sad}", `pods.fate: must be pending, never-ready or crash-loops, not "sad"`},
		{"some: [{zone: x}]", `some[0]: no node is in zone "x": the zones are a, b, c`},
		{"some: [{zone: a, nodes: [q*]}]", "some[0]: no node of the zone is called so"},
		{"some: [{nodes: [q]}]", "some[0]: no node is called so"},
		{"some: [{zone: a, fate: sad}]", "some[0].fate: must be"},
		{"start: today", `start: must be a time such as 2026-03-04T11:02:00Z, not "today"`},
		{"policy: {limit: {strikt: true}}", "policy.limit.strikt: is not known: must be one of burst, perStep, removals, slowStart, strict"},
		{"policy: {count: {exempt: [sleepy]}}", `policy.count.exempt[0]: must be not-ready, not-ready-before or cordoned, not "sleepy"`},
		{"policy: {candidates: {selector: {matchExpressions: [{key: a, operator: Near}]}}}", `policy.candidates.selector: "Near" is not a valid label selector operator`},
		{"policy: {candidates: {partition: {value: 3, base: -2}}}", "policy.candidates.partition.base: "},
		{"policy: {candidates: {partition: {rounding: up}}}", `policy.candidates.partition.rounding: must be down, not "up"`},
		{"policy: {limit: {slowStart: {step: 2}}}", "policy.limit.slowStart: has no effect without interval"},
		{"policy: {limit: {slowStart: {interval: 1ns}}}", "policy.limit.slowStart.interval: must be a second or more"},
		{"policy: {limit: {slowStart: {interval: -1m}}}", "policy.limit.slowStart.interval: -1m0s is negative\n"},
		{"policy: {limit: {slowStart: {interval: 1m, since: \"2026-03-04T11:02:00Z\"}}}", "policy.limit.slowStart: has a moment in it, so the run needs one: give start, or -now"},
		{"policy: {count: {maxExempt: 1}}", "policy.count.maxExempt: has no effect without exempt or exemptSelector\n"},
		{"policy: {candidates: {noRestart: [image-only]}}", "policy.candidates.noRestart: is about what templates differ in, and the revisions of a run have none\n"},
		{"policy: {gate: {from: \"2026-03-04T11:02:00Z\"}}", "policy.gate: has a moment in it, so the run needs one: give start, or -now"},
		{"events: [{at: 1m}]", "events[0].at: has 0 things that happen, must be one of health, leave, join, change, target, spec, policy"},
		{"events: [{nodes: [node-001], leave: true, target: x}]", "events[0].at: has 2 things that happen"},
		{"events: [{health: ready}]", "events[0].nodes: is missing: give nodes or a zone"},
		{"events: [{join: {}}]", "events[0].nodes: is missing: give the names of nodes that join"},
		{"events: [{join: {}, nodes: ['']}]", "events[0].node: is empty"},
		{"events: [{join: {}, nodes: [node-001]}]", "events[0].node: node-001 is there already"},
		{"events: [{at: 2m, health: ready, nodes: [node-001]}, {at: 1m, leave: true, nodes: [node-001]}]", "events[0].nodes: no node is called so"},
		{"events: [{health: fine, zone: a}]", `events[0].health: "fine" is unknown`},
		{"events: [{health: ready, zone: a, pods: {ready: 1s}}]", "events[0].pods: are those of a target, and there is none"},
		{"events: [{target: a, pods: {ready: 1s}}, {target: a, pods: {ready: 2s}}]", "events[1].pods: are those of revision a already, which was there before"},
		{"events: [{target: a, pods: {fate: sad}}]", "events[0].pods.fate: must be"},
		{"events: [{target: a, zone: a}]", "events[0].nodes: and zone have no part in it"},
		{"events: [{spec: {maxUnavailable: 2, maxSurge: 2}}]", "events[0].spec.maxUnavailable: 2 and maxSurge 2: the API server"},
		{"events: [{policy: {order: {by: size}}}]", `events[0].policy.order.by: must be name or name-descending, not "size"`},
	} {
		got := runRollout(test.text, "-scenario", "-")
		assert.Equal(t, unusable, got.Status, test.text)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want, test.text)
	}
}

// TestScenarioInFlags: flags count more, and of the two limits the one that is
// given.
func TestScenarioInFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.yaml")
	require.NoError(t, os.WriteFile(file, []byte("nodes: 6\nmaxSurge: 2\npods: {ready: 10s}\n"), 0o644))
	assert.Equal(t, "maxSurge 2", asked(t, finished, "-scenario "+file).Runs[0].Rules)
	r := asked(t, finished, "-scenario "+file+" -max-unavailable 3 -ready 5s").Runs[0]
	assert.Equal(t, "maxUnavailable 3", r.Rules)
	assert.Equal(t, 10.0, r.DurationSeconds)
	r = asked(t, finished, "-scenario "+file+" -max-surge 0 -max-unavailable 1").Runs[0]
	assert.Equal(t, "maxUnavailable 1", r.Rules)
}

// TestFiles: what is odd about them.
func TestFiles(t *testing.T) {
	cluster := programtest.MinimalSet + "---\n" + programtest.MinimalNode
	got := runRollout(cluster, "-f", "-")
	assert.Equal(t, finished, got.Status)
	assert.Contains(t, got.Stdout, "finished after 30s: 1 of 1 node, at most 1 unavailable\n\nDaemonSet default/agent on 1 node: maxUnavailable 1;")
	assert.Equal(t, "rollout: warning: standard input: document 1 (line 1): no Pod was read: an old one that is available is assumed on every eligible node\n", got.Stderr)

	for _, test := range []struct{ input, want string }{
		{programtest.MinimalNode, "no DaemonSet of apps/v1 (found 1 Node)"},
		{programtest.MinimalSet, "no Node (found 1 DaemonSet)"},
		{cluster + "---\napiVersion: v1\nkind: Node\n", "a node has no name, and no pod could be meant for it"},
		{strings.Replace(cluster, "matchLabels:\n      app: agent", "matchExpressions: [{key: app, operator: Near}]", 1), "spec.selector: pods and revisions are not looked at"},
	} {
		got := runRollout(test.input, "-f", "-")
		assert.Equal(t, unusable, got.Status)
		assert.Empty(t, got.Stdout)
		assert.Contains(t, got.Stderr, test.want)
	}

	onDelete := strings.Replace(cluster, "spec:\n", "spec:\n  updateStrategy: {type: OnDelete}\n", 1)
	got = runRollout(onDelete, "-f", "-")
	assert.Equal(t, unfinished, got.Status)
	assert.Contains(t, got.Stdout, "blocked at once: 0 of 1 node, at most 0 unavailable")
	assert.Contains(t, got.Stdout, "delete-pods")
	got = runRollout(onDelete, "-f", "-", "-max-unavailable", "2")
	assert.Equal(t, unusable, got.Status)
	assert.Contains(t, got.Stderr, "the strategy is OnDelete")
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, format := range []string{"table", "csv", "json", "yaml", "svg"} {
		var stderr strings.Builder
		assert.Equal(t, unfinished, run([]string{"-nodes", "2", "-o", format}, strings.NewReader(""), programtest.BrokenWriter{}, &stderr, time.Now))
		assert.Equal(t, "rollout: file already closed\n", stderr.String())
	}
}
