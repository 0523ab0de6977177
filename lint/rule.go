package lint

import "slices"

// RuleID names a rule. The values are stable.
type RuleID string

// Needs says what a rule needs besides the DaemonSet.
type Needs string

const (
	// NeedsNothing: the rule looks at the object alone, and some say more with
	// nodes.
	NeedsNothing Needs = ""
	// NeedsNodes: without Context.Nodes the rule says nothing.
	NeedsNodes Needs = "nodes"
	// NeedsOthers: without Context.Others the rule says nothing.
	NeedsOthers Needs = "others"
)

// Rule is one thing that is looked for. The documentation of a rule is data, so
// that a program can show it beside a finding.
type Rule struct {
	ID       RuleID   `json:"id"`
	Severity Severity `json:"severity"`
	Needs    Needs    `json:"needs,omitempty"`
	// Summary says what is looked for, in one line.
	Summary string `json:"summary"`
	// Why says what goes wrong.
	Why string `json:"why"`
	// Source is a page of the documentation, or an issue of somebody whom it
	// happened to.
	Source string `json:"source"`

	check func(*subject, report)
}

// Rules returns all rules in the order of the table: where pods run, what they
// tolerate, what they cost, how they roll, labels, and what is named for review. The
// slice is new.
func Rules() []Rule { return slices.Clone(table) }
