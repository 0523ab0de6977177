package simulate

import (
	"fmt"
	"math/bits"
	"time"
)

// Behaviour is what becomes of a new pod. The zero value is scheduled, ready and
// stopped at once.
type Behaviour struct {
	// Schedule is from its creation until it has its node, Ready from then until it
	// is ready, and Stop from its deletion until it is gone.
	Schedule, Ready, Stop Duration
	// Fate is what comes instead of being ready.
	Fate Fate
	// Fails is how often a pod of the revision fails on a node, when it would
	// become ready, before one does; for ever if it is negative.
	Fails int
}

// Fate is what becomes of a pod that does not become ready. The values are stable.
type Fate string

const (
	// Starts: it becomes ready.
	Starts Fate = ""
	// StaysPending: it never gets its node.
	StaysPending Fate = "pending"
	// NeverReady: it runs and does not become ready.
	NeverReady Fate = "never-ready"
	// CrashLoops: when it would become ready, it begins to crash.
	CrashLoops Fate = "crash-loops"
)

// Duration is a time, or a range from which one is drawn evenly.
type Duration struct{ Min, Max time.Duration }

// After is always the same time.
func After(d time.Duration) Duration { return Duration{Min: d, Max: d} }

// Between is drawn evenly, both ends included.
func Between(least, most time.Duration) Duration { return Duration{Min: least, Max: most} }

func (b *Behaviour) check() error {
	for _, d := range []struct {
		field string
		Duration
	}{{"schedule", b.Schedule}, {"ready", b.Ready}, {"stop", b.Stop}} {
		if d.Min < 0 {
			return fmt.Errorf("%s: %s is negative", d.field, d.Min)
		}
		if d.Max < d.Min {
			return fmt.Errorf("%s: from %s to %s is no range", d.field, d.Min, d.Max)
		}
	}
	switch b.Fate {
	case Starts, StaysPending, NeverReady, CrashLoops:
		return nil
	}
	return fmt.Errorf("fate: %q is unknown", b.Fate)
}

// draw is a chance for something that happens to the pods of a node.
type draw struct {
	seed    uint64
	node    string
	pod     string // the revision
	attempt int
	what    uint64
}

// of draws a duration.
func (d draw) of(r Duration) time.Duration {
	if r.Max == r.Min {
		return r.Min
	}
	h := mix(d.seed ^ d.what<<56 ^ uint64(d.attempt)<<32)
	for _, s := range []string{d.node, d.pod} {
		for i := range len(s) {
			h = mix(h ^ uint64(s[i]))
		}
		h = mix(h)
	}
	// The share of a range of 64 bits that the hash is, without a bias that counts.
	share, _ := bits.Mul64(h, uint64(r.Max-r.Min)+1)
	return r.Min + time.Duration(share)
}

// mix is the finalizer of SplitMix64.
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
