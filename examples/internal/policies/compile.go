package policies

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// The names of the orders.
const (
	byName           = "name"
	byNameDescending = "name-descending"
)

// Exemptions are what count.exempt may name.
var Exemptions = []string{"not-ready", "not-ready-before", "cordoned"}

var exemptions = map[string]func(*placement.Node) bool{
	"not-ready": rollout.NotReady, "not-ready-before": rollout.NotReadyBefore, "cordoned": rollout.Cordoned,
}

// Compile makes the library's policy of what is written. The error has all that the
// checker knows of, and without any the first thing that the library refuses.
func (p Policy) Compile(c *input.Checker) (rollout.Policy, error) {
	keep, waves, limit, slow, gate := p.Candidates.Partition, p.Order.Waves, p.Limit, p.Limit.SlowStart, p.Gate
	compiled := rollout.Policy{
		Count: rollout.Counting{
			Nodes:     input.OneOf(c, "count.nodes", p.Count.Nodes, rollout.ExistingNodes, rollout.EligibleNodes),
			Exempt:    p.Count.exempt(c),
			MaxExempt: p.Count.MaxExempt.Of(),
		},
		Candidates: rollout.Candidates{
			Selector: selector(c, "candidates.selector", p.Candidates.Selector),
			Partition: rollout.Partition{
				Value: keep.Value.Of(), Base: keep.Base,
				Rounding: input.OneOf(c, "candidates.partition.rounding", keep.Rounding, rollout.RoundDown),
			},
		},
		Order: rollout.Ordering{
			Waves: rollout.Waves{Label: waves.Label, Values: waves.Values, MaxUnavailable: waves.MaxUnavailable.Of()},
		},
		Limit: rollout.Limiting{
			Strict: limit.Strict, PerStep: limit.PerStep.Of(), Removals: limit.Removals.Of(), Burst: limit.Burst.Of(),
			SlowStart: rollout.SlowStart{
				Since: slow.Since.Time, Interval: slow.Interval.Duration, Step: slow.Step.Of(), Max: slow.Max.Of(),
			},
		},
		Gate: rollout.Gating{
			Pause:    input.OneOf(c, "gate.pause", gate.Pause, rollout.PauseUpdates, rollout.PauseCreates, rollout.PauseAll),
			Failures: rollout.FailureGate{Max: gate.Failures.Max.Of(), UnreadyFor: gate.Failures.UnreadyFor.Duration},
			From:     gate.From.Time, Until: gate.Until.Time,
		},
	}
	if p.Candidates.Nodes != nil {
		compiled.Candidates.Nodes = map[string]bool{}
		for _, name := range p.Candidates.Nodes {
			compiled.Candidates.Nodes[name] = true
		}
	}
	for i, class := range p.Candidates.NoRestart {
		input.Named(c, fmt.Sprintf("candidates.noRestart[%d]", i), class,
			revision.NoChange, revision.MetadataOnly, revision.PlacementOnly, revision.ImageOnly, revision.ResourcesOnly)
	}
	if input.OneOf(c, "order.by", p.Order.By, byName, byNameDescending) == byNameDescending {
		compiled.Order.By = rollout.NameDescending
	}
	p.idle(c)
	if err := c.Err(); err != nil {
		return rollout.Policy{}, err
	}
	if err := compiled.Check(); err != nil {
		field, problem, _ := strings.Cut(strings.TrimPrefix(err.Error(), "rollout: policy."), ": ")
		c.Problem(field, "%s", problem)
		return rollout.Policy{}, c.Err()
	}
	return compiled, nil
}

func selector(c *input.Checker, field string, s *metav1.LabelSelector) labels.Selector {
	if s == nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		c.Problem(field, "%v", err)
		return nil
	}
	return selector
}

// exempt makes one function of those that are named, and of the selector.
func (d Counting) exempt(c *input.Checker) func(*placement.Node) bool {
	var all []func(*placement.Node) bool
	for i, name := range d.Exempt {
		all = append(all, exemptions[input.Named(c, fmt.Sprintf("count.exempt[%d]", i), name, Exemptions...)])
	}
	if selector := selector(c, "count.exemptSelector", d.ExemptSelector); selector != nil {
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
func (p Policy) idle(c *input.Checker) {
	need := func(there bool, field string, has bool, of string) {
		if there && !has {
			c.Problem(field, "has no effect without %s", of)
		}
	}
	need(p.Count.MaxExempt != nil, "count.maxExempt", len(p.Count.Exempt) > 0 || p.Count.ExemptSelector != nil, "exempt or exemptSelector")
	keep := p.Candidates.Partition
	need(keep.Rounding != "", "candidates.partition.rounding", keep.Value != nil, "value")
	need(keep.Base != 0, "candidates.partition.base", keep.Value != nil, "value")
	w := p.Order.Waves
	need(w.Values != nil, "order.waves.values", w.Label != "", "label")
	need(w.MaxUnavailable != nil, "order.waves.maxUnavailable", w.Label != "", "label")
	slow := p.Limit.SlowStart
	need(!slow.Since.IsZero() || slow.Step != nil || slow.Max != nil, "limit.slowStart", slow.Interval.Duration != 0, "interval")
	need(slow.Interval.Duration != 0, "limit.slowStart", !slow.Since.IsZero(), "since")
	need(p.Gate.Failures.UnreadyFor.Duration != 0, "gate.failures.unreadyFor", p.Gate.Failures.Max != nil, "max")
}
