package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/internal/programtest"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// demoSet is the DaemonSet of the demonstration with a new image, which no
// revision stores.
func demoSet(t testing.TB) *appsv1.DaemonSet {
	ds := new(appsv1.DaemonSet)
	require.NoError(t, yaml.Unmarshal([]byte(programtest.Text(t, "demo/agent.yaml")), ds))
	ds.Spec.Template.Spec.Containers[0].Image = "registry.example/agent:2.0"
	return ds
}

// revisionOf is the revision of the DaemonSet's template, as from a cluster.
func revisionOf(t testing.TB, ds *appsv1.DaemonSet, number int64) *appsv1.ControllerRevision {
	r, err := revision.New(placement.OwnerOf(ds), &ds.Spec.Template, number, ds.Status.CollisionCount)
	require.NoError(t, err)
	r.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevision"}
	return r
}

// texts are objects as kubectl prints them with -o json.
func texts(t testing.TB, objects ...any) string {
	var b strings.Builder
	for _, object := range objects {
		text, err := json.MarshalIndent(object, "", "    ")
		require.NoError(t, err)
		b.WriteString(string(text) + "\n")
	}
	return b.String()
}

// reportOn runs the program on objects beside the revisions of the
// demonstration, and returns what it says of the first DaemonSet.
func reportOn(t testing.TB, text string, args ...string) (daemonSetReport, string) {
	args = append([]string{"-f", "-", "-f", "demo/revisions.yaml"}, args...)
	table := runHistory(text, args...)
	document := runHistory(text, append(args, "-o", "json")...)
	require.Equal(t, table.Status, document.Status)
	var r report
	document.Document(t, &r)
	require.NotEmpty(t, r.DaemonSets)
	return r.DaemonSets[0], table.Stderr + table.Stdout
}

// TestOutcomes: everything that can become of the template in force. The hashes
// are computed, since they depend on the version of k8s.io/api.
func TestOutcomes(t *testing.T) {
	ds := demoSet(t)
	own := revisionOf(t, ds, 9)

	t.Run("create", func(t *testing.T) {
		r, table := reportOn(t, texts(t, ds))
		assert.Equal(t, isCreate, r.Current.Outcome)
		assert.Equal(t, reference{4, own.Name}, r.Current.Revision)
		assert.Contains(t, table, "Template in force: stored by no revision; the controller creates revision 4\n  called "+own.Name+" by the API types of this program\n")
	})
	t.Run("current", func(t *testing.T) {
		r, table := reportOn(t, texts(t, ds, own))
		assert.Equal(t, isCurrent, r.Current.Outcome)
		assert.Contains(t, table, "Template in force: revision 9, "+own.Name+"\n")
	})
	t.Run("collision", func(t *testing.T) {
		taken := own.DeepCopy()
		taken.Data.Raw = []byte(`{"spec":{"template":{"$patch":"replace"}}}`)
		r, table := reportOn(t, texts(t, ds, taken), "-limit")
		assert.Equal(t, isCollided, r.Current.Outcome)
		require.NotNil(t, r.Current.CollisionCount)
		assert.Equal(t, int32(1), *r.Current.CollisionCount)
		assert.Contains(t, table, own.Name+", as the next one would be called, stores another template\n  status.collisionCount becomes 1")
		assert.Contains(t, table, "-limit 10: unknown: the sync ends with the collision\n")
	})
	t.Run("borrowed", func(t *testing.T) {
		other := own.DeepCopy()
		other.OwnerReferences[0].UID = "another"
		r, table := reportOn(t, texts(t, ds, other))
		assert.Equal(t, isBorrowed, r.Current.Outcome)
		assert.Contains(t, table, "revision 9, "+own.Name+", which is not the DaemonSet's and is used as it is\n")
		assert.Len(t, r.Revisions, 3, "kubectl does not show it")
	})
	t.Run("duplicates", func(t *testing.T) {
		older := own.DeepCopy()
		older.Name, older.Revision = "agent-older", 5
		pod := corev1.Pod{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: ds.Namespace, Labels: map[string]string{"app": "agent"},
				OwnerReferences: own.OwnerReferences},
		}
		r, table := reportOn(t, texts(t, ds, own, older, pod))
		assert.Equal(t, []reference{{5, "agent-older"}}, r.Current.Delete)
		assert.Equal(t, []string{"p"}, r.Current.Relabel)
		assert.Contains(t, table, "  1  to delete, duplicates of the one in force  revision 5 (agent-older)\n  1 pod gets its hash, whatever their template: p\n")
	})
	t.Run("adopt, release, label", func(t *testing.T) {
		orphan, foreign := own.DeepCopy(), revisionOf(t, ds, 3)
		orphan.Name, orphan.OwnerReferences, orphan.Labels = "orphan", nil, map[string]string{"app": "agent"}
		foreign.Name, foreign.Labels = "foreign", nil
		r, table := reportOn(t, texts(t, ds, orphan, foreign))
		assert.Equal(t, []reference{{9, "orphan"}}, r.Current.Adopt)
		assert.Equal(t, []reference{{9, "orphan"}}, r.Current.Label)
		assert.Equal(t, []reference{{3, "foreign"}}, r.Current.Release)
		assert.Contains(t, table, "  1  to adopt")
		assert.Contains(t, table, "  1  to release")
	})
	t.Run("same meaning", func(t *testing.T) {
		// What a cluster before 1.34 stores.
		null := own.DeepCopy()
		null.Data.Raw = []byte(strings.Replace(string(null.Data.Raw), `"metadata":{`, `"metadata":{"creationTimestamp":null,`, 1))
		null.Name = "agent-null"
		r, table := reportOn(t, texts(t, ds, null))
		assert.Equal(t, isCreate, r.Current.Outcome)
		assert.Equal(t, []reference{{9, "agent-null"}}, r.Current.SameMeaning)
		assert.Contains(t, table, "  the same in meaning, in other bytes: revision 9 (agent-null)\n")
	})
}

