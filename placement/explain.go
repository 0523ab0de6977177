package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Explanation is everything that stands between a node and a daemon pod.
type Explanation struct {
	Node    string  `json:"node"`
	Verdict Verdict `json:"verdict"`
	// Reasons are all that fail, in the order of [Matcher.Cause]; the first
	// has the cause that Cause returns. There are none exactly when the
	// verdict is Eligible.
	Reasons []Reason `json:"reasons,omitempty"`
	// Problems are the errors in the template's node affinity, whether they
	// matter for this node or not.
	Problems []string `json:"problems,omitempty"`
}

// Reason is one cause with its circumstances.
type Reason struct {
	Cause Cause `json:"cause"`
	// Verdict is what this reason alone makes of the node; the verdict of the
	// node is the least of all.
	Verdict Verdict `json:"verdict"`
	// Requirement is the entry of nodeSelector that fails.
	Requirement *Requirement `json:"requirement,omitempty"`
	// Terms are those of the required node affinity, all of which fail. It
	// is empty when the list has none.
	Terms []Term `json:"terms,omitempty"`
	// Taint is the one that is not tolerated, and Toleration the one that
	// would admit it and nothing else.
	Taint      *corev1.Taint      `json:"taint,omitempty"`
	Toleration *corev1.Toleration `json:"toleration,omitempty"`
	// Text is what the caller's predicate has to say, or, of a taint that it
	// would be wrong to tolerate, why.
	Text string `json:"text,omitempty"`
	// Hints are near misses of a taint or a node name. Those of labels are
	// with their requirements.
	Hints []Hint `json:"hints,omitempty"`
}

// Term is one term of the required node affinity that does not match.
type Term struct {
	// Field is where the term stands in the template.
	Field string `json:"field"`
	// Problems are the errors for which it matches nothing.
	Problems []string `json:"problems,omitempty"`
	// Failed are the requirements that this node does not meet. It is empty
	// for a term with problems, and for an empty term, which matches nothing.
	Failed []Requirement `json:"failed,omitempty"`
}

// Requirement is something wanted of a node that it does not have.
type Requirement struct {
	// Field is where the requirement stands in the template: below
	// matchFields it is about a field of the node, else about a label.
	Field    string                      `json:"field"`
	Key      string                      `json:"key"`
	Operator corev1.NodeSelectorOperator `json:"operator"`
	Values   []string                    `json:"values,omitempty"`
	// Has is what the node has for the key; nil when it has nothing.
	Has   *string `json:"has"`
	Hints []Hint  `json:"hints,omitempty"`
}

// Explain returns everything that stands against the node. Its verdict is that
// of Match, its first reason has the cause of Cause. With the vocabulary of
// the fleet it also says what the fleet has instead of what is wanted; nil
// stands for no vocabulary. A nil node is Unevaluated, without reasons.
//
// Looking for similar words in the vocabulary takes time in proportion to it. To
// explain many nodes of a fleet, make an [Explainer], which looks once.
func (m *Matcher) Explain(node *corev1.Node, v *Vocabulary) Explanation {
	if node == nil {
		return Explanation{Problems: texts(m.Problems())}
	}
	return m.ExplainShape(ShapeOf(node), v)
}

// ExplainShape is [Matcher.Explain] for a node that need not exist.
func (m *Matcher) ExplainShape(s Shape, v *Vocabulary) Explanation {
	if verdict := m.MatchShape(s); verdict == Eligible || verdict == Unevaluated {
		return Explanation{Node: s.Name, Verdict: verdict, Problems: texts(m.Problems())}
	}
	return m.Explainer(v).ExplainShape(s)
}

// Explainer explains the nodes of one fleet. What is the same for every node, it
// found out when it was made. It is immutable and safe for concurrent use.
type Explainer struct {
	m        *Matcher
	problems []string
	name     []Hint
	selector []fleetHints // by entry of nodeSelector
	terms    []termHints  // by term of the required node affinity
}

// termHints are the hints for the requirements of a term.
type termHints struct {
	labels []fleetHints
	fields [][]Hint
}

// Explainer returns an Explainer for the fleet that the vocabulary is of; nil
// stands for no vocabulary.
func (m *Matcher) Explainer(v *Vocabulary) *Explainer {
	x := &Explainer{m: m, problems: texts(m.Problems())}
	if !m.compiled() {
		return x
	}
	if m.nodeName != "" {
		x.name = v.nameHintsOf(m.nodeName)
	}
	for i := range m.selector {
		x.selector = append(x.selector, v.labelHintsOf(m.selector[i].requirement()))
	}
	for i := range m.nodeAffinity {
		var hints termHints
		for _, r := range m.nodeAffinity[i].MatchExpressions {
			hints.labels = append(hints.labels, v.labelHintsOf(r))
		}
		for _, r := range m.nodeAffinity[i].MatchFields {
			hints.fields = append(hints.fields, v.fieldHintsOf(r))
		}
		x.terms = append(x.terms, hints)
	}
	return x
}

