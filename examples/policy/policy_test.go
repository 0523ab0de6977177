package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/internal/programtest"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// TestForms: a policy may be written in several ways.
func TestForms(t *testing.T) {
	const want = "delete node-b2, 4 held-step, 11:02:12"
	for _, policy := range []string{
		"limit: {perStep: 1}",
		"limit:\n  perStep: 1\n",
		"limit:\r\n  perStep: 1\r\n",
		"\ufefflimit: {perStep: 1}",
		"# mine\n---\nlimit: {perStep: 1}\n...\n# the end\n",
		`{"limit": {"perStep": 1}}`,
		"{\n\t\"limit\": {\"perStep\": 1, \"burst\": null}\n}\n",
		"\ufeff{\n\t\"limit\": {\"perStep\": 1}}",
		"limit: {perStep: 10%}\ncount:\norder: {waves: }\ngate: {from: null, failures: {unreadyFor: null}}",
	} {
		assert.Equal(t, want, outcomeOf(t, "", policy), policy)
	}
	assert.Equal(t, "delete node-b2, 4 held-budget, 11:02:12", outcomeOf(t, "", "{}"), "the rules of the controller")
}

// documentOf runs the program on standard input, and returns all of its report.
func documentOf(t testing.TB, status int, stdin, args string) report {
	t.Helper()
	got := runPolicy(stdin, append(strings.Fields(args), "-o", "json")...)
	require.Equal(t, status, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	return r
}

func warningsOf(r report) (all []string) {
	for _, w := range r.Warnings {
		all = append(all, w.String())
	}
	return all
}

// TestStable: what a policy does not update gets pods of the stable revision, by
// whose template a node is eligible or not.
func TestStable(t *testing.T) {
	const taint = "spec: {taints: [{key: a, effect: NoExecute}]}\n"
	joined := programtest.Text(t, "testdata/joined.yaml")
	revisions := strings.Replace(programtest.Text(t, "demo/revisions.yaml"), "          tolerations:\n          - operator: Exists\n", "", 1)
	args := "-f -" + demoFilesBut("revisions.yaml") + " -policy testdata/paused.yaml" + atNow
	for _, test := range []struct{ name, node, args, want, revision string }{
		{"none", joined, "", "create node-c1", "7579c9478f"},
		{"by number", joined, "-stable 1", "create node-c1", "7785d46b46"},
		{"by hash", joined, "-stable 7785d46b46", "create node-c1", "7785d46b46"},
		{"the new one tolerates", joined + taint, "", "create node-c1", "7579c9478f"},
		{"the stable one does not", joined + taint, "-stable 1", "6 held-paused, 11:02:12", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ds := documentOf(t, done, revisions+"---\n"+test.node, args+test.args).DaemonSets[0]
			assert.Equal(t, test.want, outcome(ds.Plan))
			if test.revision != "" {
				assert.Equal(t, test.revision, ds.Plan.Create[0].Revision)
			}
			assert.Equal(t, "create node-c1", outcome(ds.Without))
		})
	}
	// A hash comes before a number.
	numbered := strings.NewReplacer("controller-revision-hash: 7579c9478f", `controller-revision-hash: "1"`).Replace(revisions)
	r := documentOf(t, done, numbered, args+"-stable 1")
	assert.Equal(t, "1", r.DaemonSets[0].Stable)
	assert.Equal(t, []string{"-stable 1: is the revision in force, so no node is served from an older one"}, warningsOf(r))
}

// TestNoRestart: which revisions are as good as new depends on the DaemonSet.
func TestNoRestart(t *testing.T) {
	revisions := programtest.Text(t, "demo/revisions.yaml")
	policy := t.TempDir() + "/p.yaml"
	write(t, policy, "candidates: {noRestart: [placement-only]}")
	args := "-f -" + demoFilesBut("revisions.yaml") + " -policy " + policy + atNow
	moved := strings.Replace(strings.Replace(revisions, "agent:1.0", "agent:1.1", 1), "- operator: Exists", "- {operator: Exists, key: a}", 1)

	ds := documentOf(t, done, moved, args).DaemonSets[0]
	assert.Equal(t, []string{"7785d46b46"}, ds.NoRestart)
	assert.Equal(t, "5 held-no-restart, 11:02:12", outcome(ds.Plan))
	assert.Equal(t, rollout.Waiting, ds.Diagnosis.Condition)
	assert.Empty(t, documentOf(t, done, revisions, args).DaemonSets[0].NoRestart, "another image")

	r := documentOf(t, done, strings.Replace(revisions, "$patch: replace", "$patch: merge", 1), args)
	assert.Equal(t, []string{policy + ": candidates.noRestart: revision: agent-7785d46b46: data.spec.template.$patch: is \"merge\", must be \"replace\""}, warningsOf(r))
	r = documentOf(t, done, programtest.Text(t, "testdata/joined.yaml"), args+"-hash 7579c9478f")
	assert.Equal(t, []string{policy + ": candidates.noRestart: no ControllerRevision of kube-system/agent was read, so nobody knows what differs"}, warningsOf(r))
	table := runPolicy(moved, strings.Fields(args)...)
	assert.Contains(t, table.Stdout, "As good as new are those of 7785d46b46.\n")
}

