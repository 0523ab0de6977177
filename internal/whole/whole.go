// Package whole is what benchmarks of a whole sync share: a cluster on which a
// DaemonSet has come to rest, and the calls of one sync.
package whole

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/status"
)

// Cluster is what a controller reads from its caches.
type Cluster struct {
	DaemonSet *appsv1.DaemonSet
	Nodes     []*corev1.Node
	Pods      []*corev1.Pod
	Revisions []*appsv1.ControllerRevision
}

// Sync makes the calls of one sync: claims, history, fleet, plan, pruning and
// status.
func (c *Cluster) Sync() (rollout.Plan, status.Result, error) {
	ds := c.DaemonSet
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		return rollout.Plan{}, status.Result{}, err
	}
	owner := placement.OwnerOf(ds)
	mine := placement.Claim(owner, selector, c.Pods)
	h, err := revision.Resolve(revision.State{
		Owner: owner, Template: &ds.Spec.Template, Selector: selector,
		Revisions: c.Revisions, Pods: mine.Claimed, CollisionCount: ds.Status.CollisionCount,
	}, revision.Options{})
	if err != nil {
		return rollout.Plan{}, status.Result{}, err
	}
	reading := h.Reading()
	fleet := placement.NewFleet(placement.Compile(&ds.Spec.Template, placement.Options{}), c.Nodes, mine.Claimed, reading)
	plan, err := rollout.Sync(rollout.State{Fleet: fleet, Spec: rollout.SpecOf(ds), Target: reading.Revision, Now: gen.Epoch}, rollout.Policy{})
	revision.Prune(h.Old, mine.Claimed, ds.Spec.RevisionHistoryLimit)
	return plan, status.Compute(fleet, status.InputOf(ds, gen.Epoch)), err
}

// AtRest is a fleet on which a DaemonSet of the template has come to rest: each
// eligible node has an available pod of the current revision, and a sync finds
// nothing to do.
func AtRest(template *corev1.PodTemplateSpec, nodes []*corev1.Node) (*Cluster, error) {
	labels := map[string]string{"app": "probe"}
	limit, one := int32(10), intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "u", Generation: 1}}
	ds.Spec = appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *template.DeepCopy(), RevisionHistoryLimit: &limit,
		UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one},
		},
	}
	ds.Spec.Template.Labels = labels
	c := &Cluster{DaemonSet: ds, Nodes: nodes}
	owner := placement.OwnerOf(ds)
	hash := revision.Hash(&ds.Spec.Template, nil)
	m := placement.Compile(&ds.Spec.Template, placement.Options{})
	for i, node := range c.Nodes {
		if m.Match(node) != placement.Eligible {
			continue
		}
		pod := placement.NewPod(owner, &ds.Spec.Template, node.Name, placement.PodOptions{Hash: hash})
		pod.Name, pod.Spec.NodeName = fmt.Sprintf("probe-%d", i), node.Name
		pod.UID = types.UID(fmt.Sprintf("%08x-3f0a-4b6e-9d2c-%012x", i*7919, i))
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(gen.Epoch)}}
		c.Pods = append(c.Pods, pod)
	}
	slices.Reverse(c.Pods)
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		return nil, err
	}
	h, err := revision.Resolve(revision.State{Owner: owner, Template: &ds.Spec.Template, Selector: selector}, revision.Options{})
	if err != nil {
		return nil, err
	}
	c.Revisions = []*appsv1.ControllerRevision{h.Create}
	_, result, err := c.Sync()
	ds.Status = result.Status
	return c, err
}
