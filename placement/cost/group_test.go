package cost_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// drawnDaemons draws DaemonSets of different names with requests.
func drawnDaemons(t *rapid.T, most int) []*cost.Daemon {
	var daemons []*cost.Daemon
	for i := range rapid.IntRange(0, most).Draw(t, "daemons") {
		template := gen.Template().Draw(t, "template")
		if gen.Chance(t, 60, "reads nothing but a label or two") {
			template.Spec.Affinity, template.Spec.NodeName = nil, ""
		}
		template.Spec.Containers[0].Resources.Requests = list("cpu", gen.Pick(t, "cpu", "10m", "100m", "1"))
		if gen.Chance(t, 20, "claims") {
			template.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c"}}
		}
		if gen.Chance(t, 30, "port") {
			template.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: gen.Pick[int32](t, "port", 80, 443)}}
		}
		template.Spec.Priority = gen.Pick(t, "priority", nil, ptr(int32(10)), ptr(int32(-10)))
		daemons = append(daemons, daemon(t, daemonSet(fmt.Sprint("d", i), template.Spec)))
	}
	return daemons
}

// groupsAreObvious compares a set with one question to each DaemonSet about each
// shape. It is a fuzz target too.
func groupsAreObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		daemons := drawnDaemons(t, 5)
		var shapes []placement.Shape
		for range rapid.IntRange(0, 12).Draw(t, "shapes") {
			shape := placement.ShapeOf(gen.AnyNode().Draw(t, "node"))
			shape.Node = nil
			if gen.Chance(t, 50, "nameless") {
				shape.Name = ""
			}
			if gen.Chance(t, 50, "untainted") {
				shape.Taints = nil
			}
			shapes = append(shapes, shape)
		}
		var q cost.Question
		if gen.Chance(t, 30, "ignore") {
			for _, taint := range gen.Taints().Draw(t, "ignored") {
				q.IgnoreTaints = append(q.IgnoreTaints, corev1.Taint{Key: taint.Key})
			}
		}
		if gen.Chance(t, 30, "assume") {
			q.AssumeLabels = gen.Labels().Draw(t, "assumed")
		}
		if gen.Chance(t, 30, "filter") {
			q.Filter = cost.Filter{MinPriority: gen.Pick(t, "min", nil, ptr(int32(0))), NoClaims: gen.Chance(t, 50, "no claims"),
				Keep: func(d *cost.Daemon) bool { return d.Key.Name != "d1" }}
		}

		set := cost.NewSet(gen.Shuffled(t, daemons))
		groups, err := set.Group(shapes, q)
		require.NoError(t, err)

		// By the names of the DaemonSets that run there.
		want := map[string][]int{}
		for i, shape := range shapes {
			var names []string
			for _, d := range daemons {
				s := placement.Shape{Name: shape.Name, Labels: map[string]string{}}
				for k, v := range shape.Labels {
					s.Labels[k] = v
				}
				for k, v := range q.AssumeLabels {
					s.Labels[k] = v
				}
				for _, taint := range shape.Taints {
					if !slices.ContainsFunc(q.IgnoreTaints, func(t corev1.Taint) bool { return t.Key == taint.Key }) {
						s.Taints = append(s.Taints, taint)
					}
				}
				f := q.Filter
				if d.Matcher.MatchShape(s) == placement.Eligible && (f.MinPriority == nil || d.Priority >= 0) &&
					!(f.NoClaims && len(d.Claims) > 0) && (f.Keep == nil || f.Keep(d)) {
					names = append(names, d.Key.Name)
				}
			}
			key := strings.Join(names, " ")
			want[key] = append(want[key], i)

			overhead, err := set.Overhead(shape, q)
			require.NoError(t, err)
			assert.Equal(t, key, namesOf(overhead.Daemons))
		}
		got := map[string][]int{}
		for i, g := range groups {
			got[namesOf(g.Daemons)] = g.Shapes
			var sum cost.Resources
			var ports int
			for n := range g.Set.All() {
				for j, d := range set.Daemons() {
					if j == n {
						sum, err = sum.Plus(d.Requests)
						require.NoError(t, err)
						ports += len(d.Ports)
					}
				}
			}
			assert.Equal(t, sum, g.Requests)
			assert.LessOrEqual(t, len(g.Ports), ports)
			assert.Equal(t, g.Set.Len(), len(g.Daemons))
			// The order that Group documents.
			if i > 0 {
				before := groups[i-1].Set
				for n := range daemons {
					if before.Has(n) != g.Set.Has(n) {
						assert.True(t, before.Has(n))
						break
					}
				}
			}
		}
		assert.Equal(t, want, got)
		reached.AddIf(len(groups) > 1, "several groups")
		reached.AddIf(len(groups) > 1 && len(groups[len(groups)-1].Daemons) == 0, "a group of none")
		reached.AddIf(len(groups) < len(shapes), "shapes that look the same")

		again, err := cost.NewSet(gen.Shuffled(t, daemons)).Group(shapes, q)
		require.NoError(t, err)
		assert.Equal(t, groups, again)
	}
}

