package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/internal/programtest"
	"github.com/daemonplan/daemonplan/lint"
)

// reportOn runs the program and returns what it says in data.
func reportOn(t testing.TB, stdin, args string) (report, int) {
	got := runLint(stdin, append(strings.Fields(args), "-o", "json")...)
	var r report
	got.Document(t, &r)
	require.NotEmpty(t, r.DaemonSets)
	return r, got.Status
}

// rulesOf are the rules that found something about the first DaemonSet.
func rulesOf(r report) (ids []lint.RuleID) {
	for _, f := range r.DaemonSets[0].Findings {
		ids = append(ids, f.Rule)
	}
	return slices.Compact(ids)
}

// TestExitStatus: each severity fails from itself on.
func TestExitStatus(t *testing.T) {
	clean := programtest.Text(t, "testdata/clean.yaml")
	one := func(old, new string) string {
		require.Contains(t, clean, old)
		return strings.Replace(clean, old, new, 1)
	}
	inputs := map[lint.Severity]string{
		"":           clean,
		lint.Notice:  one("      containers:", "      hostPID: true\n      priorityClassName: system-node-critical\n      containers:"),
		lint.Warning: one("  minReadySeconds: 10\n", ""),
		lint.Error:   one("        app: agent\n    spec:", "        app: other\n    spec:"),
	}
	for worst, text := range inputs {
		for _, fail := range severities {
			want := done
			if worst != "" && slices.Index(severities, worst) <= slices.Index(severities, fail) {
				want = found
			}
			r, status := reportOn(t, text, "-f - -fail "+string(fail))
			assert.Equal(t, want, status, "%s, -fail %s", worst, fail)
			assert.Equal(t, want == found, r.Failed)
			if worst != "" {
				require.NotEmpty(t, r.DaemonSets[0].Findings)
				assert.Equal(t, worst, r.DaemonSets[0].Findings[0].Severity)
			}
			for _, format := range []string{"table", "yaml", "sarif"} {
				assert.Equal(t, want, runLint(text, "-f", "-", "-fail", string(fail), "-o", format).Status)
			}
		}
	}
	_, status := reportOn(t, inputs[lint.Warning], "-f -")
	assert.Equal(t, found, status, "warning is the default")
}

// TestFlags: each flag changes what is found as it says.
func TestFlags(t *testing.T) {
	const demo = "-f demo/nodes.yaml -f demo/agent.yaml "
	for _, test := range []struct {
		args string
		rule lint.RuleID
		want bool
	}{
		{"", lint.CostShare, true},
		{"-max-share 42", lint.CostShare, true},
		{"-max-share 43%", lint.CostShare, false},
		{"-off cost-share", lint.CostShare, false},
		{"-off no-node -off label-spelling,cost-share", lint.CostShare, false},
		{"", lint.SlowRollout, false},
		{"-max-rollout 45s", lint.SlowRollout, true},
		{"-max-rollout 45s -pod-start 15s", lint.SlowRollout, false},
		{"-pod-start 1h", lint.SlowRollout, true},
		{"-pod-start 1h -max-rollout 0", lint.SlowRollout, false},
		{"", invalid, true},
		{"-off invalid", invalid, false},
	} {
		r, _ := reportOn(t, "", demo+test.args)
		assert.Equal(t, test.want, slices.Contains(rulesOf(r), test.rule), "%s %s", test.args, test.rule)
	}
}

