package placement

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Matcher is a compiled pod template. It is immutable, safe for concurrent
// use, and shares no memory with the template. Make one with [Compile]: a nil or
// zero Matcher has judged nothing, so every verdict is Unevaluated.
type Matcher struct {
	nodeName string
	selector []selectorEntry // by key
	// affine says that required node affinity is set; the node then has to
	// match one of the terms, of which there may be none.
	affine   bool
	terms    []term // those that can match, the shortest first
	run      []corev1.Toleration
	keep     []corev1.Toleration
	oneList  bool // run and keep are equal
	matching tolerations.Options

	predicates []Predicate

	// What follows is for Explain alone.
	spec         *field.Path // of the template's spec
	own          int         // so many of run came from the template
	nodeAffinity []corev1.NodeSelectorTerm
	problems     []field.ErrorList // one entry for each of nodeAffinity
}

// selectorEntry is one entry of nodeSelector.
type selectorEntry struct{ key, value string }

// Compile reads a template. It does all the parsing that there is, so call it
// once for each version of a template, not for each node.
//
// It does not fail: like the controller, it takes a term of the required node
// affinity that cannot be parsed as one that matches nothing. Unlike the
// controller it tells, through [Matcher.Problems]. A nil template is an empty
// one, which matches every node without untolerated taints.
func Compile(template *corev1.PodTemplateSpec, o Options) *Matcher {
	var spec corev1.PodSpec
	if template != nil {
		// The parts that are kept are copied below; nothing is written here.
		spec = template.Spec
	}
	m := &Matcher{
		nodeName:   spec.NodeName,
		run:        o.Run.Of(&spec),
		keep:       o.Continue.Of(&spec),
		matching:   tolerations.Options{ComparisonOperators: o.ComparisonOperators},
		predicates: slices.Clone(o.Predicates),
		spec:       field.NewPath("spec"),
		own:        len(spec.Tolerations),
	}
	if o.Path != nil {
		m.spec = o.Path.Child("spec")
	}
	m.oneList = slices.EqualFunc(m.run, m.keep, func(a, b corev1.Toleration) bool {
		return a.Key == b.Key && a.Operator == b.Operator && a.Value == b.Value && a.Effect == b.Effect
	})
	for key, value := range spec.NodeSelector {
		m.selector = append(m.selector, selectorEntry{key, value})
	}
	slices.SortFunc(m.selector, func(a, b selectorEntry) int { return strings.Compare(a.key, b.key) })

	if required := requiredNodeAffinity(spec.Affinity); required != nil {
		m.affine = true
		m.nodeAffinity = required.DeepCopy().NodeSelectorTerms
		m.problems = make([]field.ErrorList, len(m.nodeAffinity))
		for i := range m.nodeAffinity {
			compiled, problems := newTerm(&m.nodeAffinity[i], m.termPath(i))
			m.problems[i] = problems
			// An empty term matches nothing; so does one with an error.
			if len(problems) == 0 && compiled.size() > 0 {
				m.terms = append(m.terms, compiled)
			}
		}
		// Terms are ORed, so a short one may answer for a long one.
		slices.SortStableFunc(m.terms, func(a, b term) int { return cmp.Compare(a.size(), b.size()) })
	}
	return m
}

// requiredNodeAffinity returns the part of an affinity that decides, or nil.
func requiredNodeAffinity(a *corev1.Affinity) *corev1.NodeSelector {
	if a == nil || a.NodeAffinity == nil {
		return nil
	}
	return a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// newTerm compiles a term and collects everything that is wrong with it.
func newTerm(t *corev1.NodeSelectorTerm, path *field.Path) (term, field.ErrorList) {
	var compiled term
	var problems field.ErrorList
	for i, r := range t.MatchExpressions {
		requirement, errs := newLabelRequirement(r, path.Child("matchExpressions").Index(i))
		compiled.labels = append(compiled.labels, requirement)
		problems = append(problems, errs...)
	}
	for i, r := range t.MatchFields {
		requirement, errs := newFieldRequirement(r, path.Child("matchFields").Index(i))
		compiled.fields = append(compiled.fields, requirement)
		problems = append(problems, errs...)
	}
	// Requirements are ANDed, so the one with the least to compare goes first.
	slices.SortStableFunc(compiled.labels, func(a, b labelRequirement) int { return cmp.Compare(len(a.others), len(b.others)) })
	return compiled, problems
}

// compiled reports whether there is anything to judge by.
func (m *Matcher) compiled() bool { return m != nil && m.spec != nil }

// termPath is the field of a term of the required node affinity.
func (m *Matcher) termPath(i int) *field.Path {
	return m.spec.Child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").Index(i)
}

// Problems returns the errors in the terms of the required node affinity, in
// their order, with the fields they are at. Each makes its term match nothing,
// which the controller does not say anywhere. It is nil when every term was
// parsed. The result is the caller's.
func (m *Matcher) Problems() field.ErrorList {
	if m == nil {
		return nil
	}
	var all field.ErrorList
	for _, problems := range m.problems {
		for _, p := range problems {
			mine := *p
			if values, ok := p.BadValue.([]string); ok {
				mine.BadValue = slices.Clone(values)
			}
			all = append(all, &mine)
		}
	}
	return all
}

// RunTolerations returns the tolerations by which nodes are judged for a new
// pod, in a new slice: the template's own first.
func (m *Matcher) RunTolerations() []corev1.Toleration {
	if m == nil {
		return nil
	}
	return tolerations.Merge(m.run, nil)
}

// ContinueTolerations returns those by which a running pod may stay.
func (m *Matcher) ContinueTolerations() []corev1.Toleration {
	if m == nil {
		return nil
	}
	return tolerations.Merge(m.keep, nil)
}