// requirement is the entry as a requirement.
func (e *selectorEntry) requirement() corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: e.key, Operator: corev1.NodeSelectorOpIn, Values: []string{e.value}}
}

// Explain is [Matcher.Explain].
func (x *Explainer) Explain(node *corev1.Node) Explanation {
	if node == nil {
		return Explanation{Problems: slices.Clone(x.problems)}
	}
	return x.ExplainShape(ShapeOf(node))
}

// ExplainShape is [Explainer.Explain] for a node that need not exist.
func (x *Explainer) ExplainShape(s Shape) Explanation {
	m := x.m
	e := Explanation{Node: s.Name, Verdict: Eligible, Problems: slices.Clone(x.problems)}
	if !m.compiled() {
		e.Verdict = Unevaluated
		return e
	}
	add := func(r Reason) {
		e.Reasons = append(e.Reasons, r)
		e.Verdict = min(e.Verdict, r.Verdict)
	}
	if m.nodeName != "" && m.nodeName != s.Name {
		add(Reason{
			Cause:   Cause{Code: CauseNodeName, Value: m.nodeName},
			Verdict: Excluded,
			Hints:   copyHints(x.name),
		})
	}
	for i := range m.selector {
		entry := &m.selector[i]
		if have, ok := s.Labels[entry.key]; ok && have == entry.value {
			continue
		}
		failed := failedLabel(entry.requirement(), m.spec.Child("nodeSelector").Key(entry.key), s.Labels, x.selector[i])
		add(Reason{
			Cause:       Cause{Code: CauseNodeSelector, Key: entry.key, Value: entry.value},
			Verdict:     Excluded,
			Requirement: &failed,
		})
	}
	if m.affine && !m.anyTerm(&s.Name, s.Labels) {
		r := Reason{Cause: Cause{Code: CauseNodeAffinity}, Verdict: Excluded}
		for i := range m.nodeAffinity {
			r.Terms = append(r.Terms, x.explainTerm(i, s))
		}
		add(r)
	}
	for i := range s.Taints {
		if verdict := m.toleratesOne(&s.Taints[i]); verdict != Eligible {
			add(m.explainTaint(&s.Taints[i], verdict))
		}
	}
	for i := range m.predicates {
		p := &m.predicates[i]
		if p.passes(s) {
			continue
		}
		r := Reason{Cause: Cause{Code: p.code()}, Verdict: p.verdict()}
		if p.Text != nil {
			r.Text = p.Text(s)
		}
		add(r)
	}
	return e
}

// explainTaint says why a taint stands against a node. The toleration is missing
// from the list for new pods, or, where that has it, from the one for running
// pods.
func (m *Matcher) explainTaint(taint *corev1.Taint, verdict Verdict) Reason {
	needed := tolerations.For(*taint)
	r := Reason{
		Cause: taintCause(taint), Verdict: verdict,
		Taint: taint.DeepCopy(), Toleration: &needed, Text: removal[taint.Key],
	}
	list := m.run
	if m.admits(m.run, taint) {
		list = m.keep
		r.Text = "tolerated by new pods, not by running ones"
	}
	r.Hints = m.tolerationHints(taint, list)
	return r
}

// explainTerm says why a term does not match.
func (x *Explainer) explainTerm(i int, s Shape) Term {
	m := x.m
	path := m.termPath(i)
	t := Term{Field: path.String(), Problems: texts(m.problems[i])}
	if len(t.Problems) > 0 {
		return t
	}
	for j, r := range m.nodeAffinity[i].MatchExpressions {
		p := path.Child("matchExpressions").Index(j)
		compiled, _ := newLabelRequirement(r, p)
		if !compiled.holds(s.Labels) {
			t.Failed = append(t.Failed, failedLabel(r, p, s.Labels, x.terms[i].labels[j]))
		}
	}
	for j, r := range m.nodeAffinity[i].MatchFields {
		p := path.Child("matchFields").Index(j)
		compiled, _ := newFieldRequirement(r, p)
		if compiled.holds(s.Name) {
			continue
		}
		failed := Requirement{
			Field: p.String(), Key: r.Key, Operator: r.Operator, Values: slices.Clone(r.Values),
			Hints: copyHints(x.terms[i].fields[j]),
		}
		if r.Key == nameField && s.Name != "" {
			name := s.Name
			failed.Has = &name
		}
		t.Failed = append(t.Failed, failed)
	}
	return t
}

