package rollout_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// drawFacts draws a fleet of facts of any kind, pods in the order of names.
func drawFacts(t *rapid.T) placement.Fleet {
	var f placement.Fleet
	for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
		n := node(string(rune('a'+i)), gen.Pick(t, "verdict", placement.Eligible, placement.Eligible, placement.Eligible,
			placement.KeepOnly, placement.Excluded, placement.Unevaluated))
		for j := range gen.Pick(t, "pods", 0, 1, 1, 1, 2, 2, 4) {
			p := pod(n.Name+string(rune('0'+j)), 0)
			p.Revision = gen.Pick(t, "revision", "old", "new", "other")
			p.Flags = gen.Pick(t, "flags", fresh|ready, old|ready, old, fresh, placement.Updated)
			if gen.Chance(t, 20, "odd") {
				p.Flags |= gen.Pick(t, "also", placement.Terminating, placement.Failed, placement.Succeeded)
			}
			p.ReadyChanged = now.Add(-gen.Pick(t, "ready for", 0, time.Minute, time.Hour))
			n.Pods = append(n.Pods, p)
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f
}

// TestPlanIsObvious compares both parts with the slow implementation.
func TestPlanIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		s := state(drawSpec(t))
		s.Fleet = drawFacts(t)
		s.Backoff = rollout.Backoff{Generation: s.ObservedGeneration, Nodes: map[string]rollout.Delay{"a": {For: 1, Since: now}}}
		available := func(p placement.Pod) bool {
			at, ok := p.AvailableAt(s.Spec.MinReadySeconds)
			return ok && !at.After(now)
		}
		rolls := s.Spec.Strategy == appsv1.RollingUpdateDaemonSetStrategyType
		one, _ := s.Spec.Limits(1)
		surge := rolls && s.Spec.RollingUpdate != nil && s.Spec.RollingUpdate.MaxUnavailable != nil && one.MaxSurge > 0
		if rolls && s.Spec.RollingUpdate != nil {
			if _, err := s.Spec.Limits(1); err != nil {
				return // of one limit; that manage looks at the other alone is a case of TestLimitsThatAreMissing
			}
		}
		wanted := slow.Manage(s.Fleet, surge, s.Target, available, func(node string) bool { return node == "a" })
		checkObvious(t, &reached, "manage", wanted, manage(s))
		if !rolls {
			return
		}
		desired := 0
		for _, n := range s.Fleet.Nodes {
			if n.Verdict == placement.Eligible {
				desired++
			}
		}
		limits, err := s.Spec.Limits(desired)
		assert.NoError(t, err)
		update, err := rollout.Update(s, rollout.Policy{})
		assert.NoError(t, err)
		checkObvious(t, &reached, "update", slow.Update(s.Fleet, limits.MaxUnavailable, limits.MaxSurge, available), update)
	})
	reached.Require(t, "manage: creates", "manage: deletes", "update: creates", "update: deletes", "update: creates picked", "update: deletes picked")
}

// checkObvious: the same actions, and of candidates the first ones by name.
func checkObvious(t *rapid.T, reached *tally.Tally, part string, want slow.Actions, plan rollout.Plan) {
	var creates, deletes []string
	for _, c := range plan.Create {
		creates = append(creates, c.Node)
	}
	for _, d := range plan.Delete {
		deletes = append(deletes, d.Pod)
	}
	slices.Sort(want.CreateCandidates)
	slices.Sort(want.DeleteCandidates)
	assert.ElementsMatch(t, append(want.Create, want.CreateCandidates[:want.TakeCreates]...), creates)
	assert.ElementsMatch(t, append(want.Delete, want.DeleteCandidates[:want.TakeDeletes]...), deletes)
	reached.AddIf(len(creates) > 0, part+": creates")
	reached.AddIf(len(deletes) > 0, part+": deletes")
	reached.AddIf(want.TakeCreates > 0, part+": creates picked")
	reached.AddIf(want.TakeDeletes > 0, part+": deletes picked")
}
