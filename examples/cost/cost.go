package main

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// instanceType is the label that makes groups when some node has it.
const instanceType = corev1.LabelInstanceTypeStable

// costs prices every DaemonSet that was read, and asks about nodes and shapes.
func costs(in input.Objects, o options) (*report, error) {
	r := &report{Shapes: []shapeReport{}, PassedOver: in.PassedOver, Warnings: append([]input.Warning{}, in.Warnings...)}
	var workloads []cost.Workload
	var daemons []*cost.Daemon
	manifests := map[*cost.Daemon]input.Manifest{}
	for _, m := range r.lastOnes(in.DaemonSets) {
		daemon, err := cost.Compile(m.DaemonSet, cost.Options{})
		if err != nil {
			return nil, m.Errorf("spec.template", "%v", err)
		}
		for _, err := range daemon.Refused {
			r.warn(m, "spec.template", "the API server refuses its pods: %v", err)
		}
		workloads = append(workloads, cost.Workload{Daemon: daemon, Pods: r.podsOf(in, m)})
		daemons = append(daemons, daemon)
		manifests[daemon] = m
	}
	set := cost.NewSet(daemons)
	for _, s := range o.shapes {
		shape, err := shapeCost(set, s, o.question)
		if err != nil {
			return nil, err
		}
		r.Shapes = append(r.Shapes, shape)
	}
	if len(in.Nodes) == 0 {
		return r, nil
	}
	group := groupLabel(in.Nodes, o)
	found, err := cost.Fleet(in.Nodes, workloads, cost.Grouping{Label: group})
	if err != nil {
		return nil, err
	}
	r.Fleet, err = fleetOf(found, group, len(in.Pods), func(d *cost.Daemon) (cost.Resources, error) {
		m := manifests[d]
		surge, err := surgeOf(d, m.DaemonSet, in.Nodes)
		if err != nil {
			err = m.Errorf("spec.updateStrategy.rollingUpdate.maxSurge", "%v", err)
		}
		return surge, err
	})
	if without := unsized(found.Nodes); len(without) > 0 {
		r.Warnings = append(r.Warnings, input.Warning{Message: output.Plural(len(without), "node has", "nodes have") +
			" no status.allocatable, and shares are of the others only: " + output.Few(without)})
	}
	return r, err
}

// warn files a warning about a field of a DaemonSet.
func (r *report) warn(m input.Manifest, field, format string, args ...any) {
	r.Warnings = append(r.Warnings, m.Warning(field, format, args...))
}

