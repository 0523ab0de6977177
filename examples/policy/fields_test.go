package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/examples/internal/policies"
)

// reportOf runs the program on a cluster under a policy. Without a cluster it is
// that of the demonstration.
func reportOf(t testing.TB, objects, policy string, args ...string) daemonSetReport {
	t.Helper()
	file := t.TempDir() + "/policy.yaml"
	write(t, file, policy)
	args = append(args, "-policy", file, "-o", "json")
	if objects != "" {
		args = append(args, "-f", "-", "-now", "2026-03-04T11:02:00Z", "-hash", "new")
	}
	got := runPolicy(objects, args...)
	require.Contains(t, []int{done, blocked}, got.Status, got.Stderr)
	var r report
	got.Document(t, &r)
	require.Len(t, r.DaemonSets, 1)
	return r.DaemonSets[0]
}

// outcomeOf is what is done and held, in one line.
func outcomeOf(t testing.TB, objects, policy string, args ...string) string {
	t.Helper()
	return outcome(reportOf(t, objects, policy, args...).Plan)
}

func outcome(p planReport) string {
	var parts []string
	for _, c := range p.Create {
		parts = append(parts, "create "+c.Node)
	}
	for _, d := range p.Delete {
		parts = append(parts, "delete "+d.Node)
	}
	for _, h := range p.Held {
		parts = append(parts, fmt.Sprintf("%d %s", h.N, h.Reason))
	}
	if !p.LookAgain.IsZero() {
		parts = append(parts, p.LookAgain.Format(time.TimeOnly))
	}
	return strings.Join(parts, ", ")
}

