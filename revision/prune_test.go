package revision_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

// After gardener/gardener#11659 and falcosecurity/falco#3931.
func TestPrune(t *testing.T) {
	old := []*appsv1.ControllerRevision{stored(t, "h3", 3, 1), stored(t, "h1", 1, 1), stored(t, "h2", 2, 1)}
	unscheduled := pod("p", "h1")
	unscheduled.Spec = corev1.PodSpec{Affinity: placement.InjectNodeAffinity(nil, "gone")}
	homeless := pod("p", "h1")
	homeless.Spec = corev1.PodSpec{}
	ended := pod("p", "h1")
	ended.Status.Phase = corev1.PodFailed
	ended.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
	for name, c := range map[string]struct {
		limit *int32
		pods  []*corev1.Pod
		want  []string
	}{
		"room enough":                      {ptr(int32(3)), nil, []string{}},
		"the oldest goes":                  {ptr(int32(2)), nil, []string{"probe-h1"}},
		"not the one in use, but the next": {ptr(int32(2)), []*corev1.Pod{pod("p", "h1"), pod("q", "hc")}, []string{"probe-h2"}},
		"0 is a limit":                     {ptr(int32(0)), []*corev1.Pod{pod("p", "h3"), nil}, []string{"probe-h1", "probe-h2"}},
		"all in use":                       {ptr(int32(0)), []*corev1.Pod{pod("p", "h3"), pod("q", "h1"), pod("r", "h2")}, []string{}},
		"a negative limit is 0":            {ptr(int32(-2147483648)), nil, []string{"probe-h1", "probe-h2", "probe-h3"}},
		"no limit is 10":                   {nil, nil, []string{}},
		"in use by an unscheduled pod":     {ptr(int32(2)), []*corev1.Pod{unscheduled}, []string{"probe-h2"}},
		"in use by a pod that has ended":   {ptr(int32(2)), []*corev1.Pod{ended}, []string{"probe-h2"}},
		"a pod without a node is no use":   {ptr(int32(2)), []*corev1.Pod{homeless}, []string{"probe-h1"}},
	} {
		assert.Equal(t, c.want, names(revision.Prune(old, c.pods, c.limit)), name)
	}
	assert.Equal(t, "probe-h3", old[0].Name, "the input keeps its order")

	var many []*appsv1.ControllerRevision
	for i := range 12 {
		many = append(many, stored(t, string(rune('a'+i)), int64(i), 1))
	}
	assert.Equal(t, []string{"probe-a", "probe-b"}, names(revision.Prune(many, nil, nil)))

	// A label that is empty is no hash of a pod without one.
	many[0].Labels[revision.HashLabel] = ""
	bare := pod("p", "")
	delete(bare.Labels, revision.HashLabel)
	assert.Equal(t, []string{"probe-a", "probe-b"}, names(revision.Prune(many, []*corev1.Pod{bare, pod("q", "")}, nil)))
}

func TestPruneKeepsWhatIsInUse(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := daemonSet(0)
		old := gen.History(ds, 8, [][]byte{nil}, []string{"new", "old", "older"}).Draw(t, "old")
		nodes := []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n0"}}}
		pods := gen.Pods(ds, 4, nodes).Draw(t, "pods")
		limit := int32(rapid.IntRange(-1, 8).Draw(t, "limit"))
		gone := revision.Prune(old, pods, &limit)
		assert.Equal(t, gone, revision.Prune(gen.Shuffled(t, old), gen.Shuffled(t, pods), &limit))
		used := map[string]bool{}
		for _, p := range pods {
			if _, err := placement.TargetNode(p); err == nil && p.Labels[revision.HashLabel] != "" {
				used[p.Labels[revision.HashLabel]] = true
			}
		}
		dead := 0
		for _, r := range old {
			if !used[r.Labels[revision.HashLabel]] {
				dead++
			}
		}
		for i, r := range gone {
			assert.False(t, used[r.Labels[revision.HashLabel]])
			if i > 0 {
				assert.LessOrEqual(t, gone[i-1].Revision, r.Revision)
			}
		}
		assert.Len(t, gone, min(max(len(old)-max(int(limit), 0), 0), dead))
		reached.AddIf(len(gone) > 0, "some go")
		reached.AddIf(len(old)-len(gone) > max(int(limit), 0), "more stay than the limit")
	})
	reached.Require(t, "some go", "more stay than the limit")
}

func TestUpdated(t *testing.T) {
	p := pod("p", "abc")
	p.Labels[placement.TemplateGenerationLabel] = "3"
	assert.True(t, revision.Updated(p, "abc", nil))
	assert.False(t, revision.Updated(p, "def", nil))
	assert.True(t, revision.Updated(p, "def", ptr(int64(3))), "the generation is enough")
	assert.False(t, revision.Updated(pod("p", ""), "", nil), "an empty hash is nobody's")
	assert.False(t, revision.Updated(nil, "abc", nil))
}
