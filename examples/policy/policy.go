package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// policy is one that was read, and where.
type policy struct {
	rollout.Policy
	input.Document
	// noRestart are the classes of differences for which no pod is restarted:
	// which revisions these are differs between DaemonSets.
	noRestart []revision.Class
	given     bool // there is a file
}

// readPolicy reads the policy of the command line, or that of the demonstration.
func readPolicy(o options, stdin io.Reader) (policy, error) {
	p := policy{given: o.policy != "" || len(o.files) == 0}
	var err error
	switch {
	case o.policy != "":
		p.Document, err = input.ReadDocument(o.policy, stdin)
	case p.given:
		p.Document, err = input.DocumentOf(demoPolicyName, demoText(demoPolicyName))
	default:
		return p, nil
	}
	if err != nil {
		return p, err
	}
	var written document
	if err := p.Decode(&written); err != nil {
		return p, err
	}
	if err := p.compile(written); err != nil {
		return p, err
	}
	return p, p.check(o.now)
}

// compile makes the library's policy of what is written.
func (p *policy) compile(d document) error {
	c := compiler{Document: p.Document}
	p.Count = rollout.Counting{
		Nodes:     rollout.Nodes(c.oneOf("count.nodes", d.Count.Nodes, string(rollout.ExistingNodes), string(rollout.EligibleNodes))),
		Exempt:    c.exempt(d.Count),
		MaxExempt: d.Count.MaxExempt.of(),
	}
	p.Candidates = rollout.Candidates{
		Selector: c.selector("candidates.selector", d.Candidates.Selector),
		Partition: rollout.Partition{
			Value:    d.Candidates.Partition.Value.of(),
			Rounding: rollout.Rounding(c.oneOf("candidates.partition.rounding", d.Candidates.Partition.Rounding, string(rollout.RoundDown))),
			Base:     d.Candidates.Partition.Base,
		},
	}
	if d.Candidates.Nodes != nil {
		p.Candidates.Nodes = map[string]bool{}
		for _, name := range d.Candidates.Nodes {
			p.Candidates.Nodes[name] = true
		}
	}
	for i, name := range d.Candidates.NoRestart {
		p.noRestart = append(p.noRestart, revision.Class(c.named(fmt.Sprintf("candidates.noRestart[%d]", i), name, restartClasses...)))
	}
	if c.oneOf("order.by", d.Order.By, byName, byNameDescending) == byNameDescending {
		p.Order.By = rollout.NameDescending
	}
	p.Order.Waves = rollout.Waves{
		Label: d.Order.Waves.Label, Values: d.Order.Waves.Values, MaxUnavailable: d.Order.Waves.MaxUnavailable.of(),
	}
	slow := d.Limit.SlowStart
	p.Limit = rollout.Limiting{
		Strict: d.Limit.Strict, PerStep: d.Limit.PerStep.of(), Removals: d.Limit.Removals.of(), Burst: d.Limit.Burst.of(),
		SlowStart: rollout.SlowStart{
			Since: slow.Since.Time, Interval: slow.Interval.Duration, Step: slow.Step.of(), Max: slow.Max.of(),
		},
	}
	p.Gate = rollout.Gating{
		Pause: rollout.Pause(c.oneOf("gate.pause", d.Gate.Pause,
			string(rollout.PauseUpdates), string(rollout.PauseCreates), string(rollout.PauseAll))),
		Failures: rollout.FailureGate{Max: d.Gate.Failures.Max.of(), UnreadyFor: d.Gate.Failures.UnreadyFor.Duration},
		From:     d.Gate.From.Time, Until: d.Gate.Until.Time,
	}
	c.idle(d)
	return errors.Join(c.problems...)
}

// The names of the orders.
const (
	byName           = "name"
	byNameDescending = "name-descending"
)

