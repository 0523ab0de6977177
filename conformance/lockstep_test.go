package conformance_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

// lockstep is a cluster over time. One side's actions are carried out, and on
// every state that is reached both sides are asked.
type lockstep struct {
	cluster
	made    int
	reached *tally.Tally
}

// carryOut applies creates and deletes, the history and the status.
func (l *lockstep) carryOut(s both, created, deleted []string) {
	for _, relabel := range s.history.Relabel {
		for _, pod := range l.pods {
			if pod.Name == relabel.Pod.Name {
				pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = relabel.Hash
			}
		}
	}
	if s.history.Create != nil {
		l.revisions = append(l.revisions, s.history.Create)
	}
	if renumber := s.history.Renumber; renumber != nil {
		at := slices.IndexFunc(l.revisions, func(r *appsv1.ControllerRevision) bool { return r.Name == renumber.Name })
		l.revisions[at] = renumber
	}
	for _, pod := range l.pods {
		if slices.Contains(deleted, pod.Name) && pod.DeletionTimestamp == nil {
			at := metav1.NewTime(l.now)
			pod.DeletionTimestamp = &at
		}
	}
	for _, node := range created {
		l.made++
		pod := placement.NewPod(placement.OwnerOf(l.ds), &l.ds.Spec.Template, node, placement.PodOptions{Hash: s.state.Target})
		pod.Name, pod.UID = fmt.Sprintf("made-%d", l.made), types.UID(fmt.Sprintf("made-%d", l.made))
		pod.CreationTimestamp = metav1.NewTime(l.now)
		pod.Status.Phase = corev1.PodPending
		l.pods = append(l.pods, pod)
	}
	l.ds.Status = s.status
	l.live = l.ds.Status.CollisionCount
	l.backoff = s.backoff
	l.reached.AddIf(len(created) > 0, "creates carried out")
	l.reached.AddIf(len(deleted) > 0, "deletes carried out")
}

// kubelet lets pods be scheduled, become ready, fail, end and go.
func (l *lockstep) kubelet(t *rapid.T) {
	l.pods = slices.DeleteFunc(l.pods, func(pod *corev1.Pod) bool {
		return pod.DeletionTimestamp != nil && gen.Chance(t, 60, "gone")
	})
	for _, pod := range l.pods {
		node, _ := placement.TargetNode(pod)
		exists := slices.ContainsFunc(l.nodes, func(n *corev1.Node) bool { return n.Name == node })
		ended := pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
		switch {
		case ended || !exists:
		case pod.Spec.NodeName == "":
			if gen.Chance(t, 80, "scheduled") {
				pod.Spec.NodeName = node
			}
		case gen.Chance(t, 60, "ready"):
			if len(pod.Status.Conditions) == 0 {
				pod.Status.Phase = corev1.PodRunning
				pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(l.now)}}
			}
		case gen.Chance(t, 30, "not ready"):
			pod.Status.Conditions = nil
		case gen.Chance(t, 20, "ends"):
			pod.Status.Conditions = nil
			pod.Status.Phase = gen.Pick(t, "phase", corev1.PodFailed, corev1.PodFailed, corev1.PodSucceeded)
		}
	}
}

// change is what people and the cloud do.
func (l *lockstep) change(t *rapid.T) {
	switch gen.Pick(t, "change", "template", "template", "strategy", "taint", "leave") {
	case "template":
		l.ds.Spec.Template.Spec.Containers[0].Image = gen.Pick(t, "image", "a", "b", "c")
		l.ds.Generation++
		l.reached.Add("template changed")
	case "strategy":
		l.ds.Spec.UpdateStrategy = drawStrategy(t)
		l.ds.Generation++
	case "taint":
		if len(l.nodes) > 0 {
			n := gen.Pick(t, "node", l.nodes...)
			n.Spec.Taints = gen.Pick(t, "taints", nil, []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}},
				[]corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoExecute}})
		}
	case "leave":
		if len(l.nodes) > 1 {
			l.nodes = l.nodes[1:]
		}
	}
}

// TestLockstep: on the states that follow from each other as well, whichever side
// drives.
func TestLockstep(t *testing.T) {
	checks(t, 1500)
	var reached tally.Tally
	states := 0
	rapid.Check(t, func(t *rapid.T) {
		l := &lockstep{reached: &reached}
		l.now = gen.Epoch
		l.ds = gen.DaemonSet().Draw(t, "daemonset")
		l.ds.DeletionTimestamp = nil
		l.ds.Status = appsv1.DaemonSetStatus{}
		limit := int32(10)
		l.ds.Spec.RevisionHistoryLimit = &limit
		l.ds.Spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 30)
		l.ds.Spec.Template.Spec = corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "a"}}}
		l.ds.Spec.UpdateStrategy = drawStrategy(t)
		for i := range gen.Pick(t, "nodes", 1, 2, 3, 4, 5, 6, 9, 12) {
			l.nodes = append(l.nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%d", i)}})
		}
		ours := rapid.Bool().Draw(t, "ours drives")
		for range rapid.IntRange(5, 15).Draw(t, "rounds") {
			states++
			s, ok := syncBoth(t, &reached, &l.cluster)
			if ok {
				created, deleted := s.created, s.deleted
				if ours {
					created, deleted = nil, nil
					for _, c := range s.plan.Create {
						created = append(created, c.Node)
					}
					for _, d := range s.plan.Delete {
						deleted = append(deleted, d.Pod)
					}
				}
				l.carryOut(s, created, deleted)
			}
			if gen.Chance(t, 30, "change") {
				l.change(t)
			}
			l.kubelet(t)
			l.now = l.now.Add(gen.Pick(t, "passes", 0, time.Second, 31*time.Second, 16*time.Minute))
		}
	})
	assert.Positive(t, states)
	reached.Require(t, "creates carried out", "deletes carried out", "template changed", "nothing", "pod-missing", "failed", "succeeded",
		"surged-over", "outdated-unavailable", "outdated-available", "surge-available", "back-off: another")
	t.Logf("%d states", states)
}
