package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// wanted is a label that the template asks for.
type wanted struct {
	field, key string
	values     []string // one of them; nil for any
}

// wantedLabels are those of nodeSelector, by key, and of the required node
// affinity.
func (s *subject) wantedLabels() []wanted {
	var all []wanted
	for _, k := range slices.Sorted(maps.Keys(s.spec.NodeSelector)) {
		all = append(all, wanted{key(nodeSelector, k), k, []string{s.spec.NodeSelector[k]}})
	}
	terms, _ := s.terms()
	for i := range terms {
		for j, r := range terms[i].MatchExpressions {
			w := wanted{field: at(at(requiredTerms, i)+".matchExpressions", j), key: r.Key}
			switch r.Operator {
			case corev1.NodeSelectorOpIn:
				w.values = r.Values
				all = append(all, w)
			case corev1.NodeSelectorOpExists:
				all = append(all, w)
			}
		}
	}
	return all
}

// respelled is a label of a node that was meant, and what it was taken for.
type respelled struct{ field, wrote, has string }

// checkSpelling asks of every node that is left out whether it would be eligible
// if its labels were spelled as the template spells them.
func checkSpelling(s *subject, found report) {
	labels := s.wantedLabels()
	if len(labels) == 0 {
		return
	}
	nodes := make(map[respelled][]string)
	for _, node := range s.nodes {
		if s.matcher.Match(node) == placement.Eligible {
			continue
		}
		shape := placement.ShapeOf(node)
		shape.Labels = maps.Clone(node.Labels)
		var changes []respelled
		for _, w := range labels {
			if k, value, ok := w.meant(node.Labels); ok {
				shape.Labels[w.key] = value
				changes = append(changes, respelled{w.field, pair(w.key, value), pair(k, node.Labels[k])})
			}
		}
		if len(changes) > 0 && s.matcher.MatchShape(shape) == placement.Eligible {
			for _, c := range changes {
				nodes[c] = append(nodes[c], node.Name)
			}
		}
	}
	for c, names := range nodes {
		found(c.field, fmt.Sprintf("wants %s, and %s left out for having %s: %s", c.wrote, isAre(len(names)), c.has, some(names)),
			"spell the label as the nodes do")
	}
}

func isAre(n int) string {
	if n == 1 {
		return "1 node is"
	}
	return fmt.Sprintf("%d nodes are", n)
}

func pair(key, value string) string {
	if value == "" {
		return key
	}
	return key + "=" + value
}

// meant returns the label of a node that differs from the wanted one in spelling
// alone, and the value that is wanted of it. A node that has the key differs in
// the value; one that lacks it may have it under another spelling.
func (w wanted) meant(has map[string]string) (k, value string, ok bool) {
	if have, found := has[w.key]; found {
		value, ok = w.valueLike(have)
		return w.key, value, ok && value != have
	}
	for _, k := range slices.Sorted(maps.Keys(has)) {
		if fold(k) != fold(w.key) {
			continue
		}
		if value, ok := w.valueLike(has[k]); ok {
			return k, value, true
		}
	}
	return "", "", false
}

// valueLike returns the wanted value of which a value is a spelling, the same one
// before others.
func (w wanted) valueLike(have string) (string, bool) {
	if w.values == nil || slices.Contains(w.values, have) {
		return have, true
	}
	for _, v := range w.values {
		if v != "" && fold(v) == fold(have) {
			return v, true
		}
	}
	return "", false
}

// fold takes out of a word what people get wrong without noticing: case, and
// separators, but for one between digits: 1.10 is not 11.0.
func fold(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c == '-' || c == '_' || c == '.':
			if i > 0 && i+1 < len(word) && digit(word[i-1]) && digit(word[i+1]) {
				b.WriteByte('.')
			}
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c - 'A' + 'a')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
