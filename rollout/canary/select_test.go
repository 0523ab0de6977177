package canary_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

func replicas(n int32) *intstr.IntOrString    { return of(intstr.FromInt32(n)) }
func percent(text string) *intstr.IntOrString { return of(intstr.FromString(text)) }

// The rules of ExtendedDaemonSet are those at DataDog/extendeddaemonset b6860a0.
func TestSelect(t *testing.T) {
	const (
		eds  = "ExtendedDaemonSet, extendeddaemonset/controller.go:selectNodes"
		ours = "ours"
	)
	zones := []placement.Node{
		on("a1", "zone", "a"), on("a2", "zone", "a"), on("a3", "zone", "a"), on("b1", "zone", "b"), on("b2", "zone", "b"),
	}
	spread := func(n int32) canary.Selection {
		return canary.Selection{Replicas: replicas(n), SpreadOver: []string{"zone"}}
	}
	var many []placement.Node
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("n%03d", i))
		many = append(many, on(names[i]))
	}
	for _, c := range []struct {
		source, rule string
		nodes        []placement.Node
		current      []string
		selection    canary.Selection
		want         canary.Selected
	}{
		{
			eds, "replicas is 1 by default",
			[]placement.Node{on("n2"), on("n1")}, nil, canary.Selection{},
			canary.Selected{Nodes: []string{"n1"}, Wanted: 1, Candidates: 2},
		}, {
			eds, "a percentage is rounded up: 34% of 3 are 2",
			[]placement.Node{on("n1"), on("n2"), on("n3")}, nil, canary.Selection{Replicas: percent("34%")},
			canary.Selected{Nodes: []string{"n1", "n2"}, Wanted: 2, Candidates: 3},
		}, {
			eds, "1% of any nodes is one",
			[]placement.Node{on("n1"), on("n2")}, nil, canary.Selection{Replicas: percent("1%")},
			canary.Selected{Nodes: []string{"n1"}, Wanted: 1, Candidates: 2},
		}, {
			eds, "candidates are filtered by the selector, the percentage is of all",
			[]placement.Node{on("n1"), on("n2", "tier", "test"), on("n3"), but(on("n4"), placement.Excluded)}, nil,
			canary.Selection{Replicas: percent("50%"), Selector: labels.SelectorFromSet(labels.Set{"tier": "test"})},
			canary.Selected{Nodes: []string{"n2"}, Wanted: 2, Short: 1, Candidates: 1},
		}, {
			eds, "nodes with fewer restarts of all containers come first",
			[]placement.Node{with(on("n1"), 2, 2), with(on("n2"), 3), on("n3"), with(on("n4"), 3)}, nil, canary.Selection{Replicas: replicas(2)},
			canary.Selected{Nodes: []string{"n2", "n3"}, Wanted: 2, Candidates: 4},
		}, {
			eds, "current nodes that still fit are kept, whatever their restarts",
			[]placement.Node{on("n1"), on("n2"), with(on("n3"), 9)}, []string{"n3"}, canary.Selection{Replicas: replicas(2)},
			canary.Selected{Nodes: []string{"n1", "n3"}, Wanted: 2, Candidates: 3},
		}, {
			eds, "current nodes that do not fit any more are replaced",
			[]placement.Node{on("n1"), but(on("n2"), placement.KeepOnly), on("n3")}, []string{"n2"}, canary.Selection{},
			canary.Selected{Nodes: []string{"n1"}, Wanted: 1, Candidates: 2, Dropped: []canary.Dropped{{Node: "n2", Reason: canary.NotEligible}}},
		}, {
			eds, "at most ceil(2/2) nodes of a value",
			zones, nil, spread(2),
			canary.Selected{Nodes: []string{"a1", "b1"}, Wanted: 2, Candidates: 5},
		}, {
			eds, "at most ceil(3/2) nodes of a value",
			zones, nil, spread(3),
			canary.Selected{Nodes: []string{"a1", "a2", "b1"}, Wanted: 3, Candidates: 5},
		}, {
			eds, "kept nodes use up the share of their value",
			zones, []string{"a3"}, spread(2),
			canary.Selected{Nodes: []string{"a3", "b1"}, Wanted: 2, Candidates: 5},
		}, {
			ours, "too few nodes are an outcome, in ExtendedDaemonSet an error",
			[]placement.Node{on("n1")}, nil, canary.Selection{Replicas: replicas(3)},
			canary.Selected{Nodes: []string{"n1"}, Wanted: 3, Short: 2, Candidates: 1},
		}, {
			ours, "the spread can make it short",
			[]placement.Node{on("a1", "zone", "a"), on("a2", "zone", "a"), on("a3", "zone", "a"), on("b1", "zone", "b")}, nil, spread(4),
			canary.Selected{Nodes: []string{"a1", "a2", "b1"}, Wanted: 4, Short: 1, Candidates: 4},
		}, {
			ours, "a node that does not fit uses up no share",
			[]placement.Node{but(on("a1", "zone", "a"), placement.Excluded), on("a2", "zone", "a"), on("b1", "zone", "b")}, nil, spread(2),
			canary.Selected{Nodes: []string{"a2", "b1"}, Wanted: 2, Candidates: 2},
		}, {
			ours, "nor does its value count",
			[]placement.Node{on("a1", "zone", "a"), on("a2", "zone", "a"), but(on("b1", "zone", "b"), placement.KeepOnly)}, nil, spread(2),
			canary.Selected{Nodes: []string{"a1", "a2"}, Wanted: 2, Candidates: 2},
		}, {
			ours, "a node without the label has a value of its own",
			[]placement.Node{on("a1", "zone", "a"), on("a2", "zone", "a"), on("x"), {Name: "y", Verdict: placement.Eligible}}, nil, spread(2),
			canary.Selected{Nodes: []string{"a1", "x"}, Wanted: 2, Candidates: 4},
		}, {
			ours, "several keys make one value",
			[]placement.Node{on("n1", "zone", "a", "pool", "x"), on("n2", "zone", "a", "pool", "y"), on("n3", "zone", "a", "pool", "x")}, nil,
			canary.Selection{Replicas: replicas(2), SpreadOver: []string{"zone", "pool"}},
			canary.Selected{Nodes: []string{"n1", "n2"}, Wanted: 2, Candidates: 3},
		}, {
			ours, "what is kept may be more than its share",
			append([]placement.Node{on("c1", "zone", "c")}, zones...), []string{"a1", "a2"}, spread(3),
			canary.Selected{Nodes: []string{"a1", "a2", "b1"}, Wanted: 3, Candidates: 6},
		}, {
			ours, "where fewer are wanted, the ones beyond the share go first",
			zones, []string{"a1", "a2", "b2"}, spread(2),
			canary.Selected{Nodes: []string{"a1", "b2"}, Wanted: 2, Candidates: 5, Dropped: []canary.Dropped{{Node: "a2", Reason: canary.Surplus}}},
		}, {
			ours, "every node that is dropped has its reason",
			[]placement.Node{{Name: "gone"}, but(on("n1"), placement.Unevaluated), on("n2"), on("n3", "tier", "test"), on("n4", "tier", "test")},
			[]string{"n4", "n3", "n2", "n1", "missing", "gone", "n4", ""},
			canary.Selection{Selector: labels.SelectorFromSet(labels.Set{"tier": "test"})},
			canary.Selected{Nodes: []string{"n3"}, Wanted: 1, Candidates: 2, Dropped: []canary.Dropped{
				{Node: "gone", Reason: canary.NodeGone}, {Node: "missing", Reason: canary.NodeGone}, {Node: "n1", Reason: canary.NotEligible},
				{Node: "n2", Reason: canary.NotSelected}, {Node: "n4", Reason: canary.Surplus},
			}},
		}, {
			ours, "none are wanted",
			zones, []string{"a1"}, spread(0),
			canary.Selected{Candidates: 5, Dropped: []canary.Dropped{{Node: "a1", Reason: canary.Surplus}}},
		}, {
			ours, "there are no nodes", nil, nil, canary.Selection{Replicas: percent("50%")}, canary.Selected{},
		}, {
			ours, "more than any fleet has",
			many, nil, canary.Selection{Replicas: percent("9223372036854775807%"), SpreadOver: []string{"zone"}},
			canary.Selected{Nodes: names, Wanted: math.MaxInt32, Short: math.MaxInt32 - 200, Candidates: 200},
		}, {
			ours, "a node without a name is passed over",
			[]placement.Node{on(""), on("n1")}, []string{""}, canary.Selection{Replicas: percent("100%")},
			canary.Selected{Nodes: []string{"n1"}, Wanted: 1, Candidates: 1},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := canary.Select(placement.Fleet{Nodes: c.nodes}, c.current, c.selection)
			assert.NoError(t, err)
			assert.Equal(t, c.want, got, c.source)
			assert.Len(t, got.Set(), len(c.want.Nodes))
			assert.NotNil(t, got.Set(), "a policy takes nil for all nodes")
		})
	}
}

