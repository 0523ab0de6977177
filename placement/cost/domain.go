package cost

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/internal/decimal"
	"github.com/daemonplan/daemonplan/placement"
)

// Domain is all the nodes that a pool may launch: those whose labels have values of
// which each is known to some extent, independently of each other. Their names are
// none of the names written in a template.
type Domain struct {
	// Labels are what is known of each label.
	Labels map[string]Values
	// Unnamed is what is known of labels that are not in Labels.
	Unnamed Unnamed
	// Taints are those of every node.
	Taints []corev1.Taint
}

// Unnamed says what labels a domain has besides those it names.
type Unnamed string

// What labels a domain has besides those it names. The zero value is absent, as in
// a Shape.
const (
	UnnamedAbsent Unnamed = ""
	// UnnamedAny: each may be there, with any value, or not.
	UnnamedAny Unnamed = "any"
)

// Values are what a label may be. All that is set holds at once. The zero value is a
// label that is there with any value.
type Values struct {
	// In, unless it is nil, are the only values.
	In []string
	// NotIn are values that it has not.
	NotIn []string
	// Min and Max, when set, bound it: it is an integer as Gt and Lt read one, and
	// no less than Min and no more than Max.
	Min, Max *int64
	// Presence is whether the label is there at all.
	Presence Presence
}

// Presence is whether a label is there.
type Presence string

// Whether a label is there.
const (
	Present Presence = ""
	// Optional: it may be missing; if it is there, its value is one that is allowed.
	Optional Presence = "optional"
	// Absent: it is missing.
	Absent Presence = "absent"
)

// allows reports whether a label that is there may have the value.
func (v *Values) allows(value string) bool {
	if v.Presence == Absent || v.In != nil && !slices.Contains(v.In, value) || slices.Contains(v.NotIn, value) {
		return false
	}
	if v.Min == nil && v.Max == nil {
		return true
	}
	n, ok := decimal.Parse(value)
	return ok && (v.Min == nil || n >= *v.Min) && (v.Max == nil || n <= *v.Max)
}

// Contains reports whether a node of these labels may be in the domain. Taints are
// not compared.
func (d Domain) Contains(labels map[string]string) bool {
	for key, values := range d.Labels {
		value, there := labels[key]
		if !there && values.Presence == Present || there && !values.allows(value) {
			return false
		}
	}
	if d.Unnamed == UnnamedAny {
		return true
	}
	for key := range labels {
		if _, named := d.Labels[key]; !named {
			return false
		}
	}
	return true
}

// Verdict is whether a DaemonSet runs on the nodes of a domain.
type Verdict string

const (
	// No: on none of them. This is the zero Verdict.
	No Verdict = ""
	// Yes: on all of them.
	Yes Verdict = "yes"
	// Depends: on some. See [Answer] for when this is said of more.
	Depends Verdict = "depends"
)

// String returns "no", "yes" or "depends".
func (v Verdict) String() string {
	if v == No {
		return "no"
	}
	return string(v)
}

// Answer says whether a DaemonSet runs on the nodes of a domain, and if that
// depends, on what. No and Yes hold for every node of the domain.
type Answer struct {
	Verdict Verdict
	// Labels are those on which it depends, sorted: each makes the difference for
	// some values of the others.
	Labels []string
	// Predicates says that it depends on rules of the caller's, which are not asked
	// about nodes that nobody knows.
	Predicates bool
	// Unsettled says that there were too many combinations to go through, more than
	// 4096. Then Labels are all that are not the same throughout the domain, and the
	// DaemonSet may run on all nodes or on none.
	Unsettled bool
}

// String is the verdict and what it depends on.
func (a Answer) String() string {
	on := slices.Clone(a.Labels)
	if a.Predicates {
		on = append(on, "predicates")
	}
	if len(on) == 0 {
		return a.Verdict.String()
	}
	return fmt.Sprintf("%s on %s", a.Verdict, strings.Join(on, ", "))
}

// combinations is how many are gone through.
const combinations = 1 << 12

// On answers for the nodes of a domain. The error names the field of a label that
// no value is left for, or that is unknown to this package.
func (d *Daemon) On(domain Domain) (Answer, error) {
	if err := domain.check(); err != nil {
		return Answer{}, fmt.Errorf("cost: %w", err)
	}
	return d.on(&domain), nil
}

