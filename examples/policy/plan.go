package main

import (
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/current"
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	counters "github.com/daemonplan/daemonplan/status"
)

// plan plans every DaemonSet that was read. With an error it returns the warnings
// too, which may explain it.
func plan(in input.Objects, o options, p policy) (*report, error) {
	r := &report{
		Now: output.Time(o.now), Policy: p.File, DaemonSets: []daemonSetReport{},
		PassedOver: in.PassedOver, Warnings: append([]input.Warning{}, in.Warnings...),
	}
	r.Warnings = append(r.Warnings, p.unmet(in.Nodes)...)
	var problems []error
	for _, m := range in.DaemonSets {
		one := planner{in: in, o: o, policy: p, manifest: m, ds: lint.Default(m.DaemonSet)}
		ds, err := one.plan()
		r.Warnings = append(r.Warnings, one.warnings...)
		problems = append(problems, err)
		r.DaemonSets = append(r.DaemonSets, ds)
	}
	return r, errors.Join(problems...)
}

// planner plans one DaemonSet.
type planner struct {
	in       input.Objects
	o        options
	policy   policy
	manifest input.Manifest
	ds       *appsv1.DaemonSet // with the defaults of the API server
	warnings []input.Warning
}

func (p *planner) warn(field, format string, args ...any) {
	p.warnings = append(p.warnings, p.manifest.Warning(field, format, args...))
}

// plan asks the library everything: what a sync does and holds under the policy,
// what it does without, and what stands in the way.
func (p *planner) plan() (daemonSetReport, error) {
	r := daemonSetReport{Identity: input.Identity{Namespace: p.ds.Namespace, Name: p.ds.Name, Source: p.manifest.Place}}
	state, err := p.state(&r)
	if err != nil {
		return r, err
	}
	plan, diagnosis, err := p.ask(state, p.policy.Policy)
	if err != nil {
		return r, err
	}
	without, anyway, err := p.ask(state, rollout.Policy{})
	if err != nil {
		return r, err
	}
	holds, err := rollout.Holds(state, p.policy.Policy)
	if err != nil {
		return r, p.unusable(err)
	}
	waves := p.wavesOf(state.Fleet)
	r.Plan = planOf(plan, diagnosis.Condition, waves)
	r.Without = planOf(without, anyway.Condition, waves)
	r.Holds = holdsOf(holds, waves)
	r.Diagnosis = diagnosisOf(diagnosis)
	return r, nil
}

// ask returns what a sync does under a policy, and how the update stands.
func (p *planner) ask(state rollout.State, policy rollout.Policy) (rollout.Plan, rollout.Diagnosis, error) {
	plan, err := rollout.Sync(state, policy)
	if err != nil {
		return rollout.Plan{}, rollout.Diagnosis{}, p.unusable(err)
	}
	diagnosis, err := rollout.Diagnose(state, policy, rollout.DiagnoseOptions{Patience: p.o.patience})
	if err != nil {
		return rollout.Plan{}, rollout.Diagnosis{}, p.unusable(err)
	}
	return plan, diagnosis, nil
}

// unusable gives an error of the library its place. The policy has been checked, so
// it is about the strategy.
func (p *planner) unusable(err error) error {
	field, problem, _ := strings.Cut(strings.TrimPrefix(err.Error(), "rollout: "), ": ")
	return p.manifest.Errorf(field, "%s", problem)
}

