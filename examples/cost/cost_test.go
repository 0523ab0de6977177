package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// manySet is a DaemonSet of 100m and 128Mi, and manyNodes are n nodes as the API
// server lists them.
var manySet = strings.Replace(programtest.MinimalSet, "        image:", "        resources: {requests: {cpu: 100m, memory: 128Mi}}\n        image:", 1)

func manyNodes(n int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: NodeList\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- metadata:\n    name: node-%04d\n  status: {allocatable: {cpu: 2, memory: 4Gi, pods: 110}}\n", i)
	}
	return b.String()
}

func reportOf(t testing.TB, stdin, args string) report {
	got := runCost(stdin, append(strings.Fields(args), "-o", "json")...)
	require.Equal(t, done, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	return r
}

// TestNumbers: 100m and 128Mi on 200 nodes are 20 CPU and 25Gi.
func TestNumbers(t *testing.T) {
	input := manySet + "---\n" + manyNodes(200)
	r := reportOf(t, input, "-f -")
	assert.Equal(t, 200, r.Fleet.DaemonSets[0].Nodes)
	assert.Equal(t, "cpu 20, memory 25Gi, pods 200", words(r.Fleet.Total.Requests))
	assert.Equal(t, map[corev1.ResourceName]int64{cpu: 50, memory: 31, corev1.ResourcePods: 9}, r.Fleet.Total.Share)
	assert.Empty(t, r.Fleet.Groups)
	assert.Nil(t, r.Fleet.Total.Now)
	got := runCost(input, "-f", "-")
	line, _, _ := strings.Cut(got.Stdout, "\n")
	assert.Equal(t, "1 DaemonSet takes 20 CPU and 25Gi on 200 nodes; 5.0% of the cpu of the smallest node.", line)
}

// TestSurge: a percentage is rounded up, and OnDelete has none.
func TestSurge(t *testing.T) {
	const rolling = "  updateStrategy:\n    rollingUpdate: {maxSurge: 1%, maxUnavailable: 0}\n"
	r := reportOf(t, manySet+rolling+"---\n"+manyNodes(101), "-f -")
	assert.Equal(t, "cpu 200m, memory 256Mi, pods 2", words(r.Fleet.Total.Surge))
	r = reportOf(t, manySet+rolling+"    type: OnDelete\n---\n"+manyNodes(101), "-f -")
	assert.Equal(t, "-", words(r.Fleet.Total.Surge))
}

// TestShape: what runs, what is left.
func TestShape(t *testing.T) {
	s := reportOf(t, "", "-shape "+demoShape).Shapes[0]
	assert.Equal(t, []daemonName{{"kube-system", "logs"}}, s.DoesNotRun)
	assert.Equal(t, "cpu 3850m, memory 16192Mi, pods 108", words(s.Left))
	assert.Empty(t, s.Lacking)
}

// TestSizes: what one node says is read the same from every form of a file, and
// the last one of a name counts.
func TestSizes(t *testing.T) {
	const node = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"status":{"allocatable":{"cpu":"4"}}}`
	for name, text := range map[string]string{
		"object": node, "array": "[" + node + "]", "two": strings.Replace(node, `"4"`, `"2"`, 1) + "\n" + node,
		"list": `{"items":[` + node + `],"apiVersion":"v1","kind":"List"}`, "mark": "\ufeff" + node,
		"yaml":     "# no document\n---\n" + programtest.MinimalNode + "status: {allocatable: {cpu: 4}}\n---\n",
		"comment":  programtest.MinimalNode + "---  # again\n" + programtest.MinimalNode + "status: {allocatable: {cpu: 4}}\n",
		"crlf":     strings.ReplaceAll("---\n"+programtest.MinimalNode+"---\n"+programtest.MinimalNode+"status: {allocatable: {cpu: 4}}\n", "\n", "\r\n"),
		"nodelist": `{"apiVersion":"v1","kind":"NodeList","items":[{"metadata":{"name":"a"},"status":{"allocatable":{"cpu":"4"}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := reportOf(t, text, "-f - -f demo/daemonsets.yaml")
			assert.Equal(t, "cpu 4", words(r.Fleet.Total.Allocatable))
		})
	}
}

// TestWarnings: what makes an answer doubtful is told beside it.
func TestWarnings(t *testing.T) {
	got := runCost(manySet+"---\n"+manySet+"---\n"+programtest.MinimalNode, "-f", "-")
	assert.Contains(t, got.Stderr, "document 1 (line 1): DaemonSet default/agent is given again, and the last one counts\n")
	assert.Contains(t, got.Stderr, "1 node has no status.allocatable, and shares are of the others only: a\n")
	assert.Contains(t, got.Stdout, "1 DaemonSet takes 0.1 CPU and 128Mi on 1 node.\n")
}
