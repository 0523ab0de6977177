package rollout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// updates are the reasons of the actions that update a node.
var updates = map[rollout.Reason]bool{
	rollout.OutdatedUnavailable: true, rollout.OutdatedAvailable: true, rollout.OutdatedNotEligible: true,
	rollout.SurgeUnavailable: true, rollout.SurgeAvailable: true,
}

// updatedNodes are the nodes that a plan updates.
func updatedNodes(p rollout.Plan) (nodes []string) {
	for _, c := range p.Create {
		if updates[c.Reason] {
			nodes = append(nodes, c.Node)
		}
	}
	for _, d := range p.Delete {
		if updates[d.Reason] {
			nodes = append(nodes, d.Node)
		}
	}
	return nodes
}

// wants are what a plan does and holds: node, pod and the kind of action.
func wants(p rollout.Plan, holds []rollout.Hold) map[string]bool {
	all := map[string]bool{}
	for _, c := range p.Create {
		all["create "+c.Node] = true
	}
	for _, d := range p.Delete {
		all["delete "+d.Pod] = true
	}
	for _, h := range holds {
		all["create "+h.Node], all["delete "+h.Pod] = true, true
	}
	return all
}

// TestStagesOnlyHold: a stage after Count adds no action, and no more of them.
func TestStagesOnlyHold(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		s := drawPolicyState(t)
		s.Stable = "" // it is about which revision, see TestStable
		// Some hold only where others happen to let something through.
		rare := []string{"no restart", "no restart", "no restart", "failures", "failures", "failures", "strict", "per step", "slow start", "waves"}
		name := gen.Pick(t, "stage", append(stageNames(), rare...)...)
		without := []string{name}
		if name == "selector" || name == "chosen" || name == "no restart" {
			// Whose turn it is depends on who is a candidate.
			without = append(without, "waves")
		}
		var less rollout.Policy
		if gen.Chance(t, 50, "others") {
			less = drawPolicy(t, without...)
		}
		more := less
		stages[name](t, &more)
		before, err := rollout.Sync(s, less)
		if err != nil || strings.HasPrefix(name, "count") {
			return
		}
		holds, err := rollout.Holds(s, less)
		assert.NoError(t, err)
		all := wants(before, holds)
		after, err := rollout.Sync(s, more)
		if err != nil { // of the strategy, which only an update looks at
			assert.True(t, after.Empty())
			return
		}
		assert.LessOrEqual(t, len(after.Create), len(before.Create), "%s\n%s\n%s", name, before, after)
		assert.LessOrEqual(t, len(after.Delete), len(before.Delete))
		for _, c := range after.Create {
			assert.True(t, all["create "+c.Node], "create on %s", c.Node)
		}
		for _, d := range after.Delete {
			assert.True(t, all["delete "+d.Pod], "delete %s", d.Pod)
		}
		reached.AddIf(len(updatedNodes(after)) < len(updatedNodes(before)), name)
	})
	reached.Require(t, "selector", "chosen", "partition", "no restart", "waves", "strict", "per step", "slow start", "burst", "failures", "window", "pause")
}

// TestPoliciesAreSound: whatever is combined, plans are deterministic, holds agree
// with counts, marks change nothing, and each stage keeps its word.
func TestPoliciesAreSound(t *testing.T) { checkPolicies(t, policyIsSound) }

func checkPolicies(t *testing.T, property func(*tally.Tally) func(*rapid.T)) {
	var reached tally.Tally
	rapid.Check(t, property(&reached))
	reached.Require(t, "something", "create of stable",
		"held-not-eligible", "held-node-gone", "held-selector", "held-not-chosen", "held-partition", "held-no-restart", "held-wave", "held-wave-budget",
		"held-budget", "held-step", "held-slow-start", "held-failures", "held-window", "held-paused", "held-burst", "held-removals",
		"strict, within maxUnavailable", "strict, within maxSurge")
}

func FuzzPolicy(f *testing.F) { f.Fuzz(rapid.MakeFuzz(policyIsSound(&tally.Tally{}))) }

