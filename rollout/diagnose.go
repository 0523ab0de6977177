package rollout

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Condition is how an update stands. The values are stable.
type Condition string

const (
	// Done: every node that counts and is eligible has an available pod of the
	// target, and there are no old pods.
	Done Condition = "done"
	// Moving: there is something to create or delete now.
	Moving Condition = "moving"
	// Waiting: for pods that start or stop, or for a moment to come.
	Waiting Condition = "waiting"
	// Held: what is left is held by choice, of the strategy or the policy.
	Held Condition = "held"
	// Blocked: nothing will happen until somebody does something.
	Blocked Condition = "blocked"
)

// Spending is why a node spends the budget. The values are stable.
type Spending string

const (
	// NoPod: the node is eligible and has none.
	NoPod Spending = "no-pod"
	// Stopping: its pods terminate.
	Stopping Spending = "stopping"
	// SeveralPods: there are several of a kind, or an old and a new one, of which
	// one has to go.
	SeveralPods Spending = "several-pods"
	// Unscheduled: the pod has no node yet.
	Unscheduled Spending = "unscheduled"
	// PodFailed: the pod failed, or ended.
	PodFailed Spending = "pod-failed"
	// CrashLoops: a container of the pod crashes again and again.
	CrashLoops Spending = "crash-loops"
	// PodNotReady: the pod runs and is not ready.
	PodNotReady Spending = "pod-not-ready"
	// NotReadyForLong: the pod is ready, and not for minReadySeconds yet.
	NotReadyForLong Spending = "not-ready-for-long"
)

// NodeTrouble is what is wrong with a node that spends the budget; empty for
// nothing that is known. The values are stable.
type NodeTrouble string

const (
	// TroubleGone: it does not exist.
	TroubleGone NodeTrouble = "gone"
	// TroubleNotEligible: it only keeps its pod.
	TroubleNotEligible NodeTrouble = "not-eligible"
	// TroubleNotReady: its kubelet does not answer.
	TroubleNotReady NodeTrouble = "not-ready"
)

// Budget is maxUnavailable, or with surge maxSurge, in nodes.
type Budget struct {
	Surge bool `json:"surge,omitempty"`
	Limit int  `json:"limit"`
	Spent int  `json:"spent"`
}

// Spender is a node that spends the budget.
type Spender struct {
	Node        string      `json:"node"`
	Pod         string      `json:"pod,omitempty"`
	Cause       Spending    `json:"cause"`
	NodeTrouble NodeTrouble `json:"nodeTrouble,omitempty"`
	// Since is when it began; zero where the facts do not say.
	Since time.Time `json:"since,omitzero"`
	// Old: the pod is not of the target; the update itself would replace it.
	Old bool `json:"old,omitempty"`
	// Exempt ones spend nothing, unless there are too many.
	Exempt bool `json:"exempt,omitempty"`
	// Stuck: it has been so for longer than one is patient.
	Stuck bool `json:"stuck,omitempty"`

	keepOnly bool // the node is not eligible
}

// Diagnosis says how an update stands, and what stands in its way.
type Diagnosis struct {
	Condition Condition `json:"condition"`
	// Outdated counts the nodes with an old pod, Budget who may go without.
	Outdated int    `json:"outdated"`
	Budget   Budget `json:"budget"`
	// Spenders are those of the budget, and those of an update that has no old
	// pods left but is not done, by node name.
	Spenders []Spender `json:"spenders,omitempty"`
	// Held counts what is held, by reason, as in a [Plan].
	Held []Count `json:"held,omitempty"`
	// Remedies are what would make it go on, in the order of their codes.
	Remedies []Remedy `json:"remedies,omitempty"`
	// Next is when it may go on by itself; zero for never.
	Next time.Time `json:"next,omitzero"`
}

// DiagnoseOptions say how patient one is.
type DiagnoseOptions struct {
	// Patience is for how long a pod may start or stop before it counts as stuck;
	// 0 is 10 minutes, the progress deadline of a Deployment.
	Patience time.Duration
}

// Diagnose says whether the update of a state goes on, who spends its budget and
// since when, and what would unblock it. It costs two plans.
func Diagnose(s State, p Policy, o DiagnoseOptions) (Diagnosis, error) {
	if o.Patience == 0 {
		o.Patience = 10 * time.Minute
	}
	whole, err := sync(&s, &p, false)
	if err != nil {
		return Diagnosis{}, err
	}
	plan := whole.finish()
	out := Diagnosis{Held: plan.Held, Next: plan.Next}
	d, err := newDraft(&s, &p, false, nil)
	if err != nil {
		return Diagnosis{}, err
	}
	e := examination{draft: d, patience: o.Patience, out: &out}
	if err := e.look(); err != nil {
		return Diagnosis{}, err
	}
	out.Budget = d.budget
	slices.SortStableFunc(out.Spenders, func(a, b Spender) int { return cmp.Compare(a.Node, b.Node) })
	out.Spenders = slices.CompactFunc(out.Spenders, func(a, b Spender) bool { return a.Node == b.Node && a.Pod == b.Pod })
	out.Condition = e.condition(plan)
	out.Remedies = e.remedies()
	return out, nil
}

// examination collects a diagnosis.
type examination struct {
	draft     *draft
	patience  time.Duration
	out       *Diagnosis
	hostPorts []string // nodes where a new pod waits for a port of the old one
}

