package simulate_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// of is how one node went.
func of(out simulate.Summary, name string) simulate.NodeSummary {
	i := slices.IndexFunc(out.Nodes, func(n simulate.NodeSummary) bool { return n.Name == name })
	if i < 0 {
		return simulate.NodeSummary{}
	}
	return out.Nodes[i]
}

// at puts something that happens into a clean run of three nodes, one at a time.
func with(events ...simulate.Event) simulate.Scenario {
	s := clean(3, rolling("1", "0"))
	s.Events = events
	return s
}

const wave = 47 * time.Second // of clean

func TestJoin(t *testing.T) {
	out := summarize(t, with(simulate.Event{At: 10 * time.Second, Node: "joins", Join: &placement.Node{Verdict: placement.Eligible}}))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 4, out.Done)
	assert.Equal(t, 52*time.Second, of(out, "joins").At) // 10 s, 2 s and 40 s
	assert.Equal(t, 42*time.Second, of(out, "joins").Without)
}

func TestLeave(t *testing.T) {
	out := summarize(t, with(simulate.Event{At: 10 * time.Second, Node: "node-2", Leave: true}))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 2, out.Done)
	assert.False(t, of(out, "node-2").Finished)

	// It comes back, with a pod to be made.
	out = summarize(t, with(
		simulate.Event{At: 10 * time.Second, Node: "node-2", Leave: true},
		simulate.Event{At: 5 * time.Minute, Node: "node-2", Join: &placement.Node{Verdict: placement.Eligible}},
	))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 5*time.Minute+42*time.Second, of(out, "node-2").At)

	// Pods that are never collected stay, and one that is not available holds the
	// others up: it counts, though its node is gone.
	s := with(simulate.Event{At: 20 * time.Second, Node: "node-1", Leave: true})
	s.Model.Collect = -1
	out = summarize(t, s)
	assert.Equal(t, simulate.Blocked, out.End)
	assert.Equal(t, rollout.TroubleGone, out.Diagnosis.Spenders[0].NodeTrouble)
}

// TestNotReady: the budget is spent on a node whose kubelet does not answer, until
// it does, or unless the policy exempts it.
func TestNotReady(t *testing.T) {
	down := simulate.Event{At: 10 * time.Second, Node: "node-3", Health: simulate.GoesNotReady}
	out := summarize(t, with(down))
	assert.Equal(t, simulate.Blocked, out.End)
	assert.Equal(t, rollout.Blocked, out.Diagnosis.Condition)
	assert.Equal(t, "node-3", out.Diagnosis.Spenders[0].Node)
	assert.Equal(t, 1, out.Done, "the first was on its way")

	s := with(down)
	s.Policy.Count.Exempt = rollout.NotReady
	out = summarize(t, s)
	assert.Equal(t, simulate.Blocked, out.End, "of the dead node nobody knows")
	assert.Equal(t, 2, out.Done)

	out = summarize(t, with(down, simulate.Event{At: 10 * time.Minute, Node: "node-3", Health: simulate.ComesBack}))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Greater(t, of(out, "node-3").Without, 9*time.Minute)

	s = with(down)
	s.Model.IgnoreKubelets = true
	assert.Equal(t, 3*wave, summarize(t, s).Duration)
}

// TestChange: a node that is tainted loses its pod at once if it must, whatever is
// paused, and gets none any more.
func TestChange(t *testing.T) {
	template := &corev1.PodTemplateSpec{}
	tainted := &placement.Node{Ref: &corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoExecute}}}}}
	s := with(simulate.Event{At: 10 * time.Second, Node: "node-3", Change: tainted})
	s.Matcher = placement.Compile(template, placement.Options{})
	s.Policy.Gate.Pause = rollout.PauseAll
	out := summarize(t, s)
	assert.Equal(t, simulate.Blocked, out.End)
	assert.Equal(t, 2, out.Eligible)
	assert.Equal(t, writesOfStatus(t, s)+1, out.Writes, "evicted")

	s.Model.KeepEvicted = true
	assert.Equal(t, writesOfStatus(t, s), summarize(t, s).Writes)

	// By facts alone the controller removes it.
	s = with(simulate.Event{At: 10 * time.Second, Node: "node-3", Change: &placement.Node{Verdict: placement.Excluded}})
	out = summarize(t, s)
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 2, out.Done)
	assert.Equal(t, 3, out.Deletes)
}

// writesOfStatus are the steps in which a counter changed.
func writesOfStatus(t *testing.T, s simulate.Scenario) (n int) {
	steps, err := simulate.Play(s)
	assert.NoError(t, err)
	last := simulate.Counts{}
	for step := range steps {
		if step.Counts != last {
			n++
			last = step.Counts
		}
	}
	return n
}