func policyIsSound(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		s, p := drawPolicyState(t), drawPolicy(t)
		plan, err := rollout.Sync(s, p)
		if err != nil {
			return
		}
		holds, err := rollout.Holds(s, p)
		assert.NoError(t, err)
		counts := map[rollout.Reason]int{}
		for _, h := range holds {
			counts[h.Reason]++
			reached.Add(string(h.Reason))
		}
		for _, c := range plan.Held {
			assert.Equal(t, counts[c.Reason], c.N, "%s", c.Reason)
			delete(counts, c.Reason)
		}
		assert.Empty(t, counts)
		assert.True(t, plan.Next.IsZero() || plan.Next.After(now))

		again := s
		again.Fleet.Nodes = gen.Shuffled(t, s.Fleet.Nodes)
		for i := range again.Fleet.Nodes {
			again.Fleet.Nodes[i] = p.Mark(again.Fleet.Nodes[i])
		}
		same, err := rollout.Sync(again, p)
		assert.NoError(t, err)
		assert.Equal(t, plan, same)

		reached.AddIf(!plan.Empty(), "something")
		checkPause(t, p, now, plan)
		checkCandidates(t, s, p, plan)
		checkStrict(t, reached, s, p, plan)
		for _, c := range plan.Create {
			reached.AddIf(c.Revision == s.Stable && s.Stable != "", "create of stable")
			assert.True(t, c.Revision == "new" || s.Stable != "" && c.Revision == s.Stable)
		}
	}
}

// checkPause: at every level, what is paused does not happen.
func checkPause(t *rapid.T, p rollout.Policy, now time.Time, plan rollout.Plan) {
	outside := now.Before(p.Gate.From) || !p.Gate.Until.IsZero() && !now.Before(p.Gate.Until)
	if p.Gate.Pause != rollout.PauseNone || outside {
		assert.Empty(t, updatedNodes(plan))
	}
	if p.Gate.Pause == rollout.PauseCreates {
		assert.Empty(t, plan.Create)
	}
	if p.Gate.Pause == rollout.PauseAll {
		assert.True(t, plan.Empty())
		assert.Empty(t, plan.Backoff)
	}
}

// checkCandidates: what is updated is a candidate, and of one wave.
func checkCandidates(t *rapid.T, s rollout.State, p rollout.Policy, plan rollout.Plan) {
	byName := map[string]placement.Node{}
	for _, n := range s.Fleet.Nodes {
		byName[n.Name] = n
	}
	groups := map[string]bool{}
	nodes := updatedNodes(plan)
	for _, name := range nodes {
		n := byName[name]
		zone := ""
		if n.Ref != nil {
			zone = n.Ref.Labels["zone"]
		}
		groups[zone] = true
		assert.True(t, p.Candidates.Nodes == nil || p.Candidates.Nodes[name])
		assert.True(t, p.Candidates.Selector == nil || zone == "a" || zone == "b")
		assert.True(t, p.Count.Nodes != rollout.EligibleNodes || n.Verdict == placement.Eligible)
		assert.True(t, p.Count.Nodes != rollout.ExistingNodes || n.Verdict != placement.Unevaluated)
	}
	assert.True(t, p.Order.Waves.Label == "" || len(groups) <= 1 || onlyIneligible(byName, nodes), "two waves: %v", groups)
	if l := p.Limit.PerStep; l != nil && l.Type == intstr.Int {
		fresh := 0
		for _, name := range nodes {
			if byName[name].Verdict == placement.Eligible {
				fresh++
			}
		}
		assert.LessOrEqual(t, fresh, l.IntValue())
	}
}

// onlyIneligible: once all waves are done, pods on nodes that get none any more
// belong to none.
func onlyIneligible(byName map[string]placement.Node, nodes []string) bool {
	for _, name := range nodes {
		if byName[name].Verdict == placement.Eligible {
			return false
		}
	}
	return true
}

// checkStrict: a strict update deletes no available pod of an eligible node, unless
// enough stay; and with surge no more are surging than maxSurge.
func checkStrict(t *rapid.T, reached *tally.Tally, s rollout.State, p rollout.Policy, plan rollout.Plan) {
	if !p.Limit.Strict || len(updatedNodes(plan)) == 0 || p.Count.Exempt != nil || s.Stable != "" {
		return
	}
	desired, available := 0, 0
	usable := map[string]bool{}
	for _, n := range s.Fleet.Nodes {
		if n.Verdict != placement.Eligible {
			continue
		}
		desired++
		for _, pod := range n.Pods {
			if at, ok := pod.AvailableAt(s.Spec.MinReadySeconds); ok && !at.After(now) && !pod.Flags.Has(placement.Terminating) {
				usable[pod.Name] = true
				available++
				break
			}
		}
	}
	limits, err := s.Spec.Limits(desired)
	assert.NoError(t, err)
	replaced, spent, surged := 0, 0, 0
	for _, d := range plan.Delete {
		if d.Reason == rollout.OutdatedAvailable || d.Reason == rollout.OutdatedUnavailable {
			replaced++
		}
		if d.Reason == rollout.OutdatedAvailable && usable[d.Pod] {
			spent++
		}
	}
	for _, c := range plan.Create {
		if updates[c.Reason] {
			surged++
		}
	}
	if limits.MaxSurge != 0 {
		assert.LessOrEqual(t, surged, max(0, limits.MaxSurge))
		reached.AddIf(surged > 0, "strict, within maxSurge")
		return
	}
	assert.LessOrEqual(t, replaced, max(0, limits.MaxUnavailable), "%+v %d\n%s", limits, desired, plan)
	if spent > 0 {
		assert.GreaterOrEqual(t, available-spent, desired-limits.MaxUnavailable)
		reached.Add("strict, within maxUnavailable")
	}
}

