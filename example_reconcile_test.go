package daemonplan_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/status"
)

// cluster is what a controller reads from its caches. Its write stands for the
// calls to the API server.
type cluster struct {
	nodes     []*corev1.Node
	pods      []*corev1.Pod
	revisions []*appsv1.ControllerRevision
	inFlight  rollout.InFlight // writes that the caches do not show yet
	backoff   rollout.Backoff  // of the DaemonSet, from one sync to the next
}

func (c *cluster) write(verb string, what ...any) {
	fmt.Printf("%-7s %s", verb, fmt.Sprintln(what...))
}

// reconcile is one sync. It returns when to look again, zero for never.
func (c *cluster) reconcile(ds *appsv1.DaemonSet, now time.Time) (time.Time, error) {
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil || selector.Empty() || ds.DeletionTimestamp != nil {
		return time.Time{}, err
	}
	owner := placement.OwnerOf(ds)
	mine := placement.Claim(owner, selector, c.pods)
	for _, pod := range mine.Adopt {
		c.write("adopt", pod.Name)
	}
	for _, pod := range mine.Release {
		c.write("release", pod.Name)
	}

	history, err := revision.Resolve(revision.State{
		Owner: owner, Template: &ds.Spec.Template, Selector: selector,
		Revisions: c.revisions, Pods: mine.Claimed, CollisionCount: ds.Status.CollisionCount,
	}, revision.Options{})
	if err != nil {
		return time.Time{}, err
	}
	if err := c.writeHistory(history); err != nil {
		return time.Time{}, err
	}

	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	reading := history.Reading()
	fleet := placement.NewFleet(matcher, c.nodes, mine.Claimed, reading)
	plan, planErr := rollout.Sync(rollout.State{
		Fleet: fleet, Spec: rollout.SpecOf(ds), Target: reading.Revision,
		Backoff: c.backoff, ObservedGeneration: ds.Status.ObservedGeneration, InFlight: c.inFlight, Now: now,
	}, rollout.Policy{})
	c.backoff = c.backoff.With(ds.Status.ObservedGeneration, plan.Backoff, now)
	for _, create := range plan.Create {
		pod := placement.NewPod(owner, &ds.Spec.Template, create.Node, placement.PodOptions{Hash: create.Revision})
		c.write("create", pod.GenerateName, "on", create.Node, "-", create.Reason)
	}
	for _, doomed := range plan.Delete {
		c.write("delete", doomed.Pod, "-", doomed.Reason)
	}
	if planErr == nil {
		for _, r := range revision.Prune(history.Old, mine.Claimed, ds.Spec.RevisionHistoryLimit) {
			c.write("delete", "revision", r.Name)
		}
	}

	in := status.InputOf(ds, now)
	in.Unobserved = len(c.inFlight.Creates)+len(c.inFlight.Deletes) > 0
	result := status.Compute(fleet, in)
	if result.Write {
		s := result.Status
		c.write("status", s.UpdatedNumberScheduled, "updated,", s.NumberAvailable, "available of", s.DesiredNumberScheduled)
	}
	if plan.Next.IsZero() || !result.Next.IsZero() && result.Next.Before(plan.Next) {
		return result.Next, planErr
	}
	return plan.Next, planErr
}

// writeHistory writes what has to be written before pods are looked at.
func (c *cluster) writeHistory(h revision.History) error {
	for _, r := range h.Adopt {
		c.write("adopt", "revision", r.Name)
	}
	for _, r := range h.Release {
		c.write("release", "revision", r.Name)
	}
	for _, r := range h.Label {
		c.write("label", "revision", r.Name)
	}
	if h.Collision != nil {
		// A controller raises the stored count and ends the sync.
		return fmt.Errorf("the name of revision %s is taken", h.Collision.Taken.Name)
	}
	if h.Create != nil {
		c.write("create", "revision", h.Create.Revision)
		c.revisions = append(c.revisions, h.Create)
	}
	for _, r := range h.Relabel {
		c.write("relabel", r.Pod.Name)
	}
	for _, r := range h.Delete {
		c.write("delete", "revision", r.Name)
	}
	if h.Renumber != nil {
		c.write("update", "revision", h.Renumber.Name, "to", h.Renumber.Revision)
	}
	return nil
}

// The reconcile function of a controller, on these calls. One node has just
// joined; a second sync, once its pod is available, goes on with the rollout.
func Example_reconcile() {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	one := intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "logging", Name: "agent", UID: "agent-uid", Generation: 1},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "agent"}}},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
				Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one},
			},
		},
	}
	pod := func(node, hash string) *corev1.Pod {
		pod := placement.NewPod(placement.OwnerOf(ds), &ds.Spec.Template, node, placement.PodOptions{Hash: hash})
		pod.Name, pod.Spec.NodeName = "agent-"+node, node
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		return pod
	}
	c := &cluster{
		nodes: []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}, {ObjectMeta: metav1.ObjectMeta{Name: "node-2"}}},
		pods:  []*corev1.Pod{pod("node-1", "old")},
	}
	if _, err := c.reconcile(ds, now); err != nil {
		panic(err)
	}
	fmt.Println("--")
	c.pods = append(c.pods, pod("node-2", revision.Hash(&ds.Spec.Template, nil)))
	if _, err := c.reconcile(ds, now); err != nil {
		panic(err)
	}
	// Output:
	// create  revision 1
	// create  agent- on node-2 - pod-missing
	// status  0 updated, 1 available of 2
	// --
	// delete  agent-node-1 - outdated-available
	// status  1 updated, 2 available of 2
}
