package simulate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

func drawDuration(t *rapid.T, label string) simulate.Duration {
	return gen.Pick(t, label, simulate.Duration{}, simulate.After(7*time.Second), simulate.Between(0, 90*time.Second), simulate.After(1500*time.Millisecond))
}

func drawBehaviour(t *rapid.T) simulate.Behaviour {
	b := simulate.Behaviour{Schedule: drawDuration(t, "schedule"), Ready: drawDuration(t, "ready"), Stop: drawDuration(t, "stop")}
	if gen.Chance(t, 15, "fate") {
		b.Fate = gen.Pick(t, "fate", simulate.StaysPending, simulate.NeverReady, simulate.CrashLoops)
	}
	if gen.Chance(t, 15, "fails") {
		b.Fails = gen.Pick(t, "times", 1, 2, -1)
	}
	return b
}

func drawPolicy(t *rapid.T) rollout.Policy {
	var p rollout.Policy
	if gen.Chance(t, 60, "plain") {
		return p
	}
	one := intstr.FromInt32(1)
	half := intstr.FromString("50%")
	p.Limit.Strict = gen.Chance(t, 50, "strict")
	if gen.Chance(t, 20, "per step") {
		p.Limit.PerStep = &one
	}
	if gen.Chance(t, 20, "partition") {
		p.Candidates.Partition.Value = &half
	}
	if gen.Chance(t, 25, "waves") {
		p.Order.Waves.Label = "zone"
	}
	if gen.Chance(t, 20, "exempt") {
		p.Count.Exempt = rollout.NotReady
	}
	if gen.Chance(t, 20, "failures") {
		p.Gate.Failures = rollout.FailureGate{Max: &one, UnreadyFor: time.Minute}
	}
	if gen.Chance(t, 10, "pause") {
		p.Gate.Pause = gen.Pick(t, "pause", rollout.PauseUpdates, rollout.PauseAll)
	}
	if gen.Chance(t, 10, "window") {
		p.Gate.From = start.Add(time.Hour)
	}
	return p
}

func drawScenario(t *rapid.T) simulate.Scenario {
	limits := gen.Pick(t, "limits", [2]string{"1", "0"}, [2]string{"2", "0"}, [2]string{"34%", "0"}, [2]string{"0", "1"}, [2]string{"0", "50%"})
	s := clean(rapid.IntRange(1, 7).Draw(t, "nodes"), rolling(limits[0], limits[1]))
	for i := range s.Fleet.Nodes {
		n := &s.Fleet.Nodes[i]
		n.Ref = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: map[string]string{"zone": gen.Pick(t, "zone", "a", "b")}}}
	}
	s.Spec.MinReadySeconds = gen.Pick[int32](t, "minReadySeconds", 0, 10)
	s.Pods, s.Policy, s.Until = drawBehaviour(t), drawPolicy(t), 6*time.Hour
	s.Seed = rapid.Uint64().Draw(t, "seed")
	s.Model.Pace = gen.Pick(t, "pace", 0, 0, 10*time.Second)
	node := fmt.Sprintf("node-%d", rapid.IntRange(1, len(s.Fleet.Nodes)).Draw(t, "node"))
	at := func() time.Duration { return time.Duration(rapid.IntRange(0, 300).Draw(t, "at")) * time.Second }
	for range rapid.IntRange(0, 3).Draw(t, "events") {
		e := simulate.Event{At: at()}
		switch gen.Pick(t, "event", "join", "change", "down", "back", "leave", "target", "policy", "spec") {
		case "join":
			e.Node, e.Join = fmt.Sprint("more-", len(s.Events)), &placement.Node{Verdict: placement.Eligible}
		case "change":
			e.Node, e.Change = node, &placement.Node{Verdict: gen.Pick(t, "verdict", placement.Eligible, placement.KeepOnly, placement.Excluded)}
		case "down":
			e.Node, e.Health = node, simulate.GoesNotReady
		case "back":
			e.Node, e.Health = node, simulate.ComesBack
		case "leave":
			e.Node, e.Leave = node, true
		case "target":
			b := drawBehaviour(t)
			e.Target, e.Pods = fmt.Sprint("newer-", len(s.Events)), &b
		case "policy":
			p := drawPolicy(t)
			e.Policy = &p
		case "spec":
			spec := rolling("50%", "0")
			e.Spec = &spec
		}
		s.Events = append(s.Events, e)
	}
	return s
}