// TestStable: nodes that a policy does not update are served from the stable
// revision, with its verdict, and the others from the target.
func TestStable(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawPolicyState(t), drawPolicy(t, "partition", "waves", "failures", "window", "burst", "slow start")
		s.Stable = "old"
		p.Gate.Pause = gen.Pick(t, "pause", rollout.PauseNone, rollout.PauseUpdates)
		for i := range s.Fleet.Nodes {
			if n := &s.Fleet.Nodes[i]; gen.Chance(t, 30, "bare") && n.Verdict != placement.Unevaluated {
				n.Pods = nil
				n.Verdict = gen.Pick(t, "verdict", placement.Eligible, placement.Excluded)
			}
		}
		plan, err := rollout.Sync(s, p)
		if err != nil {
			return
		}
		byName := map[string]placement.Node{}
		for _, n := range s.Fleet.Nodes {
			byName[n.Name] = n
		}
		for _, c := range plan.Create {
			n := byName[c.Node]
			zone := n.Ref.Labels["zone"]
			candidate := p.Gate.Pause == rollout.PauseNone && (p.Candidates.Nodes == nil || p.Candidates.Nodes[n.Name]) &&
				(p.Candidates.Selector == nil || p.Candidates.Selector.String() == "zone="+zone)
			if candidate {
				assert.Equal(t, "new", c.Revision)
				assert.Equal(t, placement.Eligible, n.Verdict)
			} else {
				assert.Equal(t, "old", c.Revision)
				assert.Equal(t, placement.Eligible, n.Stable)
				assert.Equal(t, placement.Eligible, n.Verdict)
			}
			reached.Add(fmt.Sprint("candidate: ", candidate))
		}
		// What the target excludes is kept where it is not rolled out.
		for _, d := range plan.Delete {
			n := byName[d.Node]
			runs := slices.ContainsFunc(n.Pods, func(p placement.Pod) bool { return p.Revision == "new" })
			if d.Reason == rollout.NotEligible && n.Verdict == placement.Excluded && n.Stable != placement.Excluded && !runs {
				assert.Equal(t, rollout.PauseNone, p.Gate.Pause)
				reached.Add("excluded by the target alone")
			}
		}
		for _, n := range s.Fleet.Nodes {
			reached.AddIf(n.Verdict == placement.Excluded && n.Stable == placement.Eligible && len(n.Pods) > 0 && p.Gate.Pause != rollout.PauseNone, "kept from exclusion")
		}
	})
	reached.Require(t, "candidate: true", "candidate: false", "excluded by the target alone", "kept from exclusion")
}

// TestStableIsNotComingBack: a wave that is done is not taken back, and a gate that
// closes after the rollout brings nothing back.
func TestStableIsNotComingBack(t *testing.T) {
	s := state(one(1), inZone(on("a", pod("pa", fresh|ready)), "a"), inZone(on("b", pod("pb", old|ready)), "b"))
	excluded := inZone(node("x", placement.Excluded), "a")
	excluded.Stable = placement.Eligible
	s.Fleet.Nodes = append(s.Fleet.Nodes, excluded)
	s.Stable = "old"
	for _, p := range []rollout.Policy{
		{Order: rollout.Ordering{Waves: rollout.Waves{Label: "zone"}}},
		{Gate: rollout.Gating{Pause: rollout.PauseUpdates}},
		{Gate: rollout.Gating{Until: now}},
		{Candidates: rollout.Candidates{Partition: rollout.Partition{Value: number(1)}}},
	} {
		plan, err := rollout.Sync(s, p)
		assert.NoError(t, err)
		assert.Empty(t, plan.Create)
	}
	// Before its wave has had its turn, a node keeps what it has.
	s.Fleet.Nodes[0].Pods = []placement.Pod{pod("pa", old|ready)}
	keeps := inZone(node("y", placement.Excluded, pod("py", old|ready)), "b")
	keeps.Stable = placement.Eligible
	s.Fleet.Nodes = append(s.Fleet.Nodes, keeps)
	plan, err := rollout.Sync(s, rollout.Policy{Order: rollout.Ordering{Waves: rollout.Waves{Label: "zone"}}})
	assert.NoError(t, err)
	assert.Equal(t, "delete pa on a: outdated-available\n2 held: held-wave\n", plan.String())
	s.Fleet.Nodes[0].Pods = []placement.Pod{pod("pa", fresh|ready)}
	plan, err = rollout.Sync(s, rollout.Policy{Order: rollout.Ordering{Waves: rollout.Waves{Label: "zone"}}})
	assert.NoError(t, err)
	assert.Equal(t, "delete py on y: not-eligible\n", plan.String(), "now it is the turn of b")
}