// TestAllocatable: what nodes have is found in every form of a file, and told
// where it is not.
func TestAllocatable(t *testing.T) {
	const node = `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a", "labels": {"monitoring": "enabled"}}, "status": {"allocatable": {"cpu": "1"}}}`
	bare := strings.Replace(node, `"apiVersion": "v1", "kind": "Node", `, "", 1)
	forms := map[string]string{
		"object":     node,
		"after mark": "\ufeff" + node,
		"stream":     emptyNode("b") + "\n" + node,
		"array":      "[" + node + "]",
		"list":       `{"apiVersion": "v1", "items": [` + node + `], "kind": "List"}`,
		"nodes":      `{"apiVersion": "v1", "items": [` + bare + `], "kind": "NodeList"}`,
		"documents":  "---\n" + emptyNode("b") + "\n---\n" + node,
	}
	for name, text := range forms {
		r, _ := reportOn(t, text, "-f demo/agent.yaml -f -")
		assert.Contains(t, rulesOf(r), lint.CostShare, name)
		file := filepath.Join(t.TempDir(), "nodes")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		r, _ = reportOn(t, "", "-f demo/agent.yaml -f "+file)
		assert.Contains(t, rulesOf(r), lint.CostShare, name)
	}
	for _, text := range []string{
		emptyNode("a"), node + "\n" + emptyNode("a"), strings.Replace(node, `{"cpu": "1"}`, `null`, 1),
	} {
		r, _ := reportOn(t, text, "-f demo/agent.yaml -f -")
		assert.NotContains(t, rulesOf(r), lint.CostShare)
		assert.Contains(t, r.Warnings[len(r.Warnings)-1].String(), "status.allocatable: is unknown of 1 node, so cost-share and surge-exclusive-resource pass over them: a")
	}
}

// emptyNode is one that does not say what it has.
func emptyNode(name string) string {
	return `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "` + name + `"}, "status": {"allocatable": {}}}`
}

// TestInvalid: what the API server refuses is an error, and a name that it makes
// up is no problem.
func TestInvalid(t *testing.T) {
	clean := programtest.Text(t, "testdata/clean.yaml")
	for _, test := range []struct{ old, new, field, message string }{
		{"  minReadySeconds: 10", "  minReadySeconds: -1", "spec.minReadySeconds", "refused: Invalid value -1: must be greater than or equal to 0"},
		{"  name: agent\nspec:", "  namespace: a\nspec:", "metadata.name", "refused: Required value: "},
		{"        image: registry.example/agent:1\n", "", "spec.template.spec.containers[0].image", "refused: Required value"},
		{"  minReadySeconds: 10", "  minReadySeconds: 10\n  updateStrategy: {rollingUpdate: {maxUnavailable: 0}}", "spec.updateStrategy.rollingUpdate.maxUnavailable", "refused: "},
		{"        image: registry.example/agent:1\n", "        image: registry.example/agent:1\n        imagePullPolicy: Often\n", "spec.template.spec.containers[0].imagePullPolicy", `refused: Unsupported value`},
		{"  name: agent\nspec:", "  name: Agent\nspec:", "metadata.name", `refused: Invalid value "Agent": `},
		{"  minReadySeconds: 10", "  minReadySeconds: 10\n  updateStrategy: {type: Recreate}", "spec.updateStrategy", `refused: Unsupported value: supported values: `},
	} {
		require.Contains(t, clean, test.old)
		r, status := reportOn(t, strings.Replace(clean, test.old, test.new, 1), "-f - -fail error")
		assert.Equal(t, found, status)
		require.NotEmpty(t, r.DaemonSets[0].Findings, test.new)
		f := r.DaemonSets[0].Findings[0]
		assert.Equal(t, invalid, f.Rule)
		assert.Equal(t, test.field, f.Field)
		assert.Contains(t, f.Message, test.message)
	}
	_, status := reportOn(t, strings.Replace(clean, "  name: agent\nspec:", "  generateName: agent-\nspec:", 1), "-f - -fail notice")
	assert.Equal(t, done, status)
}

// TestOthers: each DaemonSet is judged against the others, and not against itself.
func TestOthers(t *testing.T) {
	again := strings.Replace(programtest.MinimalSet, "  name: agent\nspec:", "  name: agent-2\nspec:", 1)
	for _, text := range []string{again + "---\n" + programtest.MinimalSet, programtest.MinimalSet + "---\n" + again} {
		r, _ := reportOn(t, text, "-f -")
		for _, ds := range r.DaemonSets {
			assert.True(t, slices.ContainsFunc(ds.Findings, func(f lint.Finding) bool { return f.Rule == lint.SelectorCollision }))
		}
	}
	r, _ := reportOn(t, programtest.MinimalSet+"---\n"+programtest.MinimalSet, "-f -")
	assert.NotContains(t, rulesOf(r), lint.SelectorCollision)
}