// TestPlayIsSound: whatever is played, it ends; every step keeps the budgets of the
// rollout and moves on in time; counts are those of the nodes; a second run is
// equal; and a run that is finished is.
func TestPlayIsSound(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, playIsSound(&reached))
	reached.Require(t, "finished", "blocked", "given-up", "within maxUnavailable", "within maxSurge", "in waves", "unusable", "events")
}

func FuzzPlay(f *testing.F) { f.Fuzz(rapid.MakeFuzz(playIsSound(&tally.Tally{}))) }

func playIsSound(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		s := drawScenario(t)
		s.Planner = func(state rollout.State, p rollout.Policy) (rollout.Plan, error) {
			plan, err := rollout.Sync(state, p)
			checkPlan(t, reached, state, p, plan)
			return plan, err
		}
		steps, err := simulate.Play(s)
		if err != nil {
			assert.ErrorContains(t, err, "simulate: scenario.events[")
			reached.Add("unusable")
			return
		}
		var all []simulate.Step
		last := simulate.Step{At: -1}
		for step := range steps {
			assert.Empty(t, last.End, "nothing comes after the end")
			assert.GreaterOrEqual(t, step.At, last.At)
			assert.Equal(t, start.Add(step.At), step.Time)
			c := step.Counts
			assert.True(t, c.Done <= c.Updated && c.Done <= c.Available && max(c.Available, c.Updated) <= c.Eligible && c.Bare <= c.Eligible-c.Available, "%+v", c)
			last = step
			all = append(all, step)
			reached.AddIf(len(step.Events) > 0, "events")
			if !assert.Less(t, len(all), 5000, "it has no end") {
				return
			}
		}
		assert.NotEmpty(t, last.End)
		assert.LessOrEqual(t, last.At, s.Until)
		assert.Equal(t, last.End == simulate.Finished, last.Counts.Done == last.Counts.Eligible && last.End != simulate.GivenUp && last.End != simulate.Spinning)
		reached.Add(string(last.End))

		again, err := simulate.Play(s)
		assert.NoError(t, err)
		i := 0
		for step := range again {
			assert.Equal(t, all[i], step)
			i++
		}

		out, err := simulate.Summarize(s)
		assert.NoError(t, err)
		assert.Equal(t, last.End, out.End)
		assert.Equal(t, last.At, out.Duration)
		assert.Equal(t, len(all), out.Steps)
		assert.Equal(t, out.End == simulate.Finished, out.Diagnosis == nil)
		finished := 0
		for _, n := range out.Nodes {
			if n.Finished {
				finished++
			}
			assert.LessOrEqual(t, n.Without, out.Duration)
		}
		assert.Equal(t, out.Done, finished)
		assert.Equal(t, simulate.Comparison{First: out.End, Second: out.End}, simulate.Compare(out, out))
		assert.NotEmpty(t, out.String())

		// What is known of a plain plan is used to ask for fewer, and for no others.
		s.Planner = nil
		plain, err := simulate.Summarize(s)
		assert.NoError(t, err)
		if out.End == simulate.Finished {
			assert.LessOrEqual(t, out.DoneAt, out.Duration)
		}
		if plain.End != simulate.Spinning {
			plain.Steps, plain.Most, plain.Writes = out.Steps, out.Most, out.Writes // of how many plans it takes
			assert.Equal(t, out, plain)
		}
	}
}

