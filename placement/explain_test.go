package placement_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
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
    hint: no node of the fleet is called w2; there is w-2
  nodeSelector: wants disk="", the node has disk=ssd [excluded]
    hint: an empty value does not mean any value: use node affinity with disk Exists
    hint: no node of the fleet has disk with such a value; there is ssd
  nodeSelector: wants role=worker, the node has no role [excluded]
    hint: no node of the fleet has a label role; there is node-role.kubernetes.io/worker
  none of the 5 terms of the required node affinity matches [excluded]
    nodeSelectorTerms[0]: wants zone In [z1 z2], the node has zone=Z1; wants gen Gt [150], the node has gen=500.5
      hint: the node's zone is Z1, which looks like z1
      hint: no node of the fleet has zone with such a value; there is Z1, z3
      hint: the node's gen is not an integer: 500.5
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
	assert.Equal(t, "required node affinity: wants k Exists, the node has no k", one.Reasons[0].Brief())
	assert.Equal(t, none.Reasons[0].String(), none.Reasons[0].Brief())
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

// What was meant for a taint and does not admit it, with every fault and its
// words.
func TestTolerationNearMisses(t *testing.T) {
	taint := noSchedule("dedicated", "gpu")
	effect := []placement.HintCode{placement.HintTolerationEffect}
	value := []placement.HintCode{placement.HintTolerationValue}
	operator := []placement.HintCode{placement.HintTolerationOperator}
	key := []placement.HintCode{placement.HintTolerationKey}
	for name, c := range map[string]struct {
		toleration corev1.Toleration
		comparison bool
		codes      []placement.HintCode
		text       string
	}{
		"effect":                     {corev1.Toleration{Key: "dedicated", Value: "gpu", Effect: "NoExecute"}, false, effect, "is for another effect"},
		"effect under Exists":        {corev1.Toleration{Key: "dedicated", Operator: "Exists", Effect: "NoExecute"}, false, effect, "is for another effect"},
		"value":                      {corev1.Toleration{Key: "dedicated", Value: "db"}, false, value, "is for another value"},
		"value missing":              {corev1.Toleration{Key: "dedicated", Operator: "Equal"}, false, value, "is for another value"},
		"operator and value missing": {corev1.Toleration{Key: "dedicated"}, false, operator, "has no operator, so it wants the empty value: operator Exists admits any"},
		"operator unknown":           {corev1.Toleration{Key: "dedicated", Operator: "In", Value: "gpu"}, false, operator, `has an operator that does not exist: "In"`},
		"operator in lower case":     {corev1.Toleration{Key: "dedicated", Operator: "exists"}, false, operator, `has an operator that does not exist: "exists"`},
		"comparison switched off":    {corev1.Toleration{Key: "dedicated", Operator: "Lt", Value: "5"}, false, operator, "uses Lt, which is switched off"},
		"comparison with no number":  {corev1.Toleration{Key: "dedicated", Operator: "Lt", Value: "5"}, true, value, "compares integers, and the taint's value does not pass"},
		"no key and no operator":     {corev1.Toleration{Effect: "NoSchedule"}, false, operator, "has no key, so its operator has to be Exists"},
		"no key and Equal":           {corev1.Toleration{Operator: "Equal"}, false, operator, "has no key, so its operator has to be Exists"},
		"everything, other effect":   {corev1.Toleration{Operator: "Exists", Effect: "NoExecute"}, false, effect, "is for another effect"},
		"key misspelled":             {corev1.Toleration{Key: "dedicate", Value: "gpu"}, false, key, "is for another key"},
		"key with a prefix":          {corev1.Toleration{Key: "example.com/dedicated", Operator: "Exists"}, false, key, "is for another key"},
		"key with the value":         {corev1.Toleration{Key: "dedicated=gpu", Operator: "Exists"}, false, key, "has more than a key in its key"},
		"key with all of it":         {corev1.Toleration{Key: "dedicated=gpu:NoSchedule"}, false, key, "has more than a key in its key"},
		"key as a wildcard":          {corev1.Toleration{Key: "*", Operator: "Exists"}, false, key, `is for the key "*": leave the key out for every key`},
		"effect and value":           {corev1.Toleration{Key: "dedicated", Value: "db", Effect: "NoExecute"}, false, append(effect, value...), "is for another effect"},
		"another key":                {corev1.Toleration{Key: "spot", Operator: "Exists"}, false, nil, ""},
		"misspelled and no value":    {corev1.Toleration{Key: "dedicate", Value: "db"}, false, nil, ""},
		"another vendor's":           {corev1.Toleration{Key: "a.example/dedicated", Operator: "Exists"}, false, key, "is for another key"},
		"nothing, other effect":      {corev1.Toleration{Effect: "NoExecute"}, false, nil, ""},
	} {
		tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Tolerations: []corev1.Toleration{c.toleration}}}
		m := placement.Compile(tpl, placement.Options{ComparisonOperators: c.comparison})
		var codes []placement.HintCode
		for i, h := range m.Explain(node("n", nil, taint), nil).Reasons[0].Hints {
			codes = append(codes, h.Code)
			assert.Equal(t, "spec.tolerations[0]", h.Field, name)
			assert.Equal(t, c.toleration, *h.Toleration, name)
			if i == 0 {
				assert.True(t, strings.HasSuffix(h.String(), c.text), h.String())
			}
		}
		assert.Equal(t, c.codes, codes, name)
	}
}

