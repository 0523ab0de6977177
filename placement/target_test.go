package placement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

func TestInjectNodeAffinity(t *testing.T) {
	pin := []corev1.NodeSelectorTerm{named(require("metadata.name", "In", "n1"))}
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		affinity := gen.Affinity().Draw(t, "affinity")
		before := affinity.DeepCopy()
		pinned := placement.InjectNodeAffinity(affinity, "n1")
		assert.Equal(t, before, affinity)
		assert.Equal(t, pin, pinned.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms)
		name, err := placement.TargetNode(&corev1.Pod{Spec: corev1.PodSpec{Affinity: pinned}})
		assert.NoError(t, err)
		assert.Equal(t, "n1", name)

		// Everything but the required part stays.
		reached.AddIf(affinity == nil, "nil")
		if affinity != nil {
			assert.Equal(t, affinity.PodAntiAffinity, pinned.PodAntiAffinity)
			reached.AddIf(affinity.PodAntiAffinity != nil, "pod affinity")
			if affinity.NodeAffinity != nil {
				assert.Equal(t, affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution,
					pinned.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
				reached.AddIf(affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution != nil, "preferred")
			}
		}
		// And nothing is shared.
		if pinned.PodAntiAffinity != nil {
			pinned.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey = "scribbled"
		}
		assert.Equal(t, before, affinity)
	})
	reached.Require(t, "nil", "pod affinity", "preferred")
}

func TestTargetNode(t *testing.T) {
	for name, c := range map[string]struct {
		pod  *corev1.Pod
		want string
		err  string
	}{
		"scheduled": {&corev1.Pod{Spec: corev1.PodSpec{NodeName: "n", Affinity: template(named(require("metadata.name", "In", "m"))).Spec.Affinity}}, "n", ""},
		"pinned":    {&corev1.Pod{Spec: template(named(require("metadata.name", "In", "m"))).Spec}, "m", ""},
		"the first In of any term": {&corev1.Pod{Spec: template(
			on(require("k", "Exists")),
			named(require("metadata.name", "NotIn", "x"), require("spec.x", "In", "y"), require("metadata.name", "In", "m")),
			named(require("metadata.name", "In", "o")),
		).Spec}, "m", ""},
		"an empty name":              {&corev1.Pod{Spec: template(named(require("metadata.name", "In", ""))).Spec}, "", ""},
		"two values":                 {&corev1.Pod{Spec: template(named(require("metadata.name", "In", "m", "n")), named(require("metadata.name", "In", "o"))).Spec}, "", "has 2 values, must have one"},
		"a label of the same name":   {&corev1.Pod{Spec: template(on(require("metadata.name", "In", "m"))).Spec}, "", "no term has a requirement metadata.name In"},
		"no terms":                   {&corev1.Pod{Spec: template().Spec}, "", "no term has a requirement"},
		"nothing":                    {&corev1.Pod{}, "", "placement: pod /: spec.affinity"},
		"affinity without node part": {&corev1.Pod{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{}}}, "", "no term has"},
		"no pod":                     {nil, "", "no pod"},
	} {
		got, err := placement.TargetNode(c.pod)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, name)
			assert.Empty(t, got, name)
			continue
		}
		assert.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}
