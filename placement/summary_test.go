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

func TestSummarizeCountsEveryNodeOnce(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		m := placement.Compile(gen.Template().Draw(t, "template"), placement.Options{})
		nodes := gen.Nodes(8).Draw(t, "nodes")
		s := placement.Summarize(m, nodes)
		assert.Equal(t, len(nodes), s.Nodes)
		assert.Equal(t, s.Nodes, s.Eligible+s.KeepOnly+s.Excluded)

		byName := map[string]*corev1.Node{}
		for _, node := range nodes {
			byName[node.Name] = node
		}
		grouped := 0
		for i, g := range s.Groups {
			assert.NotEmpty(t, g.Nodes)
			assert.IsIncreasing(t, append([]string{""}, g.Nodes...))
			grouped += len(g.Nodes)
			for _, name := range g.Nodes {
				assert.Equal(t, g.Verdict, m.Match(byName[name]))
				assert.Equal(t, g.Cause, m.Cause(byName[name]))
				assert.Equal(t, g.Decider, m.DecidingCause(byName[name]))
			}
			if i > 0 {
				assert.GreaterOrEqual(t, len(s.Groups[i-1].Nodes), len(g.Nodes))
			}
		}
		assert.Equal(t, s.KeepOnly+s.Excluded, grouped)
		reached.AddIf(len(s.Groups) > 1, "several groups")
		reached.AddIf(len(s.Groups) == 0, "no group")

		shuffled := gen.Shuffled(t, nodes)
		assert.Equal(t, s, placement.Summarize(m, shuffled))
		// An earlier node of the same name does not count.
		if len(nodes) > 0 {
			stale := append([]*corev1.Node{nil, gen.Node(nodes[0].Name).Draw(t, "stale")}, nodes...)
			assert.Equal(t, s, placement.Summarize(m, stale))
		}
	})
	reached.Require(t, "several groups", "no group")
}

func TestEligibleNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		nodes := gen.Nodes(8).Draw(t, "nodes")
		m := placement.Compile(&ds.Spec.Template, placement.Options{})
		want := []*corev1.Node(nil)
		for _, node := range nodes { // by name already
			if m.Match(node) == placement.Eligible {
				want = append(want, node)
			}
		}
		before := append([]*corev1.Node(nil), nodes...)
		assert.Equal(t, want, placement.EligibleNodes(ds, gen.Shuffled(t, nodes)))
		assert.Equal(t, before, nodes)
	})
	assert.Nil(t, placement.EligibleNodes(nil, []*corev1.Node{node("n", nil)}))

	// The last node of a name decides, whether it is eligible or not.
	ds := gen.DaemonSet().Example(1)
	ds.Spec.Template.Spec = corev1.PodSpec{}
	tainted, clean := node("n", nil, noSchedule("k", "")), node("n", nil)
	assert.Equal(t, []*corev1.Node{clean}, placement.EligibleNodes(ds, []*corev1.Node{nil, tainted, clean}))
	assert.Empty(t, placement.EligibleNodes(ds, []*corev1.Node{clean, tainted, nil}))
}

func TestSummaryText(t *testing.T) {
	assert.Equal(t, "0/0 nodes are eligible", placement.Summarize(placement.Compile(nil, placement.Options{}), nil).String())
	// The same first cause, and two verdicts.
	nodes := []*corev1.Node{
		node("a", nil, noSchedule("k", "")),
		node("b", nil, noSchedule("k", ""), noExecute("l", "")),
		node("c", nil),
	}
	assert.Equal(t, "1/3 nodes are eligible: 1 taint k:NoSchedule and taint l:NoExecute (excluded), 1 taint k:NoSchedule (keep-only)",
		placement.Summarize(placement.Compile(nil, placement.Options{}), nodes).String())
}
