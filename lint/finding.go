package lint

import (
	"cmp"
	"fmt"
)

// Severity says how bad a finding is. The values are stable.
type Severity string

const (
	// Error: it does not work as it is written.
	Error Severity = "error"
	// Warning: it works, and most likely not as it was meant.
	Warning Severity = "warning"
	// Notice: it may be meant; somebody should have looked at it.
	Notice Severity = "notice"
)

// rank orders severities, the worst first.
func (s Severity) rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	}
	return 2
}

// Finding is one thing that a rule has to say about a DaemonSet.
type Finding struct {
	Rule     RuleID   `json:"rule"`
	Severity Severity `json:"severity"`
	// Field is where it stands in the DaemonSet, defaults filled in.
	Field string `json:"field"`
	// Message says what is so, with its numbers.
	Message string `json:"message"`
	// Suggestion says what to do about it.
	Suggestion string `json:"suggestion"`
}

// String is the finding in one line, without the suggestion.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", f.Severity, f.Field, f.Message, f.Rule)
}

// compare orders findings by severity, the worst first, then by rule, field,
// message and suggestion.
func (f Finding) compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.Severity.rank(), g.Severity.rank()),
		cmp.Compare(f.Rule, g.Rule),
		cmp.Compare(f.Field, g.Field),
		cmp.Compare(f.Message, g.Message),
		cmp.Compare(f.Suggestion, g.Suggestion),
	)
}
