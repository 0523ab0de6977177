package revision_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/revision"
)

// diffBase has something of everything.
func diffBase() *corev1.PodTemplateSpec {
	t := gen.HistoryTemplates()[3].DeepCopy()
	t.Spec.Containers = append(t.Spec.Containers, corev1.Container{
		Name: "side", Image: "registry.example/side:1", Args: []string{"a", "b"},
		Env: []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}},
	})
	t.Spec.Volumes = []corev1.Volume{{Name: "v1"}, {Name: "v2"}}
	return t
}

func TestDiffClasses(t *testing.T) {
	main := func(t *corev1.PodTemplateSpec) *corev1.Container { return &t.Spec.Containers[0] }
	side := func(t *corev1.PodTemplateSpec) *corev1.Container { return &t.Spec.Containers[1] }
	for name, c := range map[string]struct {
		change  func(*corev1.PodTemplateSpec)
		class   revision.Class
		changes []string
		restart bool
	}{
		"nothing":   {func(*corev1.PodTemplateSpec) {}, revision.NoChange, nil, false},
		"a default": {func(t *corev1.PodTemplateSpec) { t.Spec.DNSPolicy = corev1.DNSClusterFirst }, revision.NoChange, nil, true},
		"an order": {func(t *corev1.PodTemplateSpec) {
			t.Spec.Volumes[0], t.Spec.Volumes[1] = t.Spec.Volumes[1], t.Spec.Volumes[0]
		}, revision.NoChange, nil, true},
		"a label":      {func(t *corev1.PodTemplateSpec) { t.Labels["example.com/x"] = "y" }, revision.MetadataOnly, []string{`metadata.labels["example.com/x"]: added "y"`}, true},
		"annotations":  {func(t *corev1.PodTemplateSpec) { t.Annotations = map[string]string{"x": "y"} }, revision.MetadataOnly, []string{`metadata.annotations: added {"x":"y"}`}, true},
		"nodeSelector": {func(t *corev1.PodTemplateSpec) { t.Spec.NodeSelector = map[string]string{"a": "b"} }, revision.PlacementOnly, []string{`spec.nodeSelector: added {"a":"b"}`}, true},
		"tolerations":  {func(t *corev1.PodTemplateSpec) { t.Spec.Tolerations = []corev1.Toleration{{Operator: "Exists"}} }, revision.PlacementOnly, []string{`spec.tolerations: added [{"operator":"Exists"}]`}, true},
		"affinity":     {func(t *corev1.PodTemplateSpec) { t.Spec.Affinity = nil }, revision.PlacementOnly, []string{`spec.affinity: removed {"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a","b"]}]}]}}}`}, true},
		"an image":     {func(t *corev1.PodTemplateSpec) { main(t).Image = "registry.example/probe:2" }, revision.ImageOnly, []string{`spec.containers[main].image: "registry.example/probe:1" became "registry.example/probe:2"`}, true},
		"resources": {func(t *corev1.PodTemplateSpec) {
			side(t).Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}
		}, revision.ResourcesOnly, []string{`spec.containers[side].resources.requests: added {"cpu":"100m"}`}, true},
		"overhead": {func(t *corev1.PodTemplateSpec) {
			t.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}
		}, revision.ResourcesOnly, []string{`spec.overhead: added {"cpu":"1"}`}, true},
		"arguments":                  {func(t *corev1.PodTemplateSpec) { side(t).Args = []string{"b", "a"} }, revision.Other, []string{`spec.containers[side].args: ["a","b"] became ["b","a"]`}, true},
		"a variable":                 {func(t *corev1.PodTemplateSpec) { side(t).Env[1].Value = "3" }, revision.Other, []string{`spec.containers[side].env[B].value: "2" became "3"`}, true},
		"variables in another order": {func(t *corev1.PodTemplateSpec) { e := side(t).Env; e[0], e[1] = e[1], e[0] }, revision.Other, []string{`spec.containers[side].env: ["[A]","[B]"] became ["[B]","[A]"]`}, true},
		"a container goes": {func(t *corev1.PodTemplateSpec) { t.Spec.Containers = t.Spec.Containers[1:] }, revision.Other, []string{
			`spec.containers[main]: removed {"image":"registry.example/probe:1","imagePullPolicy":"IfNotPresent","name":"main","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}`,
		}, true},
		"an image and a label": {func(t *corev1.PodTemplateSpec) { main(t).Image = "x:1"; t.Labels["app"] = "z" }, revision.Other, []string{
			`metadata.labels.app: "probe" became "z"`, `spec.containers[main].image: "registry.example/probe:1" became "x:1"`,
		}, true},
		"host network": {func(t *corev1.PodTemplateSpec) { t.Spec.HostNetwork = true }, revision.Other, []string{`spec.hostNetwork: added true`}, true},
	} {
		after := diffBase()
		c.change(after)
		d, err := revision.Diff(diffBase(), after)
		assert.NoError(t, err, name)
		assert.Equal(t, c.class, d.Class, name)
		var changes []string
		for _, change := range d.Changes {
			changes = append(changes, change.String())
		}
		assert.Equal(t, c.changes, changes, name)
		assert.Equal(t, c.restart, d.NewRevision, name)
		assert.Equal(t, c.changes == nil, d.Only(), name)
	}
}

