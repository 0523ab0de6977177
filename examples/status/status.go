package main

import (
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/daemonplan/daemonplan/examples/internal/current"
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	counters "github.com/daemonplan/daemonplan/status"
)

// status looks at every DaemonSet that was read.
func status(in input.Objects, o options) *report {
	r := &report{
		Now: output.Time(o.now), DaemonSets: []daemonSetReport{},
		PassedOver: in.PassedOver, Warnings: append([]input.Warning{}, in.Warnings...),
	}
	for _, m := range in.DaemonSets {
		warn := func(field, format string, args ...any) {
			r.Warnings = append(r.Warnings, m.Warning(field, format, args...))
		}
		r.DaemonSets = append(r.DaemonSets, statusOf(in, m, o, warn))
	}
	return r
}

// statusOf looks at one DaemonSet, with the defaults of the API server filled
// in.
func statusOf(in input.Objects, m input.Manifest, o options, warn func(field, format string, args ...any)) daemonSetReport {
	ds := lint.Default(m.DaemonSet)
	r := daemonSetReport{Identity: input.Identity{Namespace: ds.Namespace, Name: ds.Name, Source: m.Place}}
	for _, rule := range counters.Rules() {
		r.Verdicts = append(r.Verdicts, counters.Judge(ds, rule))
	}
	if ds.Status.ObservedGeneration == 0 && ds.Generation == 0 {
		warn("status", "is missing, so the tools judge an empty one: read the DaemonSet from the cluster")
	}
	selector, problem := in.Own(ds)
	if problem != nil {
		warn(problem.Field, "%s", problem.Message)
		return r
	}
	if problem := input.Unsynced(ds, selector); problem != nil {
		warn(problem.Field, "%s", problem.Message)
	}
	if len(in.Pods) == 0 && ds.Status.CurrentNumberScheduled > 0 {
		warn("status", "counts pods, and no Pod was read: add kubectl get pods -o json")
	}
	computed, err := compute(in, ds, selector, o)
	if err != nil {
		warn("spec.template", "%v", err)
		return r
	}
	r.Computed = computed
	return r
}

// compute reads nodes and pods once and asks everything of what it read.
func compute(in input.Objects, ds *appsv1.DaemonSet, selector labels.Selector, o options) (*computedReport, error) {
	pods := placement.Claim(placement.OwnerOf(ds), selector, in.Pods).Claimed
	c, err := current.Find(in, ds, selector, pods, o.hash)
	if err != nil {
		return nil, err
	}
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
	ask := counters.InputOf(ds, o.now)
	fleet := c.Fleet(in, matcher, pods, ask)
	known := c.Known()

	result := counters.Compute(fleet, ask)
	nodes := counters.Nodes(fleet, ask, counters.NodesOptions{Matcher: matcher})
	r := &computedReport{
		Revision:  c.Report(),
		Counters:  countersOf(ds.Status, result.Status, known),
		LookAgain: output.Time(result.Next),
		Details:   detailsOf(counters.Detail(fleet, ask), known),
		Nodes:     nodeReports(nodes, known),
		States:    append([]counters.StateCount{}, counters.CountStates(nodes)...),
	}
	r.Policy, err = judge(fleet, ask, o.policy, known)
	return r, err
}

// countersOf puts two statuses side by side.
func countersOf(stored, now appsv1.DaemonSetStatus, known bool) []counterReport {
	var all []counterReport
	add := func(name string, a, b int64) { all = append(all, counterReport{name, a, &b}) }
	add("desiredNumberScheduled", int64(stored.DesiredNumberScheduled), int64(now.DesiredNumberScheduled))
	add("currentNumberScheduled", int64(stored.CurrentNumberScheduled), int64(now.CurrentNumberScheduled))
	add("updatedNumberScheduled", int64(stored.UpdatedNumberScheduled), int64(now.UpdatedNumberScheduled))
	if !known {
		all[len(all)-1].Now = nil
	}
	add("numberReady", int64(stored.NumberReady), int64(now.NumberReady))
	add("numberAvailable", int64(stored.NumberAvailable), int64(now.NumberAvailable))
	add("numberUnavailable", int64(stored.NumberUnavailable), int64(now.NumberUnavailable))
	add("numberMisscheduled", int64(stored.NumberMisscheduled), int64(now.NumberMisscheduled))
	add("observedGeneration", stored.ObservedGeneration, now.ObservedGeneration)
	return all
}

func detailsOf(d counters.Details, known bool) detailsReport {
	r := detailsReport{MayStay: d.MayStay, MustGo: d.MustGo, NodesGone: d.NodesGone}
	if known {
		r.Behind, r.Surging = &d.Behind, &d.Surging
	}
	return r
}

func nodeReports(nodes []counters.NodeStatus, known bool) []nodeReport {
	all := make([]nodeReport, len(nodes))
	for i, n := range nodes {
		if !known {
			n.Behind = "" // it may be as old as the pod before it
		}
		text := strings.TrimPrefix(n.String(), n.Node+": ")
		n.AvailableAt = output.Time(n.AvailableAt)
		all[i] = nodeReport{NodeStatus: n, Text: text}
		if n.State == counters.WaitingMinReady && !n.AvailableAt.IsZero() {
			all[i].Text += ", available at " + n.AvailableAt.Format(time.RFC3339)
		}
		if known {
			all[i].Updated = &n.Updated
		}
	}
	return all
}
