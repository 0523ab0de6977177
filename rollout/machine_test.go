package rollout_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// machine is a cluster of facts that plans are carried out on.
type machine struct {
	state  rollout.State
	policy rollout.Policy
	made   int // pods so far, for names

	drawPolicy func(*rapid.T) rollout.Policy // nil is never
	version    int                           // of the template
	deleted    map[types.UID]bool
	reached    *tally.Tally
}

func (m *machine) nodes() []placement.Node { return m.state.Fleet.Nodes }

// eachPod shows every pod, which may be changed, in the order of nodes.
func (m *machine) eachPod(see func(n *placement.Node, p *placement.Pod)) {
	for i := range m.nodes() {
		n := &m.nodes()[i]
		for j := range n.Pods {
			see(n, &n.Pods[j])
		}
	}
}

// sync plans, checks the plan and carries it out.
func (m *machine) sync(t *rapid.T) rollout.Plan {
	plan, err := rollout.Sync(m.state, m.policy)
	assert.NoError(t, err)
	if m.state.Stable == "" && m.policy.Count.Nodes == "" && m.policy.Count.Exempt == nil {
		checkBudgets(t, m.reached, m.state, plan)
	}
	checkPause(t, m.policy, m.state.Now, plan)
	before, most := m.updated(t)
	for _, d := range plan.Delete {
		assert.False(t, m.deleted[d.UID], "deleted twice")
		m.deleted[d.UID] = true
		m.reached.Add(string(d.Reason))
	}
	m.eachPod(func(_ *placement.Node, p *placement.Pod) {
		if m.deleted[p.UID] {
			p.Flags |= placement.Terminating
		}
	})
	for _, c := range plan.Create {
		m.reached.Add(string(c.Reason))
		i := slices.IndexFunc(m.nodes(), func(n placement.Node) bool { return n.Name == c.Node })
		n := &m.nodes()[i]
		flags := fresh
		if c.Revision == m.state.Target {
			assert.Equal(t, placement.Eligible, n.Verdict)
		} else {
			flags = old
			assert.Equal(t, placement.Eligible, n.Stable)
			m.reached.Add("from stable")
		}
		m.made++
		name := fmt.Sprintf("p%04d", m.made)
		n.Pods = append(n.Pods, placement.Pod{Name: name, UID: types.UID(name), Revision: c.Revision, Created: m.state.Now, Flags: flags})
	}
	if m.state.Stable != "" {
		after, _ := m.updated(t)
		assert.LessOrEqual(t, after, max(before, most), "the partition")
		m.reached.AddIf(after > before && most < len(m.nodes()), "updated within a partition")
	}
	m.state.Backoff = m.state.Backoff.With(m.state.ObservedGeneration, plan.Backoff, m.state.Now)
	m.collect()
	return plan
}

// updated counts the eligible nodes that run the target, and returns how many the
// partition allows.
func (m *machine) updated(t *rapid.T) (n, most int) {
	eligible := 0
	for _, node := range m.nodes() {
		if node.Verdict != placement.Eligible {
			continue
		}
		eligible++
		if slices.ContainsFunc(node.Pods, func(p placement.Pod) bool {
			return p.Revision == m.state.Target && !p.Flags.Any(placement.Terminating|placement.Failed|placement.Succeeded)
		}) {
			n++
		}
	}
	keep, err := m.policy.Candidates.Partition.Keep(eligible)
	assert.NoError(t, err)
	return n, eligible - keep
}

// collect removes pods that have ended and are terminating, which are in no fleet,
// and nodes that are gone with all their pods.
func (m *machine) collect() {
	for i := range m.nodes() {
		n := &m.nodes()[i]
		n.Pods = slices.DeleteFunc(n.Pods, func(p placement.Pod) bool {
			return p.Flags.Has(placement.Terminating) && p.Flags.Any(placement.Failed|placement.Succeeded)
		})
	}
	m.state.Fleet.Nodes = slices.DeleteFunc(m.nodes(), func(n placement.Node) bool {
		return n.Verdict == placement.Unevaluated && len(n.Pods) == 0
	})
}

