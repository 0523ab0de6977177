package simulate_test

import (
	"testing"
	"time"

	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// BenchmarkSummarize plays whole rollouts to their end.
func BenchmarkSummarize(b *testing.B) {
	varied := simulate.Behaviour{
		Schedule: simulate.Between(time.Second, 5*time.Second), Ready: simulate.Between(20*time.Second, time.Minute), Stop: simulate.Between(0, 30*time.Second),
	}
	for _, c := range []struct {
		name        string
		nodes       int
		unavailable string
		pods        *simulate.Behaviour
	}{
		{"nodes=1000/unavailable=1", 1000, "1", nil},
		{"nodes=10000/unavailable=1", 10_000, "1", nil},
		{"nodes=10000/unavailable=1pc/varied", 10_000, "1%", &varied},
		{"nodes=100000/unavailable=1pc", 100_000, "1%", nil},
		{"nodes=100000/unavailable=1pc/varied", 100_000, "1%", &varied},
	} {
		s := clean(c.nodes, rolling(c.unavailable, "0"))
		if c.pods != nil {
			s.Pods = *c.pods
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if out := summarize(b, s); out.End != simulate.Finished {
					b.Fatal(out)
				}
			}
		})
	}
}
