package placement_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/placement"
)

// What a person reads, for everything that can be wrong at once.
func TestExplainReadsWell(t *testing.T) {
	tpl := template(
		on(require("zone", "In", "z1", "z2"), require("gen", "Gt", "150")),
		on(require("a b", "Exists")),
		on(),
		named(require("metadata.name", "In", "w-2")),
		on(require("kubernetes.io/os", "NotIn", "windows")),
	)
	tpl.Spec.NodeName = "w2"
	tpl.Spec.NodeSelector = map[string]string{"role": "worker", "disk": ""}
	tpl.Spec.Tolerations = []corev1.Toleration{
		{Key: "node-role.kubernetes.io/master", Operator: "Exists", Effect: "NoSchedule"},
		{Key: "dedicated", Operator: "Equal", Value: "db", Effect: "NoExecute"},
	}
	fleet := []*corev1.Node{
		node("w-1", map[string]string{
			"zone": "Z1", "gen": "500.5", "disk": "ssd", "kubernetes.io/os": "windows",
			"node-role.kubernetes.io/worker": "",
		}, noSchedule("node-role.kubernetes.io/control-plane", ""), noExecute("dedicated", "gpu"), noSchedule(corev1.TaintNodeNotReady, "")),
		node("w-2", map[string]string{"zone": "z3"}),
	}
	m := placement.Compile(tpl, placement.Options{
		Path: field.NewPath("spec", "template"),
		Predicates: []placement.Predicate{{
			Code: "example.com/warm", Removes: false,
			Test: func(placement.Shape) bool { return false },
			Text: func(s placement.Shape) string { return s.Name + " is cold" },
		}},
	})
	got := m.Explain(fleet[0], placement.NewVocabulary(fleet)).String()
	got = strings.ReplaceAll(got, "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution", "…")
	want := `w-1: excluded
  the template is for node w2 [excluded]
    hint: no node of the fleet is called w2; similar: w-2
  nodeSelector: wants disk=, the node has disk=ssd [excluded]
    hint: the node has disk with another value
    hint: an empty value does not mean any value: use node affinity with disk Exists
    hint: no node of the fleet has disk with such a value
  nodeSelector: wants role=worker, the node has no role [excluded]
    hint: no node of the fleet has a label role; similar: node-role.kubernetes.io/worker
  none of the 5 terms of the required node affinity matches [excluded]
    nodeSelectorTerms[0]: wants zone In [z1 z2], the node has zone=Z1; wants gen Gt [150], the node has gen=500.5
      hint: the node has zone with another value; similar: z1
      hint: no node of the fleet has zone with such a value; similar: Z1
      hint: the value of gen is not an integer: 500.5
    nodeSelectorTerms[1] cannot be parsed: …
    nodeSelectorTerms[2] is empty, so it matches no node
    nodeSelectorTerms[3]: wants metadata.name=w-2, the node has metadata.name=w-1
    nodeSelectorTerms[4]: wants kubernetes.io/os NotIn [windows], the node has kubernetes.io/os=windows
  taint node-role.kubernetes.io/control-plane:NoSchedule is not tolerated, add toleration node-role.kubernetes.io/control-plane:NoSchedule [keep-only]
    hint: spec.template.spec.tolerations[0] (node-role.kubernetes.io/master:NoSchedule op=Exists) is for another key
  taint dedicated=gpu:NoExecute is not tolerated, add toleration dedicated=gpu:NoExecute [excluded]
    hint: spec.template.spec.tolerations[1] (dedicated=db:NoExecute) is for another value
  taint node.kubernetes.io/not-ready:NoSchedule is not tolerated, add toleration node.kubernetes.io/not-ready:NoSchedule [keep-only]
    hint: a default toleration (node.kubernetes.io/not-ready:NoExecute op=Exists) is for another effect
  example.com/warm: w-1 is cold [keep-only]
  problem: …
`
	assertLines(t, want, got)
}

// assertLines compares line by line; "…" at the end of a wanted line stands
// for any rest, for texts that belong to another library.
func assertLines(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	if !assert.Len(t, g, len(w), got) {
		return
	}
	for i := range w {
		if head, open := strings.CutSuffix(w[i], "…"); open {
			assert.True(t, strings.HasPrefix(g[i], head), g[i])
			continue
		}
		assert.Equal(t, w[i], g[i])
	}
}