// TestStepsOfSurge: a cap is one of pods on nodes that get no new ones, too.
func TestStepsOfSurge(t *testing.T) {
	s := state(surging(1), node("a", placement.KeepOnly, pod("pa", old)), node("b", placement.KeepOnly, pod("pb", old)), on("c", pod("pc", fresh|ready)))
	plan, err := rollout.Sync(s, rollout.Policy{Limit: rollout.Limiting{PerStep: number(1)}})
	assert.NoError(t, err)
	assert.Equal(t, "delete pa on a: outdated-unavailable\n1 held: held-step\n", plan.String())
}

// TestHeldTurn: what an update would do is no removal.
func TestHeldTurn(t *testing.T) {
	s := state(one(1), node("a", placement.Excluded, pod("pa", old|ready)), on("b", pod("pb", old|ready)))
	plan, err := rollout.Sync(s, rollout.Policy{Limit: rollout.Limiting{Removals: number(0)}})
	assert.NoError(t, err)
	assert.Equal(t, "1 held: held-removals\n1 held: held-turn\n", plan.String())
}

// TestPolicyErrors: values that cannot be used are errors that name the field.
func TestPolicyErrors(t *testing.T) {
	bad := number(-1)
	for field, p := range map[string]rollout.Policy{
		"count.nodes":                   {Count: rollout.Counting{Nodes: "some"}},
		"count.maxExempt":               {Count: rollout.Counting{MaxExempt: bad}},
		"candidates.partition.value":    {Candidates: rollout.Candidates{Partition: rollout.Partition{Value: bad}}},
		"candidates.partition.rounding": {Candidates: rollout.Candidates{Partition: rollout.Partition{Rounding: "off"}}},
		"candidates.partition.base":     {Candidates: rollout.Candidates{Partition: rollout.Partition{Base: -1}}},
		"order.waves.maxUnavailable":    {Order: rollout.Ordering{Waves: rollout.Waves{Label: "zone", MaxUnavailable: bad}}},
		"limit.perStep":                 {Limit: rollout.Limiting{PerStep: bad}},
		"limit.removals":                {Limit: rollout.Limiting{Removals: bad}},
		"limit.burst":                   {Limit: rollout.Limiting{Burst: bad}},
		"limit.slowStart.step":          {Limit: rollout.Limiting{SlowStart: rollout.SlowStart{Step: bad}}},
		"limit.slowStart.max":           {Limit: rollout.Limiting{SlowStart: rollout.SlowStart{Max: bad}}},
		"limit.slowStart.interval":      {Limit: rollout.Limiting{SlowStart: rollout.SlowStart{Interval: -1}}},
		"limit.slowStart.since":         {Limit: rollout.Limiting{SlowStart: rollout.SlowStart{Interval: 1}}},
		"gate.pause":                    {Gate: rollout.Gating{Pause: "maybe"}},
		"gate.failures.max":             {Gate: rollout.Gating{Failures: rollout.FailureGate{Max: bad}}},
		"gate.failures.unreadyFor":      {Gate: rollout.Gating{Failures: rollout.FailureGate{UnreadyFor: -1}}},
		"gate.until":                    {Gate: rollout.Gating{From: now, Until: now}},
	} {
		s := state(one(1), inZone(on("n", pod("p", old|ready)), "a"))
		for _, plan := range []func() (rollout.Plan, error){
			func() (rollout.Plan, error) { return rollout.Manage(s, p) },
			func() (rollout.Plan, error) { return rollout.Update(s, p) },
			func() (rollout.Plan, error) { return rollout.Sync(s, p) },
		} {
			got, err := plan()
			assert.ErrorContains(t, err, "policy."+field+":")
			assert.Equal(t, rollout.Plan{}, got)
		}
		_, err := rollout.Holds(s, p)
		assert.ErrorContains(t, err, "policy."+field+":")
		assert.Equal(t, err, p.Check())
	}
	for _, text := range []string{"5", "x%", ""} {
		v := number(0)
		v.Type, v.StrVal = 1, text
		_, err := rollout.Sync(state(one(1)), rollout.Policy{Limit: rollout.Limiting{Burst: v}})
		assert.Error(t, err)
	}
	huge := percent(0)
	huge.StrVal = "9223372036854775807%"
	plan, err := rollout.Sync(state(one(1), on("n", pod("p", old|ready))), rollout.Policy{Limit: rollout.Limiting{PerStep: huge, Burst: huge}})
	assert.NoError(t, err)
	assert.Len(t, plan.Delete, 1)
}