// lastOnes leaves out the DaemonSets that are given again further on.
func (r *report) lastOnes(all []input.Manifest) []input.Manifest {
	key := func(m input.Manifest) types.NamespacedName {
		return types.NamespacedName{Namespace: m.DaemonSet.Namespace, Name: m.DaemonSet.Name}
	}
	last := map[types.NamespacedName]int{}
	for i, m := range all {
		last[key(m)] = i
	}
	var kept []input.Manifest
	for i, m := range all {
		if m.DaemonSet.Name != "" && last[key(m)] != i {
			r.warn(m, "", "DaemonSet %s is given again, and the last one counts", key(m))
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// podsOf are the pods of a DaemonSet.
func (r *report) podsOf(in input.Objects, m input.Manifest) []*corev1.Pod {
	if len(in.Pods) == 0 {
		return nil
	}
	selector, problem := in.Own(m.DaemonSet)
	if problem != nil {
		r.warn(m, problem.Field, "%s", problem.Message)
		return nil
	}
	return placement.Claim(placement.OwnerOf(m.DaemonSet), selector, in.Pods).Claimed
}

// groupLabel is the label that makes groups; empty for no groups.
func groupLabel(nodes []*corev1.Node, o options) string {
	if o.grouped {
		return o.group
	}
	if slices.ContainsFunc(nodes, func(n *corev1.Node) bool { return n.Labels[instanceType] != "" }) {
		return instanceType
	}
	return ""
}

// surgeOf is what a rollout of a new template of the same size adds at most.
func surgeOf(d *cost.Daemon, ds *appsv1.DaemonSet, nodes []*corev1.Node) (cost.Resources, error) {
	strategy := ds.Spec.UpdateStrategy
	if strategy.Type == appsv1.OnDeleteDaemonSetStrategyType || strategy.RollingUpdate == nil {
		return nil, nil
	}
	next := *d // another one of the same size, so that pods are replaced
	change, err := cost.Compare(cost.Side{Daemon: d, Nodes: nodes}, cost.Side{Daemon: &next, Nodes: nodes}, cost.Rollout{MaxSurge: strategy.RollingUpdate.MaxSurge})
	if err != nil {
		return nil, err
	}
	return d.Requests.Times(int64(change.Doubled))
}

// fleetOf is what is said of the nodes there are.
func fleetOf(found cost.Report, group string, pods int, surgeOf func(*cost.Daemon) (cost.Resources, error)) (*fleetReport, error) {
	f := &fleetReport{DaemonSets: []daemonSetReport{}, GroupLabel: group, Groups: []groupReport{}}
	var surges cost.Resources
	for _, d := range found.Daemons {
		surge, err := surgeOf(d.Daemon)
		if err != nil {
			return nil, err
		}
		if surges, err = surges.Plus(surge); err != nil {
			return nil, fmt.Errorf("surge: %w", err)
		}
		f.DaemonSets = append(f.DaemonSets, daemonSetReport{
			Name: nameOf(d.Daemon), PerPod: list(d.Daemon.Requests), Nodes: d.Nodes,
			Total: list(d.Expected), Surge: list(surge), Now: nowOf(d.Sums, pods),
		})
	}
	if group != "" {
		for _, g := range found.Groups {
			f.Groups = append(f.Groups, groupReport{g.Name, nodesOf(g.Nodes, g.Allocatable, g.Expected)})
		}
	}
	f.Total = totalReport{nodesOf(found.Total.Nodes, found.Total.Allocatable, found.Total.Expected), list(surges), nowOf(found.Total.Sums, pods)}
	f.Smallest, f.Largest = extremes(found.Nodes)
	return f, nil
}

// unsized are the names of the nodes that do not say what is allocatable.
func unsized(nodes []cost.NodeCost) (names []string) {
	for _, n := range nodes {
		if len(n.Allocatable) == 0 {
			names = append(names, n.Name)
		}
	}
	return names
}

// extremes are the smallest and the largest node.
func extremes(nodes []cost.NodeCost) (smallest, largest *nodeReport) {
	var sized []cost.NodeCost
	for _, n := range nodes {
		if cpu := n.Allocatable.Get(corev1.ResourceCPU); cpu.Sign() > 0 {
			sized = append(sized, n)
		}
	}
	if len(sized) == 0 {
		return nil, nil
	}
	size := func(a, b cost.NodeCost) int {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			x, y := a.Allocatable.Get(name), b.Allocatable.Get(name)
			if order := x.Cmp(y); order != 0 {
				return order
			}
		}
		return 0
	}
	describe := func(n cost.NodeCost) *nodeReport {
		return &nodeReport{n.Name, n.Group, nodesOf(1, n.Allocatable, n.Expected)}
	}
	byName := func(a, b cost.NodeCost) int { return cmp.Compare(a.Name, b.Name) }
	return describe(slices.MinFunc(sized, func(a, b cost.NodeCost) int { return cmp.Or(size(a, b), byName(a, b)) })),
		describe(slices.MinFunc(sized, func(a, b cost.NodeCost) int { return cmp.Or(size(b, a), byName(a, b)) }))
}

// shapeCost is what a node that does not exist has to bear.
func shapeCost(set *cost.Set, s shape, q cost.Question) (shapeReport, error) {
	overhead, err := set.Overhead(s.shape, q)
	if err != nil {
		return shapeReport{}, err
	}
	r := shapeReport{Shape: s.text, Runs: []podReport{}, DoesNotRun: []daemonName{}}
	runs := map[*cost.Daemon]bool{}
	for _, d := range overhead.Daemons {
		runs[d] = true
		r.Runs = append(r.Runs, podReport{nameOf(d), list(d.Requests)})
	}
	for _, d := range set.Daemons() {
		if !runs[d] {
			r.DoesNotRun = append(r.DoesNotRun, nameOf(d))
		}
	}
	// Of what the shape does not name nobody knows how much there is.
	r.Left, r.Lacking = corev1.ResourceList{}, corev1.ResourceList{}
	left, err := s.resources.Minus(overhead.Requests)
	if err != nil {
		return r, err
	}
	for _, name := range s.named {
		r.Left[name] = left.Get(name)
		if q := r.Left[name]; q.Sign() < 0 {
			q.Neg()
			r.Lacking[name] = q
		}
	}
	r.sums = nodesOf(1, s.resources, overhead.Requests)
	return r, nil
}

func nodesOf(nodes int, allocatable, requests cost.Resources) sums {
	s := sums{Nodes: nodes, Allocatable: list(allocatable), Requests: list(requests), Share: map[corev1.ResourceName]int64{}}
	for _, share := range cost.Share(requests, allocatable) {
		if share.Defined {
			s.Share[share.Name] = share.PerMille
		}
	}
	return s
}

// nowOf is what pods take; nil when none were read.
func nowOf(s cost.Sums, pods int) *nowReport {
	if pods == 0 {
		return nil
	}
	return &nowReport{list(s.Reserved), list(s.Missing), list(s.Surge), list(s.Unexpected)}
}

// list is a sum in the form of the API, empty and not nil for nothing.
func list(r cost.Resources) corev1.ResourceList {
	if l := r.List(); l != nil {
		return l
	}
	return corev1.ResourceList{}
}

func nameOf(d *cost.Daemon) daemonName { return daemonName{d.Key.Namespace, d.Key.Name} }