func TestExplainWithoutVocabulary(t *testing.T) {
	tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"beta.kubernetes.io/os": "linux"}}}
	e := placement.Compile(tpl, placement.Options{}).Explain(node("n", map[string]string{"kubernetes.io/os": "linux"}), nil)
	assert.Equal(t, []placement.Hint{{
		Code: placement.HintKeySimilar, Key: "beta.kubernetes.io/os", Words: []string{"kubernetes.io/os"},
	}}, e.Reasons[0].Requirement.Hints)
	assert.Equal(t, "spec.nodeSelector[beta.kubernetes.io/os]", e.Reasons[0].Requirement.Field)
	assert.Nil(t, e.Reasons[0].Requirement.Has)

	assert.Equal(t, placement.Unevaluated, placement.Compile(tpl, placement.Options{}).Explain(nil, nil).Verdict)
	none := placement.Compile(template(), placement.Options{}).Explain(node("", nil), nil)
	assert.Equal(t, "(no name): excluded\n  required node affinity has no term, so it matches no node [excluded]\n", none.String())
	one := placement.Compile(template(on(require("k", "Exists"))), placement.Options{}).Explain(node("n", nil), nil)
	assert.Equal(t, "the only term of the required node affinity does not match", one.Reasons[0].String())
}

// An explanation is data: it survives JSON, and nothing in it is shared.
func TestExplanationIsData(t *testing.T) {
	tpl := template(on(require("zone", "In", "z1")))
	fleet := []*corev1.Node{node("n", map[string]string{"zone": "z2"}, noExecute("k", "v"))}
	m := placement.Compile(tpl, placement.Options{})
	e := m.Explain(fleet[0], placement.NewVocabulary(fleet))
	text, err := json.Marshal(e)
	assert.NoError(t, err)
	var back placement.Explanation
	assert.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, e, back)
	assert.Contains(t, string(text), `"verdict":"excluded"`)

	e.Reasons[0].Terms[0].Failed[0].Values[0] = "scribbled"
	*e.Reasons[0].Terms[0].Failed[0].Has = "scribbled"
	e.Reasons[1].Taint.Key = "scribbled"
	assert.Equal(t, back, m.Explain(fleet[0], placement.NewVocabulary(fleet)))
}

// One fault between a toleration and a taint is a near miss; two are not,
// unless the key is the same and the value is among them.
func TestTolerationNearMisses(t *testing.T) {
	taint := noSchedule("dedicated", "gpu")
	for name, c := range map[string]struct {
		toleration corev1.Toleration
		comparison bool
		want       placement.HintCode
	}{
		"effect":                    {corev1.Toleration{Key: "dedicated", Value: "gpu", Effect: "NoExecute"}, false, placement.HintTolerationEffect},
		"effect under Exists":       {corev1.Toleration{Key: "dedicated", Operator: "Exists", Effect: "NoExecute"}, false, placement.HintTolerationEffect},
		"value":                     {corev1.Toleration{Key: "dedicated", Value: "db"}, false, placement.HintTolerationValue},
		"value missing":             {corev1.Toleration{Key: "dedicated", Operator: "Equal"}, false, placement.HintTolerationValue},
		"operator unknown":          {corev1.Toleration{Key: "dedicated", Operator: "In", Value: "gpu"}, false, placement.HintTolerationOperator},
		"operator in lower case":    {corev1.Toleration{Key: "dedicated", Operator: "exists"}, false, placement.HintTolerationOperator},
		"comparison switched off":   {corev1.Toleration{Key: "dedicated", Operator: "Lt", Value: "5"}, false, placement.HintTolerationOperator},
		"comparison with no number": {corev1.Toleration{Key: "dedicated", Operator: "Lt", Value: "5"}, true, placement.HintTolerationValue},
		"no key and no operator":    {corev1.Toleration{Effect: "NoSchedule"}, false, placement.HintTolerationOperator},
		"everything, other effect":  {corev1.Toleration{Operator: "Exists", Effect: "NoExecute"}, false, placement.HintTolerationEffect},
		"key misspelled":            {corev1.Toleration{Key: "dedicate", Value: "gpu"}, false, placement.HintTolerationKey},
		"key with a prefix":         {corev1.Toleration{Key: "example.com/dedicated", Operator: "Exists"}, false, placement.HintTolerationKey},
		"another key":               {corev1.Toleration{Key: "spot", Operator: "Exists"}, false, ""},
		"misspelled and no value":   {corev1.Toleration{Key: "dedicate", Value: "db"}, false, ""},
		"effect and value":          {corev1.Toleration{Key: "dedicated", Value: "db", Effect: "NoExecute"}, false, ""},
	} {
		tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Tolerations: []corev1.Toleration{c.toleration}}}
		m := placement.Compile(tpl, placement.Options{ComparisonOperators: c.comparison})
		hints := m.Explain(node("n", nil, taint), nil).Reasons[0].Hints
		if c.want == "" {
			assert.Empty(t, hints, name)
			continue
		}
		if assert.Len(t, hints, 1, name) {
			assert.Equal(t, c.want, hints[0].Code, name)
			assert.Equal(t, "spec.tolerations[0]", hints[0].Field, name)
			assert.Equal(t, c.toleration, *hints[0].Toleration, name)
		}
	}
}

