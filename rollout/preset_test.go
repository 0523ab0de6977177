package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/rollout"
)

// TestSlowStart: the arithmetic of its source, rollingupdate.go:calculateMaxCreation
// of ExtendedDaemonSet: (1 + elapsed/interval, rounded down) x step, at most the max.
func TestSlowStart(t *testing.T) {
	for _, c := range []struct {
		interval, elapsed time.Duration
		step, most        string
		nodes, want       int
		next              time.Duration // from the start; 0 for never
	}{
		{time.Minute, 0, "1", "250", 30, 1, time.Minute},
		{time.Minute, 59 * time.Second, "1", "250", 30, 1, time.Minute},
		{time.Minute, time.Minute, "1", "250", 30, 2, 2 * time.Minute},
		{time.Minute, 150 * time.Second, "1", "250", 30, 3, 3 * time.Minute},
		{time.Minute, -time.Hour, "1", "250", 30, 1, time.Minute},
		{time.Minute, 248 * time.Minute, "1", "250", 3000, 249, 249 * time.Minute},
		{time.Minute, 249 * time.Minute, "1", "250", 3000, 250, 0},
		{time.Minute, 1000 * time.Hour, "1", "250", 3000, 250, 0},
		{time.Minute, 0, "5%", "250", 30, 2, time.Minute}, // 1.5 rounded up
		{time.Minute, 150 * time.Second, "5%", "250", 30, 6, 3 * time.Minute},
		{30 * time.Second, 100 * time.Second, "5", "17", 30, 17, 0}, // 4 steps are 20
		{30 * time.Second, 89 * time.Second, "5", "50%", 30, 15, 0}, // 3 steps are 15
		{time.Minute, time.Hour, "0", "250", 30, 0, 0},
		{time.Minute, 0, "300", "250", 30, 250, 0},
		{0, time.Hour, "1", "250", 30, 1<<31 - 1, 0},
	} {
		s := rollout.SlowStart{Since: now, Interval: c.interval, Step: parse(c.step), Max: parse(c.most)}
		got, next, err := s.At(now.Add(c.elapsed), c.nodes)
		assert.NoError(t, err)
		assert.Equal(t, c.want, got, "%+v", c)
		if c.next == 0 {
			assert.Zero(t, next, "%+v", c)
		} else {
			assert.Equal(t, now.Add(c.next), next, "%+v", c)
		}
	}
	// The defaults of ExtendedDaemonSet.
	allowed, next, err := rollout.ExtendedSlowStart(now).At(now.Add(150*time.Second), 30)
	assert.NoError(t, err)
	assert.Equal(t, 3, allowed)
	assert.Equal(t, now.Add(3*time.Minute), next)
}

// TestPartition: KruisePartition has the numbers of OpenKruise's
// daemonset_update.go:filterDaemonPodsNodeToUpdate, which rounds down a percentage
// of the desired number as the status had it.
func TestPartition(t *testing.T) {
	for _, c := range []struct {
		value     string
		status    int32
		now, want int // eligible nodes of now, and how many of them are kept
	}{
		{"0", 5, 5, 0},
		{"2", 5, 5, 2},
		{"5", 5, 5, 5},
		{"9", 5, 5, 5},
		{"50%", 5, 5, 2}, // 2.5
		{"10%", 5, 5, 0}, // 0.5
		{"99%", 5, 5, 4}, // 4.95
		{"100%", 5, 5, 5},
		{"50%", 10, 5, 5}, // of a status that is behind
		{"50%", 2, 9, 1},
		{"33%", 100, 100, 33},
		{"1%", 99, 99, 0},
		{"50%", 0, 5, 2}, // ours: OpenKruise keeps none
	} {
		got, err := rollout.KruisePartition(parse(c.value), c.status).Keep(c.now)
		assert.NoError(t, err)
		assert.Equal(t, c.want, got, "%+v", c)
	}
	up, err := rollout.Partition{Value: parse("50%")}.Keep(5)
	assert.NoError(t, err)
	assert.Equal(t, 3, up)
	none, err := rollout.Partition{}.Keep(5)
	assert.NoError(t, err)
	assert.Zero(t, none)
}
