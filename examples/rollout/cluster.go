package main

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/resource"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

const (
	zoneLabel = corev1.LabelTopologyZone
	// mostNodes is the size up to which a fleet is made.
	mostNodes = 100_000
	// target is the revision that is rolled out, and old that of pods without one.
	target, old = "new", "old"
)

// cluster is what is there before anything happens.
type cluster struct {
	fleet    placement.Fleet
	spec     rollout.Spec
	matcher  *placement.Matcher
	requests corev1.ResourceList
	what     string // in words
}

// uniform is a fleet of facts, as simulate.Uniform makes them, whose nodes have
// labels: names and zones.
func uniform(n int, zones []string, ready time.Time) cluster {
	one := lint.Default(&appsv1.DaemonSet{})
	c := cluster{
		spec: rollout.SpecOf(one), matcher: placement.Compile(&one.Spec.Template, placement.Options{}),
		what: output.Plural(n, "node", "nodes"),
	}
	if len(zones) > 0 {
		c.what += " in " + output.Plural(len(zones), "zone", "zones")
	}
	width := len(fmt.Sprint(n))
	for i := range n {
		name := fmt.Sprintf("node-%0*d", width, i+1)
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
		if len(zones) > 0 {
			node.Labels[zoneLabel] = zones[i%len(zones)]
		}
		c.fleet.Nodes = append(c.fleet.Nodes, placement.Node{
			Name: name, Ref: node, Verdict: placement.Eligible, Stable: placement.Eligible, Pods: []placement.Pod{oldPod(name, ready)},
		})
	}
	return c
}

// oldPod is one that is available.
func oldPod(node string, ready time.Time) placement.Pod {
	return placement.Pod{
		Name: "old-" + node, UID: types.UID("old-" + node), Revision: old, Created: ready, ReadyChanged: ready,
		Flags: placement.Scheduled | placement.Ready,
	}
}

// longAgo is when pods became ready that are available whatever minReadySeconds.
func longAgo(start time.Time) time.Time { return start.AddDate(-100, 0, 0) }

// choose returns the DaemonSet that is played.
func choose(in input.Objects, o options) (input.Manifest, error) {
	var found []input.Manifest
	var names []string
	for _, m := range in.DaemonSets {
		name := m.DaemonSet.Namespace + "/" + m.DaemonSet.Name
		names = append(names, name)
		if o.daemonSet == "" || o.daemonSet == name {
			found = append(found, m)
		}
	}
	switch {
	case len(names) == 0:
		return input.Manifest{}, in.None(o.files, "DaemonSet of apps/v1", "write some with kubectl get daemonsets,nodes,pods -A -o json")
	case len(in.Nodes) == 0:
		return input.Manifest{}, in.None(o.files, "Node", "write some with kubectl get nodes -o json > nodes.json and add -f nodes.json")
	case len(found) == 0:
		return input.Manifest{}, fmt.Errorf("-daemonset %s: is not among %s", o.daemonSet, output.Few(names))
	case len(found) > 1 && o.daemonSet == "":
		return input.Manifest{}, fmt.Errorf("%d DaemonSets were read: choose one with -daemonset, of %s", len(found), output.Few(names))
	case len(found) > 1:
		return input.Manifest{}, fmt.Errorf("-daemonset %s: was read %d times", o.daemonSet, len(found))
	}
	return found[0], nil
}

// read is the cluster that was read, and what is odd about it.
func read(in input.Objects, m input.Manifest, start time.Time) (cluster, []input.Warning, error) {
	ds := lint.Default(m.DaemonSet)
	selector, problem := in.Own(ds)
	if problem != nil {
		return cluster{}, nil, m.Errorf(problem.Field, "%s", problem.Message)
	}
	var odd []input.Warning
	if problem := input.Unsynced(ds, selector); problem != nil {
		odd = append(odd, m.Warning(problem.Field, "%s", problem.Message))
	}
	for _, n := range in.Nodes {
		if n.Name == "" {
			return cluster{}, nil, fmt.Errorf("a node has no name, and no pod could be meant for it")
		}
	}
	c := cluster{
		spec: rollout.SpecOf(ds), matcher: placement.Compile(&ds.Spec.Template, placement.Options{}),
		what:     "DaemonSet " + output.Clean(ds.Namespace+"/"+output.OrNoName(ds.Name)) + " on " + output.Plural(len(in.Nodes), "node", "nodes"),
		requests: resource.PodRequests(&corev1.Pod{Spec: ds.Spec.Template.Spec}, resource.PodResourcesOptions{}),
	}
	pods := placement.Claim(placement.OwnerOf(ds), selector, in.Pods).Claimed
	c.fleet = placement.NewFleet(c.matcher, in.Nodes, pods, placement.Reading{Revision: target})
	if len(in.Pods) == 0 {
		odd = append(odd, m.Warning("", "no Pod was read: an old one that is available is assumed on every eligible node"))
		for i := range c.fleet.Nodes {
			if n := &c.fleet.Nodes[i]; n.Verdict == placement.Eligible {
				n.Pods = []placement.Pod{oldPod(n.Name, longAgo(start))}
			}
		}
	}
	return c, odd, nil
}