// TestRetarget: a second change of the template in the middle starts anew.
func TestRetarget(t *testing.T) {
	out := summarize(t, with(simulate.Event{At: 60 * time.Second, Target: "newer", Pods: &simulate.Behaviour{Ready: simulate.After(time.Second)}}))
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 5, out.Creates, "one was done, one under way")
	for _, n := range out.Nodes {
		assert.Greater(t, n.At, 60*time.Second)
	}
}

// TestPolicyAndSpec: both may change on the way.
func TestPolicyAndSpec(t *testing.T) {
	paused := rollout.Policy{Gate: rollout.Gating{Pause: rollout.PauseUpdates}}
	out := summarize(t, with(
		simulate.Event{At: 10 * time.Second, Policy: &paused},
		simulate.Event{At: time.Hour, Policy: &rollout.Policy{}},
	))
	assert.Equal(t, time.Hour+2*wave, out.Duration)

	all := rolling("100%", "0")
	out = summarize(t, with(simulate.Event{At: 10 * time.Second, Spec: &all}))
	assert.Equal(t, 10*time.Second+wave, out.Duration)
}

// TestFates: what becomes of pods that do not start.
func TestFates(t *testing.T) {
	for fate, cause := range map[simulate.Fate]rollout.Spending{
		simulate.StaysPending: rollout.Unscheduled, simulate.NeverReady: rollout.PodNotReady, simulate.CrashLoops: rollout.CrashLoops,
	} {
		s := with()
		s.Of = func(node, _ string) simulate.Behaviour {
			b := s.Pods
			if node == "node-2" {
				b.Fate = fate
			}
			return b
		}
		out := summarize(t, s)
		assert.Equal(t, simulate.Blocked, out.End, fate)
		assert.Equal(t, 1, out.Done)
		assert.Equal(t, cause, out.Diagnosis.Spenders[0].Cause)
	}
	// A failed pod is made again, with a back-off that doubles.
	s := with()
	s.Pods.Fails = 2
	out := summarize(t, s)
	assert.Equal(t, simulate.Finished, out.End)
	assert.Equal(t, 9, out.Creates)

	s.Pods.Fails = -1
	s.Until = time.Hour
	out = summarize(t, s)
	assert.Equal(t, simulate.GivenUp, out.End)
	assert.LessOrEqual(t, out.Duration, time.Hour)
}

// TestSpinning: with surge a pod that fails at once is followed by another at once,
// as the controller does; without, its back-off holds.
func TestSpinning(t *testing.T) {
	s := clean(2, rolling("0", "1"))
	s.Pods = simulate.Behaviour{Fails: -1}
	s.Events = []simulate.Event{{At: time.Second, Node: "joins", Join: &placement.Node{Verdict: placement.Eligible}}}
	assert.Equal(t, simulate.Spinning, summarize(t, s).End)
	s.Spec, s.Until = rolling("1", "0"), time.Hour
	assert.Equal(t, simulate.GivenUp, summarize(t, s).End)
}

// TestBadStrategy: a plan that cannot be made ends the run.
func TestBadStrategy(t *testing.T) {
	bad := intstr.FromString("x")
	s := with()
	s.Spec.RollingUpdate.MaxUnavailable = &bad
	out := summarize(t, s)
	assert.Equal(t, simulate.Failed, out.End)
	assert.ErrorContains(t, out.Err, "maxUnavailable")
}

// TestExtra: what the second pods of a surge take at the peak.
func TestExtra(t *testing.T) {
	s := clean(10, rolling("0", "4"))
	s.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}
	out := summarize(t, s)
	assert.Equal(t, "400m", out.Extra.Cpu().String())
}

// TestWaves: with a policy the zones go one after the other, and a pace counts.
func TestWaves(t *testing.T) {
	s := clean(6, rolling("6", "0"))
	for i := range s.Fleet.Nodes {
		n := &s.Fleet.Nodes[i]
		n.Ref = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: map[string]string{"zone": string(rune('a' + i%3))}}}
	}
	s.Policy.Order.Waves.Label = "zone"
	out := summarize(t, s)
	assert.Equal(t, 3*wave, out.Duration)
	assert.Equal(t, 2, out.PeakUnavailable)

	one := intstr.FromInt32(1)
	s.Policy = rollout.Policy{Limit: rollout.Limiting{PerStep: &one}}
	s.Model.Pace = time.Minute
	out = summarize(t, s)
	assert.Equal(t, simulate.Finished, out.End)
	assert.GreaterOrEqual(t, out.Duration, 5*time.Minute)
	assert.Equal(t, 1, out.Most)
}