// look makes the update tell who spends the budget.
func (e *examination) look() error {
	d := e.draft
	d.see = e.see
	for i := range d.state.Fleet.Nodes {
		n := &d.state.Fleet.Nodes[i]
		if verdict, _, _ := d.serve(n); verdict == placement.Eligible {
			d.desired++
		}
		fresh, old, _ := d.survey.pair(n)
		if old != nil && d.survey.counts(n) == "" {
			e.out.Outdated++
		}
		if fresh != nil && old != nil && !fresh.Flags.Has(placement.Scheduled) && (usesHostPort(old.Ref) || usesHostPort(fresh.Ref)) {
			e.hostPorts = append(e.hostPorts, n.Name)
		}
	}
	if e.out.Outdated == 0 && (d.state.Spec.Strategy != appsv1.RollingUpdateDaemonSetStrategyType || d.surges) {
		d.eachBusy(e.unfinished)
	}
	return d.update()
}

// unfinished sees a node that an update without budget, or with surge, would not
// count: one without an available pod of the target.
func (e *examination) unfinished(n *placement.Node) {
	d := e.draft
	fresh, _, _ := d.survey.pair(n)
	old := slices.ContainsFunc(n.Pods, func(p placement.Pod) bool { return !p.Flags.Any(placement.Terminating | placement.Updated) })
	if verdict, _, _ := d.serve(n); verdict == placement.Eligible && !old && d.survey.counts(n) == "" && (fresh == nil || !d.available(fresh)) {
		e.see(n, d.survey.exempt(n))
	}
}

// see files one that spends the budget.
func (e *examination) see(n *placement.Node, exempt bool) {
	s := Spender{Node: n.Name, Exempt: exempt}
	switch {
	case n.Verdict == placement.Unevaluated:
		s.NodeTrouble = TroubleGone
	case NotReady(n):
		s.NodeTrouble = TroubleNotReady
	case n.Verdict != placement.Eligible:
		s.NodeTrouble = TroubleNotEligible
	}
	s.keepOnly = n.Verdict != placement.Eligible
	fresh, old, ok := e.draft.survey.pair(n)
	p := fresh
	if p == nil {
		p = old
	}
	switch {
	case len(n.Pods) == 0:
		s.Cause = NoPod
	case !ok, fresh != nil && old != nil && !e.draft.surges:
		s.Cause = SeveralPods
	case p == nil:
		s.Cause, s.Pod = Stopping, n.Pods[0].Name
		s.Since = stoppingSince(n.Pods[0].Ref)
	default:
		s.Pod, s.Old = p.Name, fresh == nil
		s.Cause, s.Since = spending(p)
	}
	s.Stuck = s.Cause == PodFailed || !s.Since.IsZero() && s.Cause != NotReadyForLong && !s.Since.Add(e.patience).After(e.draft.state.Now)
	e.out.Spenders = append(e.out.Spenders, s)
}

// stoppingSince is when somebody asked for the deletion of a pod, whose timestamp is
// of when the time that it is given is over.
func stoppingSince(pod *corev1.Pod) time.Time {
	if pod == nil || pod.DeletionTimestamp == nil {
		return time.Time{}
	}
	since := pod.DeletionTimestamp.Time
	if given := pod.DeletionGracePeriodSeconds; given != nil {
		since = since.Add(-time.Duration(*given) * time.Second)
	}
	return since
}

// spending is why a pod that is not available is not, and since when.
func spending(p *placement.Pod) (Spending, time.Time) {
	since := p.Created
	if p.ReadyChanged.After(since) {
		since = p.ReadyChanged
	}
	switch {
	case p.Flags.Any(placement.Failed | placement.Succeeded):
		return PodFailed, since
	case !p.Flags.Has(placement.Scheduled):
		return Unscheduled, p.Created
	case p.Flags.Has(placement.Ready):
		return NotReadyForLong, p.ReadyChanged
	case p.Flags.Has(placement.CrashLooping):
		return CrashLoops, since
	}
	return PodNotReady, since
}

// condition weighs what was seen.
func (e *examination) condition(plan Plan) Condition {
	moves := slices.ContainsFunc(e.out.Spenders, func(s Spender) bool { return !s.Stuck && (!s.Exempt || e.out.Outdated == 0) })
	paused := slices.ContainsFunc(plan.Held, func(c Count) bool { return c.Reason == HeldPaused })
	kept := slices.ContainsFunc(plan.Held, func(c Count) bool { return c.Reason == HeldPartition })
	budget := slices.ContainsFunc(plan.Held, func(c Count) bool {
		return c.Reason == HeldBudget || c.Reason == HeldCapacity || c.Reason == HeldWaveBudget || c.Reason == HeldWave && !kept
	})
	gone := slices.ContainsFunc(plan.Held, func(c Count) bool { return c.Reason == HeldNodeGone })
	switch {
	case !plan.Empty():
		return Moving
	case e.draft.state.InFlight.any():
		return Waiting
	case paused:
		return Held
	case len(e.hostPorts) > 0:
		return Blocked
	case e.out.Outdated == 0 && !slices.ContainsFunc(e.out.Spenders, func(s Spender) bool { return !s.keepOnly }):
		return Done
	case e.out.Outdated > 0 && !budget && (gone || !e.out.Next.IsZero()): // gone pods are garbage to be collected
		return Waiting
	case e.out.Outdated > 0 && !budget && len(plan.Held) > 0:
		return Held
	case moves || !e.out.Next.IsZero():
		return Waiting
	}
	return Blocked
}

// usesHostPort reports whether a pod keeps a second one of its kind off its node.
func usesHostPort(pod *corev1.Pod) bool {
	if pod == nil {
		return false
	}
	return slices.ContainsFunc(append(slices.Clone(pod.Spec.InitContainers), pod.Spec.Containers...), func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool {
			return p.HostPort != 0 || pod.Spec.HostNetwork && p.ContainerPort != 0
		})
	})
}
