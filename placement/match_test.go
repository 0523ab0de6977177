package placement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/slow"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

// options draws the options of a caller, the zero ones half of the time.
func options(t *rapid.T) placement.Options {
	if gen.Chance(t, 50, "default options") {
		return placement.Options{}
	}
	tolerations := func(label string) placement.Tolerations {
		return placement.Tolerations{
			NoDefaults: rapid.Bool().Draw(t, label+" without defaults"),
			Extra:      gen.Tolerations().Draw(t, label+" extra"),
		}
	}
	o := placement.Options{
		Run:                 tolerations("run"),
		Continue:            tolerations("continue"),
		ComparisonOperators: rapid.Bool().Draw(t, "comparison"),
	}
	for range gen.Pick(t, "predicates", 0, 1, 2) {
		p := placement.Predicate{Code: "example.com/odd", Removes: rapid.Bool().Draw(t, "removes")}
		switch gen.Pick(t, "test", 0, 1, 2) {
		case 0:
			p.Test = func(s placement.Shape) bool { return len(s.Labels)%2 == 0 }
			p.Text = func(placement.Shape) string { return "an odd number of labels" }
		case 1:
			p = placement.Predicate{Removes: p.Removes, Test: func(s placement.Shape) bool { return s.Node == nil || !s.Node.Spec.Unschedulable }}
		}
		o.Predicates = append(o.Predicates, p)
	}
	return o
}

// verdictOf turns the controller's pair into a verdict.
func verdictOf(run, keep bool) placement.Verdict {
	switch {
	case run:
		return placement.Eligible
	case keep:
		return placement.KeepOnly
	}
	return placement.Excluded
}

// matchIsObvious compares Match, Cause and Explain with each other and with
// the slow implementation. It is a fuzz target too.
func matchIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		tpl := gen.Template().Draw(t, "template")
		o := options(t)
		nodes := []*corev1.Node{gen.AnyNode().Draw(t, "node"), gen.AnyNode().Draw(t, "another")}
		before := tpl.DeepCopy()
		m := placement.Compile(tpl, o)
		vocabulary := placement.NewVocabulary(nodes)

		for _, node := range nodes {
			nodeBefore := node.DeepCopy()
			want := verdictOf(slow.Placement(tpl, node, o.Run.Of(&tpl.Spec), o.Continue.Of(&tpl.Spec), o.ComparisonOperators))
			reached.AddIf(len(o.Predicates) == 0, "rules: "+want.String())
			for _, p := range o.Predicates {
				if p.Test == nil || p.Test(placement.ShapeOf(node)) {
					continue
				}
				if p.Removes {
					want = placement.Excluded
				} else {
					want = min(want, placement.KeepOnly)
				}
			}
			got := m.Match(node)
			assert.Equal(t, want, got)
			assert.Equal(t, got, m.MatchShape(placement.ShapeOf(node)))

			decider := m.DecidingCause(node)
			cause := m.Cause(node)
			reached.AddIf(decider != cause, "another cause decides")
			assert.Equal(t, cause, m.CauseShape(placement.ShapeOf(node)))
			assert.Equal(t, got == placement.Eligible, cause == placement.Cause{})
			reached.Add("cause: " + string(cause.Code))

			for _, v := range []*placement.Vocabulary{nil, vocabulary} {
				e := m.Explain(node, v)
				assert.Equal(t, got, e.Verdict)
				assert.Equal(t, node.Name, e.Node)
				assert.Len(t, e.Problems, len(m.Problems()))
				if len(e.Reasons) == 0 {
					assert.Zero(t, cause)
				} else {
					assert.Equal(t, cause, e.Reasons[0].Cause)
				}
				least := placement.Eligible
				for _, r := range e.Reasons {
					if r.Verdict == got {
						assert.Equal(t, r.Cause, decider, "the first reason with the verdict decides")
						break
					}
				}
				for _, r := range e.Reasons {
					least = min(least, r.Verdict)
					reached.AddIf(r.Verdict == placement.KeepOnly, "reason: keeps")
					countHints(reached, r)
				}
				assert.Equal(t, got, least)
				assert.NotEmpty(t, e.String())
			}
			assert.Equal(t, nodeBefore, node)
		}
		assert.Equal(t, before, tpl)
		reached.AddIf(len(m.Problems()) > 0, "unparsable term")
		reached.AddIf(len(o.Predicates) > 0, "predicates")

		// The matcher keeps nothing of the template.
		verdict := m.Match(nodes[0])
		scribble(tpl)
		assert.Equal(t, verdict, m.Match(nodes[0]))
	}
}

