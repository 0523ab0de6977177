package rollout

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// Policy is what a rollout does besides the rules of the controller; the zero
// Policy is the controller's. Its stages apply in the order of the fields. Count
// says whose unavailability spends the budget. Every stage after it only takes
// candidates away or lowers a limit, and what it holds has a reason of its own, so
// that any combination has a meaning.
//
// Percentages are of the eligible nodes and rounded up, where nothing else is
// said. A negative number, or what is neither a number nor a percentage, is an
// error that names the field.
//
// Labels are read from Node.Ref. See [Policy.Mark] to read them but once.
type Policy struct {
	Count      Counting
	Candidates Candidates
	Order      Ordering
	Limit      Limiting
	Gate       Gating
}

// Counting says which nodes spend the budget.
type Counting struct {
	// Nodes are those that count and that are updated at all. The controller and
	// OpenKruise take every node that has a pod, so that one on a node that is
	// drained or gone may hold the others up (kubernetes#117204); OpenKruise's feature gate
	// DaemonSetPruneIneligibleNodes, SwarmKit and Nomad are like EligibleNodes.
	Nodes Nodes
	// Exempt reports the nodes whose unavailability is free: [NotReady],
	// [NotReadyBefore], [Cordoned], or a function of one's own, which must be
	// pure. Their pods are replaced like any other; OpenYurt passes such nodes
	// over altogether. It is asked for unavailable nodes alone. Nil exempts none.
	Exempt func(*placement.Node) bool
	// MaxExempt is how many may be exempt, the others count; nil is no limit.
	// ExtendedDaemonSet's maxPodSchedulerFailure is one, for pods that are not
	// scheduled or do not terminate.
	MaxExempt *intstr.IntOrString
}

// Nodes is a choice of nodes.
type Nodes string

const (
	// NodesWithPods: every node that is eligible or has a pod, as the controller.
	NodesWithPods Nodes = ""
	// ExistingNodes: no node that does not exist.
	ExistingNodes Nodes = "existing"
	// EligibleNodes: no node that only keeps its pod either, as it would not get
	// another one (prometheus-operator/runbooks#55).
	EligibleNodes Nodes = "eligible"
)

// Candidates says which old pods are replaced. A node that is not a candidate is
// served from [State.Stable], if there is one, unless it runs the target already.
type Candidates struct {
	// Selector is of the labels of nodes; nil selects all. OpenKruise has it too,
	// but counts no unavailable pods of the nodes that it drops; here they count.
	Selector labels.Selector
	// Nodes are the names of the chosen ones, such as a canary set; nil is all.
	// ExtendedDaemonSet and Nomad choose them, see the package canary.
	Nodes map[string]bool
	// Partition keeps nodes at what they have.
	Partition Partition
	// NoRestart are hashes of revisions that differ from the target in nothing that
	// a running pod would notice, as in placement or labels. Their pods are left
	// alone and count as new. SwarmKit does so where only the placement differs;
	// revision.Diff tells the class of a difference.
	NoRestart map[string]bool
}

// Partition is a number of eligible nodes that keep what they have. OpenKruise has it,
// see [KruisePartition], and Kruise Rollouts, of pods. Nodes that run
// the target, and those that have no pod and will get one, are the updated ones;
// where these are too many already nothing is undone.
type Partition struct {
	// Value is the number or percentage of nodes to keep; nil is none.
	Value *intstr.IntOrString
	// Rounding is of a percentage.
	Rounding Rounding
	// Base is what a percentage is of; 0 is the eligible nodes of now.
	Base int
}

// Rounding is what becomes of a fraction.
type Rounding string

// The ways to round.
const (
	RoundUp   Rounding = ""
	RoundDown Rounding = "down"
)

// Ordering says whose turn it is.
type Ordering struct {
	// By compares nodes; equal ones are ordered by name. It must be pure. Of the
	// engines only OpenKruise has an order, [NameDescending]. Nil is by name. It
	// orders creates as well.
	By func(a, b *placement.Node) int
	// Waves go by groups of nodes.
	Waves Waves
}

