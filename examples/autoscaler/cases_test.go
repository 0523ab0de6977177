package main

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// nothing is what a node without DaemonSets has to bear.
const nothing = "nothing"

// wantAnswer is the answer to one question.
type wantAnswer struct{ run, take, why string }

const free = "nothing is against it"

// TestAnswers: every case has the answer of the DaemonSet controller.
func TestAnswers(t *testing.T) {
	want := map[string][]wantAnswer{
		"Affinity terms in either order": {
			{"a-or-b, b-or-a", "cpu 200m, pods 2", free},
			{"a-or-b, b-or-a", "cpu 200m, pods 2", free},
			{nothing, nothing, "a-or-b is excluded: required node affinity; b-or-a is excluded: required node affinity"},
		},
		"A cordoned node, and a DaemonSet without pods": {
			{"agent", "cpu 100m, pods 1", free},
			{"agent", "cpu 100m, pods 1", free},
			{nothing, nothing, "agent is keep-only: taint dedicated=batch:NoSchedule"},
		},
		"A template without a name": {
			{"avoiding", "cpu 100m, pods 1", "pinned is excluded: required node affinity"},
			{"pinned", "cpu 2, pods 1", "avoiding is excluded: required node affinity"},
		},
		"Taints that will be gone": {
			{nothing, nothing, "agent is keep-only: taint scaledown/pending=1:NoSchedule"},
			{"agent", "cpu 100m, pods 1", "without taint scaledown/pending; without taint startup/agent-missing"},
		},
		"Labels that come after the start": {
			{"proxy", "cpu 100m, pods 1", "post-join is excluded: nodeSelector lifecycle/registered=true"},
			{"post-join, proxy", "cpu 2100m, pods 2", "with label lifecycle/registered=true"},
		},
		"A label that is not known yet": {
			{"agent, local-cache", "cpu 500m, pods 2", free},
			{"agent", "cpu 100m, pods 1", "local-cache is excluded: required node affinity"},
			{"agent", "cpu 100m, pods 1", "local-cache depends on node.kubernetes.io/instance-type; at most cpu 500m, pods 2"},
		},
		"A toleration for everything": {
			{"agent, logs", "cpu 300m, pods 2", "accel is excluded: nodeSelector accel=yes"},
			{"agent", "cpu 200m, pods 1", "accel is excluded: nodeSelector accel=yes; logs is keep-only: taint dedicated=batch:NoSchedule"},
		},
		"Limits without requests": {{"agent", "cpu 500m, pods 1", free}},
		"Sized by a pod, placed by the template": {
			{"agent", "cpu 400m, pods 1", free},
			{nothing, nothing, "agent is excluded: required node affinity"},
		},
		"More pods than there is room for": {{"d1, d2, d3, d4, d5", "cpu 50m, pods 5", "too much by pods 1"}},
	}
	require.Len(t, knownCases, len(want))
	for _, c := range knownCases {
		t.Run(c.title, func(t *testing.T) {
			require.Contains(t, want, c.title)
			r, err := c.answer()
			require.NoError(t, err)
			var got []wantAnswer
			for _, a := range r.Answers {
				got = append(got, wantAnswer{several(a.DaemonSets), amounts(a.Requests), a.why()})
			}
			assert.Equal(t, want[c.title], got)
		})
	}
}

// TestQuestionsSettle: where a question changes a shape, no DaemonSet is off the
// node: its cause would be that of the shape as it is.
func TestQuestionsSettle(t *testing.T) {
	r, err := answers()
	require.NoError(t, err)
	for _, c := range r.Cases {
		for _, a := range c.Answers {
			if len(a.Changed) > 0 {
				assert.Empty(t, a.Without, c.Title)
			}
		}
	}
}

// TestOrderOfTypes: asking about types in another order changes nothing, and asking
// leaves nothing behind in the set, as it does where the types share a pod.
func TestOrderOfTypes(t *testing.T) {
	set, err := compile(knownCases[0].daemonSets, cost.Options{})
	require.NoError(t, err)
	a, b := labelled("type", "a"), labelled("type", "b")
	for range 2 {
		for _, shapes := range [][]placement.Shape{{a, b}, {b, a}} {
			groups, err := set.Group(shapes, cost.Question{})
			require.NoError(t, err)
			require.Len(t, groups, 1)
			assert.Equal(t, []int{0, 1}, groups[0].Shapes)
			assert.Len(t, groups[0].Daemons, 2)
		}
	}

	types := instanceTypes()
	forward, err := groups(types)
	require.NoError(t, err)
	slices.Reverse(types)
	backward, err := groups(types)
	require.NoError(t, err)
	require.Len(t, forward.Groups, 4)
	for i := range forward.Groups {
		slices.Reverse(backward.Groups[i].Types)
	}
	assert.Equal(t, forward, backward)
}

// TestGroupsAreOverheads: the answer for a group is that for each of its types, and
// every type is in one group.
func TestGroupsAreOverheads(t *testing.T) {
	set, err := compile(typeDaemonSets, cost.Options{})
	require.NoError(t, err)
	byName := map[string]placement.Shape{}
	for _, shape := range instanceTypes() {
		byName[shape.Labels[instanceType]] = shape
	}
	r, err := groups(instanceTypes())
	require.NoError(t, err)
	assert.Equal(t, len(byName), r.Types)
	for _, g := range r.Groups {
		for _, name := range g.Types {
			require.Contains(t, byName, name, "in two groups")
			overhead, err := set.Overhead(byName[name], cost.Question{})
			require.NoError(t, err)
			assert.Equal(t, g.DaemonSets, names(overhead.Daemons), name)
			delete(byName, name)
		}
	}
	assert.Empty(t, byName, "in no group")
}

// TestErrors: what cannot be priced or asked is an error that names it.
func TestErrors(t *testing.T) {
	negative := knownCase{daemonSets: knownCases[1].daemonSets, options: cost.Options{Pod: &corev1.Pod{Spec: daemonSet("", "-1").Spec.Template.Spec}}}
	_, err := negative.answer()
	assert.ErrorContains(t, err, "cpu")

	tooSmall := knownCase{asks: []ask{{shape: placement.Shape{Allocatable: cpus("-1")}}}}
	_, err = tooSmall.answer()
	assert.ErrorContains(t, err, "cpu")

	impossible := knownCase{
		daemonSets: knownCases[5].daemonSets,
		asks: []ask{{domain: &cost.Domain{Labels: map[string]cost.Values{
			instanceType: {In: []string{"m-large"}, NotIn: []string{"m-large"}},
		}}}},
	}
	_, err = impossible.answer()
	assert.ErrorContains(t, err, "no value is left")
}
