package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// TestProgress: a long run says how far it is.
func TestProgress(t *testing.T) {
	step := simulate.Step{At: time.Minute, Counts: simulate.Counts{Eligible: 3000, Done: 30}}
	assert.Equal(t, "playing: 1m, 30 of 3,000 nodes done", progress(step))
	assert.Equal(t, "playing: 0s, 0 of 1 node done", progress(simulate.Step{Counts: simulate.Counts{Eligible: 1}}))
}
