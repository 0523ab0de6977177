package conformance_test

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/rollout"
)

// burst is a kind of state in which more is wanted than one sync does: what is on
// most nodes of a large fleet.
type burst struct {
	name string
	// block draws the limits of a rolling update; nil leaves any strategy, for
	// what manage does.
	block func(*rapid.T) *appsv1.RollingUpdateDaemonSet
	taint corev1.TaintEffect
	// put puts the pods on a node.
	put func(t *rapid.T, c *cluster, node, current string)
}

// wide draws limits that are mostly wider than a burst.
func wide(t *rapid.T) *appsv1.RollingUpdateDaemonSet {
	return &appsv1.RollingUpdateDaemonSet{MaxUnavailable: gen.Pick(t, "limit", percent("100%"), percent("100%"), percent("1000%"), number(300))}
}

func wideSurge(t *rapid.T) *appsv1.RollingUpdateDaemonSet {
	return &appsv1.RollingUpdateDaemonSet{MaxUnavailable: number(0), MaxSurge: wide(t).MaxUnavailable}
}

// putOld puts an old pod on a node that is available in about percent of 100 cases.
func putOld(percent int) func(*rapid.T, *cluster, string, string) {
	return func(t *rapid.T, c *cluster, node, _ string) {
		ready := gen.Pick(t, "not ready", never, -time.Minute)
		if gen.Chance(t, percent, "available") {
			ready = time.Hour
		}
		c.run(node, "old", ready)
	}
}

var bursts = []burst{
	{name: "none", put: func(*rapid.T, *cluster, string, string) {}},
	{name: "excess", put: func(t *rapid.T, c *cluster, node, current string) {
		for range gen.Pick(t, "pods", 1, 2, 3, 4, 5) {
			pod := c.run(node, gen.Pick(t, "hash", "old", current), gen.Pick(t, "ready since", time.Hour, never))
			pod.Status.Phase = gen.Pick(t, "phase", corev1.PodRunning, corev1.PodRunning, corev1.PodFailed, corev1.PodSucceeded)
			pod.CreationTimestamp = metav1.NewTime(c.now.Add(-gen.Pick(t, "age", time.Minute, time.Hour)))
		}
	}},
	{name: "excluded", taint: corev1.TaintEffectNoExecute, put: func(t *rapid.T, c *cluster, node, current string) {
		for range gen.Pick(t, "pods", 1, 1, 2) {
			c.run(node, "old", time.Hour)
		}
	}},
	{name: "gone", put: func(t *rapid.T, c *cluster, node, current string) {
		c.run(node, current, time.Hour)
		c.run("gone-"+node, "old", never).Spec.NodeName = ""
	}},
	{name: "old, few available", block: wide, put: putOld(10)},
	{name: "old, most available", block: wide, put: putOld(90)},
	{name: "old, few available, surge", block: wideSurge, put: putOld(10)},
	{name: "old, most available, surge", block: wideSurge, put: putOld(90)},
	{name: "old, not eligible, surge", block: wideSurge, taint: corev1.TaintEffectNoSchedule, put: putOld(80)},
}

// draw draws a state of the kind on 250 to 600 nodes. On some nodes is what a
// settled fleet has.
func (b burst) draw(t *rapid.T) cluster {
	c := drawCluster(t, 4)
	spec := &c.ds.Spec.Template.Spec
	spec.NodeSelector, spec.Affinity, spec.NodeName = nil, nil, ""
	if b.block != nil {
		c.nodes, c.pods = nil, nil // on which manage would want something
		c.ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: b.block(t)}
	}
	current := c.resolve(t).Reading().Revision
	others := 100 - gen.Pick(t, "share", 80, 90, 100)
	n := gen.Pick(t, "nodes", 250, 251, 350, 400, 450, 500, 550, 600)
	for i := range n {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("b%03d", i)}}
		c.nodes = append(c.nodes, node)
		if gen.Chance(t, others, "another") {
			c.settleOn(t, node.Name, current, b.block == nil)
			continue
		}
		if b.taint != "" {
			node.Spec.Taints = []corev1.Taint{{Key: "k", Effect: b.taint}}
		}
		b.put(t, &c, node.Name, current)
	}
	c.remember(t)
	c.inFlight = rollout.InFlight{}
	return c
}

// TestSyncBursts compares syncs that want more than they may do. Of more than a
// burst the reference carries out what no limit concerns first, and creates and
// deletes are cut each by itself; which ones are left is a matter of picking.
func TestSyncBursts(t *testing.T) {
	var reached tally.Tally
	for _, b := range bursts {
		t.Run(b.name, func(t *testing.T) {
			checks(t, 30)
			rapid.Check(t, func(t *rapid.T) {
				c := b.draw(t)
				syncBoth(t, &reached, &c)
			})
		})
	}
	reached.Require(t, "held-burst", "creates: several of more", "deletes: several of more",
		"creates: the first lot is cut", "creates: the second lot is cut", "creates: the second lot is cut after the first",
		"deletes: the first lot is cut", "deletes: the second lot is cut", "deletes: the second lot is cut after the first", "deletes: cut within a node")
}