// Waves update the nodes that have the same value of a label together. A wave
// starts when in the one before every eligible candidate that is not exempt runs
// an available pod of the target; where one of them loses it, that wave has its
// turn again. No other engine has this; OpenYurt users ask for it by pool.
type Waves struct {
	// Label is the key; empty is no waves. Nodes without it come last.
	Label string
	// Values come first, in this order; the others after them, sorted.
	Values []string
	// MaxUnavailable is how many nodes of the wave may be unavailable, or with
	// surge surging, at a time; percentages are of the nodes of the wave. Nil is
	// no limit but that of the strategy.
	MaxUnavailable *intstr.IntOrString
}

// Limiting says how many at a time.
type Limiting struct {
	// Strict makes old pods that are not available spend the budget too: they are
	// replaced no faster than the budget allows, and before any available one. No
	// replacement makes the number of available nodes fall below what the budget
	// says. With surge they spend maxSurge. The controller and OpenKruise replace
	// them without limit; Deckhouse's patch of OpenKruise is like this, and cuts
	// both kinds together.
	Strict bool
	// PerStep is how many nodes one plan updates; nil is no limit. Of the engines
	// ExtendedDaemonSet alone has such a pace, of 10 seconds; here it is the caller
	// that leaves time between plans.
	PerStep *intstr.IntOrString
	// Removals is how many pods one plan deletes because their node is excluded or
	// gone; nil is no limit. A label or a template that is changed by mistake takes
	// no more than that at a time (kubernetes#54565, kruise#815), if the caller leaves time
	// between plans. While any are held nothing is updated. No engine has it.
	Removals *intstr.IntOrString
	// SlowStart is how many at first.
	SlowStart SlowStart
	// Burst is how many pods one plan creates, and how many it deletes; nil is
	// [Burst], which is also the most. OpenKruise's burstReplicas may be more, and
	// rounds percentages down, to none where there are few nodes.
	Burst *intstr.IntOrString
}

// SlowStart limits what one plan creates and what it updates, by a number that
// grows with time: Step more for every Interval since a moment, up to Max. It
// looks again when the number grows. ExtendedDaemonSet limits its creates so, see
// [ExtendedSlowStart]; here updates too, as each leads to a create.
type SlowStart struct {
	// Since is when the rollout started; before it only the first Step is allowed.
	// It must be set.
	Since time.Time
	// Interval is positive; 0 is no slow start.
	Interval time.Duration
	Step     *intstr.IntOrString // nil is 1
	Max      *intstr.IntOrString // nil is no limit
}

// Gating says whether anything is updated now. While a gate is closed nodes are
// served from [State.Stable], as those that are no candidates.
type Gating struct {
	// Pause stops by hand. The level of OpenKruise's paused is PauseUpdates;
	// ExtendedDaemonSet has that and, as frozen, PauseAll.
	Pause Pause
	// Failures stops by itself.
	Failures FailureGate
	// From and Until bound the time in which updates start; the zero time is no
	// bound. Until is not in it. No other engine has them.
	From, Until time.Time
}

// Pause is what is stopped.
type Pause string

const (
	// PauseNone stops nothing.
	PauseNone Pause = ""
	// PauseUpdates stops updates. Nodes still get the pods that they lack, and
	// lose those that they must not have; with surge, an old pod goes once the new
	// one beside it is available.
	PauseUpdates Pause = "updates"
	// PauseCreates stops updates and creates, so that nothing happens but that pods
	// go which must (kubernetes/enhancements#5262).
	PauseCreates Pause = "creates"
	// PauseAll stops everything.
	PauseAll Pause = "all"
)

// FailureGate stops updates while too many of the pods of the target fail.
// SwarmKit's failure action pauses by a ratio too, and remembers it; here updates
// go on when the pods have recovered, or have been deleted, as failed ones are.
type FailureGate struct {
	// Max is how many may fail; percentages are of the pods of the target, and not
	// rounded. Nil is no gate.
	Max *intstr.IntOrString
	// UnreadyFor is after how long a pod that is not ready counts as failing, as
	// one that failed or crash-loops does at once; 0 is never.
	UnreadyFor time.Duration
}

