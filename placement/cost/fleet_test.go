package cost_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// plus adds and requires that it fits.
func plus(t require.TestingT, to *cost.Resources, r cost.Resources) {
	sum, err := to.Plus(r)
	require.NoError(t, err)
	*to = sum
}

func plusSums(t require.TestingT, to *cost.Sums, s cost.Sums) {
	for _, p := range []struct {
		to *cost.Resources
		r  cost.Resources
	}{
		{&to.Expected, s.Expected}, {&to.Present, s.Present}, {&to.Surge, s.Surge}, {&to.Unexpected, s.Unexpected},
		{&to.Missing, s.Missing}, {&to.OldRevision, s.OldRevision}, {&to.Reserved, s.Reserved},
	} {
		plus(t, p.to, p.r)
	}
}

// workload draws a DaemonSet and pods around it, of three sizes.
func workload(t *rapid.T, name string, nodes []*corev1.Node) cost.Workload {
	ds := gen.DaemonSet().Draw(t, "daemonset")
	ds.Name, ds.UID = name, types.UID(name)
	ds.Spec.Template.Spec.Containers[0].Resources.Requests = list("cpu", "100m", "memory", "1Mi")
	w := cost.Workload{Daemon: daemon(t, ds), Pods: gen.Pods(ds, 6, nodes).Draw(t, "pods")}
	for i, pod := range w.Pods {
		pod.UID = types.UID(fmt.Sprint(name, i))
		pod.Spec.Containers = asking("cpu", gen.Pick(t, "cpu", "100m", "100m", "250m"), "example.com/dev", "1").Containers
		if gen.Chance(t, 20, "resize") {
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Resources: &corev1.ResourceRequirements{Requests: list("cpu", "300m")}}}
		}
		if gen.Chance(t, 10, "sidecar") {
			pod.Spec.InitContainers = []corev1.Container{sidecar(container("s", list("cpu", "5m"), nil))}
		}
	}
	if gen.Chance(t, 70, "dated") {
		w.Reading = placement.Reading{Revision: "new", Generation: placement.OwnerOf(ds).TemplateGeneration()}
	}
	return w
}

// fleetIsTheSumOfNodes compares a report with what is on each node by itself. It is a
// fuzz target too.
func fleetIsTheSumOfNodes(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		nodes := gen.Nodes(4).Draw(t, "nodes")
		for i, node := range nodes {
			node.Status.Allocatable = list("cpu", fmt.Sprint(i+1))
			if gen.Chance(t, 50, "untainted") {
				node.Spec.Taints = nil
			}
		}
		var workloads []cost.Workload
		for i := range rapid.IntRange(0, 3).Draw(t, "workloads") {
			workloads = append(workloads, workload(t, fmt.Sprint("w", i), nodes))
		}
		var before [][]*corev1.Pod
		for _, w := range workloads {
			before = append(before, copies(w.Pods))
		}
		nodesBefore := copies(nodes)
		report, err := cost.Fleet(nodes, workloads, cost.Grouping{Label: "zone"})
		require.NoError(t, err)
		for i, w := range workloads {
			assert.Equal(t, before[i], copies(w.Pods))
		}
		assert.Equal(t, nodesBefore, copies(nodes))

		// Node by node, from the facts that the other packages go by.
		var total cost.Total
		byGroup := map[string]*cost.Total{}
		byDaemon := map[string]*cost.DaemonCost{}
		for _, w := range workloads {
			byDaemon[w.Daemon.Key.Name] = &cost.DaemonCost{Daemon: w.Daemon}
		}
		for i, node := range nodes {
			var sums cost.Sums
			for _, w := range workloads {
				var s cost.Sums
				facts := placement.NewFleet(w.Daemon.Matcher, []*corev1.Node{node}, w.Pods, w.Reading).Nodes[0]
				pods := slices.DeleteFunc(facts.Pods, func(p placement.Pod) bool { return p.Flags.Any(placement.Failed | placement.Succeeded) })
				eligible := facts.Verdict == placement.Eligible
				if eligible {
					byDaemon[w.Daemon.Key.Name].Nodes++
					s.Expected = w.Daemon.Requests
					if len(pods) == 0 {
						s.Missing = w.Daemon.Requests
						reached.Add("missing")
					}
				}
				for j, p := range pods {
					takes, err := cost.RequestsOf(p.Ref, nil)
					require.NoError(t, err)
					switch {
					case !eligible:
						plus(t, &s.Unexpected, takes)
						reached.Add("unexpected")
					case j == 0:
						plus(t, &s.Present, takes)
						reached.Add("present")
					default:
						plus(t, &s.Surge, takes)
						reached.Add("surge")
					}
					plus(t, &s.Reserved, takes)
					if (w.Reading.Revision != "" || w.Reading.Generation != nil) && !p.Flags.Has(placement.Updated) {
						plus(t, &s.OldRevision, takes)
						reached.Add("old revision")
					}
				}
				lines, err := cost.Lines(node, []cost.Workload{w})
				require.NoError(t, err)
				if eligible || len(pods) > 0 {
					require.Len(t, lines, 1)
					assert.Equal(t, s, lines[0].Sums)
				} else {
					assert.Empty(t, lines)
				}
				plusSums(t, &sums, s)
				plusSums(t, &byDaemon[w.Daemon.Key.Name].Sums, s)
			}
			assert.Equal(t, node.Name, report.Nodes[i].Name)
			assert.Equal(t, sums, report.Nodes[i].Sums)
			group := byGroup[node.Labels["zone"]]
			if group == nil {
				group = &cost.Total{}
				byGroup[node.Labels["zone"]] = group
			}
			for _, to := range []*cost.Total{&total, group} {
				to.Nodes++
				plus(t, &to.Allocatable, report.Nodes[i].Allocatable)
				plusSums(t, &to.Sums, sums)
			}
		}
		assert.Equal(t, total, report.Total)
		require.Len(t, report.Groups, len(byGroup))
		for i, g := range report.Groups {
			assert.Equal(t, *byGroup[g.Name], g.Total)
			assert.True(t, i == 0 || report.Groups[i-1].Name < g.Name)
		}
		reached.AddIf(len(report.Groups) > 1, "several groups")
		for i, d := range report.Daemons {
			assert.Same(t, workloads[i].Daemon, d.Daemon)
			assert.Equal(t, *byDaemon[d.Daemon.Key.Name], d)
		}

		// Order and stale copies do not matter.
		again := gen.Shuffled(t, workloads)
		for i := range again {
			again[i].Pods = append([]*corev1.Pod{nil}, gen.Shuffled(t, again[i].Pods)...)
			if n := len(again[i].Pods); n > 1 {
				stale := again[i].Pods[n-1].DeepCopy()
				stale.Spec.NodeName = "n0"
				again[i].Pods = append([]*corev1.Pod{stale}, again[i].Pods...)
			}
		}
		if len(again) > 0 {
			again = append([]cost.Workload{{}, {Daemon: again[len(again)-1].Daemon}}, again...)
		}
		shuffled := append([]*corev1.Node{nil}, gen.Shuffled(t, nodes)...)
		if len(nodes) > 0 {
			shuffled = append([]*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: nodes[0].Name}}}, shuffled...)
		}
		second, err := cost.Fleet(shuffled, again, cost.Grouping{By: func(n *corev1.Node) string { return n.Labels["zone"] }})
		require.NoError(t, err)
		assert.Equal(t, report, second)
	}
}