// restartClasses are those of which one can say that no pod need restart.
var restartClasses = []string{
	string(revision.NoChange), string(revision.MetadataOnly), string(revision.PlacementOnly),
	string(revision.ImageOnly), string(revision.ResourcesOnly),
}

// exemptions are what count.exempt may name.
var exemptions = map[string]func(*placement.Node) bool{
	"not-ready": rollout.NotReady, "not-ready-before": rollout.NotReadyBefore, "cordoned": rollout.Cordoned,
}

// compiler collects what cannot be used in a document.
type compiler struct {
	input.Document
	problems []error
}

func (c *compiler) problem(field, format string, args ...any) {
	c.problems = append(c.problems, c.Errorf(field, format, args...))
}

// oneOf is named, and nothing may be written too.
func (c *compiler) oneOf(field, value string, names ...string) string {
	if value == "" {
		return ""
	}
	return c.named(field, value, names...)
}

// named returns a value that must be one of some names.
func (c *compiler) named(field, value string, names ...string) string {
	if !slices.Contains(names, value) {
		c.problem(field, "must be %s, not %q", orList(names), value)
	}
	return value
}

func orList(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func (c *compiler) selector(field string, s *metav1.LabelSelector) labels.Selector {
	if s == nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		c.problem(field, "%v", err)
		return nil
	}
	return selector
}

// exempt makes one function of those that are named, and of the selector.
func (c *compiler) exempt(d counting) func(*placement.Node) bool {
	var all []func(*placement.Node) bool
	for i, name := range d.Exempt {
		c.named(fmt.Sprintf("count.exempt[%d]", i), name, "not-ready", "not-ready-before", "cordoned")
		all = append(all, exemptions[name])
	}
	if selector := c.selector("count.exemptSelector", d.ExemptSelector); selector != nil {
		all = append(all, func(n *placement.Node) bool { return n.Ref != nil && selector.Matches(labels.Set(n.Ref.Labels)) })
	}
	if all == nil {
		return nil
	}
	return func(n *placement.Node) bool {
		return slices.ContainsFunc(all, func(is func(*placement.Node) bool) bool { return is(n) })
	}
}

// idle finds what would have no effect, as something else is missing.
func (c *compiler) idle(d document) {
	need := func(there bool, field string, has bool, of string) {
		if there && !has {
			c.problem(field, "has no effect without %s", of)
		}
	}
	need(d.Count.MaxExempt != nil, "count.maxExempt", len(d.Count.Exempt) > 0 || d.Count.ExemptSelector != nil, "exempt or exemptSelector")
	keep := d.Candidates.Partition
	need(keep.Rounding != "", "candidates.partition.rounding", keep.Value != nil, "value")
	need(keep.Base != 0, "candidates.partition.base", keep.Value != nil, "value")
	w := d.Order.Waves
	need(w.Values != nil, "order.waves.values", w.Label != "", "label")
	need(w.MaxUnavailable != nil, "order.waves.maxUnavailable", w.Label != "", "label")
	slow := d.Limit.SlowStart
	need(!slow.Since.IsZero() || slow.Step != nil || slow.Max != nil, "limit.slowStart", slow.Interval.Duration != 0, "interval")
	need(slow.Interval.Duration != 0, "limit.slowStart", !slow.Since.IsZero(), "since")
	need(d.Gate.Failures.UnreadyFor.Duration != 0, "gate.failures.unreadyFor", d.Gate.Failures.Max != nil, "max")
}

// check has the library look at all of the policy, on a fleet of one node: it
// reads the limit of a wave only when there is one.
func (p *policy) check(now time.Time) error {
	probe := rollout.State{Now: now, Fleet: placement.Fleet{Nodes: []placement.Node{{Verdict: placement.Eligible}}}}
	_, err := rollout.Sync(probe, p.Policy)
	if err == nil {
		return nil
	}
	field, problem, _ := strings.Cut(strings.TrimPrefix(err.Error(), "rollout: policy."), ": ")
	return p.Errorf(field, "%s", problem)
}
