package conformance_test

import (
	"fmt"
	"math"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
)

// never is how long a pod has been ready that is not.
const never = time.Duration(math.MinInt64)

// settle replaces the pods by running ones of which manage mostly wants nothing,
// so that update has its turn. Of the pods as they were drawn few remain.
func (c *cluster) settle(t *rapid.T) {
	c.quiet(t)
	current := c.resolve(t).Reading().Revision
	if gen.Chance(t, 75, "no others") {
		c.pods = nil
	} else {
		c.pods = c.pods[:min(len(c.pods), 2)]
	}
	// On how many nodes manage wants something.
	odd := gen.Pick(t, "odd", 0, 0, 0, 10)
	m := placement.Compile(&c.ds.Spec.Template, placement.Options{})
	for _, node := range c.nodes {
		if strange := gen.Chance(t, odd, "strange"); strange || m.Match(node) != placement.Excluded {
			c.settleOn(t, node.Name, current, strange)
		}
	}
	if gen.Chance(t, 15, "a node is gone") {
		c.settleOn(t, "gone", current, gen.Chance(t, 70, "strange"))
	}
}

// quiet makes most nodes eligible, and the strategy one that rolls something.
func (c *cluster) quiet(t *rapid.T) {
	if gen.Chance(t, 80, "anywhere") { // but for taints
		spec := &c.ds.Spec.Template.Spec
		spec.NodeSelector, spec.Affinity, spec.NodeName = nil, nil, ""
	}
	if gen.Chance(t, 80, "few taints") {
		taint := func(effect corev1.TaintEffect) []corev1.Taint { return []corev1.Taint{{Key: "k", Effect: effect}} }
		for _, node := range c.nodes {
			node.Spec.Taints = nil
			if gen.Chance(t, 25, "tainted") {
				node.Spec.Taints = gen.Pick(t, "taint", taint(corev1.TaintEffectNoSchedule), taint(corev1.TaintEffectNoSchedule), taint(corev1.TaintEffectNoExecute))
			}
		}
	}
	if gen.Chance(t, 80, "rolls") {
		limit := gen.Pick(t, "limit", number(1), number(2), number(3), number(20), percent("10%"), percent("25%"), percent("34%"),
			percent("50%"), percent("100%"), percent("1000%"))
		block := &appsv1.RollingUpdateDaemonSet{MaxUnavailable: limit, MaxSurge: gen.Pick(t, "maxSurge", nil, number(0), percent("0%"))}
		if gen.Chance(t, 50, "surge") {
			block = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: number(0), MaxSurge: limit}
		}
		c.ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: block}
	}
}

// settleOn puts an old pod, a new one or both on a node. Where nothing is strange,
// manage leaves them.
func (c *cluster) settleOn(t *rapid.T, node, current string, strange bool) {
	ready := func() time.Duration {
		return gen.Pick(t, "ready since", time.Hour, time.Hour, time.Hour, time.Hour, time.Minute, 0, -time.Minute, never)
	}
	if strange && gen.Chance(t, 30, "none") {
		return
	}
	surges := daemonutil.AllowsSurge(c.ds)
	switch gen.Pick(t, "pods", "old", "old", "old", "new", "new", "both") {
	case "both":
		if surges && !strange {
			since := never
			if c.ds.Spec.MinReadySeconds > 0 {
				since = gen.Pick(t, "ready since", 0, -time.Minute, never) // ready, not available
			}
			c.run(node, "old", time.Hour)
			c.run(node, current, since)
			break
		}
		if strange {
			c.run(node, current, ready())
		}
		c.run(node, "old", ready())
	case "new":
		pod := c.run(node, current, ready())
		if generation := placement.OwnerOf(c.ds).TemplateGeneration(); generation != nil && gen.Chance(t, 30, "by generation") {
			pod.Labels[placement.TemplateGenerationLabel] = fmt.Sprint(*generation)
			pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = "old"
		}
	default:
		pod := c.run(node, "old", ready())
		if strange {
			pod.Status.Phase = gen.Pick(t, "phase", corev1.PodFailed, corev1.PodFailed, corev1.PodSucceeded, corev1.PodPending)
		}
	}
	if gen.Chance(t, 10, "another goes") {
		at := metav1.NewTime(c.now)
		c.run(node, gen.Pick(t, "of", "old", current), ready()).DeletionTimestamp = &at
	}
}

// run adds a pod that runs on a node and has been ready for some time. It carries
// no generation label, by which an old pod would pass as updated.
func (c *cluster) run(node, hash string, ready time.Duration) *corev1.Pod {
	pod := placement.NewPod(placement.OwnerOf(c.ds), &c.ds.Spec.Template, node, placement.PodOptions{Hash: hash})
	delete(pod.Labels, placement.TemplateGenerationLabel)
	pod.Name = fmt.Sprintf("settled-%d", len(c.pods))
	pod.UID, pod.Spec.NodeName = types.UID(pod.Name), node
	if ready != never {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(c.now.Add(-ready)),
		}}
	}
	c.pods = append(c.pods, pod)
	return pod
}