// TestUnmet: what no node has is likely to be misspelt.
func TestUnmet(t *testing.T) {
	for policy, want := range map[string][]string{
		"candidates: {nodes: [node-a1, node-x, node-y]}":                                                     {"candidates.nodes: no node is called node-x", "candidates.nodes: no node is called node-y"},
		"order: {waves: {label: zone}}":                                                                      {"order.waves.label: no node has the label zone, so all are of one wave"},
		"order: {waves: {label: topology.kubernetes.io/zone, values: [zone-b, zone-c]}}":                     {"order.waves.values[1]: no node has topology.kubernetes.io/zone=zone-c"},
		"candidates: {nodes: [node-a1]}\norder: {waves: {label: kubernetes.io/hostname, values: [node-a1]}}": nil,
	} {
		file := t.TempDir() + "/p.yaml"
		write(t, file, policy)
		var all []string
		for _, w := range want {
			all = append(all, file+": "+w)
		}
		assert.Equal(t, all, warningsOf(documentOf(t, done, "", "-policy "+file)))
		table := runPolicy("", "-policy", file)
		assert.Equal(t, len(want), strings.Count(table.Stderr, "policy: warning: "), table.Stderr)
	}
}

// TestTarget: without revisions new pods get the hash that the updated ones carry,
// and before there are any the one that the API types make.
func TestTarget(t *testing.T) {
	args := "-f testdata/joined.yaml -f demo/nodes.yaml -f demo/agent.yaml -f -" + atNow
	pods := regexp.MustCompile(`hash: .*`).ReplaceAllString(programtest.Text(t, "demo/pods.yaml"), `hash: abc`)
	pods = regexp.MustCompile(`pod-template-generation: .*`).ReplaceAllString(pods, `pod-template-generation: "2"`)
	create := documentOf(t, done, pods, args).DaemonSets[0].Plan.Create
	require.Len(t, create, 1)
	assert.Equal(t, "abc", create[0].Revision)
	assert.Equal(t, "abc", documentOf(t, done, pods, args).DaemonSets[0].Revision.Hash)

	ds := new(appsv1.DaemonSet)
	require.NoError(t, yaml.Unmarshal([]byte(programtest.Text(t, "demo/agent.yaml")), ds))
	r := documentOf(t, done, "# no pods", args)
	create = r.DaemonSets[0].Plan.Create
	require.Len(t, create, 9)
	assert.Equal(t, revision.Hash(&lint.Default(ds).Spec.Template, nil), create[8].Revision)
	assert.Contains(t, warningsOf(r), "demo/agent.yaml: document 1 (line 1): status: counts pods, and no Pod was read: add kubectl get pods -o json")
}

// TestCollision: no revision, no plan.
func TestCollision(t *testing.T) {
	ds := new(appsv1.DaemonSet)
	require.NoError(t, yaml.Unmarshal([]byte(programtest.Text(t, "demo/agent.yaml")), ds))
	ds = lint.Default(ds)
	ds.Spec.Template.Spec.Containers[0].Image = "registry.example/agent:2"
	name := "agent-" + revision.Hash(&ds.Spec.Template, nil)
	agent := strings.NewReplacer("agent:1.1", "agent:2", "observedGeneration: 2", "observedGeneration: 1").Replace(programtest.Text(t, "demo/agent.yaml"))
	revisions := strings.ReplaceAll(programtest.Text(t, "demo/revisions.yaml"), "name: agent-7785d46b46", "name: "+name)
	got := runPolicy(agent+"---\n"+revisions, strings.Fields("-f - -f demo/nodes.yaml")...)
	assert.Equal(t, unusable, got.Status)
	assert.Contains(t, got.Stderr, "spec.template: nothing is planned in this sync: no revision stores the template, and the name of the next one is taken")
}

