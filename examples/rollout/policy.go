package main

import (
	"errors"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// exemptions are what count.exempt may name.
var exemptions = map[string]func(*placement.Node) bool{
	"not-ready": rollout.NotReady, "not-ready-before": rollout.NotReadyBefore, "cordoned": rollout.Cordoned,
}

var exemptionNames = []string{"not-ready", "not-ready-before", "cordoned"}

// checker collects what cannot be used in a document, below a path.
type checker struct {
	input.Document
	path     string
	problems []error
}

func (c *checker) problem(field, format string, args ...any) {
	c.problems = append(c.problems, c.Errorf(c.path+field, format, args...))
}

// oneOf returns a value that must be empty or one of some names.
func (c *checker) oneOf(field, value string, names ...string) string {
	if value != "" && !slices.Contains(names, value) {
		last := len(names) - 1
		list := names[last]
		if last > 0 {
			list = strings.Join(names[:last], ", ") + " or " + list
		}
		c.problem(field, "must be %s, not %q", list, value)
	}
	return value
}

// compile makes the library's policy of one that is written at a path of the
// document, for a run that starts then; without a start that somebody has given it
// has no moments.
func (p *policy) compile(doc input.Document, path string, start time.Time, given bool) (rollout.Policy, error) {
	c := checker{Document: doc, path: path}
	var out rollout.Policy
	out.Count = rollout.Counting{
		Nodes:     rollout.Nodes(c.oneOf("count.nodes", p.Count.Nodes, string(rollout.ExistingNodes), string(rollout.EligibleNodes))),
		MaxExempt: p.Count.MaxExempt.of(),
	}
	if names := p.Count.Exempt; len(names) > 0 {
		for _, name := range names {
			c.oneOf("count.exempt", name, exemptionNames...)
		}
		out.Count.Exempt = func(n *placement.Node) bool {
			return slices.ContainsFunc(names, func(name string) bool { return exemptions[name](n) })
		}
	}
	from := &p.Candidates
	if from.Selector != nil {
		selector, err := metav1.LabelSelectorAsSelector(from.Selector)
		if err != nil {
			c.problem("candidates.selector", "%v", err)
		}
		out.Candidates.Selector = selector
	}
	if from.Nodes != nil {
		out.Candidates.Nodes = map[string]bool{}
		for _, name := range from.Nodes {
			out.Candidates.Nodes[name] = true
		}
	}
	out.Candidates.Partition = rollout.Partition{
		Value: from.Partition.Value.of(), Base: from.Partition.Base,
		Rounding: rollout.Rounding(c.oneOf("candidates.partition.rounding", from.Partition.Rounding, string(rollout.RoundDown))),
	}
	if c.oneOf("order.by", p.Order.By, "name", "name-descending") == "name-descending" {
		out.Order.By = rollout.NameDescending
	}
	w := &p.Order.Waves
	out.Order.Waves = rollout.Waves{Label: w.Label, Values: w.Values, MaxUnavailable: w.MaxUnavailable.of()}
	l, slow := &p.Limit, &p.Limit.SlowStart
	out.Limit = rollout.Limiting{Strict: l.Strict, PerStep: l.PerStep.of(), Removals: l.Removals.of(), Burst: l.Burst.of()}
	if slow.Interval.Duration > 0 {
		out.Limit.SlowStart = rollout.SlowStart{Since: slow.Since.Time, Interval: slow.Interval.Duration, Step: slow.Step.of(), Max: slow.Max.of()}
		if slow.Since.IsZero() {
			out.Limit.SlowStart.Since = start
		}
		if slow.Interval.Duration < time.Second {
			c.problem("limit.slowStart.interval", "must be a second or more")
		}
	} else if slow.Step != nil || slow.Max != nil || !slow.Since.IsZero() {
		c.problem("limit.slowStart", "has no effect without an interval")
	}
	g := &p.Gate
	out.Gate = rollout.Gating{
		Pause: rollout.Pause(c.oneOf("gate.pause", g.Pause,
			string(rollout.PauseUpdates), string(rollout.PauseCreates), string(rollout.PauseAll))),
		Failures: rollout.FailureGate{Max: g.Failures.Max.of(), UnreadyFor: g.Failures.UnreadyFor.Duration},
		From:     g.From.Time, Until: g.Until.Time,
	}
	if !given && !(g.From.IsZero() && g.Until.IsZero() && slow.Since.IsZero()) {
		c.problem("gate", "has a moment in it, so the run needs one: give start, or -now")
	}
	if len(c.problems) > 0 {
		return rollout.Policy{}, errors.Join(c.problems...)
	}
	return out, c.check(out, start)
}

// check has the library look at all of the policy, on a fleet of one node: it
// reads the limit of a wave only when there is one.
func (c *checker) check(p rollout.Policy, now time.Time) error {
	probe := rollout.State{Now: now, Fleet: placement.Fleet{Nodes: []placement.Node{{Verdict: placement.Eligible}}}}
	if _, err := rollout.Sync(probe, p); err != nil {
		field, problem, _ := strings.Cut(strings.TrimPrefix(err.Error(), "rollout: policy."), ": ")
		return c.Errorf(c.path+field, "%s", problem)
	}
	return nil
}

// String is the policy in a few words; empty for the controller's.
func (p *policy) String() string {
	var words []string
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	add(p.Count.Nodes != "", "counts "+p.Count.Nodes+" nodes")
	add(len(p.Count.Exempt) > 0, "exempt "+strings.Join(p.Count.Exempt, ", "))
	add(p.Candidates.Selector != nil || p.Candidates.Nodes != nil, "some nodes only")
	add(p.Candidates.Partition.Value != nil, "partition "+p.Candidates.Partition.Value.word())
	add(p.Order.By == "name-descending", p.Order.By)
	add(p.Order.Waves.Label != "", "waves by "+p.Order.Waves.Label)
	add(p.Limit.Strict, "strict")
	add(p.Limit.PerStep != nil, "perStep "+p.Limit.PerStep.word())
	add(p.Limit.Burst != nil, "burst "+p.Limit.Burst.word())
	add(p.Limit.Removals != nil, "removals "+p.Limit.Removals.word())
	add(p.Limit.SlowStart.Interval.Duration > 0, "slow start")
	add(p.Gate.Pause != "", "paused")
	add(p.Gate.Failures.Max != nil, "stops at "+p.Gate.Failures.Max.word()+" failures")
	add(!p.Gate.From.IsZero() || !p.Gate.Until.IsZero(), "in a window")
	return strings.Join(words, ", ")
}
