package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	// Text is what the caller's predicate has to say.
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
	// Field is where the requirement stands in the template.
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
func (m *Matcher) Explain(node *corev1.Node, v *Vocabulary) Explanation {
	if node == nil {
		return Explanation{Problems: texts(m.Problems())}
	}
	return m.ExplainShape(ShapeOf(node), v)
}

// ExplainShape is [Matcher.Explain] for a node that need not exist.
func (m *Matcher) ExplainShape(s Shape, v *Vocabulary) Explanation {
	e := Explanation{Node: s.Name, Verdict: Eligible, Problems: texts(m.Problems())}
	add := func(r Reason) {
		e.Reasons = append(e.Reasons, r)
		e.Verdict = min(e.Verdict, r.Verdict)
	}
	if m.nodeName != "" && m.nodeName != s.Name {
		add(Reason{
			Cause:   Cause{Code: CauseNodeName, Value: m.nodeName},
			Verdict: Excluded,
			Hints:   nameHints(m.nodeName, v),
		})
	}
	for _, entry := range m.selector {
		if have, ok := s.Labels[entry.key]; ok && have == entry.value {
			continue
		}
		r := corev1.NodeSelectorRequirement{
			Key: entry.key, Operator: corev1.NodeSelectorOpIn, Values: []string{entry.value},
		}
		failed := failedLabel(r, m.spec.Child("nodeSelector").Key(entry.key), s.Labels, v)
		add(Reason{
			Cause:       Cause{Code: CauseNodeSelector, Key: entry.key, Value: entry.value},
			Verdict:     Excluded,
			Requirement: &failed,
		})
	}
	if m.affine && !m.anyTerm(s.Name, s.Labels) {
		r := Reason{Cause: Cause{Code: CauseNodeAffinity}, Verdict: Excluded}
		for i := range m.nodeAffinity {
			r.Terms = append(r.Terms, m.explainTerm(i, s, v))
		}
		add(r)
	}
	for i := range s.Taints {
		taint := &s.Taints[i]
		verdict := m.toleratesOne(taint)
		if verdict == Eligible {
			continue
		}
		needed := tolerations.For(*taint)
		add(Reason{
			Cause: taintCause(taint), Verdict: verdict,
			Taint: taint.DeepCopy(), Toleration: &needed,
			Hints: m.tolerationHints(taint, m.run),
		})
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

// explainTerm says why a term does not match.
func (m *Matcher) explainTerm(i int, s Shape, v *Vocabulary) Term {
	path := m.termPath(i)
	t := Term{Field: path.String(), Problems: texts(m.problems[i])}
	if len(t.Problems) > 0 {
		return t
	}
	for j, r := range m.nodeAffinity[i].MatchExpressions {
		p := path.Child("matchExpressions").Index(j)
		compiled, _ := newLabelRequirement(r, p)
		if !compiled.holds(s.Labels) {
			t.Failed = append(t.Failed, failedLabel(r, p, s.Labels, v))
		}
	}
	for j, r := range m.nodeAffinity[i].MatchFields {
		p := path.Child("matchFields").Index(j)
		compiled, _ := newFieldRequirement(r, p)
		if compiled.holds(s.Name) {
			continue
		}
		failed := Requirement{Field: p.String(), Key: r.Key, Operator: r.Operator, Values: r.Values}
		if r.Key == metav1.ObjectNameField {
			if s.Name != "" {
				failed.Has = &s.Name
			}
			if r.Operator == corev1.NodeSelectorOpIn {
				failed.Hints = nameHints(r.Values[0], v)
			}
		}
		t.Failed = append(t.Failed, *failed.copied())
	}
	return t
}

// failedLabel describes a label requirement that a node does not meet.
func failedLabel(r corev1.NodeSelectorRequirement, path *field.Path, nodeLabels map[string]string, v *Vocabulary) Requirement {
	failed := Requirement{
		Field: path.String(), Key: r.Key, Operator: r.Operator, Values: r.Values,
		Hints: labelHints(r, nodeLabels, v),
	}
	if have, ok := nodeLabels[r.Key]; ok {
		failed.Has = &have
	}
	return *failed.copied()
}

// copied takes the values out of the matcher's memory, which must not change.
func (r *Requirement) copied() *Requirement {
	r.Values = append([]string(nil), r.Values...)
	return r
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
// reason, and indented ones for what belongs to a reason.
func (e Explanation) String() string {
	var b strings.Builder
	name := e.Node
	if name == "" {
		name = "(no name)"
	}
	fmt.Fprintf(&b, "%s: %s\n", name, e.Verdict)
	for _, r := range e.Reasons {
		fmt.Fprintf(&b, "  %s [%s]\n", r, r.Verdict)
		for _, t := range r.Terms {
			fmt.Fprintf(&b, "    %s\n", t)
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
		fmt.Fprintf(&b, "  problem: %s\n", p)
	}
	return b.String()
}

func writeHints(b *strings.Builder, indent string, hints []Hint) {
	for _, h := range hints {
		fmt.Fprintf(b, "%shint: %s\n", indent, h)
	}
}

// String is the reason in one line, without its terms and hints.
func (r Reason) String() string {
	switch r.Cause.Code {
	case CauseNodeName:
		return "the template is for node " + r.Cause.Value
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
		if r.Toleration != nil {
			return fmt.Sprintf("%s is not tolerated, add toleration %s", r.Cause, tolerations.Format(*r.Toleration))
		}
	}
	if r.Text != "" {
		return fmt.Sprintf("%s: %s", r.Cause.Code, r.Text)
	}
	return r.Cause.String()
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
	want := fmt.Sprintf("%s %s", r.Key, r.Operator)
	switch {
	case r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1:
		want = r.Key + "=" + r.Values[0]
	case len(r.Values) > 0:
		want += " [" + strings.Join(r.Values, " ") + "]"
	}
	if r.Has == nil {
		return "wants " + want + ", the node has no " + r.Key
	}
	return "wants " + want + ", the node has " + r.Key + "=" + *r.Has
}