// state reads nodes and pods for the policy.
func (p *planner) state(r *daemonSetReport) (rollout.State, error) {
	selector, problem := p.in.Own(p.ds)
	if problem != nil {
		return rollout.State{}, p.manifest.Errorf(problem.Field, "%s", problem.Message)
	}
	if problem := input.Unsynced(p.ds, selector); problem != nil {
		p.warn(problem.Field, "%s", problem.Message)
	}
	if len(p.in.Pods) == 0 && p.ds.Status.CurrentNumberScheduled > 0 {
		p.warn("status", "counts pods, and no Pod was read: add kubectl get pods -o json")
	}
	pods := placement.Claim(placement.OwnerOf(p.ds), selector, p.in.Pods).Claimed
	c, err := current.Find(p.in, p.ds, selector, pods, p.o.hash)
	if err != nil {
		return rollout.State{}, p.manifest.Errorf("spec.template", "%v", err)
	}
	own := ownRevisions(p.in, p.ds, selector)
	state := rollout.State{Spec: rollout.SpecOf(p.ds), Now: p.o.now} // and no back-off, so of no generation
	if p.o.stable != "" {
		if state.Stable, c.Reading.Stable, err = stableOf(own, p.o.stable); err != nil {
			return rollout.State{}, err
		}
	}
	c.Reading.Node = p.policy.Mark
	state.Fleet = c.Fleet(p.in, placement.Compile(&p.ds.Spec.Template, placement.Options{}), pods, counters.InputOf(p.ds, p.o.now))
	switch {
	case !c.Known():
		return rollout.State{}, p.manifest.Errorf("spec.template", "which pods are old is unknown: %s", c.Note)
	case c.Collision:
		return rollout.State{}, p.manifest.Errorf("spec.template", "nothing is planned in this sync: %s", c.Note)
	}
	state.Target = p.target(c, pods)
	if state.Stable == state.Target && state.Stable != "" {
		p.warnings = append(p.warnings, input.Warning{Message: fmt.Sprintf("-stable %s: is the revision in force, so no node is served from an older one", p.o.stable)})
	}
	r.Revision, r.Stable = c.Report(), state.Stable
	r.Revision.Hash = state.Target
	r.NoRestart = asGood(own, p.ds, state.Target, p.policy.noRestart, func(format string, args ...any) {
		p.warnings = append(p.warnings, p.policy.Warning("candidates.noRestart", format, args...))
	})
	p.policy.Candidates.NoRestart = map[string]bool{}
	for _, hash := range r.NoRestart {
		p.policy.Candidates.NoRestart[hash] = true
	}
	return state, nil
}

// target is the hash of new pods. When all pods are of the template generation it
// is theirs, and else the one that this version of the API types makes.
func (p *planner) target(c current.Revision, pods []*corev1.Pod) string {
	if c.Reading.Revision != "" {
		return c.Reading.Revision
	}
	for _, pod := range pods {
		if hash := pod.Labels[revision.HashLabel]; hash != "" && c.Reading.Facts(pod).Flags.Has(placement.Updated) {
			return hash
		}
	}
	return revision.Hash(&p.ds.Spec.Template, p.ds.Status.CollisionCount)
}

// wavesOf is the wave of each node; nil without waves.
func (p *planner) wavesOf(fleet placement.Fleet) map[string]string {
	if p.policy.Order.Waves.Label == "" {
		return nil
	}
	waves := map[string]string{}
	for _, n := range fleet.Nodes {
		waves[n.Name] = n.Group
	}
	return waves
}

// unmet warns of what a policy asks of nodes and no node has: a name or a value
// that is misspelt holds everything back, or nothing.
func (p *policy) unmet(nodes []*corev1.Node) []input.Warning {
	var all []input.Warning
	names, values := map[string]bool{}, map[string]bool{}
	label := p.Order.Waves.Label
	for _, n := range nodes {
		names[n.Name] = true
		if value, has := n.Labels[label]; has {
			values[value] = true
		}
	}
	for _, name := range output.SortedKeys(p.Candidates.Nodes) {
		if !names[name] {
			all = append(all, p.Warning("candidates.nodes", "no node is called %s", name))
		}
	}
	if label != "" && len(values) == 0 {
		return append(all, p.Warning("order.waves.label", "no node has the label %s, so all are of one wave", label))
	}
	for i, value := range p.Order.Waves.Values {
		if !values[value] {
			all = append(all, p.Warning(fmt.Sprintf("order.waves.values[%d]", i), "no node has %s=%s", label, value))
		}
	}
	return all
}
