package cost_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

func needs(terms ...corev1.NodeSelectorTerm) corev1.PodSpec {
	return corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
	}}}
}

func term(r ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: r}
}

func req(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func TestDomainAnswers(t *testing.T) {
	in, notIn, exists, gt := corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpGt
	either := needs(term(req("zone", in, "a")), term(req("zone", notIn, "a")))
	both := needs(term(req("zone", in, "a"), req("size", gt, "8")))
	for _, test := range []struct {
		name string
		spec corev1.PodSpec
		d    cost.Domain
		want string
	}{
		{"asks nothing", corev1.PodSpec{}, cost.Domain{}, "yes"},
		{"asks nothing of any label", corev1.PodSpec{}, cost.Domain{Unnamed: cost.UnnamedAny}, "yes"},
		{"terms that add up to everything", either, cost.Domain{Unnamed: cost.UnnamedAny}, "yes"},
		{"both labels decide", both, cost.Domain{Unnamed: cost.UnnamedAny}, "depends on size, zone"},
		{"a label that never makes a difference", needs(term(req("zone", in, "a")), term(req("zone", in, "a"), req("x", exists))),
			cost.Domain{Unnamed: cost.UnnamedAny}, "depends on zone"},
		{"one is known", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}}, "size": {}}}, "depends on size"},
		{"one is known to fail", both, cost.Domain{Labels: map[string]cost.Values{"zone": {NotIn: []string{"a"}}, "size": {}}}, "no"},
		{"unnamed labels are absent", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}}}}, "no"},
		{"a range within", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}}, "size": {Min: ptr(int64(9))}}}, "yes"},
		{"a range at the bound", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}}, "size": {Min: ptr(int64(8)), Max: ptr(int64(9))}}}, "depends on size"},
		{"a range below", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}}, "size": {Max: ptr(int64(8))}}}, "no"},
		{"may be absent", needs(term(req("x", exists))), cost.Domain{Labels: map[string]cost.Values{"x": {Presence: cost.Optional}}}, "depends on x"},
		{"is there", needs(term(req("x", exists))), cost.Domain{Labels: map[string]cost.Values{"x": {}}}, "yes"},
		{"is not there", needs(term(req("x", exists))), cost.Domain{Labels: map[string]cost.Values{"x": {Presence: cost.Absent}}, Unnamed: cost.UnnamedAny}, "no"},
		{"the same number in another spelling", needs(term(req("x", notIn, "5"))),
			cost.Domain{Labels: map[string]cost.Values{"x": {Min: ptr(int64(5)), Max: ptr(int64(5))}}}, "depends on x"},
		{"that spelling is excluded", needs(term(req("x", notIn, "5"))),
			cost.Domain{Labels: map[string]cost.Values{"x": {Min: ptr(int64(5)), Max: ptr(int64(5)), NotIn: []string{"5"}}}}, "yes"},
		{"a taint", corev1.PodSpec{}, cost.Domain{Taints: []corev1.Taint{{Key: "x", Effect: corev1.TaintEffectNoSchedule}}}, "no"},
		{"a pinned pod", corev1.PodSpec{NodeName: "n"}, cost.Domain{}, "no"},
		{"the ends of the range", both, cost.Domain{Labels: map[string]cost.Values{"zone": {In: []string{"a"}},
			"size": {Min: ptr(int64(math.MaxInt64)), Max: ptr(int64(math.MaxInt64))}}}, "yes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := daemon(t, daemonSet("x", test.spec)).On(test.d)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.String())
		})
	}
}

func TestDomainErrors(t *testing.T) {
	d := daemon(t, daemonSet("x", corev1.PodSpec{}))
	for field, domain := range map[string]cost.Domain{
		"labels[b]":          {Labels: map[string]cost.Values{"c": {In: []string{}}, "b": {Min: ptr(int64(3)), Max: ptr(int64(2))}}},
		"labels[x].presence": {Labels: map[string]cost.Values{"x": {Presence: "maybe"}}},
		"unnamed":            {Unnamed: "some"},
	} {
		_, err := d.On(domain)
		assert.ErrorContains(t, err, "cost: "+field+": ")
		_, err = cost.NewSet([]*cost.Daemon{d}).On(domain, cost.Question{})
		assert.ErrorContains(t, err, "cost: "+field+": ")
	}
	// Nothing is left for a label that may be absent: then it is.
	_, err := d.On(cost.Domain{Labels: map[string]cost.Values{"x": {Presence: cost.Optional, In: []string{}}}})
	assert.NoError(t, err)
}