// failedLabel describes a label requirement that a node does not meet.
func failedLabel(r corev1.NodeSelectorRequirement, path *field.Path, nodeLabels map[string]string, fleet fleetHints) Requirement {
	failed := Requirement{
		Field: path.String(), Key: r.Key, Operator: r.Operator, Values: slices.Clone(r.Values),
		Hints: copyHints(labelHints(r, nodeLabels, fleet)),
	}
	if have, ok := nodeLabels[r.Key]; ok {
		failed.Has = &have
	}
	return failed
}

// copyHints takes hints out of the explainer's memory, which must not change.
func copyHints(hints []Hint) []Hint {
	hints = slices.Clone(hints)
	for i := range hints {
		hints[i].Words = slices.Clone(hints[i].Words)
	}
	return hints
}

// texts returns the messages of errors.
func texts(list field.ErrorList) []string {
	var all []string
	for _, err := range list {
		all = append(all, err.Error())
	}
	return all
}

// String is the explanation for a person: a line for the node, one for each
// reason, and indented ones for what belongs to a reason. Problems that a reason
// tells already are not told again.
func (e Explanation) String() string {
	var b strings.Builder
	name := e.Node
	if name == "" {
		name = "(no name)"
	}
	fmt.Fprintf(&b, "%s: %s\n", name, e.Verdict)
	told := make(map[string]bool)
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "  %s [%s]\n", r, r.Verdict)
		for _, t := range r.Terms {
			fmt.Fprintf(&b, "    %s\n", t)
			for _, p := range t.Problems {
				told[p] = true
			}
			for _, f := range t.Failed {
				writeHints(&b, "      ", f.Hints)
			}
		}
		if r.Requirement != nil {
			writeHints(&b, "    ", r.Requirement.Hints)
		}
		writeHints(&b, "    ", r.Hints)
	}
	for _, p := range e.Problems {
		if !told[p] {
			fmt.Fprintf(&b, "  problem: %s\n", p)
		}
	}
	return b.String()
}

// writeHints leaves out what the line above says already: what the node has.
func writeHints(b *strings.Builder, indent string, hints []Hint) {
	for _, h := range hints {
		if h.Code == HintValueDiffers && h.Meant == "" {
			continue
		}
		fmt.Fprintf(b, "%shint: %s\n", indent, h)
	}
}

// String is the reason in one line, without its terms and hints.
func (r Reason) String() string {
	switch r.Cause.Code {
	case CauseNodeName:
		return "the template is for node " + plain(r.Cause.Value)
	case CauseNodeSelector:
		if r.Requirement != nil {
			return "nodeSelector: " + r.Requirement.String()
		}
	case CauseNodeAffinity:
		switch len(r.Terms) {
		case 0:
			return "required node affinity has no term, so it matches no node"
		case 1:
			return "the only term of the required node affinity does not match"
		}
		return fmt.Sprintf("none of the %d terms of the required node affinity matches", len(r.Terms))
	case CauseTaint:
		switch {
		case r.Text != "":
			return fmt.Sprintf("%s is not tolerated: %s", r.Cause, r.Text)
		case r.Toleration != nil:
			return fmt.Sprintf("%s is not tolerated, add toleration %s", r.Cause, tolerations.Format(*r.Toleration))
		}
	}
	if r.Text != "" {
		return fmt.Sprintf("%s: %s", r.Cause.Code, r.Text)
	}
	return r.Cause.String()
}

// Brief is the reason for a narrow column: a taint without the toleration that it
// lacks, and of an affinity with one term what that wants.
func (r Reason) Brief() string {
	switch {
	case r.Cause.Code == CauseTaint:
		return r.Cause.String() + " is not tolerated"
	case r.Cause.Code == CauseNodeAffinity && len(r.Terms) == 1:
		text := r.Terms[0].String()
		if _, wants, found := strings.Cut(text, ": "); found {
			text = wants
		}
		return r.Cause.String() + ": " + text
	}
	return r.String()
}

// String says why the term does not match, in one line.
func (t Term) String() string {
	label := t.Field[strings.LastIndexByte(t.Field, '.')+1:]
	switch {
	case len(t.Problems) > 0:
		return label + " cannot be parsed: " + strings.Join(t.Problems, "; ")
	case len(t.Failed) == 0:
		return label + " is empty, so it matches no node"
	}
	all := make([]string, len(t.Failed))
	for i := range t.Failed {
		all[i] = t.Failed[i].String()
	}
	return label + ": " + strings.Join(all, "; ")
}

// String says what is wanted and what there is.
func (r Requirement) String() string {
	key := plain(r.Key)
	want := fmt.Sprintf("%s %s", key, r.Operator)
	switch {
	case r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1:
		want = key + "=" + plain(r.Values[0])
	case len(r.Values) > 0:
		want += " [" + plainList(r.Values, " ") + "]"
	}
	if r.Has == nil {
		return "wants " + want + ", the node has no " + key
	}
	return "wants " + want + ", the node has " + key + "=" + plain(*r.Has)
}