// TestEveryField: each field of a policy changes what is done, as it says.
func TestEveryField(t *testing.T) {
	olds := cluster(t, 2, "a1 old", "a2 old", "b1 old", "b2 old")
	dead := cluster(t, 1, "a1 old", "b1 old unready terminating node-not-ready", "b2 new")
	failing := cluster(t, 2, "a1 new", "a2 new unready", "b1 old", "b2 old")
	excluded := cluster(t, 1, "a1 new excluded", "a2 new excluded", "b1")
	const (
		all    = "delete a1, delete a2, 2 held-budget" // of olds, with the controller's rules
		slow   = `limit: {slowStart: {since: "2026-03-04T11:00:00Z", `
		zones  = `order: {waves: {label: zone`
		exempt = `count: {exempt: [not-ready]`
	)
	tests := []struct {
		field, cluster, without, before, with, after string
	}{
		{"count.nodes", cluster(t, 1, "a1 old", "b1 old unready gone"),
			`{}`, "delete b1, 1 held-budget", `count: {nodes: existing}`, "delete a1, 1 held-node-gone"},
		{"count.nodes", cluster(t, 1, "a1 old", "b1 old unready tainted"),
			`count: {nodes: existing}`, "delete b1, 1 held-budget", `count: {nodes: eligible}`, "delete a1, 1 held-not-eligible"},
		{"count.exempt", dead, `count: {exempt: []}`, "1 held-budget", exempt + `}`, "delete a1"},
		{"count.exempt", dead, `count: {exempt: [cordoned]}`, "1 held-budget", `count: {exempt: [cordoned, not-ready-before]}`, "delete a1"},
		{"count.exempt", cluster(t, 1, "a1 old", "b1 new unready node-not-ready"),
			`count: {exempt: [not-ready-before]}`, "1 held-budget", exempt + `}`, "delete a1"},
		{"count.exempt", cluster(t, 1, "a1 old", "b1 new unready cordoned"),
			exempt + `}`, "1 held-budget", `count: {exempt: [cordoned]}`, "delete a1"},
		{"count.exemptSelector", dead, `count: {exemptSelector: {matchLabels: {zone: a}}}`, "1 held-budget",
			`count: {exemptSelector: {matchExpressions: [{key: zone, operator: In, values: [b]}]}}`, "delete a1"},
		{"count.maxExempt", dead, exempt + `}`, "delete a1", exempt + `, maxExempt: 0}`, "1 held-budget"},
		{"count.maxExempt", dead, exempt + `, maxExempt: 0%}`, "1 held-budget", exempt + `, maxExempt: 1%}`, "delete a1"},

		{"candidates.selector", olds, `{}`, all, `candidates: {selector: {matchLabels: {zone: b}}}`, "delete b1, delete b2, 2 held-selector"},
		{"candidates.selector", olds, `candidates: {selector: {}}`, all,
			`candidates: {selector: {matchExpressions: [{key: zone, operator: DoesNotExist}]}}`, "4 held-selector"},
		{"candidates.nodes", olds, `candidates: {nodes: null}`, all, `candidates: {nodes: [a2]}`, "delete a2, 3 held-not-chosen"},
		{"candidates.nodes", olds, `{}`, all, `candidates: {nodes: []}`, "4 held-not-chosen"},
		{"candidates.partition.value", olds, `{}`, all, `candidates: {partition: {value: 3}}`, "delete a1, 3 held-partition"},
		{"candidates.partition.rounding", olds, `candidates: {partition: {value: 55%}}`, "delete a1, 3 held-partition",
			`candidates: {partition: {value: 55%, rounding: down}}`, "delete a1, delete a2, 2 held-partition"},
		{"candidates.partition.base", olds, `candidates: {partition: {value: 50%}}`, "delete a1, delete a2, 2 held-partition",
			`candidates: {partition: {value: 50%, base: 8}}`, "4 held-partition"},
		{"candidates.noRestart", "", `candidates: {noRestart: [none, metadata-only, placement-only, resources-only]}`, "delete node-b2, 4 held-budget, 11:02:12",
			`candidates: {noRestart: [image-only]}`, "5 held-no-restart, 11:02:12"},

		{"order.by", olds, `order: {by: name}`, all, `order: {by: name-descending}`, "delete b2, delete b1, 2 held-budget"},
		{"order.waves.label", olds, `{}`, all, zones + `}}`, "delete a1, delete a2, 2 held-wave"},
		{"order.waves.values", olds, zones + `, values: []}}`, "delete a1, delete a2, 2 held-wave",
			zones + `, values: [b]}}`, "delete b1, delete b2, 2 held-wave"},
		{"order.waves.maxUnavailable", olds, zones + `, maxUnavailable: 51%}}`, "delete a1, delete a2, 2 held-wave",
			zones + `, maxUnavailable: 50%}}`, "delete a1, 2 held-wave, 1 held-wave-budget"},

		{"limit.strict", cluster(t, 2, "a1 old unready", "a2 old unready", "b1 old unready"), `limit: {strict: false}`, "delete a1, delete a2, delete b1",
			`limit: {strict: true}`, "delete a1, delete a2, 1 held-budget"},
		{"limit.perStep", olds, `{}`, all, `limit: {perStep: 25%}`, "delete a1, 3 held-step"},
		{"limit.removals", excluded, `{}`, "create b1, delete a1, delete a2", `limit: {removals: 1}`, "create b1, delete a1, 1 held-removals"},
		{"limit.burst", olds, `{}`, all, `limit: {burst: 1}`, "delete a1, 2 held-budget, 1 held-burst"},
		{"limit.slowStart.since", olds, slow + `interval: 10m}}`, "delete a1, 3 held-slow-start, 11:10:00",
			`limit: {slowStart: {since: "2026-03-04T12:50:00+02:00", interval: 10m}}`, "delete a1, delete a2, 2 held-slow-start, 11:10:00"},
		{"limit.slowStart.interval", olds, slow + `interval: 10m}}`, "delete a1, 3 held-slow-start, 11:10:00", slow + `interval: 2m}}`,
			"delete a1, delete a2, 2 held-slow-start, 11:04:00"},
		{"limit.slowStart.step", olds, slow + `interval: 10m}}`, "delete a1, 3 held-slow-start, 11:10:00", slow + `interval: 10m, step: 2}}`,
			"delete a1, delete a2, 2 held-slow-start, 11:10:00"},
		{"limit.slowStart.max", olds, slow + `interval: 1m}}`, all, slow + `interval: 1m, max: 1}}`, "delete a1, 3 held-slow-start"},

		{"gate.pause", olds, `gate: {pause: ""}`, all, `gate: {pause: updates}`, "4 held-paused"},
		{"gate.pause", excluded, `gate: {pause: updates}`, "create b1, delete a1, delete a2", `gate: {pause: creates}`, "delete a1, delete a2, 1 held-paused"},
		{"gate.pause", excluded, `gate: {pause: creates}`, "delete a1, delete a2, 1 held-paused", `gate: {pause: all}`, "3 held-paused"},
		{"gate.failures.max", failing, `gate: {failures: {max: 1, unreadyFor: 10m}}`, "delete b1, 1 held-budget",
			`gate: {failures: {max: 49%, unreadyFor: 10m}}`, "2 held-failures"},
		{"gate.failures.unreadyFor", failing, `gate: {failures: {max: 0}}`, "delete b1, 1 held-budget",
			`gate: {failures: {max: 0, unreadyFor: 12m0s}}`, "delete b1, 1 held-budget, 11:02:00"},
		{"gate.from", olds, `gate: {from: 2026-03-04T11:02:00Z}`, all, `gate: {from: 2026-03-04T11:02:01Z}`, "4 held-window, 11:02:01"},
		{"gate.until", olds, `gate: {until: "2026-03-04T11:02:01Z"}`, all, `gate: {until: "2026-03-04T11:02:00Z"}`, "4 held-window"},
	}
	covered := map[string]bool{}
	for _, test := range tests {
		t.Run(test.field, func(t *testing.T) {
			assert.NotEqual(t, test.before, test.after)
			assert.Equal(t, test.before, outcomeOf(t, test.cluster, test.without))
			assert.Equal(t, test.after, outcomeOf(t, test.cluster, test.with))
		})
		covered[test.field] = true
	}
	for _, field := range leaves(reflect.TypeFor[policies.Policy](), "") {
		assert.True(t, covered[field], "%s has no case", field)
	}
}

// leaves are the paths of the fields of a written policy.
func leaves(t reflect.Type, path string) []string {
	var all []string
	for i := range t.NumField() {
		f := t.Field(i)
		at := strings.TrimPrefix(path+"."+f.Tag.Get("json"), ".")
		switch f.Type {
		case reflect.TypeFor[policies.Moment](), reflect.TypeFor[policies.Span]():
			all = append(all, at)
			continue
		}
		if f.Type.Kind() == reflect.Struct {
			all = append(all, leaves(f.Type, at)...)
			continue
		}
		all = append(all, at)
	}
	return all
}
