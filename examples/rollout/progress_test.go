package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// TestProgress: a long run says how far it is, on one line that goes away, and a
// short one says nothing.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		look  time.Duration // that goes by with every look at the clock
		shown bool
	}{{time.Millisecond, false}, {600 * time.Millisecond, true}} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		clock := func() time.Time { now = now.Add(c.look); return now }
		p := &progress{out: &out, now: clock, begun: clock()}
		p.show(simulate.Step{At: 30 * time.Second, Counts: simulate.Counts{Eligible: 3000}})
		p.show(simulate.Step{At: time.Minute, Counts: simulate.Counts{Eligible: 3000, Done: 30}})
		p.say("adding up")
		p.erase()
		if !c.shown {
			assert.Empty(t, out.String())
			continue
		}
		assert.Contains(t, out.String(), "\rplaying: 1m, 30 of 3,000 nodes done\radding up ")
		assert.NotContains(t, out.String(), "30s")
		assert.True(t, bytes.HasSuffix(out.Bytes(), []byte("         \r")), "the line is erased")
	}
	assert.Nil(t, progressOn(&bytes.Buffer{}, time.Now), "nobody watches")
	var none *progress
	none.show(simulate.Step{})
	none.say("")
	none.erase()
}
