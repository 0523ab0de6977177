package conformance_test

import (
	"fmt"
	"testing"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// fleetSeed is the seed of every fleet that is measured.
const fleetSeed = 1

//go:linkname nodeShouldRunDaemonPod k8s.io/kubernetes/pkg/controller/daemon.nodeShouldRunDaemonPod
func nodeShouldRunDaemonPod(logger klog.Logger, node *corev1.Node, ds *appsv1.DaemonSet, list []corev1.Toleration, affinity nodeaffinity.RequiredNodeAffinity) (bool, bool)

// matchSides are the ways to judge a node that are measured beside each other.
// Each returns a function that reports whether a pod should run on a node.
var matchSides = []struct {
	name string
	of   func(*appsv1.DaemonSet) func(*corev1.Node) bool
}{
	// What the controller does inside: component-helpers, compiled once for a
	// sync.
	{"compiled", func(ds *appsv1.DaemonSet) func(*corev1.Node) bool {
		list := tolerations.Effective(&ds.Spec.Template.Spec)
		affinity := nodeaffinity.NewRequiredNodeAffinity(ds.Spec.Template.Spec.NodeSelector, ds.Spec.Template.Spec.Affinity)
		return func(node *corev1.Node) bool {
			run, _ := nodeShouldRunDaemonPod(klog.Logger{}, node, ds, list, affinity)
			return run
		}
	}},
	// What other programs call.
	{"exported", func(ds *appsv1.DaemonSet) func(*corev1.Node) bool {
		return func(node *corev1.Node) bool {
			run, _ := daemon.NodeShouldRunDaemonPod(klog.Logger{}, node, ds)
			return run
		}
	}},
	{"daemonplan", func(ds *appsv1.DaemonSet) func(*corev1.Node) bool {
		m := placement.Compile(&ds.Spec.Template, placement.Options{})
		return func(node *corev1.Node) bool { return m.Match(node) == placement.Eligible }
	}},
}

// BenchmarkMatch judges a whole fleet. An operation is one node.
func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{100_000} {
		nodes := gen.Fleet(n, fleetSeed)
		templates := gen.FleetTemplates()
		for _, name := range gen.FleetTemplateNames {
			ds := &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: *templates[name]}}
			want := -1
			for _, side := range matchSides {
				b.Run(fmt.Sprintf("nodes=%d/template=%s/side=%s", n, name, side.name), func(b *testing.B) {
					run := side.of(ds)
					count := 0
					for _, node := range nodes {
						if run(node) {
							count++
						}
					}
					if want < 0 {
						want = count
					}
					if count != want {
						b.Fatalf("%d nodes, the other side has %d", count, want)
					}
					b.ReportAllocs()
					i := 0
					for b.Loop() {
						run(nodes[i])
						if i++; i == n {
							i = 0
						}
					}
				})
			}
		}
	}
}
