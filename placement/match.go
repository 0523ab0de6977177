package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Match returns what the node is to the template; Unevaluated for nil. It
// allocates nothing.
func (m *Matcher) Match(node *corev1.Node) Verdict {
	if node == nil || !m.compiled() {
		return Unevaluated
	}
	v := m.rules(&node.Name, node.Labels, node.Spec.Taints)
	if v != Excluded && len(m.predicates) > 0 {
		v = min(v, m.ask(ShapeOf(node)))
	}
	return v
}

// MatchShape is [Matcher.Match] for a node that need not exist.
func (m *Matcher) MatchShape(s Shape) Verdict {
	if !m.compiled() {
		return Unevaluated
	}
	v := m.rules(&s.Name, s.Labels, s.Taints)
	if v != Excluded && len(m.predicates) > 0 {
		v = min(v, m.ask(s))
	}
	return v
}

// rules is the verdict of the controller's own rules. They are asked from the
// cheapest to the dearest, since a verdict, other than a cause, does not
// depend on their order: taints lie in the node object, labels behind a map. The
// name comes as a pointer, since most templates do not look at it, and reading it
// is a cache line of its own.
func (m *Matcher) rules(name *string, nodeLabels map[string]string, taints []corev1.Taint) Verdict {
	if m.nodeName != "" && m.nodeName != *name {
		return Excluded
	}
	v := Eligible
	if len(taints) > 0 {
		if v = m.tolerates(taints); v == Excluded {
			return Excluded
		}
	}
	for i := range m.selector {
		e := &m.selector[i]
		if have, ok := nodeLabels[e.key]; !ok || have != e.value {
			return Excluded
		}
	}
	if m.affine && !m.anyTerm(name, nodeLabels) {
		return Excluded
	}
	return v
}

// anyTerm reports whether a term of the required node affinity matches.
func (m *Matcher) anyTerm(name *string, nodeLabels map[string]string) bool {
	for i := range m.terms {
		if m.terms[i].matches(name, nodeLabels) {
			return true
		}
	}
	return false
}

// tolerates is the verdict of the taints alone: the least that one of them
// leaves.
func (m *Matcher) tolerates(taints []corev1.Taint) Verdict {
	v := Eligible
	for i := range taints {
		v = min(v, m.toleratesOne(&taints[i]))
		if v == Excluded {
			break
		}
	}
	return v
}

// toleratesOne is the verdict of one taint alone.
func (m *Matcher) toleratesOne(taint *corev1.Taint) Verdict {
	if !tolerations.Blocking.Has(taint.Effect) {
		return Eligible
	}
	runs := m.admits(m.run, taint)
	stays := runs
	if !m.oneList {
		stays = m.admits(m.keep, taint)
	}
	switch {
	case !stays && taint.Effect == corev1.TaintEffectNoExecute:
		return Excluded
	case !runs:
		return KeepOnly
	}
	return Eligible
}

// admits reports whether a toleration of the list admits the taint.
func (m *Matcher) admits(list []corev1.Toleration, taint *corev1.Taint) bool {
	_, found := tolerations.FirstTolerating(list, taint, m.matching)
	return found
}

// ask is the verdict of the caller's predicates alone.
func (m *Matcher) ask(s Shape) Verdict {
	v := Eligible
	for i := range m.predicates {
		p := &m.predicates[i]
		if p.verdict() < v && !p.passes(s) {
			v = p.verdict()
		}
	}
	return v
}
