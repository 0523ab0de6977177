package conformance_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// referencePlanner makes objects of a state, lets the reference sync, and returns
// what it did as a plan. The revision of the reference is named by its hash.
func referencePlanner(t *rapid.T, ds *appsv1.DaemonSet, revisions []*appsv1.ControllerRevision) func(rollout.State, rollout.Policy) (rollout.Plan, error) {
	return func(s rollout.State, _ rollout.Policy) (rollout.Plan, error) {
		c := cluster{ds: ds.DeepCopy(), revisions: revisions, now: s.Now}
		c.ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: s.Spec.Strategy, RollingUpdate: s.Spec.RollingUpdate}
		c.ds.Spec.MinReadySeconds = s.Spec.MinReadySeconds
		c.ds.Status.ObservedGeneration = s.ObservedGeneration
		c.backoff = s.Backoff
		plan := rollout.Plan{}
		for _, n := range s.Fleet.Nodes {
			if n.Verdict == placement.Eligible {
				c.nodes = append(c.nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}})
			}
			for _, p := range n.Pods {
				c.pods = append(c.pods, podOf(ds, n.Name, p))
			}
		}
		r := c.reference(t)
		assert.NoError(t, r.sync())
		created, deleted := podWrites(t, r, s.Target)
		for _, name := range created {
			plan.Create = append(plan.Create, rollout.Create{Node: name, Revision: s.Target, Reason: rollout.PodMissing})
		}
		for _, name := range deleted {
			for _, n := range s.Fleet.Nodes {
				for _, p := range n.Pods {
					if p.Name == name {
						plan.Delete = append(plan.Delete, rollout.Delete{Node: n.Name, Pod: name, UID: p.UID})
					}
				}
			}
		}
		// What does not come from writes: the back-off that it remembers, and when
		// to look again.
		ours, err := rollout.Sync(s, rollout.Policy{})
		plan.Backoff, plan.Next = ours.Backoff, ours.Next
		return plan, err
	}
}

// podOf is the object of a pod that is only facts.
func podOf(ds *appsv1.DaemonSet, node string, p placement.Pod) *corev1.Pod {
	pod := placement.NewPod(placement.OwnerOf(ds), &ds.Spec.Template, node, placement.PodOptions{Hash: p.Revision})
	pod.Name, pod.UID, pod.CreationTimestamp = p.Name, p.UID, metav1.NewTime(p.Created)
	pod.Status.Phase = corev1.PodRunning
	if p.Flags.Has(placement.Scheduled) {
		pod.Spec.NodeName = node
	}
	if p.Flags.Has(placement.Terminating) {
		at := metav1.NewTime(p.Created)
		pod.DeletionTimestamp = &at
	}
	if p.Flags.Has(placement.Failed) {
		pod.Status.Phase = corev1.PodFailed
	}
	if p.Flags.Has(placement.Ready) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(p.ReadyChanged)}}
	}
	return pod
}

// TestSimulate: played with the reference as the planner, a scenario in which there
// is one candidate at a time has the same timeline as with ours.
func TestSimulate(t *testing.T) {
	checks(t, 60)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Example(1).DeepCopy()
		ds.DeletionTimestamp = nil
		ds.Annotations = nil
		limit := int32(10)
		ds.Spec.RevisionHistoryLimit = &limit
		ds.Spec.Template.Spec = corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "a"}}}
		target := revision.Hash(&ds.Spec.Template, nil)
		current, err := revision.New(placement.OwnerOf(ds), &ds.Spec.Template, 1, nil)
		if err != nil {
			t.Fatal(err)
		}

		one, none := intstr.FromInt32(1), intstr.FromInt32(0)
		spec := rollout.Spec{Strategy: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one, MaxSurge: &none}}
		// One node at a time is left: which of several goes first is left to chance.
		nodes := 1
		if gen.Chance(t, 50, "surge") {
			spec.RollingUpdate.MaxUnavailable, spec.RollingUpdate.MaxSurge = &none, &one
		}
		spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 20)
		s := simulate.Scenario{
			Fleet: simulate.Uniform(nodes, "old", gen.Epoch.Add(-time.Hour)), Spec: spec, Target: target, Start: gen.Epoch,
			Pods: simulate.Behaviour{
				Schedule: simulate.After(2 * time.Second), Ready: simulate.Between(5*time.Second, time.Minute), Stop: simulate.After(gen.Pick(t, "stop", 0, 5*time.Second)),
				Fails: gen.Pick(t, "fails", 0, 0, 2),
			},
			Seed: rapid.Uint64().Draw(t, "seed"), Until: 2 * time.Hour,
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "joins") {
			s.Events = append(s.Events, simulate.Event{
				At:   time.Duration(rapid.IntRange(0, 200).Draw(t, "at")) * time.Second,
				Node: fmt.Sprint("joins-", i), Join: &placement.Node{Verdict: placement.Eligible, Pods: oldPods(t, i)},
			})
		}
		s.Planner = rollout.Sync
		ours := timeline(t, s)
		s.Planner = referencePlanner(t, ds, []*appsv1.ControllerRevision{current})
		assert.Equal(t, ours, timeline(t, s))
		reached.Add(ours[len(ours)-1])
		reached.AddIf(len(s.Events) > 0, "nodes join")
	})
	reached.Require(t, "nodes join")
}

// oldPods are those of a node that joins: none, or an old one that is not ready, of
// which all go whatever the budget.
func oldPods(t *rapid.T, i int) []placement.Pod {
	if gen.Chance(t, 50, "no pod") {
		return nil
	}
	name := fmt.Sprint("old-joins-", i)
	return []placement.Pod{{Name: name, UID: types.UID(name), Revision: "old", Created: gen.Epoch, Flags: placement.Scheduled}}
}

// timeline is what happens in a scenario.
func timeline(t *rapid.T, s simulate.Scenario) (lines []string) {
	steps, err := simulate.Play(s)
	if err != nil {
		t.Fatal(err)
	}
	for step := range steps {
		if step.Err != nil {
			t.Fatal(step.Err)
		}
		lines = append(lines, fmt.Sprint(step, step.Counts))
	}
	return lines
}