// Too many labels to go through all combinations: the answer claims nothing.
func TestDomainUnsettled(t *testing.T) {
	spec := corev1.PodSpec{NodeSelector: map[string]string{}}
	for i := range 13 {
		spec.NodeSelector["k"+strconv.Itoa(i)] = "v"
	}
	got, err := daemon(t, daemonSet("x", spec)).On(cost.Domain{Unnamed: cost.UnnamedAny})
	require.NoError(t, err)
	assert.True(t, got.Unsettled)
	assert.Equal(t, cost.Depends, got.Verdict)
	assert.Len(t, got.Labels, 13)
	delete(spec.NodeSelector, "k0")
	got, err = daemon(t, daemonSet("x", spec)).On(cost.Domain{Unnamed: cost.UnnamedAny})
	require.NoError(t, err)
	assert.False(t, got.Unsettled)
	assert.Len(t, got.Labels, 12)
}

// Rules of the caller's are not asked about nodes that nobody knows.
func TestDomainWithPredicates(t *testing.T) {
	o := cost.Options{}
	o.Placement.Predicates = []placement.Predicate{{Test: func(placement.Shape) bool { panic("asked") }}}
	spec := corev1.PodSpec{NodeSelector: map[string]string{"a": "b"}}
	d, err := cost.Compile(daemonSet("x", spec), o)
	require.NoError(t, err)
	got, err := d.On(cost.Domain{Labels: map[string]cost.Values{"a": {In: []string{"b"}}}})
	require.NoError(t, err)
	assert.Equal(t, "depends on predicates", got.String())
	got, err = d.On(cost.Domain{})
	require.NoError(t, err)
	assert.Equal(t, "no", got.String())
	byHand := &cost.Daemon{Matcher: d.Matcher}
	got, err = byHand.On(cost.Domain{})
	require.NoError(t, err)
	assert.Equal(t, "depends on predicates", got.String())
}

// values draws what is known of a label.
func values(t *rapid.T) cost.Values {
	var v cost.Values
	some := func(label string) []string {
		l := []string{}
		for range gen.Pick(t, label, 0, 1, 1, 2, 3) {
			l = append(l, gen.LabelValue(t))
		}
		return l
	}
	if gen.Chance(t, 40, "in") {
		v.In = some("in")
	}
	if gen.Chance(t, 30, "not in") {
		v.NotIn = some("not in")
	}
	if gen.Chance(t, 25, "min") {
		v.Min = ptr(gen.Pick[int64](t, "min", 4, 5, 6, 498, -4, math.MinInt64, math.MaxInt64))
	}
	if gen.Chance(t, 25, "max") {
		v.Max = ptr(gen.Pick[int64](t, "max", 5, 6, 500, -2, math.MaxInt64))
	}
	v.Presence = gen.Pick(t, "presence", cost.Present, cost.Present, cost.Optional, cost.Absent)
	return v
}

func domain(t *rapid.T) cost.Domain {
	d := cost.Domain{Labels: map[string]cost.Values{}, Unnamed: gen.Pick(t, "unnamed", cost.UnnamedAbsent, cost.UnnamedAny)}
	for range gen.Pick(t, "labels", 0, 1, 2, 3, 4) {
		d.Labels[gen.LabelKey(t)] = values(t)
	}
	if gen.Chance(t, 20, "tainted") {
		d.Taints = gen.Taints().Draw(t, "taints")
	}
	return d
}

// read are the keys that a template looks at, and everything written about each.
func read(template *corev1.PodTemplateSpec) map[string][]string {
	all := map[string][]string{}
	for key, value := range template.Spec.NodeSelector {
		all[key] = append(all[key], value)
	}
	if a := template.Spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, r := range term.MatchExpressions {
				all[r.Key] = append(all[r.Key], r.Values...)
			}
		}
	}
	return all
}

