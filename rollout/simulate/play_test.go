package simulate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

func TestMain(m *testing.M) { gen.Main(m, "1500") }

var start = gen.Epoch

// rolling is a rolling update with limits.
func rolling(maxUnavailable, maxSurge string) rollout.Spec {
	u, s := intstr.Parse(maxUnavailable), intstr.Parse(maxSurge)
	return rollout.Spec{
		Strategy:      appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &u, MaxSurge: &s},
	}
}

// clean is a fleet of old pods on which nothing goes wrong.
func clean(nodes int, spec rollout.Spec) simulate.Scenario {
	return simulate.Scenario{
		Fleet: simulate.Uniform(nodes, "old", start.Add(-time.Hour)), Spec: spec, Target: "new", Start: start,
		Pods: simulate.Behaviour{Schedule: simulate.After(2 * time.Second), Ready: simulate.After(40 * time.Second), Stop: simulate.After(5 * time.Second)},
	}
}

func summarize(t testing.TB, s simulate.Scenario) simulate.Summary {
	out, err := simulate.Summarize(s)
	require.NoError(t, err)
	return out
}

// TestClosedFormula: where nothing goes wrong, the duration is the number of waves
// times that of one: to stop, to be scheduled, to be ready and to be available.
func TestClosedFormula(t *testing.T) {
	const wave = 5*time.Second + 2*time.Second + 40*time.Second
	for _, c := range []struct {
		nodes           int
		unavailable     string
		minReadySeconds int32
		waves           int
	}{
		{1, "1", 0, 1}, {10, "1", 0, 10}, {10, "3", 0, 4}, {10, "3", 30, 4}, {10, "100%", 30, 1}, {3000, "10%", 30, 10}, {100, "34%", 0, 3}, {7, "0", 0, 7},
	} {
		s := clean(c.nodes, rolling(c.unavailable, "0"))
		s.Spec.MinReadySeconds = c.minReadySeconds
		out := summarize(t, s)
		assert.Equal(t, simulate.Finished, out.End)
		assert.Equal(t, time.Duration(c.waves)*(wave+time.Duration(c.minReadySeconds)*time.Second), out.Duration, "%+v", c)
		assert.Equal(t, c.nodes, out.Done)
		assert.Equal(t, c.nodes, out.Creates)
		assert.Equal(t, c.nodes, out.Deletes)
		for _, n := range out.Nodes {
			assert.True(t, n.Finished)
			assert.Equal(t, wave+time.Duration(c.minReadySeconds)*time.Second, n.Without)
		}
	}
}

// TestSurge: nothing is unavailable, and two pods are on at most so many nodes.
func TestSurge(t *testing.T) {
	out := summarize(t, clean(10, rolling("0", "3")))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Zero(t, out.PeakUnavailable)
	assert.Equal(t, 10, out.LowestAvailable)
	assert.Equal(t, 3, out.PeakSurging)
}

// TestDoubleBudget: twice the budget is half the time, up to one wave.
func TestDoubleBudget(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		one, two := summarize(t, clean(97, rolling(fmt.Sprint(n), "0"))), summarize(t, clean(97, rolling(fmt.Sprint(2*n), "0")))
		assert.InDelta(t, float64(one.Duration/2), float64(two.Duration), float64(47*time.Second))
	}
}
