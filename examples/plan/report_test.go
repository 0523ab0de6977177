package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/internal/programtest"
	"github.com/daemonplan/daemonplan/placement"
)

var networkArgs = []string{"-f", "testdata/nodes.json", "-f", "testdata/network.yaml", "-f", "testdata/pods.json"}

// TestDocumentRoundTrip: a program that reads the document with these structs
// loses nothing, and JSON and YAML say the same.
func TestDocumentRoundTrip(t *testing.T) {
	for _, args := range [][]string{nil, networkArgs, append(networkArgs[:4:4], "-node", "worker-a"), {"-f", "testdata/nodes.json", "-f", "testdata/mistakes.yaml"}} {
		inJSON := runPlan("", append(args[:len(args):len(args)], "-o", "json")...)
		require.Equal(t, done, inJSON.Status, inJSON.Stderr)
		var read report
		inJSON.Document(t, &read)

		inYAML := runPlan("", append(args[:len(args):len(args)], "-o", "yaml")...)
		fromYAML, err := yaml.YAMLToJSON([]byte(inYAML.Stdout))
		require.NoError(t, err)
		assert.JSONEq(t, inJSON.Stdout, string(fromYAML))
	}
}

// TestDocumentAgreesWithTable: the same nodes with the same verdicts and pods,
// and the same warnings.
func TestDocumentAgreesWithTable(t *testing.T) {
	table := runPlan("", networkArgs...)
	document := runPlan("", append(networkArgs[:len(networkArgs):len(networkArgs)], "-o", "json")...)
	var r report
	require.NoError(t, json.Unmarshal([]byte(document.Stdout), &r))
	require.Len(t, r.DaemonSets, 1)
	ds := r.DaemonSets[0]
	require.Len(t, ds.Nodes, 5)
	for _, n := range ds.Nodes {
		pods := "-"
		if len(n.Pods) > 0 {
			pods = n.podCell()
		}
		assert.Regexp(t, fmt.Sprintf("(?m)^%s +%s +%s  ", n.Name, n.Verdict, regexp.QuoteMeta(pods)), table.Stdout)
		assert.Equal(t, n.Verdict == placement.Eligible, len(n.Reasons) == 0)
	}
	assert.Contains(t, table.Stdout, fmt.Sprintf("%d/%d nodes are eligible", ds.Summary.Eligible, ds.Summary.Nodes))
	assert.Contains(t, table.Stdout, fmt.Sprintf("Pods: %d claimed", ds.Pods.Claimed))

	mistakes := []string{"-f", "testdata/nodes.json", "-f", "testdata/mistakes.yaml"}
	document = runPlan("", append(mistakes, "-o", "json")...)
	require.NoError(t, json.Unmarshal([]byte(document.Stdout), &r))
	var lines strings.Builder
	output.Warn(&lines, program, r.Warnings)
	assert.Equal(t, lines.String(), runPlan("", mistakes...).Stderr)
}

// TestOwner: a manifest has no UID, so its pods are found by the owner that
// they name.
func TestOwner(t *testing.T) {
	const pod = `---
apiVersion: v1
kind: Pod
metadata:
  name: %[1]s
  uid: pod-%[1]s
  namespace: default
  labels: {app: agent}
  ownerReferences: [{apiVersion: apps/v1, kind: %[2]s, name: agent, uid: %[3]s, controller: true}]
spec: {nodeName: a}
`
	const orphan = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: orphan, labels: {app: agent}}\nspec: {nodeName: a}\n"
	cluster := programtest.MinimalSet + "---\n" + programtest.MinimalNode
	for _, test := range []struct{ name, input, stdout, stderr string }{
		{"one owner", cluster + fmt.Sprintf(pod, "p", "DaemonSet", "u1"), "Pods: 1 claimed\n", ""},
		{"no owner: as when the DaemonSet is created", cluster + orphan, "Pods: 1 claimed\n  1  to adopt  orphan\n", ""},
		{"owner of another kind", cluster + fmt.Sprintf(pod, "p", "ReplicaSet", "u1"), "Pods: 0 claimed\n  1  to create, on eligible nodes without one  a\n", ""},
		{"two owners", cluster + fmt.Sprintf(pod, "p", "DaemonSet", "u1") + fmt.Sprintf(pod, "q", "DaemonSet", "u2"), "",
			"metadata.uid: is missing, and 2 DaemonSets of this name own pods and revisions (u1, u2), which are not looked at"},
		{"two owners, and the DaemonSet from the cluster", strings.Replace(cluster, "  name: agent", "  name: agent\n  uid: u1", 1) +
			fmt.Sprintf(pod, "p", "DaemonSet", "u1") + fmt.Sprintf(pod, "q", "DaemonSet", "u2"), "Pods: 1 claimed\n", ""},
		{"no node", cluster + strings.Replace(fmt.Sprintf(pod, "p", "DaemonSet", "u1"), "{nodeName: a}", "{}", 1), "p (no node)", ""},
		{"bad selector", strings.Replace(cluster, "matchLabels:\n      app: agent", "matchExpressions: [{key: app, operator: Near}]", 1) + orphan, "",
			"spec.selector: pods and revisions are not looked at: \"Near\" is not a valid label selector operator"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runPlan(test.input, "-f", "-")
			require.Equal(t, done, got.Status, got.Stderr)
			assert.Contains(t, got.Stdout, test.stdout)
			assert.Contains(t, got.Stderr, test.stderr)
			if test.stdout == "" {
				assert.NotContains(t, got.Stdout, "Pods:")
			}
		})
	}
}

// TestDecider: when the first reason is not the one that makes the verdict, the
// table names both.
func TestDecider(t *testing.T) {
	got := runPlan(programtest.MinimalSet+"---\n"+programtest.MinimalNode+"spec:\n  taints: [{key: a, effect: NoSchedule}, {key: b, effect: NoSchedule}, {key: c, effect: NoExecute}]\n", "-f", "-")
	assert.Equal(t, done, got.Status)
	assert.Contains(t, got.Stdout, "a     excluded  taint a:NoSchedule is not tolerated (+2 more; taint c:NoExecute decides)\n")
	assert.Contains(t, got.Stdout, "  1  excluded  taint a:NoSchedule, then taint c:NoExecute, which decides  a\n")
}

// TestNames: what has no name, and what has a name that could break a line.
func TestNames(t *testing.T) {
	got := runPlan("apiVersion: apps/v1\nkind: DaemonSet\n---\napiVersion: v1\nkind: Node\n---\napiVersion: v1\nkind: Node\nmetadata: {name: \"a\\tb\\nc\\e[31m\"}\n", "-f", "-")
	assert.Equal(t, done, got.Status)
	assert.Contains(t, got.Stdout, "DaemonSet default/(no name): 2/2 nodes are eligible")
	assert.Contains(t, got.Stdout, "(no name)  ")
	assert.Contains(t, got.Stdout, "a\ufffdb\ufffdc\ufffd[31m  eligible")
}