// Zero reports whether the policy is the controller's.
func (p Policy) Zero() bool {
	return p.Count.Nodes == NodesWithPods && p.Count.Exempt == nil && p.Count.MaxExempt == nil &&
		p.Candidates.Selector == nil && p.Candidates.Nodes == nil && len(p.Candidates.NoRestart) == 0 &&
		p.Candidates.Partition == Partition{} &&
		p.Order.By == nil && p.Order.Waves.Label == "" && p.Order.Waves.MaxUnavailable == nil &&
		p.Limit == Limiting{} && p.Gate == Gating{}
}

// Check reports the first value that cannot be used, with the field that it is in.
// Plans do so too.
func (p Policy) Check() error {
	switch p.Count.Nodes {
	case NodesWithPods, ExistingNodes, EligibleNodes:
	default:
		return fmt.Errorf("rollout: policy.count.nodes: %q is unknown", p.Count.Nodes)
	}
	switch p.Gate.Pause {
	case PauseNone, PauseUpdates, PauseCreates, PauseAll:
	default:
		return fmt.Errorf("rollout: policy.gate.pause: %q is unknown", p.Gate.Pause)
	}
	if g := p.Gate; !g.From.IsZero() && !g.Until.IsZero() && !g.From.Before(g.Until) {
		return fmt.Errorf("rollout: policy.gate.until: not after from")
	}
	if p.Gate.Failures.UnreadyFor < 0 {
		return fmt.Errorf("rollout: policy.gate.failures.unreadyFor: %s is negative", p.Gate.Failures.UnreadyFor)
	}
	for _, v := range []struct {
		field string
		value *intstr.IntOrString
	}{
		{"count.maxExempt", p.Count.MaxExempt}, {"order.waves.maxUnavailable", p.Order.Waves.MaxUnavailable},
		{"limit.perStep", p.Limit.PerStep}, {"limit.removals", p.Limit.Removals}, {"limit.burst", p.Limit.Burst},
		{"gate.failures.max", p.Gate.Failures.Max},
	} {
		if _, err := share(v.field, v.value, 1, RoundUp, 0); err != nil {
			return err
		}
	}
	if _, err := p.Candidates.Partition.Keep(1); err != nil {
		return err
	}
	_, _, err := p.Limit.SlowStart.At(time.Time{}, 1)
	return err
}

// The marks of [Policy.Mark].
const (
	markRead placement.Marks = 1 << iota
	markSelected
	markChosen
)

// Mark returns the node with what the policy asks of its labels and its name in
// Marks and Group. It is made for placement.Reading.Node, so that labels are read
// when the rest of the node is, and a plan reads none:
//
//	reading.Node = policy.Mark
//
// Nodes that are not marked are read in every plan. Marks of another policy must
// not be used. The upper 13 marks stay as they are.
func (p Policy) Mark(n placement.Node) placement.Node {
	n.Marks, n.Group = p.read(&n)
	return n
}

func (p *Policy) read(n *placement.Node) (placement.Marks, string) {
	var of map[string]string
	if n.Ref != nil {
		of = n.Ref.Labels
	}
	m := n.Marks&^(markSelected|markChosen) | markRead
	if p.Candidates.Selector == nil || p.Candidates.Selector.Matches(labels.Set(of)) {
		m |= markSelected
	}
	if p.Candidates.Nodes == nil || p.Candidates.Nodes[n.Name] {
		m |= markChosen
	}
	group := n.Group
	if p.Order.Waves.Label != "" {
		group = of[p.Order.Waves.Label]
	}
	return m, group
}

// view is read, for a node that may be marked.
func (p *Policy) view(n *placement.Node) (placement.Marks, string) {
	if n.Marks.Has(markRead) {
		return n.Marks, n.Group
	}
	return p.read(n)
}