// TestStoredBytes: a revision is current however kubectl printed it.
func TestStoredBytes(t *testing.T) {
	ds := demoSet(t)
	ds.Spec.Template.Spec.Containers[0].Command = []string{"sh", "-c", "a < b && c > 1e3 # é\u2028"}
	ds.Spec.Template.Annotations = map[string]string{"z": "1", "a": "<&>"}
	r := revisionOf(t, ds, 9)
	inYAML, err := yaml.Marshal(r)
	require.NoError(t, err)
	for _, text := range []string{texts(t, ds, r), texts(t, ds, map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{r}})} {
		got, _ := reportOn(t, text)
		assert.Equal(t, isCurrent, got.Current.Outcome)
	}
	set, err := yaml.Marshal(ds)
	require.NoError(t, err)
	got, _ := reportOn(t, string(set)+"---\n"+string(inYAML))
	assert.Equal(t, isCurrent, got.Current.Outcome)
}

// TestRefused: what kubectl refuses, with its words and exit status 1.
func TestRefused(t *testing.T) {
	for _, test := range []struct{ files, args, want string }{
		{"demo/revisions.yaml", "-undo 9", "-undo 9: error: unable to find specified revision 9 in history\n"},
		{"demo/revisions.yaml", "-undo -1", "-undo -1: error: unable to find specified revision -1 in history\n"},
		{"demo/agent.yaml", "-undo 0", "-undo 0: error: no last revision to roll back to\n"},
		{"demo/revisions.yaml", "-diff 1,8", "-diff 1,8: error: unable to find specified revision 8 in history\n"},
	} {
		args := append([]string{"-f", "demo/agent.yaml", "-f", test.files}, strings.Fields(test.args)...)
		got := runHistory("", args...)
		assert.Equal(t, refused, got.Status, test.args)
		assert.Contains(t, got.Stdout, test.want)
		document := runHistory("", append(args, "-o", "json")...)
		assert.Equal(t, refused, document.Status)
		assert.Contains(t, document.Stdout, `"error": "`)
	}
	broken := strings.Replace(programtest.Text(t, "demo/revisions.yaml"), "$patch: replace", "$patch: merge", 1)
	got := runHistory(broken, "-f", "-", "-f", "demo/agent.yaml", "-undo", "1")
	assert.Equal(t, refused, got.Status)
	assert.Contains(t, got.Stdout, "-undo 1: error: ")
}

// TestOwner: a manifest has no UID, so its revisions are found by the owner that
// they name.
func TestOwner(t *testing.T) {
	ds := demoSet(t)
	ds.UID = ""
	r, table := reportOn(t, texts(t, ds))
	assert.Len(t, r.Revisions, 3)
	assert.NotContains(t, table, "warning")

	other := demoSet(t)
	other.UID = "u2"
	r, table = reportOn(t, texts(t, ds, revisionOf(t, other, 7)))
	assert.Nil(t, r.Current)
	assert.Empty(t, r.Revisions)
	assert.Contains(t, table, "metadata.uid: is missing, and 2 DaemonSets of this name own pods and revisions")
	assert.Contains(t, table, "Nobody can tell which revisions are its own.\n")

	ds.Name = "newcomer"
	_, table = reportOn(t, texts(t, ds))
	assert.Contains(t, table, "daemonset.apps/newcomer \nNo rollout history found.\n")
}

// TestUnsynced: what the controller does not sync is said to be so.
func TestUnsynced(t *testing.T) {
	ds := demoSet(t)
	ds.Spec.Selector = &metav1.LabelSelector{}
	_, table := reportOn(t, texts(t, ds))
	assert.Contains(t, table, "spec.selector: selects everything: the controller does nothing for this DaemonSet")
	now := metav1.Now()
	ds = demoSet(t)
	ds.DeletionTimestamp = &now
	_, table = reportOn(t, texts(t, ds))
	assert.Contains(t, table, "metadata.deletionTimestamp: is set")
	ds = demoSet(t)
	ds.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
	r, table := reportOn(t, texts(t, ds))
	assert.Nil(t, r.Current)
	assert.Contains(t, table, fmt.Sprintf("spec.selector: pods and revisions are not looked at: %q", "Near"))
}
