package canary_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

func stamp(t time.Time) metav1.Time { return metav1.NewTime(t) }

// waits, runs and ended are what a container does now.
func waits(reason string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
}

func runs(since time.Time) corev1.ContainerState {
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: stamp(since)}}
}

func ended(from, to time.Time) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{StartedAt: stamp(from), FinishedAt: stamp(to)}}
}

func TestHealthOf(t *testing.T) {
	minutes := func(n int) time.Time { return ago(time.Duration(n) * time.Minute) }
	for _, c := range []struct {
		name string
		init []corev1.ContainerStatus
		main []corev1.ContainerStatus
		want canary.Health
	}{
		{"nothing started yet", nil, nil, canary.Health{}},
		{
			"the end of the run before is a restart", nil,
			[]corev1.ContainerStatus{{RestartCount: 2, State: runs(minutes(3)), LastTerminationState: ended(minutes(9), minutes(4))}},
			canary.Health{Restarts: 2, FirstRestart: minutes(4), LastRestart: minutes(4)},
		}, {
			"where it is not known, the start of this one", nil,
			[]corev1.ContainerStatus{
				{RestartCount: 1, State: runs(minutes(3)), LastTerminationState: ended(minutes(9), time.Time{})},
				{RestartCount: 1, State: ended(minutes(5), minutes(1))},
			},
			canary.Health{Restarts: 1, FirstRestart: minutes(5), LastRestart: minutes(3)},
		}, {
			"a container that never restarted tells of no restart", nil,
			[]corev1.ContainerStatus{{State: runs(minutes(3)), LastTerminationState: ended(minutes(9), minutes(4))}},
			canary.Health{},
		}, {
			"a restart may have no time", nil,
			[]corev1.ContainerStatus{{RestartCount: 1}, {RestartCount: 1, State: waits("CrashLoopBackOff")}},
			canary.Health{Restarts: 1, Waiting: []string{"CrashLoopBackOff"}},
		}, {
			"the container with the most restarts counts, of the init containers too",
			[]corev1.ContainerStatus{{RestartCount: 4, LastTerminationState: ended(minutes(9), minutes(8))}},
			[]corev1.ContainerStatus{{RestartCount: 3, LastTerminationState: ended(minutes(9), minutes(2))}, {RestartCount: -9}},
			canary.Health{Restarts: 4, FirstRestart: minutes(8), LastRestart: minutes(2)},
		}, {
			"waiting reasons, each once, init containers first",
			[]corev1.ContainerStatus{{State: waits("ErrImagePull")}, {}},
			[]corev1.ContainerStatus{{State: waits("PodInitializing")}, {State: waits("")}, {State: waits("PodInitializing")}},
			canary.Health{Waiting: []string{"ErrImagePull", "PodInitializing"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{NodeName: "n"}}
			pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses = c.init, c.main
			c.want.Pod, c.want.Node = "p", "n"
			assert.Equal(t, c.want, canary.HealthOf(pod))
		})
	}
	assert.Zero(t, canary.HealthOf(nil))

	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", CreationTimestamp: stamp(now)}}
	pod.Spec.Affinity = placement.InjectNodeAffinity(nil, "meant")
	pod.Status.Phase = corev1.PodFailed
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: stamp(ago(time.Minute))}}
	assert.Equal(t, canary.Health{Pod: "p", Node: "meant", Created: now, ReadyChanged: ago(time.Minute), Failed: true}, canary.HealthOf(pod))
	pod.Status.Conditions[0].Status = corev1.ConditionTrue
	assert.True(t, canary.HealthOf(pod).Ready)
}

func TestHealthIn(t *testing.T) {
	pod := func(name string, flags placement.Flags) placement.Pod {
		return placement.Pod{Name: name, Created: now, ReadyChanged: ago(time.Minute), Flags: flags}
	}
	b, a, other := on("b"), on("a"), on("other")
	b.Pods = []placement.Pod{
		pod("b2", placement.Updated|placement.Ready), pod("b1", placement.Updated|placement.Failed),
		pod("b3", placement.Ready), pod("b4", placement.Updated|placement.Terminating),
	}
	a = with(a, 2)
	a.Pods[0].Flags |= placement.Updated | placement.Ready // a hook can say so
	other.Pods = []placement.Pod{pod("o", placement.Updated)}
	fleet := placement.Fleet{Nodes: []placement.Node{b, other, a}}
	assert.Equal(t, []canary.Health{
		{Pod: "pod-a", Node: "a", Restarts: 2, Ready: true},
		{Pod: "b2", Node: "b", Created: now, ReadyChanged: ago(time.Minute), Ready: true},
		{Pod: "b1", Node: "b", Created: now, ReadyChanged: ago(time.Minute), Failed: true},
	}, canary.HealthIn(fleet, map[string]bool{"a": true, "b": true, "other": false, "gone": true}))
	assert.Empty(t, canary.HealthIn(fleet, nil))
}

// Whatever a pod says, it can be read and judged, and is not changed.
func healthIsSound(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		pod := gen.Pod(gen.DaemonSet().Draw(t, "daemonset"), "p", gen.NodeNames).Draw(t, "pod")
		moment := func() time.Time {
			return gen.Pick(t, "moment", time.Time{}, ago(time.Hour), ago(time.Minute), now, ago(-time.Minute))
		}
		state := func() corev1.ContainerState {
			switch gen.Pick(t, "state", 0, 1, 2, 3) {
			case 0:
				return waits(gen.Pick(t, "reason", "", "ErrImagePull", "ContainerCreating", "CrashLoopBackOff"))
			case 1:
				return runs(moment())
			case 2:
				return ended(moment(), moment())
			}
			return corev1.ContainerState{}
		}
		for range gen.Pick(t, "containers", 0, 1, 2, 3) {
			c := corev1.ContainerStatus{RestartCount: gen.Pick[int32](t, "restarts", 0, 1, 6, -1, math.MaxInt32, math.MinInt32), State: state(), LastTerminationState: state()}
			if gen.Chance(t, 30, "init") {
				pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, c)
			} else {
				pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, c)
			}
		}
		before := pod.DeepCopy()
		h := canary.HealthOf(pod)
		assert.Equal(t, before, pod)
		assert.GreaterOrEqual(t, h.Restarts, int32(0))
		assert.Equal(t, h.FirstRestart.IsZero(), h.LastRestart.IsZero())
		assert.False(t, h.LastRestart.Before(h.FirstRestart))
		assert.True(t, h.FirstRestart.IsZero() || h.Restarts > 0)
		j, _, err := canary.Judge([]canary.Health{h}, canary.ExtendedDaemonSet(), canary.State{}, now)
		assert.NoError(t, err)
		assert.NotEmpty(t, j.String())
		reached.Add(string(j.Verdict))
		reached.AddIf(h.FirstRestart != h.LastRestart, "two restarts")
		reached.AddIf(len(h.Waiting) > 1, "two reasons")
	}
}

func TestHealthIsSound(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, healthIsSound(&reached))
	reached.Require(t, "continue", "pause", "fail", "two restarts", "two reasons")
}

func FuzzHealth(f *testing.F) { f.Fuzz(rapid.MakeFuzz(healthIsSound(&tally.Tally{}))) }