func countHints(reached *tally.Tally, r placement.Reason) {
	hints := r.Hints
	if r.Requirement != nil {
		hints = append(hints, r.Requirement.Hints...)
	}
	for _, term := range r.Terms {
		for _, f := range term.Failed {
			hints = append(hints, f.Hints...)
		}
		reached.AddIf(len(term.Problems) > 0, "term: problem")
		reached.AddIf(len(term.Failed) > 0, "term: failed")
		reached.AddIf(len(term.Problems)+len(term.Failed) == 0, "term: empty")
	}
	for _, h := range hints {
		reached.Add("hint: " + string(h.Code))
	}
}

// scribble overwrites everything that a matcher could have kept.
func scribble(tpl *corev1.PodTemplateSpec) {
	for key := range tpl.Spec.NodeSelector {
		tpl.Spec.NodeSelector[key] = "scribbled"
	}
	for i := range tpl.Spec.Tolerations {
		tpl.Spec.Tolerations[i] = corev1.Toleration{Operator: corev1.TolerationOpExists}
	}
	if a := tpl.Spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, r := range append(term.MatchExpressions, term.MatchFields...) {
				for i := range r.Values {
					r.Values[i] = "scribbled"
				}
			}
		}
	}
}

func TestMatchIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, matchIsObvious(&reached))
	reached.Require(t,
		"rules: eligible", "rules: keep-only", "rules: excluded",
		"cause: ", "cause: node-name", "cause: node-selector", "cause: node-affinity", "cause: taint",
		"cause: example.com/odd", "cause: predicate", "reason: keeps", "unparsable term", "predicates", "another cause decides",
		"term: problem", "term: failed", "term: empty",
		"hint: value-differs", "hint: use-exists", "hint: not-an-integer", "hint: key-unknown",
		"hint: value-unknown", "hint: node-unknown", "hint: toleration-key", "hint: toleration-effect",
		"hint: toleration-operator", "hint: toleration-value")
}

func FuzzMatch(f *testing.F) { f.Fuzz(rapid.MakeFuzz(matchIsObvious(&tally.Tally{}))) }

func TestMatchAllocatesNothing(t *testing.T) {
	pool := placement.Predicate{
		Code: "example.com/pool",
		Test: func(s placement.Shape) bool { return s.Labels["example.com/pool"] != "a" },
	}
	rapid.Check(t, func(t *rapid.T) {
		tpl := gen.Template().Draw(t, "template")
		node := gen.AnyNode().Draw(t, "node")
		m := placement.Compile(tpl, placement.Options{ComparisonOperators: true, Predicates: []placement.Predicate{pool}})
		shape := placement.ShapeOf(node)
		assert.Zero(t, testing.AllocsPerRun(5, func() {
			m.Match(node)
			m.MatchShape(shape)
			m.Cause(node)
			m.CauseShape(shape)
			m.DecidingCause(node)
		}))
	})
}

