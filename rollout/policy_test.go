package rollout_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

func number(n int) *intstr.IntOrString {
	v := intstr.FromInt(n)
	return &v
}

func percent(n int) *intstr.IntOrString {
	v := intstr.FromString(fmt.Sprint(n, "%"))
	return &v
}

// parse reads a number or percentage.
func parse(text string) *intstr.IntOrString {
	v := intstr.Parse(text)
	return &v
}

// drawShare draws a number or percentage.
func drawShare(t *rapid.T, label string) *intstr.IntOrString {
	return gen.Pick(t, label, number(0), number(1), number(2), number(5), percent(0), percent(20), percent(50), percent(100))
}

// inZone gives a node an object with a zone, where it has one.
func inZone(n placement.Node, zone string) placement.Node {
	n.Ref = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}}
	if zone != "" {
		n.Ref.Labels = map[string]string{"zone": zone}
	}
	return n
}

// drawFleet draws nodes with their zones and pods of every kind, mostly running
// ones. Nodes that only keep their pods and nodes that are gone are among them.
func drawFleet(t *rapid.T) placement.Fleet {
	var f placement.Fleet
	settled := gen.Chance(t, 80, "settled") // so that update has its turn
	for i := range rapid.IntRange(0, 10).Draw(t, "nodes") {
		n := inZone(on(fmt.Sprintf("n%02d", i)), gen.Pick(t, "zone", "a", "b", "c", ""))
		n.Ref.Spec.Unschedulable = gen.Chance(t, 15, "cordoned")
		if gen.Chance(t, 20, "not ready node") {
			n.Ref.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown}}
		}
		if gen.Chance(t, 15, "verdict") {
			n.Verdict = gen.Pick(t, "verdict", placement.KeepOnly, placement.KeepOnly, placement.Unevaluated, placement.Excluded)
			if settled {
				n.Verdict = min(n.Verdict, placement.KeepOnly)
			}
		}
		n.Stable = n.Verdict
		if gen.Chance(t, 15, "another stable verdict") && n.Verdict != placement.Unevaluated {
			n.Stable = gen.Pick(t, "stable", placement.Eligible, placement.KeepOnly, placement.Excluded)
		}
		if n.Verdict == placement.Unevaluated {
			n.Ref = nil
		}
		count := gen.Pick(t, "pods", 0, 1, 1, 1, 1, 1, 1, 2)
		if settled {
			count = 1
		}
		for j := range count {
			flags := gen.Pick(t, "kind", old, old, old, fresh, fresh|placement.CrashLooping)
			flags |= gen.Pick(t, "state", ready, ready, ready, 0)
			if !settled {
				flags |= gen.Pick(t, "ends", 0, 0, placement.Terminating, placement.Failed, placement.Succeeded)
			}
			if flags.Has(ready) {
				flags &^= placement.CrashLooping
			}
			p := pod(fmt.Sprintf("p%02d-%d", i, j), flags)
			p.ReadyChanged = now.Add(-gen.Pick(t, "since", 0, time.Minute, time.Hour))
			p.Created = now.Add(-gen.Pick(t, "created", time.Second, time.Hour))
			if p.Revision == "old" && gen.Chance(t, 40, "older") {
				p.Revision = gen.Pick(t, "revision", "older", "same")
			}
			n.Pods = append(n.Pods, p)
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f
}

