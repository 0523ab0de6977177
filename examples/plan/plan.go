package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// plan judges every DaemonSet on every node. With a node it says everything
// about that one and nothing about the others.
func plan(in input.Objects, node string) *report {
	out := &report{DaemonSets: []daemonSetReport{}, PassedOver: in.PassedOver, Warnings: in.Warnings}
	vocabulary := placement.NewVocabulary(in.Nodes)
	for _, m := range in.DaemonSets {
		out.DaemonSets = append(out.DaemonSets, planOne(in, m, node, vocabulary, out))
	}
	if out.Warnings == nil {
		out.Warnings = []input.Warning{}
	}
	return out
}

// planOne judges one DaemonSet, with the defaults of the API server filled in,
// and adds to the warnings of the report.
func planOne(in input.Objects, m input.Manifest, node string, vocabulary *placement.Vocabulary, out *report) daemonSetReport {
	warn := func(field, format string, args ...any) {
		out.Warnings = append(out.Warnings, m.Warning(field, format, args...))
	}
	ds := lint.Default(m.DaemonSet)
	matcher := placement.Compile(&ds.Spec.Template, placement.Options{Path: field.NewPath("spec", "template")})

	refused := map[string]bool{}
	for _, err := range lint.Validate(ds, lint.Options{}) {
		refused[err.Field] = true
		warn(err.Field, "the API server would refuse this: %s", err.ErrorBody())
	}
	for _, err := range matcher.Problems() {
		if !refused[err.Field] {
			warn(err.Field, "this matches no node: %s", err.ErrorBody())
		}
	}

	r := daemonSetReport{
		Identity: input.Identity{Namespace: ds.Namespace, Name: ds.Name, Source: m.Place},
		Summary:  placement.Summarize(matcher, in.Nodes),
		Nodes:    []nodeReport{},
	}
	if node != "" {
		own := ds.Spec.Template.Spec.Tolerations
		r.Tolerations = &tolerationsReport{
			Effective: matcher.RunTolerations(),
			Changes:   append([]tolerations.Change{}, tolerations.Changes(own, tolerations.DefaultTolerations(&ds.Spec.Template.Spec))...),
		}
	}
	explainer := matcher.Explainer(vocabulary)
	for _, n := range in.Nodes {
		if node == "" || n.Name == node {
			r.Nodes = append(r.Nodes, explain(explainer, n))
		}
	}
	r.claim(in, ds, matcher, warn)
	return r
}

func explain(x *placement.Explainer, node *corev1.Node) nodeReport {
	e := x.Explain(node)
	n := nodeReport{Name: node.Name, Verdict: e.Verdict, Reasons: []reasonReport{}, explanation: e, taints: node.Spec.Taints}
	for _, reason := range e.Reasons {
		n.Reasons = append(n.Reasons, reasonReport{reason.String(), reason})
	}
	return n
}