// TestBlocked: only what nobody moves has an exit status of its own.
func TestBlocked(t *testing.T) {
	stuck := cluster(t, 1, "a1 new unready", "a2 old")
	const args = "-f - -hash new" + atNow
	assert.Equal(t, rollout.Blocked, documentOf(t, blocked, stuck, args).DaemonSets[0].Diagnosis.Condition)
	assert.Equal(t, rollout.Waiting, documentOf(t, done, stuck, args+"-patience 13m").DaemonSets[0].Diagnosis.Condition)
	assert.Equal(t, rollout.Done, documentOf(t, done, cluster(t, 1, "a1 new"), args).DaemonSets[0].Diagnosis.Condition)

	// One of several is. Without -hash they are told apart by the hash of their
	// template, which is the same.
	hash := revision.Hash(&lint.Default(new(appsv1.DaemonSet)).Spec.Template, nil)
	both := stuck + strings.NewReplacer(`"name":"agent"`, `"name":"other"`, `"uid":"ds"`, `"uid":"other"`).Replace(cluster(t, 1, "a1 old", "a2 new"))
	r := documentOf(t, blocked, strings.ReplaceAll(both, `"new"`, `"`+hash+`"`), "-f -"+atNow)
	require.Len(t, r.DaemonSets, 2)
	assert.Equal(t, rollout.Blocked, r.DaemonSets[0].Diagnosis.Condition)
	assert.Equal(t, "delete a1", outcome(r.DaemonSets[1].Plan))
}

// TestHostPort: a surge whose new pod waits for a port of the old one is blocked,
// which takes the ports of pods to see.
func TestHostPort(t *testing.T) {
	surge := strings.Replace(cluster(t, 1, "a1 old", "a1 new unready pending"), `"maxUnavailable":1`, `"maxUnavailable":0,"maxSurge":1`, 1)
	const args = "-f - -hash new" + atNow
	assert.Equal(t, rollout.Waiting, documentOf(t, done, surge, args+"-patience 2h").DaemonSets[0].Diagnosis.Condition)
	for _, ports := range []string{
		`"containers":[{"name":"a","ports":[{"hostPort":80}]}]`,
		`"containers":[],"initContainers":[{"name":"a","ports":[{"hostPort":80}]}]`,
		`"hostNetwork":true,"containers":[{"name":"a","ports":[{"containerPort":80}]}]`,
	} {
		blocking := strings.ReplaceAll(surge, `"containers":null`, ports)
		require.NotEqual(t, surge, blocking)
		d := documentOf(t, blocked, blocking, args+"-patience 2h").DaemonSets[0].Diagnosis
		require.Len(t, d.Remedies, 1)
		assert.Equal(t, rollout.NoSurge, d.Remedies[0].Code)
	}
}

// TestCrashLoops: init containers crash too.
func TestCrashLoops(t *testing.T) {
	pods := strings.ReplaceAll(programtest.Text(t, "demo/pods.yaml"), "containerStatuses:", "initContainerStatuses:")
	d := documentOf(t, done, pods, "-f -"+demoFilesBut("pods.yaml")+atNow).DaemonSets[0].Diagnosis
	require.Len(t, d.Spenders, 3)
	assert.Equal(t, rollout.CrashLoops, d.Spenders[2].Cause)
}

// TestFarTimes: what JSON has no form for is left out.
func TestFarTimes(t *testing.T) {
	const late = "9999-12-31T23:59:59-05:00"
	pods := strings.NewReplacer("2026-03-04T09:30:00Z", late, "2026-03-04T11:01:42Z", late).Replace(programtest.Text(t, "demo/pods.yaml"))
	d := documentOf(t, done, pods, "-f -"+demoFilesBut("pods.yaml")+atNow).DaemonSets[0]
	require.Len(t, d.Diagnosis.Spenders, 3)
	assert.Zero(t, d.Diagnosis.Spenders[0].Since)
	assert.Zero(t, d.Plan.LookAgain)
	assert.Equal(t, "5 held-window", outcomeOf(t, "", `gate: {from: "`+late+`"}`)[:13])
}

// TestSince: a pod that terminates is deleted at a moment to come.
func TestSince(t *testing.T) {
	assert.Equal(t, "for 90s", since(demoNow.Add(-90*time.Second), demoNow))
	assert.Empty(t, since(demoNow.Add(time.Second), demoNow))
	assert.Empty(t, since(time.Time{}, demoNow))
}

// TestTable: what only a table has.
func TestTable(t *testing.T) {
	const args, waits = "-f - -hash new" + atNow, "The update has its turn once every node has its one pod.\n"
	table := func(lines ...string) string {
		return runPolicy(strings.ReplaceAll(cluster(t, 1, lines...), "a2", "a\\n2"), strings.Fields(args)...).Stdout
	}
	assert.NotContains(t, table("a1 new", "a2"), waits)
	assert.Contains(t, table("a1 old", "a2"), waits)
	assert.Contains(t, table("a1 new", "a2 old"), "    delete  a\uFFFD2  agent-00001\n")
	assert.Contains(t, table("a1 new", "a2 new"), "\n0 nodes have an old pod; of maxUnavailable 1, 0 are spent\n\nLook again: when something happens.\n")
}
