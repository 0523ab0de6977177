package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func runPolicy(stdin string, args ...string) programtest.Ran {
	return programtest.RunAt(run, demoNow.Add(time.Hour), stdin, args...)
}

const (
	atNow = " -now 2026-03-04T11:02:00Z "
	rest  = "-f demo/nodes.yaml -f demo/revisions.yaml -f demo/pods.yaml" + atNow
	all   = "-f demo/agent.yaml " + rest
)

// TestGolden compares whole runs with files. Rewrite them with
//
//	go test ./examples/policy -run TestGolden -update
//
// and read the difference. No file has a hash that the program computes: hashes
// depend on the version of k8s.io/api.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, args, stdin string
		status            int
	}{
		{"demo", "", "", done},
		{"demo-json", "-o json", "", done},
		{"demo-yaml", "-o yaml", "", done},
		{"demo-paused", "-policy testdata/paused.yaml", "", done},
		{"help", "-h", "", done},
		{"later", "-f demo/agent.yaml -f demo/nodes.yaml -f demo/revisions.yaml -f demo/pods.yaml -policy demo/policy.yaml", "", done},
		{"controller", all, "", done},
		{"everything", all + "-policy testdata/everything.yaml", "", done},
		{"stable", all + "-f testdata/joined.yaml -policy testdata/paused.yaml -stable 1", "", done},
		{"surge", "-f - -hash new -policy testdata/zones.json" + atNow, strings.Replace(
			cluster(t, 1, "a1 new", "a2 old", "a3 old unready", "b1 new unready", "b2 old", "b3 old tainted", "b4 old cordoned"),
			`"maxUnavailable":1`, `"maxUnavailable":0,"maxSurge":2`, 1), done},
		{"two", "-f testdata/surge.yaml -f demo/agent.yaml " + rest + "-policy demo/policy.yaml", "", done},
		{"blocked", "-f - -hash new" + atNow, cluster(t, 1, "a1 new unready", "a2 old", "b1 old"), blocked},
		{"many", "-f - -hash new" + atNow, cluster(t, 40, manyNodes(120, "", "old excluded", "failed old")...), done},
		{"many-waves", "-f - -hash new -policy testdata/zones.json" + atNow, cluster(t, 40, manyNodes(120, "old tainted")...), blocked},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runPolicy(test.stdin, strings.Fields(test.args)...)
			assert.Equal(t, test.status, got.Status)
			programtest.Golden(t, *update, program, test.name, test.args, got)
			if !strings.Contains(test.args, "-o ") {
				assert.NotRegexp(t, `(?m)^.{101}`, got.Stdout, "too wide for a terminal")
			}
		})
	}
}

// manyNodes are n nodes with names as clouds give them, in two zones, and in all
// states of an update and those that are given.
func manyNodes(n int, more ...string) []string {
	states := append([]string{
		"old", "old", "old", "old", "new", "new unready", "old gone", "old unready node-not-ready", "old terminating cordoned",
	}, more...)
	var lines []string
	for i := range n {
		zone := "ab"[i%2 : i%2+1]
		lines = append(lines, fmt.Sprintf("%s-ip-10-0-%03d.eu-west-1.compute.internal %s", zone, i, states[i%len(states)]))
	}
	return lines
}
