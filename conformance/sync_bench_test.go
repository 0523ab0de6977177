package conformance_test

import (
	"fmt"
	"testing"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/whole"
)

// BenchmarkWholeSync runs one sync in which nothing is left to do. The metric is
// for one node.
func BenchmarkWholeSync(b *testing.B) {
	templates := gen.FleetTemplates()
	for _, n := range []int{1000, 10_000, 100_000} {
		for _, name := range []string{"none", "selector+2"} {
			c, err := whole.AtRest(templates[name], gen.Fleet(n, fleetSeed))
			if err != nil {
				b.Fatal(err)
			}
			run := func(side string, sync func() error) {
				b.Run(fmt.Sprintf("template=%s/nodes=%d/side=%s", name, n, side), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := sync(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
				})
			}
			r := newReference(b, gen.Epoch, c.DaemonSet, c.Nodes, c.Pods, c.Revisions)
			run("controller", func() error {
				err := r.sync()
				if len(r.client.Actions()) > 0 {
					b.Fatal(r.client.Actions())
				}
				return err
			})
			run("daemonplan", func() error {
				plan, result, err := c.Sync()
				if !plan.Empty() || result.Write {
					b.Fatal(plan, result)
				}
				return err
			})
		}
	}
}
