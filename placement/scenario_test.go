package placement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/daemonplan/daemonplan/internal/scenario"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

func TestScenarios(t *testing.T) {
	for _, file := range []string{"placement", "tolerations", "explain", "validation", "status", "revision"} {
		t.Run(file, func(t *testing.T) { scenario.Run(t, file, checkScenario) })
	}
}

func checkScenario(t *testing.T, s scenario.Scenario) {
	ds, nodes := s.DaemonSet(), s.NodeObjects()
	m := placement.Compile(&ds.Spec.Template, placement.Options{ComparisonOperators: s.ComparisonOperators})

	verdicts, causes := map[string]string{}, map[string]string{}
	vocabulary := placement.NewVocabulary(nodes)
	for _, node := range nodes {
		verdicts[node.Name] = m.Match(node).String()
		if cause := m.Cause(node); cause.Code != "" {
			causes[node.Name] = cause.String()
		}
		want, asked := s.Hints[node.Name]
		if !asked {
			continue
		}
		var codes []string
		for _, r := range m.Explain(node, vocabulary).Reasons {
			hints := r.Hints
			if r.Requirement != nil {
				hints = append(hints, r.Requirement.Hints...)
			}
			for _, term := range r.Terms {
				for _, f := range term.Failed {
					hints = append(hints, f.Hints...)
				}
			}
			for _, h := range hints {
				codes = append(codes, string(h.Code))
			}
		}
		assert.ElementsMatch(t, want, codes, node.Name)
	}
	if len(nodes) > 0 {
		assert.Equal(t, s.Verdicts, verdicts)
	}
	if s.Causes == nil {
		s.Causes = map[string]string{}
	}
	assert.Equal(t, s.Causes, causes)

	var eligible, names []string
	for _, node := range nodes {
		if s.Verdicts[node.Name] == "eligible" {
			eligible = append(eligible, node.Name)
		}
	}
	if !s.ComparisonOperators {
		for _, node := range placement.EligibleNodes(ds, nodes) {
			names = append(names, node.Name)
		}
		assert.ElementsMatch(t, eligible, names)
		assert.IsIncreasing(t, append([]string{""}, names...))
	}

	var problems []string
	for _, p := range m.Problems() {
		problems = append(problems, p.Field)
	}
	assert.Equal(t, s.Problems, problems)
	if s.Tolerations != nil {
		var list []string
		for _, t := range tolerations.Effective(&ds.Spec.Template.Spec) {
			list = append(list, tolerations.Format(t))
		}
		assert.Equal(t, s.Tolerations, list)
	}
	if s.Summary != "" {
		assert.Equal(t, s.Summary, placement.Summarize(m, nodes).String())
	}
	fleet := placement.NewFleet(m, nodes, s.PodObjects(ds), placement.Reading{Revision: s.CurrentHash()})
	assert.Equal(t, s.LatentLosses, fleet.LatentLosses())
}
