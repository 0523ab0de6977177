package cost

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// reads is what a template looks at in a node. Two nodes that agree in it have the
// same verdict.
type reads struct {
	// known says that the rest was filled in. A Daemon put together by hand may look
	// at anything.
	known bool
	// predicates says that rules of the caller look at anything, too.
	predicates bool
	// rules is the matcher without the caller's rules, where there are some.
	rules *placement.Matcher
	// name says that the name of the node counts.
	name   bool
	labels []labelReads // by key
}

// all reports whether the template may look at anything.
func (r *reads) all() bool { return !r.known || r.predicates }

// labelReads is what a template asks of one label.
type labelReads struct {
	key string
	// values are those written in the template, the bounds of Gt and Lt among them.
	values []string
	// tests are the single requirements on this label, each compiled alone, so that
	// a requirement means here what it means there. Two values that pass the same
	// ones are the same to the template.
	tests []*placement.Matcher
}

func readsOf(template *corev1.PodTemplateSpec, o *placement.Options) reads {
	r := reads{known: true, predicates: len(o.Predicates) > 0}
	if r.predicates {
		bare := *o
		bare.Predicates = nil
		r.rules = placement.Compile(template, bare)
	}
	if template == nil {
		return r
	}
	spec := &template.Spec
	r.name = spec.NodeName != ""
	byKey := map[string]*labelReads{}
	of := func(key string) *labelReads {
		if byKey[key] == nil {
			byKey[key] = &labelReads{key: key}
		}
		return byKey[key]
	}
	for key, value := range spec.NodeSelector {
		l := of(key)
		l.values = append(l.values, value)
		l.tests = append(l.tests, placement.Compile(&corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			NodeSelector: map[string]string{key: value},
		}}, placement.Options{}))
	}
	for _, term := range requiredTerms(spec.Affinity) {
		r.name = r.name || len(term.MatchFields) > 0
		for _, e := range term.MatchExpressions {
			l := of(e.Key)
			l.values = append(l.values, e.Values...)
			l.tests = append(l.tests, placement.Compile(&corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
					RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
						{MatchExpressions: []corev1.NodeSelectorRequirement{e}},
					}},
				}},
			}}, placement.Options{}))
		}
	}
	for _, l := range byKey {
		r.labels = append(r.labels, *l)
	}
	slices.SortFunc(r.labels, func(a, b labelReads) int { return strings.Compare(a.key, b.key) })
	return r
}

func requiredTerms(a *corev1.Affinity) []corev1.NodeSelectorTerm {
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}