// kubelet makes a pod what a kubelet may.
func (m *machine) kubelet(t *rapid.T) {
	m.eachPod(func(n *placement.Node, p *placement.Pod) {
		switch {
		case p.Flags.Has(placement.Terminating):
			if gen.Chance(t, 50, "stopped") {
				p.Flags |= placement.Succeeded
			}
		case gen.Chance(t, 50, "starts"):
			m.ready(p)
		case gen.Chance(t, 10, "unready"):
			p.Flags &^= placement.Ready
		case gen.Chance(t, 10, "ends"):
			p.Flags = p.Flags&^placement.Ready | gen.Pick(t, "phase", placement.Failed, placement.Succeeded)
		}
	})
	m.collect()
}

func (m *machine) ready(p *placement.Pod) {
	if !p.Flags.Any(placement.Ready | placement.Failed | placement.Succeeded) {
		p.Flags |= placement.Ready
		p.ReadyChanged = m.state.Now
	}
}

// change is what people and the cloud do.
func (m *machine) change(t *rapid.T) {
	switch gen.Pick(t, "change", "template", "strategy", "verdict", "join", "leave", "policy") {
	case "policy":
		if m.drawPolicy != nil {
			m.policy = m.drawPolicy(t)
		}
	case "template":
		if m.drawPolicy != nil {
			m.state.Stable = gen.Pick(t, "stable", "", m.state.Target, m.state.Target)
		}
		m.version++
		m.state.Target = fmt.Sprintf("v%d", m.version)
		m.state.ObservedGeneration++
		m.eachPod(func(_ *placement.Node, p *placement.Pod) { p.Flags &^= placement.Updated })
	case "strategy":
		m.state.Spec = m.drawSpec(t)
	case "verdict":
		if len(m.nodes()) > 0 {
			n := &m.nodes()[rapid.IntRange(0, len(m.nodes())-1).Draw(t, "node")]
			if n.Verdict != placement.Unevaluated {
				n.Verdict = gen.Pick(t, "verdict", placement.Eligible, placement.Eligible, placement.KeepOnly, placement.Excluded)
				n.Stable = n.Verdict
				if m.drawPolicy != nil {
					n.Stable = gen.Pick(t, "stable verdict", n.Verdict, placement.Eligible, placement.Excluded)
				}
			}
		}
	case "join":
		m.made++
		m.state.Fleet.Nodes = append(m.nodes(), inZone(on(fmt.Sprintf("n%04d", m.made)), gen.Pick(t, "zone", "a", "b")))
	case "leave":
		if len(m.nodes()) > 0 {
			n := &m.nodes()[rapid.IntRange(0, len(m.nodes())-1).Draw(t, "node")]
			n.Verdict, n.Stable, n.Ref = placement.Unevaluated, placement.Unevaluated, nil
			m.collect()
		}
	}
}

func (m *machine) drawSpec(t *rapid.T) rollout.Spec {
	s := rolling(drawLimit(t, "maxUnavailable"), drawLimit(t, "maxSurge"))
	s.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 30)
	if gen.Chance(t, 10, "OnDelete") {
		s.Strategy = appsv1.OnDeleteDaemonSetStrategyType
	}
	return s
}

// settle runs fair rounds: every pod becomes ready and stays so, pods that are
// deleted go, pods on nodes that are gone are collected, and time goes by.
func (m *machine) settle(t *rapid.T) {
	m.state.Spec = one(1)
	if gen.Chance(t, 50, "surge") {
		m.state.Spec = surging(1)
	}
	m.policy = rollout.Policy{}
	if m.drawPolicy != nil {
		m.policy = drawHarmless(t)
	}
	rounds := 3*len(m.nodes()) + 10
	for range rounds {
		for i := range m.nodes() {
			n := &m.nodes()[i]
			n.Pods = slices.DeleteFunc(n.Pods, func(p placement.Pod) bool {
				return p.Flags.Has(placement.Terminating) || n.Verdict == placement.Unevaluated
			})
		}
		m.collect()
		m.eachPod(func(_ *placement.Node, p *placement.Pod) { m.ready(p) })
		m.state.Now = m.state.Now.Add(time.Hour)
		if m.sync(t).Empty() {
			m.checkDone(t)
			m.reached.Add("converged")
			return
		}
	}
	assert.Fail(t, "no end after %d rounds", rounds)
}

