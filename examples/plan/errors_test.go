package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestUnusable runs what cannot be planned: exit status 2, nothing on standard
// output, and on standard error which file, which document, which field.
func TestUnusable(t *testing.T) {
	const stdin = "plan: standard input: document 1 (line 1): "
	for _, test := range []struct{ name, args, stdin, want string }{
		{"missing file", "-f testdata/none.yaml", "", "plan: testdata/none.yaml: no such file or directory\n"},
		{"directory", "-f testdata", "", "plan: testdata: is a directory: name the files in it, each with its own -f\n"},
		{"no DaemonSet", "-f testdata/nodes.json", "",
			"plan: testdata/nodes.json: no DaemonSet of apps/v1 (found 5 Node): give a manifest with -f\n"},
		{"no Node", "-f testdata/network.yaml -f -", "{}",
			"plan: standard input: document 1 (line 1): kind: is missing, so this is no Kubernetes object\n"},
		{"no Node at all", "-f testdata/network.yaml", "",
			"plan: testdata/network.yaml: no Node (found 1 ClusterRole, 2 ConfigMap, 1 DaemonSet, 1 Namespace, 1 ServiceAccount): write some with kubectl get nodes -o json > nodes.json and add -f nodes.json\n"},
		{"nothing", "-f -", "# nothing\n---\n...\n",
			"plan: warning: standard input: is empty\nplan: standard input: no DaemonSet of apps/v1 (nothing else was found): give a manifest with -f\n"},
		{"other API group", "-f -", "kind: DaemonSet\napiVersion: extensions/v1beta1\n",
			"plan: warning: standard input: document 1 (line 1): apiVersion: a DaemonSet of extensions/v1beta1 is passed over, only apps/v1 is read\n" +
				"plan: standard input: no DaemonSet of apps/v1 (found 1 DaemonSet): give a manifest with -f\n"},
		{"standard input twice", "-f - -f -", programtest.MinimalSet, "plan: standard input: can be read only once\n"},

		{"malformed YAML", "-f -", "# one\n---\nkind: A\napiVersion: v1\n---\n\nkind: B\nspec:\n  a: b: c\n",
			"plan: standard input: document 2 (line 7): malformed YAML: line 9: mapping values are not allowed in this context\n"},
		{"tab", "-f -", "kind: A\nspec:\n\ta: b\n",
			stdin + "malformed YAML: line 3: found character that cannot start any token (line 3 is indented with a tab; YAML wants spaces)\n"},
		{"template", "-f -", "{{- if .Values.agent }}\nkind: A\n{{- end }}\n", "(it has {{ in it; a template has to be rendered first)\n"},
		{"separator missing", "-f -", programtest.MinimalSet + programtest.MinimalNode,
			stdin + "kind: stands in line 2 and in line 18: is a line with --- missing between them?\n"},
		{"no object", "-f -", "hello\n", stdin + "is no object: \"hello\"\n"},
		{"UTF-16", "-f -", "\xff\xfek\x00", "plan: standard input: is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)\n"},

		{"malformed JSON", "-f -", "{\n \"kind\": \"A\",\n \"spec\": {\n  \"a\": 1\n  \"b\": 2\n }\n}",
			stdin + "spec: malformed JSON in line 5: "},
		{"malformed JSON in a list", "-f -", "{\"items\": [\n{\"kind\": \"A\", \"apiVersion\": \"v1\"},\n{\"kind\": \n\"A\", oops}\n]}",
			stdin + "items[1]: malformed JSON in line 4: "},
		{"JSON without comma", "-f -", "{\n\"kind\": \"A\"\n\"apiVersion\": \"v1\"}", stdin + "malformed JSON in line 3: "},
		{"JSON cut off", "-f -", `{"kind": "List", "items": [{"kind": "No`, stdin + "items[0]: ends before it is complete: was it cut off?\n"},
		{"JSON cut off between items", "-f -", `{"kind": "List", "items": [{"kind": "A", "apiVersion": "v1"},`, stdin + "items[1]: ends before it is complete: was it cut off?\n"},
		{"JSON cut off in the object", "-f -", `{"kind": "List"`, stdin + "ends before it is complete: was it cut off?\n"},
		{"second JSON value", "-f -", "{\"kind\": \"A\", \"apiVersion\": \"v1\"}\n\n{\"kind\": 5}",
			"plan: standard input: document 2 (line 3): kind: must be a string, not a number (write it in quotes)\n"},

		{"no apiVersion", "-f -", "kind: Node\n", stdin + "apiVersion: is missing, so this is no Kubernetes object\n"},
		{"item without kind", "-f -", `[{"apiVersion": "v1"}]`, stdin + "[0].kind: is missing, so this is no Kubernetes object\n"},
		{"item is no object", "-f -", "kind: NodeList\napiVersion: v1\nitems:\n- 5\n", stdin + "items[0]: must be an object, not a number\n"},
		{"wrong types", "-f -", strings.NewReplacer(
			"    spec:", "    spec:\n      hostNetwork: \"yes\"\n      nodeSelector: {gpu: true}\n      tolerations: {operator: Exists}",
			"agent:1", "agent:1\n        ports: [{containerPort: http}]\n        resources: {requests: {cpu: 50 m}}").Replace(programtest.MinimalSet),
			stdin + "spec.template.spec.containers[0].ports[0].containerPort: must be an integer, not a string\n" +
				stdin + "spec.template.spec.containers[0].resources.requests[cpu]: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n" +
				stdin + "spec.template.spec.hostNetwork: must be true or false, not a string\n" +
				stdin + "spec.template.spec.nodeSelector[gpu]: must be a string, not true or false (write it in quotes)\n" +
				stdin + "spec.template.spec.tolerations: must be a list, not an object\n"},
		{"wrong types in the strategy", "-f -", strings.Replace(programtest.MinimalSet, "spec:", "spec:\n  minReadySeconds: 1.5\n  updateStrategy: {rollingUpdate: {maxUnavailable: []}}", 1),
			stdin + "spec.minReadySeconds: must be an integer, not 1.5\n" +
				stdin + "spec.updateStrategy.rollingUpdate.maxUnavailable: must be a number or a string, not a list\n"},
		{"wrong type in a node of a list", "-f -", "kind: List\napiVersion: v1\nitems:\n- kind: Node\n  apiVersion: v1\n  spec:\n    taints:\n    - key: 5\n",
			stdin + "items[0].spec.taints[0].key: must be a string, not a number (write it in quotes)\n"},

		{"unknown node", "-f testdata/nodes.json -f testdata/network.yaml -node worker-c", "",
			"plan: -node worker-c: no such node; similar names: worker-a, worker-b\n"},
		{"unknown node like no other", "-f testdata/nodes.json -f testdata/network.yaml -node zzzzzzzz", "",
			"plan: -node zzzzzzzz: no such node; 5 nodes were read: gpu-a, infra-a, win-a, worker-a, worker-b\n"},
		{"unknown format", "-o xml", "", "plan: -o xml: must be one of table, json, yaml\nplan: -h tells about the flags\n"},
		{"unknown flag", "-x", "", "plan: flag provided but not defined: -x\nplan: -h tells about the flags\n"},
		{"argument without -f", "-f a.yaml b.yaml", "",
			"plan: unexpected argument \"b.yaml\": every file has its own -f, as in -f b.yaml\nplan: -h tells about the flags\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runPlan(test.stdin, strings.Fields(test.args)...)
			assert.Equal(t, unusable, got.Status)
			assert.Empty(t, got.Stdout)
			assert.Contains(t, got.Stderr, test.want)
			if strings.HasSuffix(test.want, "\n") && strings.HasPrefix(test.want, "plan:") {
				assert.Equal(t, test.want, got.Stderr)
			}
		})
	}
}

