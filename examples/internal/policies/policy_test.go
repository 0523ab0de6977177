package policies

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/rollout"
)

// compiled is what becomes of a text, at a path.
func compiled(t testing.TB, path, text string) (Policy, rollout.Policy, error) {
	doc, err := input.DocumentOf("p.yaml", []byte(text))
	require.NoError(t, err)
	var written Policy
	if err := doc.Decode(&written); err != nil {
		return written, rollout.Policy{}, err
	}
	p, err := written.Compile(&input.Checker{Document: doc, Path: path})
	return written, p, err
}

// TestBadPolicy: what a policy must not say, and what is said of it. Everything of
// a kind is told at once.
func TestBadPolicy(t *testing.T) {
	const fields = "is not known: must be one of candidates, count, gate, limit, order"
	const amount = ": must be a number or a percentage, as in 2 or 10%, not "
	for _, test := range []struct{ policy, want string }{
		{"apiVersion: v1", "apiVersion: " + fields},
		{"Limit: {}", "Limit: " + fields},
		{"limit: {brust: 1}", "limit.brust: is not known: must be one of burst, perStep, removals, slowStart, strict"},
		{"candidates: {selector: {matchlabels: {a: b}}}", "candidates.selector.matchlabels: is not known: must be one of matchExpressions, matchLabels"},
		{"candidates: {selector: {matchExpressions: [{key: a, op: In}]}}", "candidates.selector.matchExpressions[0].op: is not known: must be one of key, operator, values"},
		{"limt: {}\nlimit: {burst: all, perStep: [1]}\ngate: 1", "gate: must be an object, not a number\n" +
			"limit.burst" + amount + "\"all\"\nlimit.perStep" + amount + "[1]\nlimt: " + fields},

		{"count: 3", "count: must be an object, not a number"},
		{"count: {nodes: all}", `count.nodes: must be existing or eligible, not "all"`},
		{"count: {nodes: 3}", "count.nodes: must be a string, not a number (write it in quotes)"},
		{"count: {exempt: not-ready}", "count.exempt: must be a list, not a string"},
		{"count: {exempt: [cordoned, dead]}", `count.exempt[1]: must be not-ready, not-ready-before or cordoned, not "dead"`},
		{"count: {exemptSelector: {matchExpressions: [{key: a, operator: Is}]}}", `count.exemptSelector: "Is" is not a valid label selector operator`},
		{"count: {maxExempt: 1}", "count.maxExempt: has no effect without exempt or exemptSelector"},
		{"count: {exempt: [cordoned], maxExempt: -1}", "count.maxExempt: -1 is negative"},

		{"candidates: {selector: a=b}", "candidates.selector: must be an object, not a string"},
		{"candidates: {selector: {matchLabels: {a b: c}}}", `candidates.selector: key: Invalid value: "a b"`},
		{"candidates: {nodes: {a: true}}", "candidates.nodes: must be a list, not an object"},
		{"candidates: {partition: {value: 1.5}}", "candidates.partition.value" + amount + "1.5"},
		{"candidates: {partition: {value: -5%}}", "candidates.partition.value: -5% is negative"},
		{"candidates: {partition: {value: 1, rounding: up}}", `candidates.partition.rounding: must be down, not "up"`},
		{"candidates: {partition: {value: 1, base: many}}", "candidates.partition.base: must be an integer, not a string"},
		{"candidates: {partition: {value: 1, base: -1}}", "candidates.partition.base: -1 is negative"},
		{"candidates: {partition: {rounding: down, base: 1}}", "candidates.partition.rounding: has no effect without value\ncandidates.partition.base: has no effect without value"},
		{"candidates: {noRestart: [other]}", `candidates.noRestart[0]: must be none, metadata-only, placement-only, image-only or resources-only, not "other"`},
		{"candidates: {noRestart: image-only}", "candidates.noRestart: must be a list, not a string"},

		{"order: {by: age}", `order.by: must be name or name-descending, not "age"`},
		{"order: {waves: {values: [a], maxUnavailable: 1}}", "order.waves.values: has no effect without label\norder.waves.maxUnavailable: has no effect without label"},
		{"order: {waves: {label: a, values: a}}", "order.waves.values: must be a list, not a string"},
		{"order: {waves: {label: a, maxUnavailable: half}}", "order.waves.maxUnavailable" + amount + `"half"`},
		{"count: {nodes: eligible}\norder: {waves: {label: a, maxUnavailable: -1}}", "order.waves.maxUnavailable: -1 is negative"},

		{"limit: {strict: 1}", "limit.strict: must be true or false, not a number"},
		{"limit: {perStep: true}", "limit.perStep" + amount + "true"},
		{"limit: {perStep: -1}", "limit.perStep: -1 is negative"},
		{"limit: {removals: 5 %}", "limit.removals" + amount + `"5 %"`},
		{"limit: {removals: -1}", "limit.removals: -1 is negative"},
		{`limit: {burst: "5"}`, "limit.burst" + amount + `"5"`},
		{"limit: {burst: -1}", "limit.burst: -1 is negative"},
		{"limit: {burst: 3000000000}", "limit.burst" + amount + "3000000000"},
		{"limit: {slowStart: {step: 1}}", "limit.slowStart: has no effect without interval"},
		{"limit: {slowStart: {interval: 1m}}", "limit.slowStart: has no effect without since"},
		{"limit: {slowStart: {since: 2026-03-04, interval: 60}}", "limit.slowStart.interval: must be a duration such as 90s or 10m, not 60\n" +
			`limit.slowStart.since: must be a time such as 2026-03-04T11:02:00Z, not "2026-03-04"`},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: -1m}}", "limit.slowStart.interval: -1m0s is negative"},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: 1m, step: -1}}", "limit.slowStart.step: -1 is negative"},
		{"limit: {slowStart: {since: 2026-03-04T11:02:00Z, interval: 1m, max: -1}}", "limit.slowStart.max: -1 is negative"},

		{"gate: {pause: true}", "gate.pause: must be a string, not true or false (write it in quotes)"},
		{"gate: {pause: everything}", `gate.pause: must be updates, creates or all, not "everything"`},
		{"gate: {failures: {unreadyFor: 5m}}", "gate.failures.unreadyFor: has no effect without max"},
		{"gate: {failures: {max: 1, unreadyFor: -5m}}", "gate.failures.unreadyFor: -5m0s is negative"},
		{"gate: {failures: {max: -1%}}", "gate.failures.max: -1% is negative"},
		{"gate: {from: 11:00}", "gate.from: must be a time such as 2026-03-04T11:02:00Z, not "},
		{"gate: {from: 2026-03-04T11:02:00Z, until: 2026-03-04T12:02:00+01:00}", "gate.until: not after from"},

		{"limit: {perStep: -1, burst: -10%}", "limit.burst: -10% is negative\nlimit.perStep: -1 is negative"},
		{"limit: {slowStart: {interval: 1m, since: 2026-03-04T11:02:00Z, step: 5%5}}", "limit.slowStart.step" + amount + `"5%5"`},
		{"gate: {failures: {max: 1, unreadyFor: 100000h}}", `gate.failures.unreadyFor: must be at most ten years, not "100000h"`},
		{"count: {exempt: ['']}", `count.exempt[0]: must be not-ready, not-ready-before or cordoned, not ""`},
		{"candidates: {noRestart: ['']}", `candidates.noRestart[0]: must be none, metadata-only, `},
	} {
		_, p, err := compiled(t, "", test.policy)
		require.Error(t, err, test.policy)
		assert.Equal(t, rollout.Policy{}, p)
		want := "p.yaml: " + strings.ReplaceAll(test.want, "\n", "\np.yaml: ")
		assert.True(t, strings.HasPrefix(err.Error(), want), "%s\nwant %s\ngot  %s", test.policy, want, err)
		assert.Equal(t, strings.Count(want, "\n"), strings.Count(err.Error(), "\n"), err)
	}
}

