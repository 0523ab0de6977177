package cost_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement/cost"
)

func TestCompare(t *testing.T) {
	node := func(name, pool string, taints ...corev1.Taint) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"pool": pool}}, Spec: corev1.NodeSpec{Taints: taints}}
	}
	tainted := corev1.Taint{Key: "x", Effect: corev1.TaintEffectNoSchedule}
	small := daemon(t, daemonSet("x", asking("cpu", "100m", "memory", "20Mi")))
	large := daemon(t, daemonSet("x", asking("cpu", "300m", "memory", "10Mi")))
	four := []*corev1.Node{node("a", ""), node("b", ""), node("c", ""), node("d", ""), nil, node("", "")}
	percent, two, none := intstr.FromString("30%"), intstr.FromInt32(2), intstr.FromInt32(0)
	for _, test := range []struct {
		name          string
		before, after cost.Side
		rollout       cost.Rollout
		want          string
	}{
		{"without surge the peak is one of the ends, for each resource", cost.Side{small, four}, cost.Side{large, four}, cost.Rollout{}, `4 kept, 0 gained, 0 lost, 0 lost at the next restart
before: cpu 400m, memory 80Mi, pods 4
after: cpu 1200m, memory 40Mi, pods 4
difference: cpu 800m, memory -40Mi
peak: cpu 1200m, memory 80Mi, pods 4, with 0 nodes doubled
`},
		{"30% of four are two", cost.Side{small, four}, cost.Side{large, four}, cost.Rollout{MaxSurge: &percent}, `4 kept, 0 gained, 0 lost, 0 lost at the next restart
before: cpu 400m, memory 80Mi, pods 4
after: cpu 1200m, memory 40Mi, pods 4
difference: cpu 800m, memory -40Mi
peak: cpu 1400m, memory 100Mi, pods 6, with 2 nodes doubled
`},
		{"nodes with an unavailable pod are beyond it", cost.Side{small, four}, cost.Side{large, four}, cost.Rollout{MaxSurge: &two, Unavailable: 7}, `4 kept, 0 gained, 0 lost, 0 lost at the next restart
before: cpu 400m, memory 80Mi, pods 4
after: cpu 1200m, memory 40Mi, pods 4
difference: cpu 800m, memory -40Mi
peak: cpu 1600m, memory 120Mi, pods 8, with 4 nodes doubled
`},
		{"but not without a surge", cost.Side{small, four}, cost.Side{small, four[:2]}, cost.Rollout{MaxSurge: &none, Unavailable: 7}, `2 kept, 0 gained, 2 lost, 0 lost at the next restart
before: cpu 400m, memory 80Mi, pods 4
after: cpu 200m, memory 40Mi, pods 2
difference: cpu -200m, memory -40Mi, pods -2
peak: cpu 400m, memory 80Mi, pods 4, with 0 nodes doubled
`},
		{"the fleet alone changes", cost.Side{small, four[:2]}, cost.Side{small, []*corev1.Node{node("b", "", tainted), node("c", ""), node("d", "")}}, cost.Rollout{MaxSurge: &two}, `0 kept, 2 gained, 1 lost, 1 lost at the next restart
before: cpu 200m, memory 40Mi, pods 2
after: cpu 200m, memory 40Mi, pods 2
difference: nothing
peak: cpu 400m, memory 80Mi, pods 4, with 0 nodes doubled
`},
		{"a new DaemonSet", cost.Side{Nodes: four}, cost.Side{large, four}, cost.Rollout{MaxSurge: &two}, `0 kept, 4 gained, 0 lost, 0 lost at the next restart
before: nothing
after: cpu 1200m, memory 40Mi, pods 4
difference: cpu 1200m, memory 40Mi, pods 4
peak: cpu 1200m, memory 40Mi, pods 4, with 0 nodes doubled
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := cost.Compare(test.before, test.after, test.rollout)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.String())
		})
	}
	for _, surge := range []intstr.IntOrString{intstr.FromString("x"), intstr.FromInt32(-1)} {
		_, err := cost.Compare(cost.Side{small, four}, cost.Side{large, four}, cost.Rollout{MaxSurge: &surge})
		assert.ErrorContains(t, err, "cost: maxSurge: ")
	}
	end := daemon(t, daemonSet("x", asking("cpu", "9223372036854775807")))
	change, err := cost.Compare(cost.Side{small, four}, cost.Side{end, four}, cost.Rollout{})
	assert.ErrorIs(t, err, cost.ErrOverflow)
	assert.Empty(t, change)
}

// peakIsABound plays rollouts in which at most so many nodes hold two pods, and checks
// that no moment takes more than the peak. It is a fuzz target too.
func peakIsABound(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		size := func(name string) (cost.Resources, *cost.Daemon) {
			d := daemon(t, daemonSet("x", asking("cpu", gen.Pick(t, name, "1", "2", "3"), "memory", gen.Pick(t, name, "1", "2", "3"))))
			return d.Requests, d
		}
		old, before := size("old")
		young, after := size("new")
		var nodes []*corev1.Node
		for i := range rapid.IntRange(1, 6).Draw(t, "nodes") {
			nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}})
		}
		surge := intstr.FromInt(rapid.IntRange(0, 3).Draw(t, "surge"))
		had := nodes[:rapid.IntRange(0, len(nodes)).Draw(t, "had")]
		has := nodes[rapid.IntRange(0, len(nodes)).Draw(t, "from"):]
		change, err := cost.Compare(cost.Side{Daemon: before, Nodes: had}, cost.Side{Daemon: after, Nodes: has}, cost.Rollout{MaxSurge: &surge})
		require.NoError(t, err)

		type state struct{ old, young, wanted bool }
		states := map[string]*state{}
		for _, n := range nodes {
			states[n.Name] = &state{}
		}
		for _, n := range had {
			states[n.Name].old = true
		}
		for _, n := range has {
			states[n.Name].wanted = true
		}
		for range rapid.IntRange(0, 25).Draw(t, "steps") {
			s := states[gen.Pick(t, "node", nodes...).Name]
			doubled := 0
			for _, s := range states {
				if s.old && s.young {
					doubled++
				}
			}
			switch {
			case s.old && s.young, s.old && !s.wanted, s.old && surge.IntVal == 0:
				s.old = false
			case s.wanted && !s.young && (!s.old || doubled < int(surge.IntVal)):
				s.young = true
			}
			var now cost.Resources
			for _, s := range states {
				if s.old {
					plus(t, &now, old)
				}
				if s.young {
					plus(t, &now, young)
				}
			}
			over, err := now.Over(change.Peak)
			require.NoError(t, err)
			assert.Empty(t, over)
			reached.AddIf(doubled > 0, "doubled")
			if short, _ := change.Peak.Over(now); len(short) == 0 {
				reached.Add("the peak itself")
			}
		}
	}
}

func TestPeakIsABound(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, peakIsABound(&reached))
	reached.Require(t, "doubled", "the peak itself")
}

func FuzzPeak(f *testing.F) { f.Fuzz(rapid.MakeFuzz(peakIsABound(&tally.Tally{}))) }

func TestRecommend(t *testing.T) {
	spec := asking("cpu", "100m", "memory", "128Mi", "example.com/dev", "1")
	spec.Containers[0].Resources.Limits = list("memory", "256Mi")
	d := daemon(t, daemonSet("x", spec))
	for _, test := range []struct {
		name   string
		usage  corev1.ResourceList
		sizing cost.Sizing
		want   string
		all    string
		above  string
	}{
		{"nothing observed", nil, cost.Sizing{}, "cpu 100m, example.com/dev 1, memory 128Mi, pods 1", "nothing", "nothing"},
		{"as it is used", list("memory", "78Mi"), cost.Sizing{}, "cpu 100m, example.com/dev 1, memory 78Mi, pods 1", "memory 10000Mi", "nothing"},
		{"cpu to a thousandth", list("cpu", "33m"), cost.Sizing{HeadroomPercent: 10}, "cpu 37m, example.com/dev 1, memory 128Mi, pods 1", "cpu 12600m", "nothing"},
		{"bytes are whole", list("memory", "1001"), cost.Sizing{HeadroomPercent: 15}, "cpu 100m, example.com/dev 1, memory 1152, pods 1", "memory 26214175Ki", "nothing"},
		{"more than before", list("cpu", "150m", "memory", "300Mi"), cost.Sizing{}, "cpu 150m, example.com/dev 1, memory 300Mi, pods 1", "cpu -10, memory -34400Mi", "memory 44Mi"},
		{"a floor", list("cpu", "1m"), cost.Sizing{Floor: mustRead(t, list("cpu", "10m", "memory", "1Gi"))}, "cpu 10m, example.com/dev 1, memory 128Mi, pods 1", "cpu 18", "nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := cost.Recommend(d, mustRead(t, test.usage), 200, test.sizing)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Requests.String())
			assert.Equal(t, test.above, got.AboveLimit.String())
			assert.Equal(t, test.all, got.All.String())
			sum, err := got.Requests.Plus(got.PerPod)
			require.NoError(t, err)
			assert.Equal(t, d.Requests, sum)
		})
	}
	for _, bad := range []func() error{
		func() error { _, err := cost.Recommend(nil, nil, 1, cost.Sizing{}); return err },
		func() error { _, err := cost.Recommend(d, nil, -1, cost.Sizing{}); return err },
		func() error { _, err := cost.Recommend(d, nil, 1, cost.Sizing{HeadroomPercent: -101}); return err },
		func() error {
			_, err := cost.Recommend(d, mustRead(t, list("cpu", "1k")), 1, cost.Sizing{HeadroomPercent: math.MaxInt64})
			return err
		},
		func() error { _, err := cost.Recommend(d, nil, math.MaxInt64, cost.Sizing{}); return err },
	} {
		assert.Error(t, bad())
	}
}

func mustRead(t *testing.T, l corev1.ResourceList) cost.Resources {
	r, err := cost.ResourcesOf(l, nil)
	require.NoError(t, err)
	return r
}
