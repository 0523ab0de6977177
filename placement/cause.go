package placement

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Code names a kind of cause. The values are stable; predicates of the caller
// add their own.
type Code string

const (
	// CauseNodeName: the template names another node.
	CauseNodeName Code = "node-name"
	// CauseNodeSelector: a label that nodeSelector wants is missing or has
	// another value.
	CauseNodeSelector Code = "node-selector"
	// CauseNodeAffinity: no term of the required node affinity matches.
	CauseNodeAffinity Code = "node-affinity"
	// CauseTaint: a NoSchedule or NoExecute taint is not tolerated.
	CauseTaint Code = "taint"
)

// Cause is one thing that stands against a node. It is comparable, so causes
// can be counted in a map; the zero value is no cause at all.
type Cause struct {
	Code Code `json:"code,omitempty"`
	// Key is the key of the label that nodeSelector wants, or of the taint.
	Key string `json:"key,omitempty"`
	// Value is the value that nodeSelector wants, the value of the taint, or
	// the name of the node that the template names.
	Value string `json:"value,omitempty"`
	// Effect is that of the taint.
	Effect corev1.TaintEffect `json:"effect,omitempty"`
}

// String says what the cause is in a few words: "nodeSelector role=worker",
// "taint dedicated=gpu:NoExecute"; empty for no cause, and the code for a
// predicate.
func (c Cause) String() string {
	switch c.Code {
	case CauseNodeName:
		return "nodeName " + plain(c.Value)
	case CauseNodeSelector:
		return "nodeSelector " + plain(c.Key) + "=" + plain(c.Value)
	case CauseNodeAffinity:
		return "required node affinity"
	case CauseTaint:
		return "taint " + tolerations.FormatTaint(corev1.Taint{Key: c.Key, Value: c.Value, Effect: c.Effect})
	}
	return string(c.Code)
}

// compare orders causes by code, key, value and effect.
func (c Cause) compare(d Cause) int {
	return cmp.Or(
		cmp.Compare(c.Code, d.Code), cmp.Compare(c.Key, d.Key),
		cmp.Compare(c.Value, d.Value), cmp.Compare(c.Effect, d.Effect),
	)
}

// Cause returns the first thing that stands against the node: nodeName,
// nodeSelector in the order of its keys, node affinity, the taints in the
// order of the node, the predicates in the order of the options. It is the
// zero Cause exactly when the verdict is Eligible, and for nil. It allocates
// nothing.
//
// The first cause need not be the one that decides between KeepOnly and
// Excluded: an untolerated NoSchedule taint may stand before a NoExecute one. See
// [Matcher.DecidingCause].
func (m *Matcher) Cause(node *corev1.Node) Cause {
	if node == nil {
		return Cause{}
	}
	return m.CauseShape(ShapeOf(node))
}

// CauseShape is [Matcher.Cause] for a node that need not exist.
func (m *Matcher) CauseShape(s Shape) Cause {
	if !m.compiled() {
		return Cause{}
	}
	if m.nodeName != "" && m.nodeName != s.Name {
		return Cause{Code: CauseNodeName, Value: m.nodeName}
	}
	for i := range m.selector {
		e := &m.selector[i]
		if have, ok := s.Labels[e.key]; !ok || have != e.value {
			return Cause{Code: CauseNodeSelector, Key: e.key, Value: e.value}
		}
	}
	if m.affine && !m.anyTerm(&s.Name, s.Labels) {
		return Cause{Code: CauseNodeAffinity}
	}
	for i := range s.Taints {
		if m.toleratesOne(&s.Taints[i]) != Eligible {
			return taintCause(&s.Taints[i])
		}
	}
	for i := range m.predicates {
		if !m.predicates[i].passes(s) {
			return Cause{Code: m.predicates[i].code()}
		}
	}
	return Cause{}
}

// DecidingCause returns the first cause that alone makes of the node what it is.
// It differs from [Matcher.Cause] where the first cause would leave the node
// KeepOnly, and a later one makes it Excluded. It allocates nothing.
func (m *Matcher) DecidingCause(node *corev1.Node) Cause {
	if node == nil {
		return Cause{}
	}
	return m.DecidingCauseShape(ShapeOf(node))
}

// DecidingCauseShape is [Matcher.DecidingCause] for a node that need not exist.
func (m *Matcher) DecidingCauseShape(s Shape) Cause {
	verdict, first := m.MatchShape(s), m.CauseShape(s)
	if verdict != Excluded {
		return first
	}
	switch first.Code {
	case CauseNodeName, CauseNodeSelector, CauseNodeAffinity:
		return first
	}
	for i := range s.Taints {
		if m.toleratesOne(&s.Taints[i]) == Excluded {
			return taintCause(&s.Taints[i])
		}
	}
	for i := range m.predicates {
		if p := &m.predicates[i]; p.Removes && !p.passes(s) {
			return Cause{Code: p.code()}
		}
	}
	return first
}

func taintCause(t *corev1.Taint) Cause {
	return Cause{Code: CauseTaint, Key: t.Key, Value: t.Value, Effect: t.Effect}
}