// checkPlan: at every moment no more available pods go than the budget allows, no
// more nodes surge, and waves do not mix.
func checkPlan(t *rapid.T, reached *tally.Tally, s rollout.State, p rollout.Policy, plan rollout.Plan) {
	checkSurge(t, reached, s, p, plan)
	checkWaves(t, reached, s, p, plan)
	spent := map[string]bool{}
	for _, d := range plan.Delete {
		if d.Reason == rollout.OutdatedAvailable {
			spent[d.Pod] = true
		}
	}
	if len(spent) == 0 || p.Count.Exempt != nil {
		return
	}
	desired, without := 0, 0
	for _, n := range s.Fleet.Nodes {
		if n.Verdict != placement.Eligible {
			continue
		}
		desired++
		usable := false
		for _, pod := range n.Pods {
			at, ok := pod.AvailableAt(s.Spec.MinReadySeconds)
			usable = usable || ok && !at.After(s.Now) && !pod.Flags.Has(placement.Terminating) && !spent[pod.Name]
		}
		if !usable {
			without++
		}
	}
	limits, err := s.Spec.Limits(desired)
	assert.NoError(t, err)
	assert.LessOrEqual(t, without, limits.MaxUnavailable)
	reached.Add("within maxUnavailable")
}

// checkSurge: where a new pod comes beside an available one, no more nodes have two
// and wait than maxSurge.
func checkSurge(t *rapid.T, reached *tally.Tally, s rollout.State, p rollout.Policy, plan rollout.Plan) {
	begun := map[string]bool{}
	for _, c := range plan.Create {
		if c.Reason == rollout.SurgeAvailable {
			begun[c.Node] = true
		}
	}
	if len(begun) == 0 || p.Count.Exempt != nil {
		return
	}
	desired, waiting := 0, 0
	for _, n := range s.Fleet.Nodes {
		if n.Verdict == placement.Eligible {
			desired++
		}
		stale, unfinished := false, false
		for _, pod := range n.Pods {
			if pod.Flags.Has(placement.Terminating) {
				continue
			}
			at, ok := pod.AvailableAt(s.Spec.MinReadySeconds)
			stale = stale || !pod.Flags.Has(placement.Updated)
			unfinished = unfinished || pod.Flags.Has(placement.Updated) && (!ok || at.After(s.Now))
		}
		if begun[n.Name] || stale && unfinished {
			waiting++
		}
	}
	limits, err := s.Spec.Limits(desired)
	assert.NoError(t, err)
	assert.LessOrEqual(t, waiting, limits.MaxSurge)
	reached.Add("within maxSurge")
}

// checkWaves: what is updated at once is of one zone.
func checkWaves(t *rapid.T, reached *tally.Tally, s rollout.State, p rollout.Policy, plan rollout.Plan) {
	if p.Order.Waves.Label == "" {
		return
	}
	zones := map[string]string{}
	for _, n := range s.Fleet.Nodes {
		if n.Verdict == placement.Eligible && n.Ref != nil {
			zones[n.Name] = n.Ref.Labels["zone"]
		}
	}
	updated := map[string]bool{}
	for _, c := range plan.Create {
		if zone, ok := zones[c.Node]; ok && (c.Reason == rollout.SurgeAvailable || c.Reason == rollout.SurgeUnavailable) {
			updated[zone] = true
		}
	}
	for _, d := range plan.Delete {
		if zone, ok := zones[d.Node]; ok && (d.Reason == rollout.OutdatedAvailable || d.Reason == rollout.OutdatedUnavailable) {
			updated[zone] = true
		}
	}
	assert.LessOrEqual(t, len(updated), 1)
	reached.AddIf(len(updated) > 0, "in waves")
}

