package main

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/lint"
)

// severities are in order, the worst first.
var severities = []lint.Severity{lint.Error, lint.Warning, lint.Notice}

// invalid is the rule that stands for the API server.
const invalid lint.RuleID = "invalid"

// allRules are those of the library, after the one of this program.
func allRules() []lint.Rule {
	return append([]lint.Rule{{
		ID: invalid, Severity: lint.Error,
		Summary: "what the API server would refuse",
		Why:     "The object is not created, and a chart or a pipeline stops halfway.",
		Source:  "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/daemon-set-v1/",
	}}, lint.Rules()...)
}

// check asks all rules of all DaemonSets that were read.
func check(in input.Objects, o options) *report {
	r := &report{
		DaemonSets: []daemonSetReport{}, Nodes: len(in.Nodes), Fail: o.fail,
		NotAsked: notAsked(in, o.context), PassedOver: in.PassedOver, Warnings: in.Warnings,
	}
	if r.Warnings == nil {
		r.Warnings = []input.Warning{}
	}
	c := o.context
	c.Nodes = in.Nodes
	for _, m := range in.DaemonSets {
		c.Others = append(c.Others, m.DaemonSet) // one of them is itself, which the library knows
	}
	for _, m := range in.DaemonSets {
		ds := daemonSetReport{
			Identity: input.Identity{Namespace: m.DaemonSet.Namespace, Name: m.DaemonSet.Name, Source: m.Place},
			Findings: append([]lint.Finding{}, findings(m.DaemonSet, c)...),
		}
		for _, f := range ds.Findings {
			ds.Counts.add(f.Severity)
			r.Counts.add(f.Severity)
			if slices.Index(severities, f.Severity) <= slices.Index(severities, o.fail) {
				r.Failed = true
			}
		}
		r.DaemonSets = append(r.DaemonSets, ds)
	}
	return r
}

// findings are what the API server refuses, and what the rules find.
func findings(ds *appsv1.DaemonSet, c lint.Context) []lint.Finding {
	var all []lint.Finding
	if !slices.Contains(c.Off, invalid) {
		named := ds.DeepCopy()
		if named.Name == "" && named.GenerateName != "" {
			named.Name = named.GenerateName + "xxxxx" // as the server does before it validates
		}
		for _, err := range lint.Validate(named, lint.Options{}) {
			all = append(all, lint.Finding{
				Rule: invalid, Severity: lint.Error, Field: err.Field,
				Message: refusal(err), Suggestion: "correct the field",
			})
		}
	}
	// Both are in order, and what is invalid is an error, so this keeps it.
	return append(all, lint.Check(ds, c)...)
}

// refusal is what an error of the API server says, without the field. Of values it
// shows those that are words or numbers: others come out as Go writes them.
func refusal(err *field.Error) string {
	text := "refused: " + err.Type.String()
	switch value := err.BadValue.(type) {
	case string:
		if err.Type != field.ErrorTypeRequired {
			text += fmt.Sprintf(" %q", value)
		}
	case int, int32, int64:
		text += fmt.Sprintf(" %d", value)
	case intstr.IntOrString:
		text += " " + value.String()
	case *intstr.IntOrString:
		text += " " + value.String()
	}
	if err.Detail == "" {
		return text
	}
	return text + ": " + err.Detail
}

// notAsked are the rules that had nothing to look at, and those that are off.
func notAsked(in input.Objects, c lint.Context) []skipped {
	all := []skipped{}
	for _, rule := range allRules() {
		switch {
		case slices.Contains(c.Off, rule.ID):
			all = append(all, skipped{rule.ID, "off"})
		case rule.Needs == lint.NeedsNodes && len(in.Nodes) == 0:
			all = append(all, skipped{rule.ID, "needs nodes"})
		case rule.Needs == lint.NeedsOthers && len(in.DaemonSets) < 2:
			all = append(all, skipped{rule.ID, "needs other DaemonSets"})
		case rule.ID == lint.SlowRollout && c.MaxRollout == 0:
			all = append(all, skipped{rule.ID, "may take any time"})
		}
	}
	return all
}