func TestMatchTable(t *testing.T) {
	labelled := func(value string) *corev1.Node { return node("n", map[string]string{"k": value}) }
	bare := node("n", nil)
	for name, c := range map[string]struct {
		template *corev1.PodTemplateSpec
		node     *corev1.Node
		want     placement.Verdict
	}{
		"a nil template is empty":                     {nil, bare, placement.Eligible},
		"a nil node is not judged":                    {nil, nil, placement.Unevaluated},
		"no terms match nothing":                      {template(), bare, placement.Excluded},
		"only an empty term matches nothing":          {template(on()), bare, placement.Excluded},
		"an empty term beside a good one":             {template(on(), on(require("k", "DoesNotExist"))), bare, placement.Eligible},
		"a bad term beside a good one":                {template(on(require("a b", "Exists")), on(require("k", "Exists"))), labelled("x"), placement.Eligible},
		"a bad key under NotIn":                       {template(on(require("a b", "NotIn", "x"))), bare, placement.Excluded},
		"a bad value under NotIn":                     {template(on(require("k", "NotIn", "a b"))), bare, placement.Excluded},
		"NotIn matches a missing key":                 {template(on(require("k", "NotIn", "x"))), bare, placement.Eligible},
		"In does not match a missing key":             {template(on(require("k", "In", ""))), bare, placement.Excluded},
		"In matches the last value":                   {template(on(require("k", "In", "a", "b", "c"))), labelled("c"), placement.Eligible},
		"NotIn with the last value":                   {template(on(require("k", "NotIn", "a", "b", "c"))), labelled("c"), placement.Excluded},
		"requirements are ANDed":                      {template(on(require("k", "Exists"), require("l", "Exists"))), labelled("x"), placement.Excluded},
		"Gt reads a leading zero":                     {template(on(require("k", "Gt", "150"))), labelled("0500"), placement.Eligible},
		"Gt is strict":                                {template(on(require("k", "Gt", "150"))), labelled("150"), placement.Excluded},
		"Lt reads a negative label":                   {template(on(require("k", "Lt", "0"))), labelled("-3"), placement.Eligible},
		"Lt with a negative value does not parse":     {template(on(require("k", "Lt", "-1"))), labelled("-3"), placement.Excluded},
		"Gt reads a plus sign":                        {template(on(require("k", "Gt", "4"))), labelled("+5"), placement.Eligible},
		"Gt with an overflowing label":                {template(on(require("k", "Gt", "4"))), labelled("9223372036854775808"), placement.Excluded},
		"Gt with two values does not parse":           {template(on(require("k", "Gt", "4", "5"))), labelled("9"), placement.Excluded},
		"Exists with a value does not parse":          {template(on(require("k", "Exists", "x"))), labelled("x"), placement.Excluded},
		"an unknown operator does not parse":          {template(on(require("k", "Equals", "x"))), labelled("x"), placement.Excluded},
		"metadata.name In":                            {template(named(require("metadata.name", "In", "n"))), bare, placement.Eligible},
		"metadata.name In another":                    {template(named(require("metadata.name", "In", "m"))), bare, placement.Excluded},
		"metadata.name NotIn another":                 {template(named(require("metadata.name", "NotIn", "m"))), bare, placement.Eligible},
		"metadata.name In two does not parse":         {template(named(require("metadata.name", "In", "n", "m"))), bare, placement.Excluded},
		"another field reads as empty":                {template(named(require("spec.x", "NotIn", "m"))), bare, placement.Eligible},
		"another field is not a value":                {template(named(require("spec.x", "In", "m"))), bare, placement.Excluded},
		"another field is the empty value":            {template(named(require("spec.x", "In", ""))), bare, placement.Eligible},
		"PreferNoSchedule is ignored":                 {nil, node("n", nil, corev1.Taint{Key: "k", Effect: corev1.TaintEffectPreferNoSchedule}), placement.Eligible},
		"an effect that does not exist is ignored":    {nil, node("n", nil, corev1.Taint{Key: "k", Effect: "NoAdmit"}), placement.Eligible},
		"NoSchedule keeps":                            {nil, node("n", nil, noSchedule("k", "")), placement.KeepOnly},
		"NoExecute excludes, wherever it stands":      {nil, node("n", nil, noSchedule("k", ""), noExecute("l", "")), placement.Excluded},
		"a taint does not outweigh a label":           {template(on(require("k", "Exists"))), node("n", nil, noSchedule("k", "")), placement.Excluded},
		"unschedulable as a field is not looked at":   {nil, &corev1.Node{Spec: corev1.NodeSpec{Unschedulable: true}}, placement.Eligible},
		"nodeName of the node":                        {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "n"}}, bare, placement.Eligible},
		"nodeName of another":                         {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "m"}}, bare, placement.Excluded},
		"nodeSelector is compared, not validated":     {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"a b": "c d"}}}, node("n", map[string]string{"a b": "c d"}), placement.Eligible},
		"nodeSelector with an empty value wants it":   {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{"k": ""}}}, bare, placement.Excluded},
		"an empty nodeSelector wants nothing":         {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: map[string]string{}}}, bare, placement.Eligible},
		"preferred node affinity is not looked at":    {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: on(require("k", "Exists"))}}}}}}, bare, placement.Eligible},
		"a required node selector without terms list": {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{}}}}}, bare, placement.Excluded},
	} {
		assert.Equal(t, c.want, placement.Compile(c.template, placement.Options{}).Match(c.node), name)
	}
}