// TestErrors: a scenario that cannot be played is an error that names the field.
func TestErrors(t *testing.T) {
	joins := &placement.Node{Verdict: placement.Eligible}
	for field, change := range map[string]func(*simulate.Scenario){
		"until: -1ns is negative":              func(s *simulate.Scenario) { s.Until = -1 },
		"model.resolution: -1s is negative":    func(s *simulate.Scenario) { s.Model.Resolution = -time.Second },
		"model.pace: -1s is negative":          func(s *simulate.Scenario) { s.Model.Pace = -time.Second },
		"start: is not set":                    func(s *simulate.Scenario) { s.Start = time.Time{} },
		"policy: rollout: policy.gate.pause: ": func(s *simulate.Scenario) { s.Policy.Gate.Pause = "x" },
		"events[0].policy: rollout: policy.gate.pause: ": func(s *simulate.Scenario) {
			s.Events = []simulate.Event{{Policy: &rollout.Policy{Gate: rollout.Gating{Pause: "x"}}}}
		},
		"events[0].node: x has no verdict":           func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "x", Join: &placement.Node{}}} },
		"target: is empty":                           func(s *simulate.Scenario) { s.Target = "" },
		"pods.ready: -1s is negative":                func(s *simulate.Scenario) { s.Pods.Ready = simulate.After(-time.Second) },
		"pods.stop: from 2s to 1s is no range":       func(s *simulate.Scenario) { s.Pods.Stop = simulate.Between(2*time.Second, time.Second) },
		`pods.fate: "dies" is unknown`:               func(s *simulate.Scenario) { s.Pods.Fate = "dies" },
		"fleet.nodes[3].name: node-1 is there twice": func(s *simulate.Scenario) { s.Fleet.Nodes = append(s.Fleet.Nodes, s.Fleet.Nodes[0]) },
		"fleet.nodes[0].name: is empty":              func(s *simulate.Scenario) { s.Fleet.Nodes = []placement.Node{{}} },
		"events[0].at: -1s is before the start":      func(s *simulate.Scenario) { s.Events = []simulate.Event{{At: -time.Second, Node: "x", Join: joins}} },
		"events[0].at: 0 things happen, must be one": func(s *simulate.Scenario) { s.Events = []simulate.Event{{}} },
		"events[0].at: 2 things happen, must be one": func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "node-1", Leave: true, Target: "x"}} },
		"events[0].node: node-9 is not there":        func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "node-9", Leave: true}} },
		"events[0].node: node-1 is there already":    func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "node-1", Join: joins}} },
		"events[0].node: is empty":                   func(s *simulate.Scenario) { s.Events = []simulate.Event{{Leave: true}} },
		"events[0].node: x has no part in it":        func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "x", Target: "y"}} },
		`events[0].health: "ill" is unknown`:         func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "node-1", Health: "ill"}} },
		"events[0].pods: are those of a target, and": func(s *simulate.Scenario) { s.Events = []simulate.Event{{Node: "node-1", Leave: true, Pods: &s.Pods}} },
		"events[0].pods.schedule: -1s is negative": func(s *simulate.Scenario) {
			s.Events = []simulate.Event{{Target: "x", Pods: &simulate.Behaviour{Schedule: simulate.After(-time.Second)}}}
		},
		"events[0].node: node-2 is not there": func(s *simulate.Scenario) {
			s.Events = []simulate.Event{{At: 2, Node: "node-2", Health: simulate.ComesBack}, {At: 1, Node: "node-2", Leave: true}}
		},
	} {
		s := clean(3, rolling("1", "0"))
		change(&s)
		_, err := simulate.Play(s)
		assert.ErrorContains(t, err, "simulate: scenario."+field)
		_, again := simulate.Summarize(s)
		assert.Equal(t, err, again)
	}
}

// TestSeed: the seed decides, and each node's pods take the same time whatever else
// happens.
func TestSeed(t *testing.T) {
	s := clean(20, rolling("100%", "0"))
	s.Pods.Ready = simulate.Between(0, time.Hour)
	first := summarize(t, s)
	s.Spec = rolling("1", "0")
	second := summarize(t, s)
	s.Seed++
	other := summarize(t, s)
	equal := 0
	for i, n := range first.Nodes {
		assert.Equal(t, n.Without, second.Nodes[i].Without)
		if n.Without == other.Nodes[i].Without {
			equal++
		}
	}
	assert.Less(t, equal, 3)
}

// TestMemory: the number of steps takes none.
func TestMemory(t *testing.T) {
	allocations := func(nodes int) float64 {
		s := clean(nodes, rolling("1", "0"))
		return testing.AllocsPerRun(1, func() { summarize(t, s) }) / float64(nodes)
	}
	assert.InDelta(t, allocations(100), allocations(1000), 10, "per node, and so per step")
}