// Nobody misspelled a default, nor what has another vendor's prefix.
func TestNoTolerationIsSuspectedWithoutCause(t *testing.T) {
	tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "amd.com/gpu", Operator: "Exists"}}}}
	m := placement.Compile(tpl, placement.Options{})
	for _, k := range []string{"ebs.csi.aws.com/agent-not-ready", "node.cilium.io/agent-not-ready", "example.com/unreachable", "nvidia.com/gpu"} {
		assert.Empty(t, m.Explain(node("n", nil, noExecute(k, "")), nil).Reasons[0].Hints, k)
	}
}

// A node that is being removed is no node to tolerate.
func TestRemovalIsNotToBeTolerated(t *testing.T) {
	m := placement.Compile(nil, placement.Options{})
	r := m.Explain(node("n", nil, noSchedule("ToBeDeletedByClusterAutoscaler", "1700000000")), nil).Reasons[0]
	assert.Equal(t, "taint ToBeDeletedByClusterAutoscaler=1700000000:NoSchedule is not tolerated: the cluster autoscaler is removing the node", r.String())
	assert.NotNil(t, r.Toleration, "the data have it all the same")
}

// With two lists, the one that lacks the toleration is the one to look at.
func TestExplainSeparateTolerations(t *testing.T) {
	for _, extra := range []corev1.Toleration{{Key: "maint", Operator: "Exists", Effect: "NoExecute"}, {Operator: "Exists"}} {
		m := placement.Compile(nil, placement.Options{Run: placement.Tolerations{Extra: []corev1.Toleration{extra}}})
		r := m.Explain(node("n", nil, noExecute("maint", "")), nil).Reasons[0]
		assert.Empty(t, r.Hints)
		assert.Equal(t, "taint maint:NoExecute is not tolerated: tolerated by new pods, not by running ones", r.String())
	}
	m := placement.Compile(nil, placement.Options{Run: placement.Tolerations{Extra: []corev1.Toleration{{Key: "maint", Operator: "Exists", Effect: "NoExecute"}}}})
	h := m.Explain(node("n", nil, noSchedule("maint", "")), nil).Reasons[0].Hints[0]
	assert.Equal(t, "a toleration that is added (maint:NoExecute op=Exists) is for another effect", h.String())
}

// A field is no label, and a label no field.
func TestFieldsAndLabels(t *testing.T) {
	arch := map[string]string{"kubernetes.io/arch": "amd64"}
	for name, c := range map[string]struct {
		template *corev1.PodTemplateSpec
		want     []string
	}{
		"a label as a field": {template(named(require("kubernetes.io/arch", "In", "amd64"))), []string{"kubernetes.io/arch is no field of a node, only metadata.name is: use matchExpressions for labels"}},
		"an empty value":     {template(named(require("foo", "NotIn", ""))), []string{"foo is no field of a node, only metadata.name is: use matchExpressions for labels"}},
		"a field as a label": {template(on(require("metadata.name", "In", "n"))), []string{"metadata.name is no label: use matchFields"}},
		"in nodeSelector":    {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"metadata.name": "n"}}}, []string{"metadata.name is no label: use matchFields"}},
		"the short name":     {template(named(require("metadata.name", "In", "n"))), []string{"no node of the fleet is called n; there is n.example"}},
		"the name elsewhere": {template(named(require("metadata.name", "NotIn", "n.example"))), nil},
	} {
		node := node("n.example", arch)
		m := placement.Compile(c.template, placement.Options{})
		for _, v := range []*placement.Vocabulary{placement.NewVocabulary([]*corev1.Node{node}), nil} {
			r := m.Explain(node, v).Reasons[0]
			hints := r.Hints
			if r.Requirement != nil {
				hints = r.Requirement.Hints
			}
			for _, term := range r.Terms {
				hints = append(hints, term.Failed[0].Hints...)
			}
			if v == nil && name == "the short name" {
				assert.Empty(t, hints)
				continue
			}
			var got []string
			for _, h := range hints {
				got = append(got, h.String())
			}
			assert.Equal(t, c.want, got, name)
		}
	}
}

// What cannot be seen is quoted.
func TestExplainQuotes(t *testing.T) {
	tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"kubernetes.io/os ": "linux", "": ""}}}
	fleet := []*corev1.Node{node("n", map[string]string{"kubernetes.io/os": "linux"})}
	got := placement.Compile(tpl, placement.Options{}).Explain(fleet[0], placement.NewVocabulary(fleet)).String()
	assert.Equal(t, `n: excluded
  nodeSelector: wants ""="", the node has no "" [excluded]
    hint: no node of the fleet has a label ""
  nodeSelector: wants "kubernetes.io/os "=linux, the node has no "kubernetes.io/os " [excluded]
    hint: no node of the fleet has a label "kubernetes.io/os "; there is kubernetes.io/os
`, got)
}