// check returns what is wrong with a domain, the first by its field.
func (d *Domain) check() error {
	var bad field.ErrorList
	if d.Unnamed != UnnamedAbsent && d.Unnamed != UnnamedAny {
		bad = append(bad, field.NotSupported(field.NewPath("unnamed"), d.Unnamed, []Unnamed{UnnamedAbsent, UnnamedAny}))
	}
	for key, values := range d.Labels {
		path := field.NewPath("labels").Key(key)
		switch values.Presence {
		case Present:
			if len(values.candidates(nil)) == 0 {
				bad = append(bad, field.Invalid(path, field.OmitValueType{}, "no value is left"))
			}
		case Optional, Absent:
		default:
			bad = append(bad, field.NotSupported(path.Child("presence"), values.Presence, []Presence{Present, Optional, Absent}))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return first(bad)
}

// on answers for a domain that was checked.
func (d *Daemon) on(domain *Domain) Answer {
	if !d.reads.known {
		return Answer{Verdict: Depends, Predicates: true}
	}
	t := truthTable{labels: map[string]string{}}
	total := 1
	for i := range d.reads.labels {
		l := &d.reads.labels[i]
		classes := domain.classes(l)
		if len(classes) > 1 {
			t.keys = append(t.keys, l.key)
			t.classes = append(t.classes, classes)
			total = min(total*len(classes), combinations+1)
		} else if classes[0].there {
			t.labels[l.key] = classes[0].value
		}
	}
	if total > combinations {
		return Answer{Verdict: Depends, Labels: t.keys, Predicates: d.reads.predicates, Unsettled: true}
	}
	m := d.Matcher
	if d.reads.predicates {
		m = d.reads.rules
	}
	t.fill(func(labels map[string]string) bool {
		return m.MatchShape(placement.Shape{Labels: labels, Taints: domain.Taints}) == placement.Eligible
	})
	a := t.answer()
	if a.Verdict != No && d.reads.predicates {
		a.Verdict, a.Predicates = Depends, true
	}
	return a
}

// truthTable is the verdict for each combination of classes, the last key the
// fastest.
type truthTable struct {
	labels  map[string]string // those that are the same in all
	keys    []string
	classes [][]class
	verdict []bool
}

// fill goes through all combinations.
func (t *truthTable) fill(eligible func(map[string]string) bool) {
	var combine func(i int)
	combine = func(i int) {
		if i == len(t.keys) {
			t.verdict = append(t.verdict, eligible(t.labels))
			return
		}
		for _, c := range t.classes[i] {
			if delete(t.labels, t.keys[i]); c.there {
				t.labels[t.keys[i]] = c.value
			}
			combine(i + 1)
		}
	}
	combine(0)
}

// answer reads the table. A key decides when two combinations that differ in it
// alone differ in their verdict.
func (t *truthTable) answer() Answer {
	switch {
	case !slices.Contains(t.verdict, true):
		return Answer{Verdict: No}
	case !slices.Contains(t.verdict, false):
		return Answer{Verdict: Yes}
	}
	a := Answer{Verdict: Depends}
	step := len(t.verdict)
	for i, key := range t.keys {
		n := len(t.classes[i])
		step /= n // the distance of two neighbours in this key
		for at := range t.verdict {
			if at/step%n > 0 && t.verdict[at] != t.verdict[at-step] {
				a.Labels = append(a.Labels, key)
				break
			}
		}
	}
	return a
}

// DomainOverhead is what DaemonSets take from the nodes of a domain.
type DomainOverhead struct {
	// Least is what every node has to bear, Most what one may have to: the sums of
	// the DaemonSets for which the answer is yes, and of those for which it is not no.
	Least, Most Overhead
	// Depends are those in Most and not in Least, with their answers, by namespace
	// and name.
	Depends []DaemonAnswer
}

// DaemonAnswer is the answer for one DaemonSet.
type DaemonAnswer struct {
	Daemon *Daemon
	Answer
}

// On asks every DaemonSet about a domain. Taints and labels are changed as the
// question says: a label that is assumed has that value and no other. Errors are
// those of [Daemon.On], and [ErrOverflow].
func (s *Set) On(domain Domain, q Question) (DomainOverhead, error) {
	shape := q.shape(placement.Shape{Taints: domain.Taints})
	asked := Domain{Labels: make(map[string]Values, len(domain.Labels)), Unnamed: domain.Unnamed, Taints: shape.Taints}
	for key, values := range domain.Labels {
		asked.Labels[key] = values
	}
	for key, value := range q.AssumeLabels {
		asked.Labels[key] = Values{In: []string{value}}
	}
	if err := asked.check(); err != nil {
		return DomainOverhead{}, fmt.Errorf("cost: %w", err)
	}
	if s == nil {
		return DomainOverhead{}, nil
	}
	var o DomainOverhead
	var err error
	yes, maybe := Bits(nil).cleared(len(s.daemons)), Bits(nil).cleared(len(s.daemons))
	for i, d := range s.daemons {
		if !q.Filter.keeps(d) {
			continue
		}
		switch a := d.on(&asked); a.Verdict {
		case Yes:
			yes.add(i)
			maybe.add(i)
		case Depends:
			maybe.add(i)
			o.Depends = append(o.Depends, DaemonAnswer{d, a})
		}
	}
	if o.Least, err = s.overhead(yes); err != nil {
		return DomainOverhead{}, err
	}
	if o.Most, err = s.overhead(maybe); err != nil {
		return DomainOverhead{}, err
	}
	return o, nil
}
