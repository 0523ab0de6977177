package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// plan judges every DaemonSet on every node. With a node it says everything
// about that one and nothing about the others.
func plan(in input, node string) *report {
	out := &report{DaemonSets: []daemonSetReport{}, PassedOver: in.passedOver, Warnings: in.warnings}
	vocabulary := placement.NewVocabulary(in.nodes)
	for _, m := range in.daemonSets {
		out.DaemonSets = append(out.DaemonSets, planOne(in, m, node, vocabulary, out))
	}
	if out.Warnings == nil {
		out.Warnings = []warning{}
	}
	return out
}

// planOne judges one DaemonSet, with the defaults of the API server filled in,
// and adds to the warnings of the report.
func planOne(in input, m manifest, node string, vocabulary *placement.Vocabulary, out *report) daemonSetReport {
	warn := func(field, format string, args ...any) {
		out.Warnings = append(out.Warnings, warning{m.place, below(m.path, field), fmt.Sprintf(format, args...)})
	}
	ds := lint.Default(m.daemonSet)
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
		Namespace: ds.Namespace, Name: ds.Name, Source: m.place,
		Summary: placement.Summarize(matcher, in.nodes),
		Nodes:   []nodeReport{},
	}
	if node != "" {
		own := ds.Spec.Template.Spec.Tolerations
		r.Tolerations = &tolerationsReport{
			Effective: matcher.RunTolerations(),
			Changes:   append([]tolerations.Change{}, tolerations.Changes(own, tolerations.DefaultTolerations(&ds.Spec.Template.Spec))...),
		}
	}
	explainer := matcher.Explainer(vocabulary)
	for _, n := range in.nodes {
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