// A node without a name has a name that is none of the names in the template.
func TestNamelessNode(t *testing.T) {
	for name, c := range map[string]struct {
		template *corev1.PodTemplateSpec
		want     placement.Verdict
	}{
		"In fails":                        {template(named(require("metadata.name", "In", "n"))), placement.Excluded},
		"In with an empty value fails":    {template(named(require("metadata.name", "In", ""))), placement.Excluded},
		"NotIn holds":                     {template(named(require("metadata.name", "NotIn", "n"))), placement.Eligible},
		"NotIn with an empty value too":   {template(named(require("metadata.name", "NotIn", ""))), placement.Eligible},
		"a set nodeName fails":            {&corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "n"}}, placement.Excluded},
		"another field still reads as ''": {template(named(require("spec.x", "In", ""))), placement.Eligible},
		"no rule about names":             {template(on(require("k", "DoesNotExist"))), placement.Eligible},
	} {
		m := placement.Compile(c.template, placement.Options{})
		assert.Equal(t, c.want, m.MatchShape(placement.Shape{}), name)
		assert.Equal(t, c.want, m.Match(&corev1.Node{}), name)
		assert.Equal(t, c.want, m.ExplainShape(placement.Shape{}, nil).Verdict, name)
	}
}

func TestSeparateTolerations(t *testing.T) {
	drained := node("n", nil, noSchedule(corev1.TaintNodeUnschedulable, ""))
	notReady := node("n", nil, noExecute(corev1.TaintNodeNotReady, ""))
	// Deckhouse: new pods need tolerations of their own, running ones are
	// judged with the defaults.
	m := placement.Compile(nil, placement.Options{Run: placement.Tolerations{NoDefaults: true}})
	assert.Equal(t, placement.KeepOnly, m.Match(drained))
	assert.Equal(t, placement.KeepOnly, m.Match(notReady))
	assert.Empty(t, m.RunTolerations())
	assert.Len(t, m.ContinueTolerations(), 6)
	// The other way round a pod would be created and deleted for ever.
	m = placement.Compile(nil, placement.Options{Continue: placement.Tolerations{NoDefaults: true}})
	assert.Equal(t, placement.Excluded, m.Match(notReady))
	assert.Equal(t, placement.Cause{Code: placement.CauseTaint, Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}, m.Cause(notReady))
	assert.Equal(t, placement.Eligible, m.Match(drained), "NoSchedule removes nothing that runs")
	m = placement.Compile(nil, placement.Options{Run: placement.Tolerations{Extra: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}}})
	assert.Equal(t, placement.Eligible, m.Match(node("n", nil, noSchedule("k", "v"))))
	assert.Equal(t, placement.Excluded, m.Match(node("n", nil, noExecute("k", "v"))))
}

