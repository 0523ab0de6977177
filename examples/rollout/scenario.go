package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// scenario makes what is played of what is written, with the marks of its events.
func (d *written) scenario(from *source) (simulate.Scenario, *timetable, []input.Warning, error) {
	none := simulate.Scenario{}
	c, odd, err := from.cluster(d)
	if err != nil {
		return none, nil, odd, err
	}
	start, given := from.start(&d.document)
	policy, err := policyOf(d.Policy, d.Document, "policy.", start, given)
	if err != nil {
		return none, nil, odd, err
	}
	if c.spec, err = d.limits.over(c.spec, d.Document, ""); err != nil {
		return none, nil, odd, err
	}
	s := simulate.Scenario{
		Fleet: c.fleet, Spec: c.spec, Target: target, Policy: policy, Start: start, Matcher: c.matcher,
		Pods: d.Pods.over(simulate.Behaviour{Ready: simulate.After(defaultReady)}),
		Seed: d.Seed, Until: d.Until.Duration, Requests: c.requests,
		Model: simulate.Model{
			Resolution: d.Model.Resolution.Duration, Pace: d.Model.Pace.Duration, Collect: d.Model.Collect.Duration,
			KeepEvicted: d.Model.KeepEvicted, IgnoreKubelets: d.Model.IgnoreKubelets,
		},
	}
	if d.Model.NeverCollect {
		s.Model.Collect = -1
	}
	t := newTimetable(d, &s, given)
	t.what = c.what
	if err := t.fill(); err != nil {
		return none, nil, odd, err
	}
	s.Events = t.events
	if len(d.Some) > 0 || len(t.of.of) > 1 {
		s.Of = t.of.behaviour
	}
	return s, t, odd, nil
}

// over are the limits of a DaemonSet where these say nothing else. The API server
// takes one of the two that is more than 0.
func (l *limits) over(spec rollout.Spec, doc input.Document, path string) (rollout.Spec, error) {
	if l.MinReadySeconds != nil {
		if spec.MinReadySeconds = *l.MinReadySeconds; spec.MinReadySeconds < 0 {
			return spec, doc.Errorf(path+"minReadySeconds", "must not be negative")
		}
	}
	if l.MaxUnavailable == nil && l.MaxSurge == nil {
		return spec, nil
	}
	if spec.Strategy != appsv1.RollingUpdateDaemonSetStrategyType {
		return spec, doc.Errorf(path+"maxUnavailable", "and maxSurge are those of a RollingUpdate, and the strategy is %s", spec.Strategy)
	}
	r := spec.RollingUpdate.DeepCopy()
	if r == nil {
		r = &appsv1.RollingUpdateDaemonSet{}
	}
	set := *l
	for _, f := range []struct {
		ours   **policies.Amount
		theirs *policies.Amount
	}{{&set.MaxUnavailable, policies.AmountOf(r.MaxUnavailable)}, {&set.MaxSurge, policies.AmountOf(r.MaxSurge)}} {
		if *f.ours == nil {
			*f.ours = f.theirs
		}
	}
	if set.MaxUnavailable.None() == set.MaxSurge.None() {
		return spec, doc.Errorf(path+"maxUnavailable", "%s and maxSurge %s: the API server wants one of them, and not both, to be more than 0",
			cmp.Or(set.MaxUnavailable.String(), "0"), cmp.Or(set.MaxSurge.String(), "0"))
	}
	r.MaxUnavailable, r.MaxSurge = set.MaxUnavailable.Of(), set.MaxSurge.Of()
	spec.RollingUpdate = r
	return spec, nil
}

// explain turns an error of the library about an event into one about the event
// that was written.
func (t *timetable) explain(err error) error {
	if err == nil {
		return nil
	}
	rest, isEvent := strings.CutPrefix(err.Error(), "simulate: scenario.events[")
	index, rest, cut := strings.Cut(rest, "].")
	if i, bad := strconv.Atoi(index); isEvent && cut && bad == nil && i < len(t.origins) {
		field, problem, _ := strings.Cut(rest, ": ")
		return t.errorf(t.origins[i], field, "%s", problem)
	}
	if rest, ours := strings.CutPrefix(err.Error(), "simulate: scenario."); ours {
		return errors.New(rest)
	}
	return err
}

// errorf is the error that an event cannot be used.
func (t *timetable) errorf(at int, field, format string, args ...any) error {
	if e := t.doc.Events[at]; e.flag != "" {
		return fmt.Errorf("%s: "+format, append([]any{e.flag}, args...)...)
	}
	return t.doc.Errorf(fmt.Sprintf("events[%d].%s", at, field), format, args...)
}
