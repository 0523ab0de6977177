package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/examples/internal/current"
	"github.com/daemonplan/daemonplan/internal/programtest"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/revision"
	counters "github.com/daemonplan/daemonplan/status"
)

const atNow = "-now 2026-03-04T11:02:00Z"

// reportOn runs the program and returns what it says of the first DaemonSet, in
// data and in words.
func reportOn(t testing.TB, stdin, args string) (daemonSetReport, programtest.Ran) {
	fields := strings.Fields(args)
	table := runStatus(stdin, fields...)
	document := runStatus(stdin, append(fields, "-o", "json")...)
	require.Equal(t, table.Status, document.Status)
	var r report
	document.Document(t, &r)
	require.NotEmpty(t, r.DaemonSets)
	table.Stdout = table.Stderr + table.Stdout
	return r.DaemonSets[0], table
}

// podsWith are the pods of the demonstration, all with these labels.
func podsWith(t testing.TB, hash, generation string) string {
	text := regexp.MustCompile(`controller-revision-hash: .*`).ReplaceAllString(programtest.Text(t, "demo/pods.yaml"), `controller-revision-hash: "`+hash+`"`)
	return regexp.MustCompile(`pod-template-generation: .*`).ReplaceAllString(text, `pod-template-generation: "`+generation+`"`)
}

// hashOf is the hash of the demonstration's template by this version of
// k8s.io/api.
func hashOf(t testing.TB) string {
	ds := new(appsv1.DaemonSet)
	require.NoError(t, yaml.Unmarshal([]byte(programtest.Text(t, "demo/agent.yaml")), ds))
	return revision.Hash(&lint.Default(ds).Spec.Template, nil)
}

// TestOrigins: how it is found which pods are updated.
func TestOrigins(t *testing.T) {
	const rest = "-f demo/agent.yaml -f demo/nodes.yaml -f - " + atNow + " "
	updated := func(r daemonSetReport) any {
		if r.Computed.Counters[2].Now == nil {
			return nil
		}
		return int(*r.Computed.Counters[2].Now)
	}
	for _, test := range []struct {
		name, stdin, args string
		want              current.Origin
		updated           any
	}{
		{"flag", podsWith(t, "abc", "1"), "-hash abc", current.ByFlag, 3},
		{"flag before revisions", podsWith(t, "abc", "1"), "-hash abc -f demo/revisions.yaml", current.ByFlag, 3},
		{"revisions", podsWith(t, "7579c9478f", "1"), "-f demo/revisions.yaml", current.ByRevisions, 3},
		{"generation besides", podsWith(t, "abc", "2"), "-f demo/revisions.yaml", current.ByRevisions, 3},
		{"template", podsWith(t, hashOf(t), "1"), "", current.ByTemplate, 3},
		{"generation", podsWith(t, "abc", "2"), "", current.ByGeneration, 3},
		{"unknown", podsWith(t, "abc", "1"), "", current.ByNothing, nil},
		{"no pods", "", "", current.ByGeneration, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, _ := reportOn(t, test.stdin, rest+test.args)
			assert.Equal(t, test.want, r.Computed.Revision.Origin)
			assert.Equal(t, test.updated, updated(r))
		})
	}
}

// TestUnknown: nothing that depends on the revision is said when it is unknown.
func TestUnknown(t *testing.T) {
	pods := podsWith(t, "abc", "1")
	const rest = "-f demo/agent.yaml -f demo/nodes.yaml -f - "
	r, table := reportOn(t, pods, rest+"-now 2026-03-04T12:00:00Z")
	assert.Equal(t, waiting, table.Status, "all are available, and nobody knows of which revision")
	assert.Nil(t, r.Computed.Policy.Updated)
	assert.Nil(t, r.Computed.Details.Behind)
	for _, n := range r.Computed.Nodes {
		assert.Nil(t, n.Updated)
		assert.NotEqual(t, counters.OldRevision, n.State)
	}
	assert.Contains(t, table.Stdout, "Which pods are updated is unknown.\n")
	assert.Contains(t, table.Stdout, "updatedNumberScheduled  1       unknown\n")
	assert.Contains(t, table.Stdout, "policy   no    -            unknown: of 3 nodes 3 are available, 0 may be unavailable, and nobody knows how many are updated\n")

	r, table = reportOn(t, pods, rest+"-now 2026-03-04T12:00:00Z -any-revision")
	assert.Equal(t, done, table.Status)
	assert.True(t, r.Computed.Policy.Done)
}

// TestMeaning: what a cluster before 1.34 stores has a null time, which this
// version leaves out. A controller that observed the generation has a revision
// for it; before that, the template may be a new one.
func TestMeaning(t *testing.T) {
	stored := strings.ReplaceAll(programtest.Text(t, "demo/revisions.yaml"), "        metadata:\n          labels:", "        metadata:\n          creationTimestamp: null\n          labels:")
	require.NotEqual(t, programtest.Text(t, "demo/revisions.yaml"), stored)
	r, table := reportOn(t, stored, withoutRevisions+"-f -")
	assert.Equal(t, current.ByMeaning, r.Computed.Revision.Origin)
	assert.Equal(t, "7579c9478f", r.Computed.Revision.Hash)
	assert.Contains(t, table.Stdout, "of the revisions.\n  (no revision stores the template byte by byte; this one means the same)\n")

	unobserved := strings.Replace(programtest.Text(t, "demo/agent.yaml"), "observedGeneration: 2", "observedGeneration: 1", 1)
	r, table = reportOn(t, stored+"---\n"+unobserved, "-f demo/nodes.yaml -f demo/pods.yaml -f - "+atNow)
	assert.Equal(t, current.ByRevisions, r.Computed.Revision.Origin)
	assert.Contains(t, table.Stdout, "  (no revision stores the template")
}