func copies[T interface{ DeepCopy() T }](list []T) []T {
	var all []T
	for _, v := range list {
		all = append(all, v.DeepCopy())
	}
	return all
}

func TestFleetIsTheSumOfNodes(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, fleetIsTheSumOfNodes(&reached))
	reached.Require(t, "missing", "present", "surge", "unexpected", "old revision", "several groups")
}

func FuzzFleet(f *testing.F) { f.Fuzz(rapid.MakeFuzz(fleetIsTheSumOfNodes(&tally.Tally{}))) }

// absurdObjects holds that whatever is written in an object, there is an answer or an
// error. It is a fuzz target too.
func absurdObjects(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		absurd := func() corev1.ResourceList {
			if gen.Chance(t, 50, "none") {
				return nil
			}
			return corev1.ResourceList{gen.Pick[corev1.ResourceName](t, "name", "cpu", "memory", "", "hugepages-2Mi", "pods"): quantity(t)}
		}
		spec := corev1.PodSpec{Overhead: absurd()}
		for range gen.Pick(t, "containers", 0, 1, 2) {
			spec.Containers = append(spec.Containers, container("", absurd(), absurd()))
			spec.InitContainers = append(spec.InitContainers, sidecar(container("", absurd(), absurd())), container("", absurd(), nil))
		}
		if gen.Chance(t, 40, "whole") {
			spec.Resources = &corev1.ResourceRequirements{Requests: absurd(), Limits: absurd()}
		}
		a := cost.Admission{LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypeContainer, Default: absurd(), Min: absurd(), Max: absurd()},
		}}}}}
		d, err := cost.Compile(daemonSet("x", spec), cost.Options{Admission: a})
		if err != nil {
			assert.Nil(t, d)
			reached.Add("refused")
		} else {
			reached.Add("priced")
		}
		pod := &corev1.Pod{Spec: spec}
		pod.Spec.NodeName = "n"
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{AllocatedResources: absurd(), Resources: &corev1.ResourceRequirements{Requests: absurd()}}}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Allocatable: absurd()}}
		report, err := cost.Fleet([]*corev1.Node{node, node}, []cost.Workload{{Daemon: d, Pods: []*corev1.Pod{pod, pod}}}, cost.Grouping{})
		if err != nil {
			assert.Empty(t, report)
		} else {
			reached.Add("reported")
		}
		_, _ = cost.Admit(pod, a)
	}
}

func TestAbsurdObjects(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, absurdObjects(&reached))
	reached.Require(t, "refused", "priced", "reported")
}

func FuzzAbsurdObjects(f *testing.F) { f.Fuzz(rapid.MakeFuzz(absurdObjects(&tally.Tally{}))) }

func TestFleetOverflow(t *testing.T) {
	spec := asking("memory", "1")
	spec.Containers[0].Resources.Requests["memory"] = *resource.NewQuantity(math.MaxInt64/2+1, resource.BinarySI)
	d := daemon(t, daemonSet("x", spec))
	nodes := []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, {ObjectMeta: metav1.ObjectMeta{Name: "b"}}}
	report, err := cost.Fleet(nodes, []cost.Workload{{Daemon: d}}, cost.Grouping{})
	assert.ErrorIs(t, err, cost.ErrOverflow)
	assert.EqualError(t, err, "ns/x: cost: sum out of range: memory")
	assert.Empty(t, report)
	_, err = cost.Fleet(nodes[:1], []cost.Workload{{Daemon: d}}, cost.Grouping{})
	assert.NoError(t, err)
}