func TestPredicates(t *testing.T) {
	cordoned := &corev1.Node{Spec: corev1.NodeSpec{Unschedulable: true}}
	test := func(s placement.Shape) bool { return s.Node == nil || !s.Node.Spec.Unschedulable }
	for _, c := range []struct {
		predicate placement.Predicate
		want      placement.Verdict
		code      placement.Code
	}{
		{placement.Predicate{Code: "example.com/cordoned", Test: test}, placement.KeepOnly, "example.com/cordoned"},
		{placement.Predicate{Code: "example.com/cordoned", Test: test, Removes: true}, placement.Excluded, "example.com/cordoned"},
		{placement.Predicate{Test: test}, placement.KeepOnly, "predicate"},
		{placement.Predicate{Code: "example.com/none"}, placement.Eligible, ""},
	} {
		m := placement.Compile(nil, placement.Options{Predicates: []placement.Predicate{c.predicate}})
		assert.Equal(t, c.want, m.Match(cordoned))
		assert.Equal(t, c.code, m.Cause(cordoned).Code)
		assert.Equal(t, placement.Eligible, m.MatchShape(placement.Shape{}), "a shape has no node to look at")
	}
	// Every failing predicate is a reason, also a milder one after a harder.
	m := placement.Compile(nil, placement.Options{Predicates: []placement.Predicate{
		{Code: "a", Test: test, Removes: true, Text: func(placement.Shape) string { return "cordoned" }},
		{Code: "b", Test: test},
	}})
	e := m.Explain(cordoned, nil)
	assert.Equal(t, placement.Excluded, e.Verdict)
	assert.Equal(t, []placement.Reason{
		{Cause: placement.Cause{Code: "a"}, Verdict: placement.Excluded, Text: "cordoned"},
		{Cause: placement.Cause{Code: "b"}, Verdict: placement.KeepOnly},
	}, e.Reasons)
	assert.Equal(t, "a: cordoned", e.Reasons[0].String())
	assert.Equal(t, "b", e.Reasons[1].String())
}

// A matcher that was never compiled has judged nothing.
func TestNoMatcher(t *testing.T) {
	n := node("n", nil, noSchedule("k", ""))
	for _, m := range []*placement.Matcher{nil, {}} {
		assert.Equal(t, placement.Unevaluated, m.Match(n))
		assert.Equal(t, placement.Unevaluated, m.MatchShape(placement.Shape{}))
		assert.Zero(t, m.Cause(n))
		assert.Zero(t, m.DecidingCause(n))
		assert.Equal(t, placement.Explanation{Node: "n"}, m.Explain(n, placement.NewVocabulary([]*corev1.Node{n})))
		assert.Equal(t, placement.Explanation{Node: "n"}, m.Explainer(nil).Explain(n))
		assert.Empty(t, m.Problems())
		assert.Empty(t, m.RunTolerations())
		assert.Empty(t, m.ContinueTolerations())
		assert.Equal(t, placement.TriggerNone, m.Trigger(placement.NodeEvent{New: n, Pods: 1}))
		assert.Equal(t, placement.Summary{Nodes: 1, Groups: []placement.Group{{Nodes: []string{"n"}}}}, placement.Summarize(m, []*corev1.Node{n}))
		assert.Equal(t, 1, placement.DiffTemplates(m, m, []*corev1.Node{n}).Untouched)
		assert.Equal(t, 1, placement.DiffNodes(m, nil, []*corev1.Node{n}).Untouched)
	}
}

// What a matcher hands out is the caller's.
func TestProblemsAreTheCallers(t *testing.T) {
	m := placement.Compile(template(named(require("metadata.name", "In", "a", "b"))), placement.Options{})
	before := m.Problems()[0].Error()
	p := m.Problems()[0]
	p.Detail = "scribbled"
	p.BadValue.([]string)[0] = "scribbled"
	assert.Equal(t, before, m.Problems()[0].Error())
}