// TestPath: the fields are those of the document that the policy is a part of.
func TestPath(t *testing.T) {
	for text, want := range map[string]string{
		"order: {by: age}":                              `p.yaml: events[2].policy.order.by: must be name or name-descending, not "age"`,
		"count: {maxExempt: 1}":                         "p.yaml: events[2].policy.count.maxExempt: has no effect without exempt or exemptSelector",
		"candidates: {partition: {value: 1, base: -1}}": "p.yaml: events[2].policy.candidates.partition.base: -1 is negative",
	} {
		_, _, err := compiled(t, "events[2].policy.", text)
		assert.EqualError(t, err, want)
	}
}

// TestNothing: what is left out, or null, is the controller's.
func TestNothing(t *testing.T) {
	for _, text := range []string{
		"{}", "count:\norder: {waves: }\ngate: {from: null, failures: {max: null, unreadyFor: null}}",
		"candidates: {nodes: null, selector: null, noRestart: []}\nlimit: {burst: null}\ncount: {exempt: []}",
	} {
		written, p, err := compiled(t, "", text)
		require.NoError(t, err)
		assert.Equal(t, rollout.Policy{}, p, text)
		assert.Empty(t, written.String())
	}
}

// TestString: every field that restrains something is in the words.
func TestString(t *testing.T) {
	for text, want := range map[string]string{
		"count: {nodes: eligible, exempt: [not-ready, cordoned], maxExempt: 10%}":  "counts eligible nodes, exempt not-ready, cordoned",
		"count: {exempt: [cordoned], exemptSelector: {matchLabels: {pool: spot}}}": "exempt cordoned, some nodes",
		"count: {exemptSelector: {}}":                                      "exempt some nodes",
		"candidates: {nodes: [], partition: {value: 10%, rounding: down}}": "some nodes only, partition 10%",
		"candidates: {selector: {matchLabels: {a: b}}, noRestart: [none]}": "some nodes only, some changes restart nothing",
		"order: {by: name}": "",
		"order: {by: name-descending, waves: {label: zone, values: [a], maxUnavailable: 1}}": "name-descending, waves by zone",
		"limit: {strict: true, perStep: 2, burst: 10%, removals: 0}":                         "strict, perStep 2, burst 10%, removals 0",
		"limit: {slowStart: {since: 2026-03-04T11:00:00Z, interval: 1m}}":                    "slow start",
		"gate: {pause: creates, failures: {max: 5%}, until: 2026-03-04T11:00:00Z}":           "paused, stops at 5% failures, in a window",
	} {
		written, _, err := compiled(t, "", text)
		require.NoError(t, err, text)
		assert.Equal(t, want, written.String(), text)
	}
}