// Few values are all listed; of many, the similar ones are.
func TestUnknownValues(t *testing.T) {
	var fleet []*corev1.Node
	for _, value := range []string{"", "a.example.com", "bravo", "charlie", "delta"} {
		fleet = append(fleet, node("n"+value, map[string]string{"k": value}))
	}
	hint := func(want string) string {
		tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"k": want}}}
		hints := placement.Compile(tpl, placement.Options{}).Explain(node("other", nil), placement.NewVocabulary(fleet)).Reasons[0].Requirement.Hints
		assert.Equal(t, placement.HintValueUnknown, hints[0].Code)
		return hints[0].String()
	}
	assert.Equal(t, `no node of the fleet has k with such a value; there is "", a.example.com, bravo, charlie, delta`, hint("true"))
	fleet = append(fleet, node("echo", map[string]string{"k": "echo"}))
	assert.Equal(t, "no node of the fleet has k with such a value", hint("true"))
	assert.Equal(t, "no node of the fleet has k with such a value; there is delta", hint("dleta"))
	assert.Equal(t, "no node of the fleet has k with such a value; there is a.example.com", hint("a"))
}

// An explainer finds what Explain finds, for every node of the fleet.
func TestExplainerIsExplain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := placement.Compile(gen.Template().Draw(t, "template"), options(t))
		nodes := gen.Nodes(4).Draw(t, "nodes")
		var v *placement.Vocabulary
		if gen.Chance(t, 70, "vocabulary") {
			v = placement.NewVocabulary(nodes)
		}
		x := m.Explainer(v)
		for range 2 {
			for _, node := range nodes {
				want := m.Explain(node, v)
				got := x.Explain(node)
				assert.Equal(t, want, got)
				scribbleExplanation(got)
			}
		}
		assert.Equal(t, m.Explain(nil, v), x.Explain(nil))
	})
}

// scribbleExplanation overwrites what an explainer could have kept.
func scribbleExplanation(e placement.Explanation) {
	scribbleHints := func(hints []placement.Hint) {
		for i := range hints {
			for j := range hints[i].Words {
				hints[i].Words[j] = "scribbled"
			}
			hints[i].Key = "scribbled"
		}
	}
	for i := range e.Problems {
		e.Problems[i] = "scribbled"
	}
	for _, r := range e.Reasons {
		scribbleHints(r.Hints)
		if r.Requirement != nil {
			scribbleHints(r.Requirement.Hints)
		}
		for _, term := range r.Terms {
			for _, f := range term.Failed {
				scribbleHints(f.Hints)
				for i := range f.Values {
					f.Values[i] = "scribbled"
				}
			}
		}
	}
}

// Absurd words are compared in no time.
func TestExplainLongWords(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{long: "x", strings.Repeat("k", 300): "y"}}}
	fleet := []*corev1.Node{node("n", map[string]string{long[1:]: "x", strings.Repeat("k", 299): "y"})}
	e := placement.Compile(tpl, placement.Options{}).Explain(fleet[0], placement.NewVocabulary(fleet))
	assert.Equal(t, []string{strings.Repeat("k", 299)}, e.Reasons[0].Requirement.Hints[0].Words)
	assert.Empty(t, e.Reasons[1].Requirement.Hints[0].Words)
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
		"node-pool":                      {[]string{"karpenter.sh/nodepool", "example.com/other"}, []string{"karpenter.sh/nodepool"}},
		"kubernetes.io/os=linux":         {[]string{"kubernetes.io/os", "kubernetes.io/arch"}, []string{"kubernetes.io/os"}},
		"storage.zone.example.com/tier":  {[]string{"topology.kubernetes.io/zone"}, nil},
		"example.com/type":               {[]string{"node.kubernetes.io/instance-type"}, nil},
		"has-worker-disk":                {[]string{"node-role.kubernetes.io/worker"}, nil},
		"foo.example.com/role":           {[]string{"node-role.kubernetes.io/worker"}, nil},
		"amd.com/gpu":                    {[]string{"nvidia.com/gpu"}, nil},
		"kubernetes.io/arch":             {[]string{"beta.kubernetes.io/arch", "kubernetes.io/os"}, []string{"beta.kubernetes.io/arch"}},
	} {
		labels := map[string]string{}
		for _, key := range c.fleet {
			labels[key] = ""
		}
		tpl := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{want: "x"}}}
		e := placement.Compile(tpl, placement.Options{}).Explain(node("n", nil), placement.NewVocabulary([]*corev1.Node{node("m", labels)}))
		assert.Equal(t, []placement.Hint{{Code: placement.HintKeyUnknown, Key: want, Words: c.words}},
			e.Reasons[0].Requirement.Hints, want)
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