// TestSARIF: every rule that is named is declared, levels are those of SARIF, and
// what is found is the same as in the other forms.
func TestSARIF(t *testing.T) {
	both := programtest.MinimalSet + "---\n" + programtest.MinimalNode
	for _, test := range []struct{ args, stdin, uri string }{
		{"", "", "agent.yaml"},
		{"-f demo/nodes.yaml -f demo/agent.yaml -fail error", "", "demo/agent.yaml"},
		{"-f -", both, ""},
		{"-f testdata/clean.yaml", "", "testdata/clean.yaml"},
	} {
		r, status := reportOn(t, test.stdin, test.args)
		got := runLint(test.stdin, append(strings.Fields(test.args), "-o", "sarif")...)
		var log sarifLog
		got.Document(t, &log)
		assert.Equal(t, status, got.Status)
		assert.Equal(t, "2.1.0", log.Version)
		require.Len(t, log.Runs, 1)
		run := log.Runs[0]
		assert.Equal(t, status, run.Invocations[0].ExitCode)
		assert.Len(t, run.Invocations[0].Notifications, len(r.Warnings))
		rules := run.Tool.Driver.Rules
		require.Len(t, rules, len(lint.Rules())+1)
		seen := map[string]bool{}
		for _, rule := range rules {
			assert.False(t, seen[rule.ID], rule.ID)
			seen[rule.ID] = true
			assert.Contains(t, []string{"error", "warning", "note"}, rule.Default.Level)
			assert.NotEmpty(t, rule.Short.Text)
			assert.NotEmpty(t, rule.Full.Text)
			assert.True(t, strings.HasPrefix(rule.HelpURI, "https://"))
		}
		require.Len(t, run.Results, len(r.DaemonSets[0].Findings))
		for i, result := range run.Results {
			f := r.DaemonSets[0].Findings[i]
			assert.Equal(t, string(f.Rule), result.RuleID)
			assert.Equal(t, result.RuleID, rules[result.RuleIndex].ID)
			assert.Equal(t, rules[result.RuleIndex].Default.Level, result.Level)
			assert.Contains(t, result.Message.Text, f.Message)
			require.Len(t, result.Locations, 1)
			at := result.Locations[0]
			assert.Equal(t, f.Field, at.Logical[0].Name)
			if test.uri == "" {
				assert.Nil(t, at.Physical)
				continue
			}
			assert.Equal(t, sarifPhysical{sarifArtifact{test.uri}, sarifRegion{1}}, *at.Physical)
		}
	}
}

// TestURI: names of files are URIs, and a document further down has its line.
func TestURI(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my agent:1%.yaml")
	require.NoError(t, os.WriteFile(file, []byte(programtest.MinimalNode+"---\n"+programtest.MinimalSet), 0o600))
	var log sarifLog
	runLint("", "-f", file, "-o", "sarif").Document(t, &log)
	at := log.Runs[0].Results[0].Locations[0].Physical
	assert.True(t, strings.HasPrefix(at.Artifact.URI, "file:///"), at.Artifact.URI)
	assert.True(t, strings.HasSuffix(at.Artifact.URI, "/my%20agent:1%25.yaml"), at.Artifact.URI)
	assert.Equal(t, 6, at.Region.StartLine)
}

// TestRules: -rules has all of every rule, and -off takes the name of each.
func TestRules(t *testing.T) {
	table := runLint("", "-rules")
	document := runLint("", "-rules", "-o", "json")
	assert.Equal(t, done, table.Status)
	assert.Equal(t, done, document.Status)
	assert.Equal(t, done, runLint("", "-rules", "-o", "yaml").Status)
	var rules []lint.Rule
	require.NoError(t, json.Unmarshal([]byte(document.Stdout), &rules))
	require.Len(t, rules, len(lint.Rules())+1)
	words := strings.Join(strings.Fields(table.Stdout), " ")
	off := []string{}
	for _, rule := range rules {
		for _, text := range []string{string(rule.ID) + " (" + string(rule.Severity), rule.Summary, rule.Why, rule.Source} {
			assert.Contains(t, words, text)
		}
		off = append(off, string(rule.ID))
	}
	r, status := reportOn(t, "", "-fail notice -off "+strings.Join(off, ","))
	assert.Equal(t, done, status)
	assert.Empty(t, r.DaemonSets[0].Findings)
	assert.Len(t, r.NotAsked, len(rules))
}