// stages set one thing of a policy each. All but those of Count only hold.
var stages = map[string]func(*rapid.T, *rollout.Policy){
	"count: nodes": func(t *rapid.T, p *rollout.Policy) {
		p.Count.Nodes = gen.Pick(t, "nodes", rollout.ExistingNodes, rollout.EligibleNodes)
	},
	"count: exempt": func(t *rapid.T, p *rollout.Policy) {
		p.Count.Exempt = gen.Pick(t, "exempt", rollout.NotReady, rollout.Cordoned, rollout.NotReadyBefore)
	},
	"count: max": func(t *rapid.T, p *rollout.Policy) { p.Count.MaxExempt = drawShare(t, "max") },
	"selector": func(t *rapid.T, p *rollout.Policy) {
		p.Candidates.Selector = labels.SelectorFromSet(labels.Set{"zone": gen.Pick(t, "selected", "a", "b")})
	},
	"chosen": func(t *rapid.T, p *rollout.Policy) {
		p.Candidates.Nodes = map[string]bool{"n00": true, "n03": true, "n04": true}
	},
	"partition": func(t *rapid.T, p *rollout.Policy) {
		p.Candidates.Partition = rollout.Partition{Value: drawShare(t, "partition"), Rounding: gen.Pick(t, "rounding", rollout.RoundUp, rollout.RoundDown), Base: gen.Pick(t, "base", 0, 0, 4)}
	},
	"no restart": func(_ *rapid.T, p *rollout.Policy) { p.Candidates.NoRestart = map[string]bool{"same": true} },
	"order":      func(_ *rapid.T, p *rollout.Policy) { p.Order.By = rollout.NameDescending },
	"waves": func(t *rapid.T, p *rollout.Policy) {
		p.Order.Waves.Label = "zone"
		p.Order.Waves.Values = gen.Pick(t, "values", nil, []string{"b"}, []string{"c", "a"})
		p.Order.Waves.MaxUnavailable = gen.Pick(t, "of a wave", nil, number(1), percent(50))
	},
	"strict":   func(_ *rapid.T, p *rollout.Policy) { p.Limit.Strict = true },
	"per step": func(t *rapid.T, p *rollout.Policy) { p.Limit.PerStep = drawShare(t, "per step") },
	"removals": func(t *rapid.T, p *rollout.Policy) { p.Limit.Removals = drawShare(t, "removals") },
	"slow start": func(t *rapid.T, p *rollout.Policy) {
		p.Limit.SlowStart = rollout.SlowStart{Since: now.Add(-gen.Pick(t, "started", 0, 90*time.Second)), Interval: time.Minute,
			Step: gen.Pick(t, "step", nil, number(0), number(2)), Max: gen.Pick(t, "most", nil, number(3))}
	},
	"burst": func(t *rapid.T, p *rollout.Policy) { p.Limit.Burst = drawShare(t, "burst") },
	"failures": func(t *rapid.T, p *rollout.Policy) {
		p.Gate.Failures = rollout.FailureGate{Max: drawShare(t, "failures"), UnreadyFor: gen.Pick(t, "unready", 0, 10*time.Minute)}
	},
	"window": func(t *rapid.T, p *rollout.Policy) {
		p.Gate.From = now.Add(gen.Pick(t, "from", -time.Hour, time.Hour))
		p.Gate.Until = p.Gate.From.Add(gen.Pick(t, "for", 30*time.Minute, 2*time.Hour))
	},
	"pause": func(t *rapid.T, p *rollout.Policy) {
		p.Gate.Pause = gen.Pick(t, "pause", rollout.PauseUpdates, rollout.PauseCreates, rollout.PauseAll)
	},
}

func stageNames() []string {
	var names []string
	for name := range stages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// drawPolicy draws a policy with some stages, but none of those that are left out.
func drawPolicy(t *rapid.T, without ...string) rollout.Policy {
	var p rollout.Policy
	for _, name := range stageNames() {
		if gen.Chance(t, 12, name) && !slices.Contains(without, name) {
			stages[name](t, &p)
		}
	}
	return p
}

func drawPolicyState(t *rapid.T) rollout.State {
	s := state(drawSpec(t), drawFleet(t).Nodes...)
	s.Backoff = rollout.Backoff{Generation: 3}
	s.Stable = gen.Pick(t, "stable revision", "", "", "old")
	s.After = gen.Pick(t, "after", "", "n04")
	return s
}

// neutral are policies that are not zero and change nothing.
var neutral = []rollout.Policy{
	{Count: rollout.Counting{MaxExempt: number(1)}},
	{Candidates: rollout.Candidates{Selector: labels.Everything()}},
	{Candidates: rollout.Candidates{Partition: rollout.Partition{Value: percent(0)}}},
	{Candidates: rollout.Candidates{NoRestart: map[string]bool{"unheard-of": true}}},
	{Order: rollout.Ordering{Waves: rollout.Waves{Label: "no such label"}}},
	{Limit: rollout.Limiting{PerStep: percent(10000)}},
	{Limit: rollout.Limiting{Burst: number(1000)}},
	{Gate: rollout.Gating{From: now}},
	{Gate: rollout.Gating{Failures: rollout.FailureGate{Max: percent(100), UnreadyFor: time.Second}}},
}

// A policy that says nothing is the controller.
func TestNeutralPolicies(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		s := drawPolicyState(t)
		want, err := rollout.Sync(s, rollout.Policy{})
		p := gen.Pick(t, "policy", neutral...)
		got, gotErr := rollout.Sync(s, p)
		assert.Equal(t, err, gotErr)
		if p.Gate.Failures.Max != nil { // it looks again when a pod has been unready for long
			got.Next, want.Next = time.Time{}, time.Time{}
		}
		assert.Equal(t, want, got)
		reached.AddIf(!want.Empty(), "something")
		reached.AddIf(len(want.Held) > 0, "held")
	})
	reached.Require(t, "something", "held")
}
