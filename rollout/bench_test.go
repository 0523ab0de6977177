package rollout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// factsFleet is a fleet of facts in the middle of a rollout: one node in ten is
// not eligible, one in ten has an old pod, and one in a thousand waits for
// minReadySeconds. Pods lie in one block, as NewFleet lays them.
func factsFleet(n int) placement.Fleet {
	pods := make([]placement.Pod, n)
	f := placement.Fleet{Nodes: make([]placement.Node, n)}
	for i := range f.Nodes {
		pods[i] = pod("p", fresh|ready)
		f.Nodes[i] = on(fmt.Sprintf("node-%d", i))
		f.Nodes[i].Pods = pods[i : i+1]
		switch {
		case i%10 == 0:
			f.Nodes[i].Verdict = placement.KeepOnly
		case i%10 == 1:
			pods[i].Flags &^= placement.Updated
			pods[i].Revision = "old"
		case i%1000 == 2:
			pods[i].ReadySince = now
		}
	}
	return f
}

// BenchmarkSync folds a plan from a fleet; the metric is for one node.
func BenchmarkSync(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		s := rollout.State{Fleet: factsFleet(n), Target: "new", Now: now.Add(time.Second)}
		for name, spec := range map[string]rollout.Spec{"none": one(0), "surge": surging(0), "unavailable": one(n), "surge-all": surging(n)} {
			spec.MinReadySeconds = 30
			s.Spec = spec
			b.Run(fmt.Sprintf("nodes=%d/limit=%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := rollout.Sync(s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
	}
}

// A sync allocates for what a burst takes, and nothing for a node.
func TestSyncAllocatesForABurst(t *testing.T) {
	allocations := func(n int, spec rollout.Spec) float64 {
		s := rollout.State{Fleet: factsFleet(n), Spec: spec, Target: "new", Now: now}
		return testing.AllocsPerRun(5, func() {
			if _, err := rollout.Sync(s); err != nil {
				t.Error(err)
			}
		})
	}
	for _, spec := range []rollout.Spec{one(0), one(100_000), surging(100_000)} {
		few := allocations(10_000, spec)
		assert.Equal(t, few, allocations(100_000, spec))
		assert.Less(t, few, 30.0)
	}
}