// TestPolicies: each flag changes the verdict as it says, and the exit status.
func TestPolicies(t *testing.T) {
	terminating := strings.Replace(programtest.Text(t, "demo/pods.yaml"), "    creationTimestamp: \"2026-03-02T09:00:00Z\"\n", "    creationTimestamp: \"2026-03-02T09:00:00Z\"\n    deletionTimestamp: \"2026-03-04T11:01:50Z\"\n", 1)
	require.Contains(t, terminating, "deletionTimestamp")
	notReady := regexp.MustCompile(`(?s)(name: node-c\n.*?status: )"True"`).ReplaceAllString(programtest.Text(t, "demo/nodes.yaml"), `$1"Unknown"`)
	updated := podsWith(t, "7579c9478f", "2")
	const rest = "-f demo/revisions.yaml -f demo/agent.yaml -f demo/nodes.yaml -f - " + atNow + " "
	for _, test := range []struct {
		name, stdin, args string
		status            int
	}{
		{"one waits for minReadySeconds", updated, rest, waiting},
		{"one may", updated, rest + "-unavailable 1", done},
		{"a third may, rounded up", updated, rest + "-unavailable 33%", done},
		{"none may", updated, rest + "-unavailable 0%", waiting},
		{"one is old", programtest.Text(t, "demo/pods.yaml"), rest + "-unavailable 1", waiting},
		{"any revision", programtest.Text(t, "demo/pods.yaml"), rest + "-unavailable 1 -any-revision", done},
		{"an old one terminates", terminating, rest + "-unavailable 1 -any-pod", waiting},
		{"the node of the old one is not ready", notReady, all + "-f - -unavailable 1 -leave-out-not-ready", done},
		{"and counts", notReady, all + "-f - -unavailable 1", waiting},
		{"later", updated, strings.Replace(rest, "11:02:00", "11:02:12", 1), done},
		{"a moment before", updated, strings.Replace(rest, "11:02:00Z", "11:02:11.999Z", 1), waiting},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, table := reportOn(t, test.stdin, test.args)
			assert.Equal(t, test.status, table.Status)
			assert.Equal(t, test.status == done, r.Computed.Policy.Done)
		})
	}
}

// TestOwner: a manifest has no UID, so its pods are found by the owner that they
// name; when they name several, nobody knows.
func TestOwner(t *testing.T) {
	manifest := strings.Replace(programtest.Text(t, "demo/agent.yaml"), "  uid: ", "  # ", 1)
	const rest = "-f demo/revisions.yaml -f demo/nodes.yaml -f demo/pods.yaml -f - " + atNow
	r, _ := reportOn(t, manifest, rest)
	assert.Equal(t, int64(3), *r.Computed.Counters[1].Now)

	another := strings.ReplaceAll(programtest.Text(t, "demo/pods.yaml"), "uid: 6f4f1c1e", "uid: 6f4f1c1f")
	r, table := reportOn(t, manifest+"---\n"+another, rest)
	assert.Nil(t, r.Computed)
	assert.Len(t, r.Verdicts, 4)
	assert.Equal(t, waiting, table.Status)
	assert.Contains(t, table.Stdout, "metadata.uid: is missing, and 2 DaemonSets of this name own pods and revisions")
	assert.Contains(t, table.Stdout, "Nobody can tell which pods are its own.\n")
}

// TestWarnings: what makes an answer doubtful is told beside it.
func TestWarnings(t *testing.T) {
	_, table := reportOn(t, programtest.Text(t, "demo/agent.yaml"), "-f demo/nodes.yaml -f - "+atNow)
	assert.Contains(t, table.Stdout, "status: counts pods, and no Pod was read: add kubectl get pods -o json\n")
	manifest := strings.Replace(programtest.Text(t, "demo/agent.yaml"), "  generation: 2\n", "", 1)
	manifest, _, _ = strings.Cut(manifest, "\nstatus:")
	_, table = reportOn(t, manifest, "-f demo/nodes.yaml -f - "+atNow)
	assert.Contains(t, table.Stdout, "status: is missing, so the tools judge an empty one: read the DaemonSet from the cluster\n")
	_, table = reportOn(t, strings.Replace(programtest.Text(t, "demo/agent.yaml"), "    matchLabels:\n      app: agent\n", "    matchLabels: {}\n", 1), "-f demo/nodes.yaml -f - "+atNow)
	assert.Contains(t, table.Stdout, "spec.selector: selects everything: the controller does nothing for this DaemonSet")
}

// TestNoTime: a pod whose Ready condition has no time never becomes available.
func TestNoTime(t *testing.T) {
	pods := regexp.MustCompile(`(?m)^ *-? *lastTransitionTime: .*\n`).ReplaceAllString(strings.ReplaceAll(podsWith(t, "7579c9478f", "2"), "- lastTransitionTime: ", "- lastProbeTime: "), "")
	r, table := reportOn(t, pods, "-f demo/revisions.yaml -f demo/agent.yaml -f demo/nodes.yaml -f - "+atNow)
	assert.True(t, r.Computed.LookAgain.IsZero())
	assert.Contains(t, table.Stdout, "Look again: when something happens; no pod is waiting for minReadySeconds.\n")
	assert.Contains(t, table.Stdout, "ready, waiting for minReadySeconds, and its Ready condition has no time")
}
