package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/internal/programtest"
)

// readText reads a text as standard input.
func readText(t rapidOrTesting, text string) Objects {
	r := newReader(Source{Stdin: strings.NewReader(text)})
	require.NoError(t, r.file("-"))
	in := r.finish()
	for i := range in.DaemonSets {
		in.DaemonSets[i].Place, in.DaemonSets[i].Path = Place{}, ""
	}
	return in
}

type rapidOrTesting interface {
	require.TestingT
	Helper()
}

// TestForms: the same objects are read from every form that they come in.
func TestForms(t *testing.T) {
	manifest, err := yaml.YAMLToJSON([]byte(programtest.MinimalSet))
	require.NoError(t, err)
	var items []json.RawMessage
	for _, file := range []string{"../../plan/testdata/nodes.json", "../../plan/testdata/pods.json"} {
		var list struct{ Items []json.RawMessage }
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &list))
		items = append(items, list.Items...)
	}
	items = append(items, manifest)

	all := func(sep string, form func(json.RawMessage) string) string {
		var b strings.Builder
		for _, item := range items {
			b.WriteString(sep + form(item))
		}
		return b.String()
	}
	inJSON := func(item json.RawMessage) string { return string(item) + "\n" }
	inYAML := func(item json.RawMessage) string {
		text, err := yaml.JSONToYAML(item)
		require.NoError(t, err)
		return string(text)
	}
	indented := func(dash string) func(json.RawMessage) string {
		return func(item json.RawMessage) string {
			blank := strings.Repeat(" ", len(dash))
			text := strings.ReplaceAll(strings.TrimSuffix(inYAML(item), "\n"), "\n", "\n"+blank)
			return dash + text + "\n"
		}
	}
	list := strings.TrimPrefix(all(",", inJSON), ",")
	forms := map[string]string{
		"JSON list":            `{"apiVersion": "v1", "kind": "List", "items": [` + list + `]}`,
		"JSON list, kind last": `{"apiVersion": "v1", "items": [` + list + `], "kind": "List", "metadata": {"items": {}}}`,
		"JSON array":           "[" + list + "]",
		"JSON values":          all("", inJSON),
		"JSON list in a list":  `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "List", "items": [` + list + `]}]}`,
		"YAML documents":       all("---\n", inYAML),
		"YAML list":            "apiVersion: v1\nitems:\n" + all("", indented("- ")) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
		"YAML list, kind first": "# from a cluster\n---\napiVersion: v1\nkind: List\nitems:\n" +
			all("# an item\n", indented("- "))[len("# an item\n"):],
		"YAML list, indented":      "apiVersion: v1\nkind: List\nitems:\n" + all("", indented("  - ")),
		"YAML list, deep":          "apiVersion: v1\nkind: List\nitems:\n" + all("", indented("-    ")),
		"YAML list with a comment": "apiVersion: v1\nkind: List\nitems: # of them\n" + all("", indented("- ")),
	}
	want := readText(t, forms["JSON values"])
	require.Len(t, want.Nodes, 5)
	require.Len(t, want.Pods, 9)
	require.Len(t, want.Revisions, 2)
	require.Len(t, want.DaemonSets, 1)
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, want, readText(t, text))
			assert.Equal(t, want, readText(t, "\ufeff"+strings.ReplaceAll(text, "\n", "\r\n")), "byte order mark, CRLF")
		})
	}
}

// TestListsOfAKind: items of a NodeList need not say that they are nodes,
// wherever the list says it.
func TestListsOfAKind(t *testing.T) {
	item := `{"metadata": {"name": "a"}}`
	for _, text := range []string{
		`{"kind": "NodeList", "apiVersion": "v1", "items": [` + item + `]}`,
		`{"items": [` + item + `], "kind": "NodeList", "apiVersion": "v1"}`,
		"kind: NodeList\napiVersion: v1\nitems:\n- metadata: {name: a}\n",
		"kind: NodeList\napiVersion: v1\nitems: [{metadata: {name: a}}]\n",
	} {
		in := readText(t, text)
		require.Len(t, in.Nodes, 1, text)
		assert.Equal(t, "a", in.Nodes[0].Name)
	}
	in := readText(t, `{"kind": "ConfigMapList", "apiVersion": "v1", "items": [{}, {}]}`+
		`{"kind": "AllowList", "apiVersion": "example.com/v1", "items": null}{"kind": "Set", "apiVersion": "example.com/v1", "items": {"a": [{}]}}`+
		`{"kind": "Bag", "apiVersion": "example.com/v1", "items": [{"a": 1}, {"a": 2}]}`)
	assert.Equal(t, map[string]int{"ConfigMap": 2, "AllowList": 1, "Set": 1, "Bag": 1}, in.PassedOver)
}

