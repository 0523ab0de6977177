package daemonplan_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/whole"
)

// BenchmarkSyncGrowth is a whole sync that finds nothing to do, beside a loop that
// reads one label of every node, which is what any look at the fleet costs.
func BenchmarkSyncGrowth(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		nodes := gen.Fleet(n, 1)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("nodes=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
			})
		}
		linux := 0
		run("label", func() {
			for _, node := range nodes {
				if node.Labels[corev1.LabelOSStable] == "linux" {
					linux++
				}
			}
		})
		for _, name := range []string{"none", "selector+2"} {
			c, err := whole.AtRest(gen.FleetTemplates()[name], nodes)
			if err != nil {
				b.Fatal(err)
			}
			run("template="+name, func() {
				if plan, result, err := c.Sync(); err != nil || !plan.Empty() || result.Write {
					b.Fatal(err, plan, result)
				}
			})
		}
	}
}