func TestDiffOnly(t *testing.T) {
	after := diffBase()
	after.Labels["x"] = "y"
	after.Spec.Containers[0].Image = "x:1"
	d, err := revision.Diff(diffBase(), after)
	assert.NoError(t, err)
	assert.True(t, d.Only(revision.MetadataOnly, revision.ImageOnly), "what an in-place update can do")
	assert.False(t, d.Only(revision.MetadataOnly))
}

func TestDiffText(t *testing.T) {
	d, err := revision.Diff(nil, nil)
	assert.NoError(t, err)
	assert.Equal(t, "no change: no pod restarts\n", d.String())
	d, err = revision.Diff(gen.HistoryTemplates()[3], gen.HistoryTemplates()[4])
	assert.NoError(t, err)
	assert.Equal(t, "no change of meaning, but every pod restarts\n", d.String())
	d, err = revision.Diff(gen.HistoryTemplates()[0], gen.HistoryTemplates()[1])
	assert.NoError(t, err)
	assert.Equal(t, "image-only: every pod restarts\n"+
		"  spec.containers[main].image: \"registry.example/probe:1\" became \"registry.example/probe:2\"\n", d.String())
}

// A difference is none exactly when the templates mean the same, and it turns
// around with them.
func TestDiffAgreesWithMatching(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		a, b := gen.Template().Draw(t, "a"), gen.Template().Draw(t, "b")
		if gen.Chance(t, 30, "alike") {
			b = a.DeepCopy()
			if gen.Chance(t, 50, "with a default") {
				b.Spec.SchedulerName = corev1.DefaultSchedulerName
			}
		}
		gen.Metadata(t, a)
		r, err := revision.New(state(daemonSet(0), nil).Owner, a, 1, nil)
		assert.NoError(t, err)
		before := []*corev1.PodTemplateSpec{a.DeepCopy(), b.DeepCopy()}
		d, err := revision.Diff(a, b)
		assert.NoError(t, err)
		assert.Equal(t, before, []*corev1.PodTemplateSpec{a, b})

		meaning, err := revision.MatchesByMeaning(b, r)
		assert.NoError(t, err)
		bytes, err := revision.Matches(b, r)
		assert.NoError(t, err)
		assert.Equal(t, meaning, d.Class == revision.NoChange, "%s", d)
		assert.Equal(t, meaning, len(d.Changes) == 0)
		assert.Equal(t, !bytes, d.NewRevision)

		back, err := revision.Diff(b, a)
		assert.NoError(t, err)
		assert.Equal(t, d.Class, back.Class)
		assert.Len(t, back.Changes, len(d.Changes))
		for i, c := range d.Changes {
			assert.Equal(t, c.Before, back.Changes[i].After)
			reached.Add("class: " + string(c.Class))
		}
		reached.AddIf(meaning && !bytes, "a restart for nothing")
		reached.Add("template: " + string(d.Class))
	})
	reached.Require(t, "class: metadata-only", "class: placement-only", "class: other", "a restart for nothing",
		"template: none", "template: placement-only", "template: metadata-only", "template: other")
}
