package rollout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

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
			pods[i].ReadyChanged = now
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
					if _, err := rollout.Sync(s, rollout.Policy{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
	}
}

// everyStage is a policy with all stages on, none of which stops the update.
func everyStage() rollout.Policy {
	return rollout.Policy{
		Count: rollout.Counting{Nodes: rollout.EligibleNodes, Exempt: rollout.NotReady, MaxExempt: percent(10)},
		Candidates: rollout.Candidates{
			Selector: labels.SelectorFromSet(labels.Set{"zone": "a"}), Partition: rollout.Partition{Value: percent(1)},
			NoRestart: map[string]bool{"older": true},
		},
		Order: rollout.Ordering{By: rollout.NameDescending, Waves: rollout.Waves{Label: "zone", MaxUnavailable: percent(50)}},
		Limit: rollout.Limiting{Strict: true, PerStep: percent(50), Burst: percent(50), Removals: percent(50), SlowStart: rollout.ExtendedSlowStart(now.Add(-24 * time.Hour))},
		Gate:  rollout.Gating{Failures: rollout.FailureGate{Max: percent(50), UnreadyFor: time.Hour}, From: now.Add(-time.Hour), Until: now.Add(time.Hour)},
	}
}

// BenchmarkPolicy is a sync with every stage of a policy on, beside one without.
// Labels are read with the fleet, as in BenchmarkSync nothing else is either.
func BenchmarkPolicy(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		s := rollout.State{Fleet: factsFleet(n), Target: "new", Now: now.Add(time.Second), Spec: one(n)}
		s.Spec.MinReadySeconds = 30
		every := everyStage()
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"zone": "a"}}}
		for i := range s.Fleet.Nodes {
			s.Fleet.Nodes[i].Ref = node
			s.Fleet.Nodes[i] = every.Mark(s.Fleet.Nodes[i])
		}
		for _, c := range []struct {
			name   string
			policy rollout.Policy
		}{{"none", rollout.Policy{}}, {"every", every}} {
			b.Run(fmt.Sprintf("nodes=%d/stages=%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if plan, err := rollout.Sync(s, c.policy); err != nil || plan.Empty() {
						b.Fatal(plan, err)
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
			if _, err := rollout.Sync(s, rollout.Policy{}); err != nil {
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
