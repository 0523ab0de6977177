package cost_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// benchDaemons makes n DaemonSets of the templates of gen.FleetTemplates, in turn.
func benchDaemons(t require.TestingT, n int) []*cost.Daemon {
	templates := gen.FleetTemplates()
	var daemons []*cost.Daemon
	for i := range n {
		spec := *templates[gen.FleetTemplateNames[i%len(gen.FleetTemplateNames)]].Spec.DeepCopy()
		spec.Containers = asking("cpu", fmt.Sprintf("%dm", 10+i%90), "memory", "64Mi").Containers
		if i%3 == 0 {
			spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		}
		daemons = append(daemons, daemon(t, daemonSet(fmt.Sprintf("d%03d", i), spec)))
	}
	return daemons
}

// benchShapes makes so many instance types in so many pools: about 20 labels each, one
// pool in three tainted.
func benchShapes(pools, types int) []placement.Shape {
	nodes := gen.Fleet(types, 1)
	shapes := make([]placement.Shape, 0, pools*types)
	for pool := range pools {
		for _, node := range nodes {
			s := placement.Shape{Labels: maps.Clone(node.Labels)}
			s.Labels["node.example.com/pool"] = fmt.Sprint("pool-", pool)
			if pool%3 == 0 {
				s.Taints = []corev1.Taint{{Key: "dedicated", Value: fmt.Sprint("pool-", pool), Effect: corev1.TaintEffectNoSchedule}}
			}
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// 50 DaemonSets, 10 pools, 900 shapes each: 100 ms at most.
func BenchmarkGroup(b *testing.B) {
	set := cost.NewSet(benchDaemons(b, 50))
	shapes := benchShapes(10, 900)
	b.Run("daemons=50/pools=10/shapes=900", func(b *testing.B) {
		b.ReportAllocs()
		var groups []cost.Group
		var err error
		for range b.N {
			if groups, err = set.Group(shapes, cost.Question{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(groups)), "groups")
	})
	b.Run("one-by-one", func(b *testing.B) {
		b.ReportAllocs()
		var bits cost.Bits
		for range b.N {
			for i := range shapes {
				bits = set.Match(shapes[i], bits)
			}
		}
	})
}

// 200 DaemonSets, 10,000 nodes: one second at most.
func BenchmarkFleet(b *testing.B) {
	daemons := benchDaemons(b, 200)
	nodes := gen.Fleet(10_000, 1)
	for _, node := range nodes {
		node.Status.Allocatable = list("cpu", "3920m", "memory", "14Gi", "ephemeral-storage", "90Gi", "pods", "58")
	}
	workloads := make([]cost.Workload, len(daemons))
	for i, d := range daemons {
		workloads[i] = cost.Workload{Daemon: d}
	}
	run := func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, err := cost.Fleet(nodes, workloads, cost.Grouping{Label: "node.example.com/pool"}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("daemons=200/nodes=10000/pods=none", run)
	// A pod of each tenth DaemonSet on each node, as 200,000 pods are enough to show
	// what one costs.
	for i := 0; i < len(daemons); i += 10 {
		spec := asking("cpu", "50m", "memory", "64Mi")
		workloads[i].Reading.Revision = "new"
		for _, node := range nodes {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Name: daemons[i].Key.Name + node.Name, UID: types.UID(daemons[i].Key.Name + node.Name),
				Labels: map[string]string{"controller-revision-hash": "new", "app": "x"},
			}, Spec: *spec.DeepCopy()}
			pod.Spec.NodeName = node.Name
			workloads[i].Pods = append(workloads[i].Pods, pod)
		}
	}
	b.Run("daemons=200/nodes=10000/pods=200000", run)
}

func TestMatchAllocatesNothing(t *testing.T) {
	set := cost.NewSet(benchDaemons(t, 50))
	shapes := benchShapes(2, 50)
	bits := set.Match(shapes[0], nil)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for i := range shapes {
			bits = set.Match(shapes[i], bits)
		}
	}))
}

// Ten times the shapes with the same looks take no more allocations.
func TestGroupAllocatesByGroup(t *testing.T) {
	set := cost.NewSet(benchDaemons(t, 50))
	few := benchShapes(3, 100)
	var many []placement.Shape
	for range 10 {
		many = append(many, few...)
	}
	allocs := func(shapes []placement.Shape) float64 {
		return testing.AllocsPerRun(5, func() {
			if _, err := set.Group(shapes, cost.Question{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	a, b := allocs(few), allocs(many)
	t.Logf("%d shapes: %.0f allocations, %d shapes: %.0f", len(few), a, len(many), b)
	assert.LessOrEqual(t, b, a+2)
}