// TestAmount: the command line, and what else is asked of an amount.
func TestAmount(t *testing.T) {
	for text, want := range map[string]intstr.IntOrString{
		"0": intstr.FromInt32(0), "0%": intstr.FromString("0%"), "7": intstr.FromInt32(7), "25%": intstr.FromString("25%"),
	} {
		a, err := ParseAmount(text)
		require.NoError(t, err)
		assert.Equal(t, want, *a.Of())
		assert.Equal(t, text, a.String())
		assert.Equal(t, strings.HasPrefix(text, "0"), a.None())
		assert.Equal(t, &a, AmountOf(&want))
	}
	for _, text := range []string{"", "few", "1.5", "5 %", "%", "3000000000", "4294967297"} {
		_, err := ParseAmount(text)
		assert.ErrorIs(t, err, errAmount, text)
	}
	_, err := ParseAmount("-5%")
	assert.EqualError(t, err, "-5% is negative")
	var none *Amount
	assert.True(t, none.None())
	assert.Nil(t, none.Of())
	assert.Nil(t, AmountOf(nil))
	assert.Empty(t, none.String())
}

// TestTimes: the command line says no more than what is wrong.
func TestTimes(t *testing.T) {
	m, err := ParseMoment("2026-03-04T12:02:00+01:00")
	require.NoError(t, err)
	assert.Equal(t, time.Date(2026, 3, 4, 11, 2, 0, 0, time.UTC), m.Time)
	_, err = ParseMoment("noon")
	assert.EqualError(t, err, "must be a time such as 2026-03-04T11:02:00Z")

	s, err := ParseSpan("1h30m")
	require.NoError(t, err)
	assert.Equal(t, 90*time.Minute, s.Duration)
	for text, want := range map[string]string{
		"90": "must be a duration such as 90s or 10m", "-90s": "-1m30s is negative", "87841h": "must be at most ten years",
	} {
		_, err := ParseSpan(text)
		assert.EqualError(t, err, want)
	}
}

// TestExemptions: every name has its function.
func TestExemptions(t *testing.T) {
	assert.Len(t, exemptions, len(Exemptions))
	for _, name := range Exemptions {
		assert.NotNil(t, exemptions[name], name)
	}
}

// TestFields: no field of the library's policy is without one that is written.
func TestFields(t *testing.T) {
	var compare func(library, written reflect.Type)
	compare = func(library, written reflect.Type) {
		for i := range library.NumField() {
			f := library.Field(i)
			of, has := written.FieldByName(f.Name)
			if assert.True(t, has, "%s.%s", library, f.Name); has && f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]() {
				compare(f.Type, of.Type)
			}
		}
	}
	compare(reflect.TypeFor[rollout.Policy](), reflect.TypeFor[Policy]())
}
