package cost

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/daemonplan/daemonplan/internal/decimal"
	"github.com/daemonplan/daemonplan/placement"
)

// class is one value for all those that are the same to a template: they pass the
// same of its requirements on this label. It may be the label's absence.
type class struct {
	there bool
	value string
}

// classes returns a value for each class of a label that the domain allows; at
// least one, as the domain was checked.
func (d *Domain) classes(l *labelReads) []class {
	values, named := d.Labels[l.key]
	switch {
	case named:
	case d.Unnamed == UnnamedAny:
		values.Presence = Optional
	default:
		values.Presence = Absent
	}
	var all []class
	seen := map[string]bool{}
	try := func(c class) {
		if passed := l.passed(c); !seen[passed] {
			seen[passed] = true
			all = append(all, c)
		}
	}
	if values.Presence != Present {
		try(class{})
	}
	for _, v := range values.candidates(l) {
		try(class{true, v})
	}
	return all
}

// passed writes down which requirements a value passes.
func (l *labelReads) passed(c class) string {
	var labels map[string]string
	if c.there {
		labels = map[string]string{l.key: c.value}
	}
	results := make([]byte, len(l.tests))
	for i, test := range l.tests {
		results[i] = byte(test.MatchShape(placement.Shape{Labels: labels}))
	}
	return string(results)
}

// candidates returns values of which every value that is allowed has one that
// passes the same requirements. A value is told apart by being one that is written
// in the template or here, by its number in relation to the numbers written, and by
// nothing else; so it is enough to have
//
//   - every value that is written;
//   - a value that is not written and no number;
//   - for every number that is written, and for its neighbours, the number in a
//     spelling that is not written. A number that is not written lies between two
//     that are, or outside, with a neighbour of one of them.
//
// l may be nil for a template that asks nothing.
func (v *Values) candidates(l *labelReads) []string {
	written := slices.Concat(v.In, v.NotIn)
	if l != nil {
		written = append(written, l.values...)
	}
	var numbers []int64
	for _, w := range written {
		if n, ok := decimal.Parse(w); ok {
			numbers = append(numbers, n)
		}
	}
	for _, bound := range []*int64{v.Min, v.Max} {
		if bound != nil {
			numbers = append(numbers, *bound)
		}
	}
	all := slices.Clone(written)
	all = append(all, unwritten("x", "x", written))
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		all = append(all, spelled(n, written))
		if n > math.MinInt64 {
			all = append(all, spelled(n-1, written))
		}
		if n < math.MaxInt64 {
			all = append(all, spelled(n+1, written))
		}
	}
	all = slices.DeleteFunc(all, func(value string) bool { return !v.allows(value) })
	slices.Sort(all)
	return slices.Compact(all)
}

// spelled writes a number in a way that is not written yet.
func spelled(n int64, written []string) string {
	s := strconv.FormatInt(n, 10)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		return "-" + unwritten(digits, "0", cutAll(written, "-"))
	}
	return unwritten(s, "0", written)
}

// unwritten puts as many prefixes before s as it takes.
func unwritten(s, prefix string, written []string) string {
	for slices.Contains(written, s) {
		s = prefix + s
	}
	return s
}

// cutAll are those that begin with the prefix, without it.
func cutAll(list []string, prefix string) []string {
	var all []string
	for _, s := range list {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			all = append(all, rest)
		}
	}
	return all
}
