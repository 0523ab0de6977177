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

// lists are the lists of a diff by name.
func lists(d placement.Diff) map[string][]placement.NodeChange {
	return map[string][]placement.NodeChange{
		"gained": d.Gained, "lost now": d.LostNow, "lost at restart": d.LostAtRestart, "kept": d.Kept,
	}
}

// filed checks that each change lies where its two verdicts belong, and
// returns how many there are.
func filed(t *rapid.T, d placement.Diff, reached *tally.Tally) int {
	n := d.Untouched
	for name, list := range lists(d) {
		n += len(list)
		for i, c := range list {
			reached.Add(name + ": " + c.Before.String() + " to " + c.After.String())
			switch name {
			case "gained":
				assert.True(t, c.After == placement.Eligible && c.Before != placement.Eligible)
			case "kept":
				assert.True(t, c.After == placement.Eligible && c.Before == placement.Eligible)
			case "lost at restart":
				assert.True(t, c.After == placement.KeepOnly && c.Before == placement.Eligible)
			case "lost now":
				assert.True(t, c.Before.ShouldContinue() && !c.After.ShouldContinue())
			}
			if i > 0 {
				assert.Less(t, list[i-1].Node, c.Node)
			}
		}
	}
	return n
}

func TestDiffTemplates(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		before := placement.Compile(gen.Template().Draw(t, "before"), placement.Options{})
		after := placement.Compile(gen.Template().Draw(t, "after"), placement.Options{})
		nodes := gen.Nodes(6).Draw(t, "nodes")
		d := placement.DiffTemplates(before, after, nodes)
		assert.Equal(t, len(nodes), filed(t, d, &reached))
		assert.Equal(t, d, placement.DiffTemplates(before, after, gen.Shuffled(t, nodes)))

		same := placement.DiffTemplates(after, after, nodes)
		assert.Empty(t, same.Gained)
		assert.Empty(t, same.LostNow)
		assert.Empty(t, same.LostAtRestart)
		assert.Len(t, same.Kept, placement.Summarize(after, nodes).Eligible)
	})
	reached.Require(t, "gained: excluded to eligible", "gained: keep-only to eligible", "kept: eligible to eligible",
		"lost now: eligible to excluded", "lost now: keep-only to excluded", "lost at restart: eligible to keep-only")
}

func TestDiffNodes(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		m := placement.Compile(gen.Template().Draw(t, "template"), placement.Options{})
		before, after := gen.Nodes(5).Draw(t, "before"), gen.Nodes(5).Draw(t, "after")
		d := placement.DiffNodes(m, before, after)
		assert.Equal(t, max(len(before), len(after)), filed(t, d, &reached), "every name is filed once")
		assert.Equal(t, d, placement.DiffNodes(m, gen.Shuffled(t, before), gen.Shuffled(t, after)))
	})
	reached.Require(t, "gained: unevaluated to eligible", "lost now: eligible to unevaluated", "lost now: keep-only to unevaluated")
}

// The taint of mojaloop/project#4355 (three of six nodes) and the label of
// kubernetes/kubernetes#54565 (all at once), as a rehearsal.
func TestDiffRehearsesAChange(t *testing.T) {
	tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"mon": "yes"}}}
	m := placement.Compile(tpl, placement.Options{})
	yes := map[string]string{"mon": "yes"}
	before := []*corev1.Node{node("m1", yes), node("m2", yes), node("m3", yes), node("gone", yes), node("other", nil), node("", yes)}
	after := []*corev1.Node{node("m1", yes), node("m2", nil), node("m3", yes, noSchedule("infra", "true")), node("new", yes), node("other", nil)}
	assert.Equal(t, `1 gained, 2 lost now, 1 lost at the next restart, 1 kept, 1 untouched
  gained: new, unevaluated before, eligible after
  lost now: gone, eligible before, unevaluated after
  lost now: m2, eligible before, excluded after: nodeSelector mon=yes
  lost at the next restart: m3, eligible before, keep-only after: taint infra=true:NoSchedule
`, placement.DiffNodes(m, before, after).String())
}
