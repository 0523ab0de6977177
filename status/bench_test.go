package status_test

import (
	"fmt"
	"testing"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
)

// factsFleet is a fleet of facts: one node in ten is not eligible, one in ten has
// an old pod, one in twenty waits for minReadySeconds, and pods lie in one block
// as NewFleet lays them.
func factsFleet(n int) placement.Fleet {
	pods := make([]placement.Pod, n)
	f := placement.Fleet{Nodes: make([]placement.Node, n)}
	for i := range f.Nodes {
		pods[i] = facts("p", good, 60)
		node := on(fmt.Sprintf("node-%d", i))
		node.Pods = pods[i : i+1]
		switch i % 20 {
		case 0, 10:
			node.Verdict = placement.KeepOnly
		case 1, 11:
			pods[i].Flags &^= placement.Updated
		case 2:
			pods[i].ReadyChanged = now
		}
		f.Nodes[i] = node
	}
	return f
}

// BenchmarkCompute folds the status of a fleet; the metric is for one node.
func BenchmarkCompute(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		f := factsFleet(n)
		for name, fold := range map[string]func(){
			"status": func() { status.Compute(f, at(30)) },
			"detail": func() { status.Detail(f, at(30)) },
		} {
			b.Run(fmt.Sprintf("nodes=%d/fold=%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					fold()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
	}
}