func TestSimilarWords(t *testing.T) {
	for want, c := range map[string]struct {
		fleet []string
		words []string
	}{
		"role":                           {[]string{"node-role.kubernetes.io/worker", "zone"}, []string{"node-role.kubernetes.io/worker"}},
		"zone":                           {[]string{"topology.kubernetes.io/zone", "zones", "Zone"}, []string{"Zone", "zones", "topology.kubernetes.io/zone"}},
		"node-role.kubernetes.io/master": {[]string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/worker"}, []string{"node-role.kubernetes.io/control-plane"}},
		"kubernetes.io/hostnmae":         {[]string{"kubernetes.io/hostname", "kubernetes.io/os"}, []string{"kubernetes.io/hostname"}},
		"node_pool":                      {[]string{"nodepool", "node-pool", "pool"}, []string{"node-pool", "nodepool", "pool"}},
		"gpu":                            {[]string{"cpu", "example.com/gpu", "gpus"}, []string{"example.com/gpu"}},
		"nothing-like-it":                {[]string{"zone", "kubernetes.io/os"}, nil},
		"kubernetes.io/arch":             {[]string{"beta.kubernetes.io/arch", "kubernetes.io/os"}, []string{"beta.kubernetes.io/arch"}},
	} {
		labels := map[string]string{}
		for _, key := range c.fleet {
			labels[key] = ""
		}
		tpl := template(on(require(want, "Exists")))
		e := placement.Compile(tpl, placement.Options{}).Explain(node("n", nil), placement.NewVocabulary([]*corev1.Node{node("m", labels)}))
		assert.Equal(t, []placement.Hint{{Code: placement.HintKeyUnknown, Key: want, Words: c.words}},
			e.Reasons[0].Terms[0].Failed[0].Hints, want)
	}
}

func TestVocabulary(t *testing.T) {
	v := placement.NewVocabulary([]*corev1.Node{
		nil, node("b", map[string]string{"zone": "z2", "os": "linux"}), node("a", map[string]string{"zone": "z1"}), node("c", map[string]string{"zone": "z2"}),
	})
	assert.Equal(t, []string{"os", "zone"}, v.Keys())
	assert.Equal(t, []string{"z1", "z2"}, v.Values("zone"))
	assert.Nil(t, v.Values("none"))
	var none *placement.Vocabulary
	assert.Nil(t, none.Keys())
	assert.Nil(t, none.Values("zone"))
	v.Keys()[0] = "scribbled"
	v.Values("zone")[0] = "scribbled"
	assert.Equal(t, []string{"os", "zone"}, v.Keys())
	assert.Equal(t, []string{"z1", "z2"}, v.Values("zone"))
}

func TestProblemsNameTheirFields(t *testing.T) {
	m := placement.Compile(template(
		on(require("a b", "Exists", "x"), require("k", "Equals")),
		on(require("k", "In", "x")),
		named(require("metadata.name", "Exists"), require("metadata.name", "In", "n", "m")),
	), placement.Options{Path: field.NewPath("spec", "template")})
	terms := "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	var fields []string
	for _, p := range m.Problems() {
		fields = append(fields, strings.TrimPrefix(p.Field, terms))
	}
	assert.Equal(t, []string{
		"[0].matchExpressions[0].key", "[0].matchExpressions[0].values", "[0].matchExpressions[1].operator",
		"[2].matchFields[0].operator", "[2].matchFields[1].values",
	}, fields)
	assert.Nil(t, placement.Compile(template(on(require("k", "In", "x"))), placement.Options{}).Problems())
}