func TestSelectErrors(t *testing.T) {
	fleet := placement.Fleet{Nodes: []placement.Node{on("n1")}}
	for value, want := range map[intstr.IntOrString]string{
		intstr.FromInt32(-1):       "canary: selection.replicas: -1 is negative",
		intstr.FromString("-1%"):   "canary: selection.replicas: -1% is negative",
		intstr.FromString("-101%"): "canary: selection.replicas: -101% is negative",
		intstr.FromString("1"):     "canary: selection.replicas: invalid value for IntOrString: invalid type: string is not a percentage",
		{Type: 7}:                  "canary: selection.replicas: invalid value for IntOrString: invalid type: neither int nor percentage",
	} {
		got, err := canary.Select(fleet, []string{"n1"}, canary.Selection{Replicas: &value})
		assert.EqualError(t, err, want)
		assert.Zero(t, got)
	}
	got, err := canary.Select(fleet, nil, canary.Selection{Replicas: percent("-0%")})
	assert.NoError(t, err)
	assert.Equal(t, canary.Selected{Candidates: 1}, got)
}

// All containers of all pods of a node count, init containers among them, and
// numbers that cannot be do not.
func TestSelectCountsRestarts(t *testing.T) {
	two := with(with(on("n1"), 1), 1)
	initial := with(on("n2"), 0)
	initial.Pods[0].Ref.Status.InitContainerStatuses = []corev1.ContainerStatus{{RestartCount: 3}}
	facts := on("n4")
	facts.Pods = []placement.Pod{{Name: "only facts"}}
	many := with(on("n5"), math.MaxInt32, math.MaxInt32)
	fleet := placement.Fleet{Nodes: []placement.Node{many, initial, two, with(on("n3"), 5, math.MinInt32), facts}}
	for i, want := range [][]string{{"n4"}, {"n1", "n4"}, {"n1", "n2", "n4"}, {"n1", "n2", "n3", "n4"}} {
		got, err := canary.Select(fleet, nil, canary.Selection{Replicas: replicas(int32(i + 1))})
		assert.NoError(t, err)
		assert.Equal(t, want, got.Nodes)
	}
}

func TestSelectedString(t *testing.T) {
	assert.Equal(t, "0 of 0 nodes", canary.Selected{}.String())
	assert.Equal(t, "2 of 3 nodes: n1, n2; no longer n3: node-gone", canary.Selected{
		Nodes: []string{"n1", "n2"}, Wanted: 3, Short: 1, Dropped: []canary.Dropped{{Node: "n3", Reason: canary.NodeGone}},
	}.String())
}