// TestYAMLItems: a list that cannot be taken apart is read as a whole, and
// nothing of the first attempt is left.
func TestYAMLItems(t *testing.T) {
	head := "apiVersion: v1\nkind: List\nitems:\n"
	for name, tail := range map[string]string{
		"alias across items": "- &a\n  apiVersion: v1\n  kind: Node\n  metadata: {name: a}\n- *a\n",
		"string that goes on at the margin": "- apiVersion: v1\n  kind: Node\n  metadata: {name: a, annotations: {x: \"one\n" +
			"- two\"}}\n- apiVersion: v1\n  kind: Node\n  metadata: {name: b}\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(Source{})
			handled, err := r.yamlItems([]byte(head+tail), 1)
			require.NoError(t, err)
			assert.False(t, handled)
			assert.Empty(t, r.Nodes)
			assert.NotEmpty(t, readText(t, head+tail).Nodes)
		})
	}
}

// TestPlaces: documents and lines are counted as a person counts them.
func TestPlaces(t *testing.T) {
	r := newReader(Source{Stdin: strings.NewReader("%YAML 1.1\n# a comment\n---\n# another\n\n" + programtest.MinimalNode + "...\n---\n---\n" + programtest.MinimalSet +
		"--- # with a comment\n" + programtest.MinimalSet)})
	require.NoError(t, r.file("-"))
	require.Len(t, r.DaemonSets, 2)
	assert.Equal(t, Place{"standard input", 2, 13}, r.DaemonSets[0].Place)
	assert.Equal(t, Place{"standard input", 3, 30}, r.DaemonSets[1].Place)
}

// BenchmarkRead reads nodes as a cluster has them: about 20 labels, seven
// conditions and 45 images, 20 kB of JSON each.
func BenchmarkRead(b *testing.B) {
	const nodes = 500
	for _, format := range []string{"json", "yaml"} {
		b.Run(fmt.Sprintf("format=%s/nodes=%d", format, nodes), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "nodes."+format)
			text := clusterNodes(b, nodes, format)
			require.NoError(b, os.WriteFile(file, text, 0o644))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := newReader(Source{})
				require.NoError(b, r.file(file))
				require.Len(b, r.Nodes, nodes)
			}
		})
	}
}

func clusterNodes(t testing.TB, n int, format string) []byte {
	var items []any
	for i := range n {
		labels := map[string]string{"kubernetes.io/os": "linux"}
		for k := range 20 {
			labels[fmt.Sprintf("example.com/label-%d", k)] = fmt.Sprint("value-", i*k%100)
		}
		var conditions, images []any
		for k := range 7 {
			conditions = append(conditions, map[string]any{
				"type": fmt.Sprint("Condition", k), "status": "False", "reason": "KubeletHasSufficient", "message": "kubelet has sufficient of this available",
				"lastHeartbeatTime": "2026-01-12T08:30:00Z", "lastTransitionTime": "2026-01-12T08:00:30Z",
			})
		}
		for k := range 45 {
			name := fmt.Sprintf("registry.example/team-%d/app-%d", k%5, k)
			images = append(images, map[string]any{"sizeBytes": 1000000 + k, "names": []any{fmt.Sprintf("%s@sha256:%064x", name, i*k), name + ":1.0"}})
		}
		items = append(items, map[string]any{
			"apiVersion": "v1", "kind": "Node",
			"metadata": map[string]any{"name": fmt.Sprintf("node-%05d", i), "labels": labels, "annotations": map[string]any{"example.com/notes": strings.Repeat("x", 300)}},
			"spec":     map[string]any{"taints": []any{map[string]any{"key": "dedicated", "effect": "NoSchedule"}}},
			"status":   map[string]any{"conditions": conditions, "images": images},
		})
	}
	text, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "kind": "List", "items": items}, "", "    ")
	require.NoError(t, err)
	if format == "yaml" {
		text, err = yaml.JSONToYAML(text)
		require.NoError(t, err)
	}
	return bytes.TrimSpace(text)
}
