package rollout

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// RemedyCode names what would make an update go on. The values are stable.
type RemedyCode string

const (
	// RepairPods: the new pods do not start; repair the template or roll back.
	RepairPods RemedyCode = "repair-pods"
	// RepairNodes: the kubelets of these nodes do not answer.
	RepairNodes RemedyCode = "repair-nodes"
	// ExemptNodes: they need not spend the budget, see [Counting.Exempt].
	ExemptNodes RemedyCode = "exempt-nodes"
	// CountEligible: nodes that are gone or only keep a pod need not either, see
	// [Counting.Nodes].
	CountEligible RemedyCode = "count-eligible"
	// MoreAvailable: with surge, pods on nodes that get no new one stay until more
	// are available elsewhere.
	MoreAvailable RemedyCode = "more-available"
	// RaiseBudget: a budget that is larger than what is spent would do.
	RaiseBudget RemedyCode = "raise-budget"
	// NoSurge: a new pod needs a host port that the old one has, so that no surge
	// can ever get on; maxUnavailable would.
	NoSurge RemedyCode = "no-surge"
	// DeletePods: the strategy rolls nothing; delete old pods by hand.
	DeletePods RemedyCode = "delete-pods"
	// Resume: somebody paused it.
	Resume RemedyCode = "resume"
	// WidenPolicy: the candidates or the limits of the policy let no more happen.
	WidenPolicy RemedyCode = "widen-policy"
	// OpenWindow: it is not the time for updates.
	OpenWindow RemedyCode = "open-window"
)

// Remedy is one thing that would make an update go on.
type Remedy struct {
	Code  RemedyCode `json:"code"`
	Nodes []string   `json:"nodes,omitempty"`
	Text  string     `json:"text"`
}

// remedies are for an update that does not move.
func (e *examination) remedies() []Remedy {
	out := e.out
	if out.Condition == Moving || out.Condition == Done {
		return nil
	}
	var all []Remedy
	add := func(code RemedyCode, nodes []string, format string, args ...any) {
		all = append(all, Remedy{Code: code, Nodes: nodes, Text: fmt.Sprintf(format, args...)})
	}
	nodes := func(which func(Spender) bool) (names []string) {
		for _, s := range out.Spenders {
			if which(s) {
				names = append(names, s.Node)
			}
		}
		return names
	}
	held := func(reasons ...Reason) bool {
		return slices.ContainsFunc(out.Held, func(c Count) bool { return slices.Contains(reasons, c.Reason) })
	}
	spent := held(HeldBudget, HeldCapacity, HeldWave, HeldWaveBudget)
	if names := nodes(func(s Spender) bool { return s.keepOnly }); len(names) > 0 && spent {
		add(CountEligible, names, "pods that no other will follow, on %s, spend the budget: let only eligible nodes count", several(len(names), "node"))
	}
	if held(HeldStrategy) {
		add(DeletePods, nil, "the strategy is not RollingUpdate: delete old pods by hand")
	}
	if names := nodes(func(s Spender) bool { return s.NodeTrouble == TroubleNotReady && !s.Exempt }); len(names) > 0 && spent {
		add(ExemptNodes, names, "the kubelet of %s does not answer: exempt it from the budget", several(len(names), "node"))
	}
	if held(HeldCapacity) {
		add(MoreAvailable, nil, "pods on nodes that get no new one stay until more are available elsewhere")
	}
	if len(e.hostPorts) > 0 {
		slices.Sort(e.hostPorts)
		add(NoSurge, e.hostPorts, "the new pod needs a host port that the old one has: use maxUnavailable instead of maxSurge")
	}
	if held(HeldWindow) {
		add(OpenWindow, nil, "updates are not allowed at this time")
	}
	if b := out.Budget; held(HeldBudget) && b.Spent >= b.Limit {
		name := "maxUnavailable"
		if b.Surge {
			name = "maxSurge"
		}
		add(RaiseBudget, nil, "%s %d is spent: with %d one more node would be updated", name, b.Limit, b.Spent+1)
	}
	if names := nodes(func(s Spender) bool { return s.NodeTrouble == TroubleNotReady }); len(names) > 0 {
		add(RepairNodes, names, "the kubelet of %s does not answer", several(len(names), "node"))
	}
	repair := func(names []string) {
		add(RepairPods, names, "new pods of %s do not become available: repair the template, or go back", several(len(names), "node"))
	}
	if names := nodes(func(s Spender) bool { return s.Stuck && !s.Old && s.NodeTrouble == "" && s.Pod != "" }); len(names) > 0 || held(HeldFailures) {
		repair(names)
	}
	if held(HeldPaused) {
		add(Resume, nil, "the rollout is paused")
	}
	if held(HeldSelector, HeldNotChosen, HeldPartition, HeldNotEligible, HeldStep, HeldSlowStart, HeldWave, HeldWaveBudget, HeldRemovals, HeldBurst, HeldTurn) {
		add(WidenPolicy, nil, "the policy lets no more happen now")
	}
	if names := nodes(func(s Spender) bool { return s.Stuck }); len(all) == 0 && len(names) > 0 {
		repair(names) // nothing else helps, be it on a node that gets no pods any more
	}
	slices.SortStableFunc(all, func(a, b Remedy) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// several is a number of something.
func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// String is the diagnosis for a person: how it stands, who spends the budget, and
// what would help, a line for each.
func (d Diagnosis) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s with an old pod", d.Condition, several(d.Outdated, "node"))
	if d.Budget != (Budget{}) {
		name := "maxUnavailable"
		if d.Budget.Surge {
			name = "maxSurge"
		}
		fmt.Fprintf(&b, ", %d of %s %d spent", d.Budget.Spent, name, d.Budget.Limit)
	}
	b.WriteByte('\n')
	for _, s := range d.Spenders {
		fmt.Fprintf(&b, "  %s", s.Node)
		if s.NodeTrouble != "" {
			fmt.Fprintf(&b, " (%s)", s.NodeTrouble)
		}
		if s.Pod != "" {
			fmt.Fprintf(&b, ", %s", s.Pod)
		}
		fmt.Fprintf(&b, ": %s", s.Cause)
		if !s.Since.IsZero() {
			fmt.Fprintf(&b, " since %s", s.Since.Format(time.RFC3339))
		}
		if s.Exempt {
			b.WriteString(", exempt")
		}
		if s.Stuck {
			b.WriteString(", stuck")
		}
		b.WriteByte('\n')
	}
	for _, h := range d.Held {
		fmt.Fprintf(&b, "  %d held: %s\n", h.N, h.Reason)
	}
	for _, r := range d.Remedies {
		fmt.Fprintf(&b, "  %s: %s\n", r.Code, r.Text)
	}
	if !d.Next.IsZero() {
		fmt.Fprintf(&b, "  look again at %s\n", d.Next.Format(time.RFC3339))
	}
	return b.String()
}