// answerHolds compares an answer with every node of the domain that can be told
// apart, when there are few, and with some of them when there are many. It is a fuzz
// target too.
func answerHolds(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		template := gen.Template().Draw(t, "template")
		d, err := cost.Compile(daemonSet("x", template.Spec), cost.Options{})
		require.NoError(t, err)
		domain := domain(t)
		answer, err := d.On(domain)
		if err != nil {
			reached.Add("error")
			return
		}
		reached.Add(answer.Verdict.String())
		assert.False(t, answer.Unsettled || answer.Predicates)

		// Labels to try for each key: nil for none. A wide choice, with no thought of
		// what can be told apart.
		m := placement.Compile(template, placement.Options{})
		written := read(template)
		keys := []string{"unread"}
		for key := range written {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		choices := make([][]*string, len(keys))
		total := 1
		for i, key := range keys {
			tries := append(slices.Concat(written[key], domain.Labels[key].In, domain.Labels[key].NotIn), "zz", "yy", "123456")
			for _, s := range slices.Clone(tries) {
				if n, err := strconv.ParseInt(s, 10, 64); err == nil && n < math.MaxInt64 && n > math.MinInt64 {
					tries = append(tries, strconv.FormatInt(n-1, 10), strconv.FormatInt(n+1, 10), "+0"+strconv.FormatInt(max(n, 0), 10))
				}
			}
			for _, bound := range []*int64{domain.Labels[key].Min, domain.Labels[key].Max} {
				if bound != nil {
					s := strconv.FormatInt(*bound, 10)
					tries = append(tries, s)
					if *bound > 0 {
						tries = append(tries, "00"+s, strconv.FormatInt(*bound-1, 10))
					}
				}
			}
			slices.Sort(tries)
			allowed := []*string{}
			if mayBeMissing(domain, key) {
				allowed = append(allowed, nil)
			}
			for _, s := range slices.Compact(tries) {
				if mayBe(domain, key, s) {
					allowed = append(allowed, &s)
				}
			}
			choices[i] = allowed
			total *= max(len(allowed), 1)
		}

		var seen [2]bool
		check := func(pick func(i int) *string) {
			labels := map[string]string{}
			for key, v := range domain.Labels { // what the template does not read
				if _, reads := written[key]; !reads && v.Presence == cost.Present {
					labels[key] = anyOf(v)
				}
			}
			for i, key := range keys {
				if s := pick(i); s != nil {
					labels[key] = *s
				} else if len(choices[i]) == 0 {
					return
				}
			}
			if !domain.Contains(labels) {
				return
			}
			eligible := m.MatchShape(placement.Shape{Labels: labels, Taints: domain.Taints}) == placement.Eligible
			switch answer.Verdict {
			case cost.Yes:
				require.True(t, eligible, "%v", labels)
			case cost.No:
				require.False(t, eligible, "%v", labels)
			}
			if eligible {
				seen[1] = true
			} else {
				seen[0] = true
			}
		}
		if total <= 2000 {
			for n := range total {
				rest := n
				index := make([]int, len(keys))
				for i := range keys {
					if len(choices[i]) > 0 {
						index[i] = rest % len(choices[i])
						rest /= len(choices[i])
					}
				}
				check(func(i int) *string {
					if len(choices[i]) == 0 {
						return nil
					}
					return choices[i][index[i]]
				})
			}
			if answer.Verdict == cost.Depends {
				assert.True(t, seen[0] && seen[1], "%v: nodes of both kinds: %v", answer, seen)
				assert.NotEmpty(t, answer.Labels)
				reached.Add("depends, shown")
			}
			reached.AddIf(answer.Verdict == cost.Yes && seen[1], "yes, shown")
			reached.AddIf(answer.Verdict == cost.No && seen[0], "no, shown")
			return
		}
		reached.Add("sampled")
		for range 50 {
			check(func(i int) *string {
				if len(choices[i]) == 0 {
					return nil
				}
				return gen.Pick(t, "value", choices[i]...)
			})
		}
	}
}

// mayBeMissing reports whether a label may be missing.
func mayBeMissing(d cost.Domain, key string) bool {
	v, named := d.Labels[key]
	return !named || v.Presence != cost.Present
}

// mayBe reports whether a label may have a value, the others aside.
func mayBe(d cost.Domain, key, value string) bool {
	one := cost.Domain{Unnamed: d.Unnamed}
	if v, named := d.Labels[key]; named {
		one.Labels = map[string]cost.Values{key: v}
	}
	return one.Contains(map[string]string{key: value})
}

// anyOf is a value that a label may have.
func anyOf(v cost.Values) string {
	one := cost.Domain{Labels: map[string]cost.Values{"k": v}}
	tries := append(slices.Clone(v.In), "other", "77")
	for _, bound := range []*int64{v.Min, v.Max} {
		if bound != nil {
			tries = append(tries, strconv.FormatInt(*bound, 10), "+"+strconv.FormatInt(*bound, 10), "00"+strconv.FormatInt(*bound, 10))
		}
	}
	for _, s := range tries {
		if one.Contains(map[string]string{"k": s}) {
			return s
		}
	}
	return ""
}

func TestAnswerHolds(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, answerHolds(&reached))
	reached.Require(t, "yes", "no", "depends", "error", "yes, shown", "no, shown", "depends, shown")
}

func FuzzDomain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(answerHolds(&tally.Tally{}))) }