func namesOf(daemons []*cost.Daemon) string {
	var names []string
	for _, d := range daemons {
		names = append(names, d.Key.Name)
	}
	return strings.Join(names, " ")
}

func TestGroupsAreObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, groupsAreObvious(&reached))
	reached.Require(t, "several groups", "a group of none", "shapes that look the same")
}

func FuzzGroup(f *testing.F) { f.Fuzz(rapid.MakeFuzz(groupsAreObvious(&tally.Tally{}))) }

// Predicates look at what a projection does not hold.
func TestGroupWithPredicates(t *testing.T) {
	o := cost.Options{}
	o.Placement.Predicates = []placement.Predicate{{Test: func(s placement.Shape) bool { return s.Labels["unread"] == "" }}}
	d, err := cost.Compile(daemonSet("x", corev1.PodSpec{}), o)
	require.NoError(t, err)
	set := cost.NewSet([]*cost.Daemon{nil, d})
	_, exact := set.Reads()
	assert.False(t, exact)
	groups, err := set.Group([]placement.Shape{{Labels: map[string]string{"unread": "x"}}, {}}, cost.Question{})
	require.NoError(t, err)
	require.Len(t, groups, 2)
	assert.Equal(t, []int{1}, groups[0].Shapes)
}

func TestSetKeys(t *testing.T) {
	first := daemon(t, daemonSet("a", asking("cpu", "1")))
	last := daemon(t, daemonSet("a", asking("cpu", "2")))
	set := cost.NewSet([]*cost.Daemon{first, daemon(t, daemonSet("b", corev1.PodSpec{})), last})
	overhead, err := set.Overhead(placement.Shape{}, cost.Question{})
	require.NoError(t, err)
	assert.Equal(t, "ns/a, ns/b: cpu 2, pods 2", overhead.String())

	var none *cost.Set
	overhead, err = none.Overhead(placement.Shape{}, cost.Question{})
	require.NoError(t, err)
	assert.Equal(t, "no daemons", overhead.String())
	for range none.Daemons() {
		t.Error("a nil set has none")
	}
	_, exact := none.Reads()
	assert.True(t, exact)
	for i := range set.Daemons() { // breaking off is fine
		assert.Zero(t, i)
		break
	}
	for i := range (cost.Bits{6}).All() {
		assert.Equal(t, 1, i)
		break
	}
	assert.False(t, cost.Bits{1}.Has(64) || cost.Bits{1}.Has(-1))
}

func TestGroupOverflow(t *testing.T) {
	half := asking("cpu", "9223372036854775807")
	set := cost.NewSet([]*cost.Daemon{daemon(t, daemonSet("a", half)), daemon(t, daemonSet("b", half))})
	groups, err := set.Group([]placement.Shape{{}}, cost.Question{})
	assert.ErrorIs(t, err, cost.ErrOverflow)
	assert.Nil(t, groups)
	_, err = set.On(cost.Domain{}, cost.Question{})
	assert.ErrorIs(t, err, cost.ErrOverflow)
}
