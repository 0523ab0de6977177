package rollout_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/rollout"
)

func TestLimits(t *testing.T) {
	text, number := intstr.FromString, intstr.FromInt
	for _, c := range []struct {
		unavailable, surge intstr.IntOrString
		desired            int
		want               rollout.Limits
	}{
		{number(1), number(0), 0, rollout.Limits{MaxUnavailable: 1}},
		{number(0), number(0), 0, rollout.Limits{}},
		{number(0), number(0), 5, rollout.Limits{MaxUnavailable: 1}},
		{text("0%"), text("0%"), 5, rollout.Limits{MaxUnavailable: 1}},
		{text("25%"), number(0), 5, rollout.Limits{MaxUnavailable: 2}},
		{text("5%"), number(0), 288, rollout.Limits{MaxUnavailable: 15}},
		{number(0), text("10%"), 3, rollout.Limits{MaxSurge: 1}},
		{text("+50%"), text("050%"), 4, rollout.Limits{MaxUnavailable: 2, MaxSurge: 2}},
		{text("1000%"), number(0), 3, rollout.Limits{MaxUnavailable: 30}},
		{number(-1), number(-2), 3, rollout.Limits{MaxUnavailable: -1, MaxSurge: -2}},
		{text("-50%"), number(0), 4, rollout.Limits{MaxUnavailable: -2}},
	} {
		got, err := rolling(c.unavailable, c.surge).Limits(c.desired)
		assert.NoError(t, err)
		assert.Equal(t, c.want, got, "%v %v of %d", c.unavailable, c.surge, c.desired)
	}
	for _, bad := range []string{"5", "", " 50%", "50 %", "x%", "9999999999999999999%"} {
		_, err := rolling(text(bad), number(0)).Limits(3)
		assert.ErrorContains(t, err, "spec.updateStrategy.rollingUpdate.maxUnavailable", bad)
		_, err = rolling(number(0), text(bad)).Limits(3)
		assert.ErrorContains(t, err, "spec.updateStrategy.rollingUpdate.maxSurge", bad)
	}
}

func TestLimitsThatAreMissing(t *testing.T) {
	s := rollout.Spec{Strategy: appsv1.RollingUpdateDaemonSetStrategyType}
	got, err := s.Limits(3)
	assert.NoError(t, err)
	assert.Equal(t, rollout.Limits{MaxUnavailable: 1}, got)

	s.RollingUpdate = &appsv1.RollingUpdateDaemonSet{}
	_, err = s.Limits(3)
	assert.ErrorContains(t, err, "maxUnavailable")
	_, err = rollout.Sync(state(s, on("n", pod("p", old))), rollout.Policy{})
	assert.ErrorContains(t, err, "maxUnavailable")
	_, err = rollout.Holds(state(s, on("n", pod("p", old))), rollout.Policy{})
	assert.ErrorContains(t, err, "maxUnavailable")
	// Manage does not look at it.
	plan, err := rollout.Sync(state(s, on("n")), rollout.Policy{})
	assert.NoError(t, err)
	assert.Len(t, plan.Create, 1)

	s.Strategy = appsv1.OnDeleteDaemonSetStrategyType
	got, err = s.Limits(3)
	assert.NoError(t, err)
	assert.Zero(t, got)
	assert.Zero(t, rollout.SpecOf(nil))
}

// Limits beyond the fleet, which make the controller run out of memory or panic.
func TestHugeLimits(t *testing.T) {
	nodes := func() rollout.State {
		return state(rollout.Spec{}, on("a", pod("p", old|ready)), on("b", pod("q", old|ready)))
	}
	for _, huge := range []intstr.IntOrString{
		intstr.FromInt32(math.MaxInt32), intstr.FromString("2000000000%"), intstr.FromString("9223372036854775807%"),
	} {
		s := nodes()
		s.Spec = rolling(huge, intstr.FromInt(0))
		plan, err := rollout.Update(s, rollout.Policy{})
		assert.NoError(t, err)
		assert.Len(t, plan.Delete, 2, huge.String())
		s.Spec = rolling(intstr.FromInt(0), huge)
		plan, err = rollout.Sync(s, rollout.Policy{})
		assert.NoError(t, err)
		assert.Len(t, plan.Create, 2, huge.String())
	}
	got, err := rolling(intstr.FromString("9223372036854775807%"), intstr.FromString("-9223372036854775807%")).Limits(1 << 30)
	assert.NoError(t, err)
	assert.Equal(t, rollout.Limits{MaxUnavailable: math.MaxInt32, MaxSurge: math.MinInt32}, got)
	// A negative one that is huge allows nothing.
	s := nodes()
	s.Spec = rolling(intstr.FromInt32(math.MinInt32), intstr.FromInt(0))
	plan, err := rollout.Update(s, rollout.Policy{})
	assert.NoError(t, err)
	assert.True(t, plan.Empty())
}