// checkDone: nothing is planned only where nothing is left to do.
func (m *machine) checkDone(t *rapid.T) {
	for _, n := range m.nodes() {
		switch n.Verdict {
		case placement.Eligible:
			if assert.Len(t, n.Pods, 1, n.Name) {
				assert.Equal(t, m.state.Target, n.Pods[0].Revision)
				assert.True(t, n.Pods[0].Flags.Has(placement.Ready|placement.Updated))
			}
		case placement.KeepOnly:
			assert.LessOrEqual(t, len(n.Pods), 1)
		default:
			assert.Empty(t, n.Pods)
		}
	}
}

// drawHarmless draws a policy under which every fair run comes to its end.
func drawHarmless(t *rapid.T) rollout.Policy {
	var p rollout.Policy
	for _, name := range []string{"order", "waves", "strict", "count: exempt"} {
		if gen.Chance(t, 40, name) {
			stages[name](t, &p)
		}
	}
	if gen.Chance(t, 40, "one at a time") {
		p.Limit.PerStep, p.Limit.Burst = number(1), number(1)
	}
	if gen.Chance(t, 40, "slow start") {
		p.Limit.SlowStart = rollout.ExtendedSlowStart(now)
	}
	return p
}

// run drives a cluster at random, and then lets it come to rest.
func (m *machine) run(t *rapid.T) {
	m.deleted = map[types.UID]bool{}
	m.state = state(m.drawSpec(t))
	m.state.Target = "v0"
	for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
		m.state.Fleet.Nodes = append(m.nodes(), inZone(on(fmt.Sprintf("n%d", i)), gen.Pick(t, "zone", "a", "b", "")))
	}
	for range rapid.IntRange(1, 15).Draw(t, "steps") {
		m.state.Now = m.state.Now.Add(gen.Pick(t, "passes", 0, time.Second, 31*time.Second, time.Hour))
		switch {
		case gen.Chance(t, 40, "sync"):
			m.sync(t)
		case gen.Chance(t, 60, "kubelet"):
			m.kubelet(t)
		default:
			m.change(t)
		}
	}
	m.settle(t)
}

func TestMachine(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) { (&machine{reached: &reached}).run(t) })
	reached.Require(t, "converged", "within maxUnavailable", "within maxSurge", "pod-missing", "surge-none-left", "surge-unavailable", "surge-available",
		"failed", "succeeded", "excess", "not-eligible", "surged-over-unready", "surged-over",
		"outdated-unavailable", "outdated-available", "outdated-not-eligible")
}

// TestMachineWithPolicies does so with policies that change on the way.
func TestMachineWithPolicies(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{reached: &reached}
		m.drawPolicy = func(t *rapid.T) rollout.Policy {
			p := drawPolicy(t)
			if gen.Chance(t, 40, "partition") {
				stages["partition"](t, &p)
			}
			return p
		}
		m.policy = m.drawPolicy(t)
		m.run(t)
	})
	reached.Require(t, "converged", "within maxUnavailable", "from stable", "updated within a partition")
}

// TestBudgetAndTime: on a fleet where every pod starts, a larger budget makes no
// rollout longer, whatever the policy.
func TestBudgetAndTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawHarmless(t)
		p.Limit.SlowStart = rollout.SlowStart{} // which goes by time, and not by rounds
		var nodes []placement.Node
		for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
			nodes = append(nodes, inZone(on(fmt.Sprintf("n%02d", i)), gen.Pick(t, "zone", "a", "b", "c")))
		}
		spec := gen.Pick(t, "strategy", one, surging)
		budget := rapid.IntRange(1, 6).Draw(t, "budget")
		var rounds [2]int
		for i := range rounds {
			m := &machine{reached: new(tally.Tally), deleted: map[types.UID]bool{}, policy: p}
			m.state = state(spec(budget + i))
			for _, n := range nodes {
				n.Pods = []placement.Pod{pod("p-"+n.Name, old|ready)}
				m.state.Fleet.Nodes = append(m.nodes(), n)
			}
			for !m.sync(t).Empty() {
				rounds[i]++
				for j := range m.nodes() {
					n := &m.nodes()[j]
					n.Pods = slices.DeleteFunc(n.Pods, func(p placement.Pod) bool { return p.Flags.Has(placement.Terminating) })
				}
				m.eachPod(func(_ *placement.Node, p *placement.Pod) { m.ready(p) })
			}
			m.checkDone(t)
		}
		assert.LessOrEqual(t, rounds[1], rounds[0])
	})
}