// TestEmptyName: an empty -f is a variable that was not set.
func TestEmptyName(t *testing.T) {
	got := runPlan("", "-f", "")
	assert.Equal(t, unusable, got.Status)
	assert.Contains(t, got.Stderr, "is no name of a file")
}

// TestUnreadable: a file without permission names itself.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	file := filepath.Join(t.TempDir(), "locked.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0))
	got := runPlan("", "-f", file)
	assert.Equal(t, programtest.Ran{Status: unusable, Stderr: "plan: " + file + ": permission denied\n"}, got)
}

// TestWarnings: what is odd is told, and the plan is there all the same.
func TestWarnings(t *testing.T) {
	const stdin = "plan: warning: standard input: document 1 (line 1): "
	for _, test := range []struct{ name, input, want string }{
		{"nothing to tell", programtest.MinimalSet + "---\n" + programtest.MinimalNode, ""},
		{"refused by the API server", strings.Replace(programtest.MinimalSet, "matchLabels:\n      app: agent", "matchLabels:\n      app: other", 1) + "---\n" + programtest.MinimalNode,
			stdin + "spec.template.metadata.labels: the API server would refuse this: "},
		{"unknown field", strings.Replace(programtest.MinimalSet, "    spec:", "    spec:\n      nodeselector: {}", 1) + "---\n" + programtest.MinimalNode,
			stdin + "spec.template.spec.nodeselector: unknown field: a typo, or newer than this program\n"},
		{"written twice", strings.Replace(programtest.MinimalSet, "  name: agent", "  name: agent\n  name: agent", 1) + "---\n" + programtest.MinimalNode,
			stdin + "line 5: key \"name\" already set in map; the last one counts\n"},
		{"written twice in JSON", `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"a","name":"a"}}` + "{\"apiVersion\":\"v1\",\"kind\":\"Node\"}",
			stdin + "metadata.name: duplicate field\n"},
		{"in a list", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n- apiVersion: apps/v1\n  kind: DaemonSet\n  spc: {}\n",
			stdin + "items[1].spc: unknown field"},
		{"a node twice", programtest.MinimalSet + "---\n" + programtest.MinimalNode + "---\n" + programtest.MinimalNode,
			"plan: warning: 1 node was given more than once, the last one counts: a\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runPlan(test.input, "-f", "-")
			assert.Equal(t, done, got.Status)
			assert.Contains(t, got.Stdout, "1/1 node is eligible")
			assert.Contains(t, got.Stderr, test.want)
			if test.want == "" {
				assert.Empty(t, got.Stderr)
			}
		})
	}
}

// TestBrokenTerm: a term that cannot be parsed is refused by the API server and
// matches no node. That is one warning, not two.
func TestBrokenTerm(t *testing.T) {
	broken := strings.Replace(programtest.MinimalSet, "    spec:", `    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: pool, operator: In}]`, 1)
	got := runPlan(broken+"---\n"+programtest.MinimalNode, "-f", "-")
	assert.Equal(t, done, got.Status)
	assert.Contains(t, got.Stdout, "0/1 node is eligible")
	assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), got.Stderr)
	assert.Contains(t, got.Stderr, "nodeSelectorTerms[0].matchExpressions[0].values: the API server would refuse this: ")
}

// TestOutputFails: a full disk is no success.
func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{nil, {"-o", "json"}, {"-o", "yaml"}} {
		var stderr strings.Builder
		assert.Equal(t, unwritable, run(args, strings.NewReader(""), programtest.BrokenWriter{}, &stderr))
		assert.Equal(t, "plan: file already closed\n", stderr.String())
	}
}
