package lint_test

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/lint"
	"github.com/daemonplan/daemonplan/placement"
)

// contextOf draws what a DaemonSet may be judged against, broken too.
func contextOf(t *rapid.T) lint.Context {
	c := lint.Context{
		MaxShare:   gen.Pick(t, "share", 0, 10, -1, 1<<62),
		MaxRollout: gen.Pick(t, "rollout", 0, time.Minute, -1, 1<<62),
		PodStart:   gen.Pick(t, "start", 0, time.Second, -1, 1<<62),
		Placement:  placement.Options{ComparisonOperators: rapid.Bool().Draw(t, "comparison operators")},
	}
	for range uniform(t, 4, "nodes") {
		node := gen.AnyNode().Draw(t, "node")
		node.Status.Allocatable = resources("cpu", "2", "memory", "1Gi")
		if uniform(t, 2, "damage") == 0 {
			damage(t, reflect.ValueOf(node).Elem())
		}
		c.Nodes = append(c.Nodes, node)
	}
	if uniform(t, 4, "nil") == 0 {
		c.Nodes = append(c.Nodes, nil)
	}
	for range uniform(t, 3, "others") {
		other := malformed(t)
		other.Name = gen.Pick(t, "name", other.Name, "other")
		c.Others = append(c.Others, other)
	}
	return c
}

// copyOf is a deep copy of the parts of a context that have parts.
func copyOf(c lint.Context) lint.Context {
	c.Nodes, c.Others = slices.Clone(c.Nodes), slices.Clone(c.Others)
	for i, n := range c.Nodes {
		c.Nodes[i] = n.DeepCopy()
	}
	for i, o := range c.Others {
		c.Others[i] = o.DeepCopy()
	}
	return c
}

// suspect draws a DaemonSet of which many cases of the rules have their way, and
// breaks it in up to three places, and the nodes of those cases.
func suspect(t *rapid.T) (*appsv1.DaemonSet, []*corev1.Node) {
	ds, _ := healthy()
	var nodes []*corev1.Node
	rules := lint.Rules()
	for range uniform(t, 6, "cases") {
		_, c := healthy()
		cases := ruleCases[rules[uniform(t, len(rules), "rule")].ID]
		cases[uniform(t, len(cases), "case")].change(ds, &c)
		nodes = append(nodes, c.Nodes...)
	}
	for range uniform(t, 4, "places") {
		damage(t, reflect.ValueOf(ds).Elem())
	}
	return ds, nodes
}

// checked is what is true of any DaemonSet in any context: nothing panics, inputs
// stay as they were, the findings are sorted and different, and do not depend on
// the order of a list.
func checked(t *rapid.T) (*appsv1.DaemonSet, lint.Context, []lint.Finding) {
	ds, nodes := suspect(t)
	c := contextOf(t)
	c.Nodes = append(c.Nodes, nodes...)
	if uniform(t, 2, "malformed") == 0 {
		ds = malformed(t)
	}
	before, contextBefore := ds.DeepCopy(), copyOf(c)
	found := lint.Check(ds, c)
	if !reflect.DeepEqual(before, ds) || !reflect.DeepEqual(contextBefore, c) {
		t.Fatalf("an input was changed")
	}
	shuffled := c
	// Of nodes with one name the last counts, so those keep their order.
	named := slices.Clone(c.Nodes)
	slices.SortStableFunc(named, func(a, b *corev1.Node) int {
		if a == nil || b == nil {
			return 0
		}
		return cmp.Compare(b.Name, a.Name)
	})
	if !slices.Contains(c.Nodes, nil) {
		shuffled.Nodes = named
	}
	shuffled.Others = gen.Shuffled(t, c.Others)
	if again := lint.Check(ds, shuffled); !slices.Equal(found, again) {
		t.Fatalf("another order of lists gives other findings:\n%v\n%v", found, again)
	}
	severities := []lint.Severity{lint.Error, lint.Warning, lint.Notice}
	sorted := slices.IsSortedFunc(found, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Suggestion, b.Suggestion))
	})
	if !sorted || len(slices.Compact(slices.Clone(found))) != len(found) {
		t.Fatalf("not sorted, or twice: %v", found)
	}
	return ds, c, found
}

func TestCheckProperties(t *testing.T) {
	var reached tally.Tally
	draws := 0
	rapid.Check(t, func(t *rapid.T) {
		draws++
		ds, c, found := checked(t)
		none := false
		for _, f := range found {
			reached.Add(string(f.Rule))
			none = none || f.Rule == lint.NoNode
			assert.NotEmpty(t, f.Field)
			assert.NotEmpty(t, f.Message)
			assert.NotEmpty(t, f.Suggestion)
		}
		// That no node is selected is said exactly when it is so.
		nodes := slices.ContainsFunc(c.Nodes, func(n *corev1.Node) bool { return n != nil })
		if nodes && !c.Placement.ComparisonOperators {
			assert.Equal(t, len(placement.EligibleNodes(ds, c.Nodes)) == 0, none)
		}
	})
	wanted := []string{string(lint.NoNode), string(lint.NoResources), string(lint.NoReadiness), string(lint.NoPriorityClass)}
	if draws >= 5000 {
		wanted = nil
		for _, r := range lint.Rules() {
			wanted = append(wanted, string(r.ID))
		}
	}
	reached.Require(t, wanted...)
}

func FuzzCheck(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checked(t) }))
}

// Every document of a rule is one line that ends as it should.
func TestRulesRead(t *testing.T) {
	for _, r := range lint.Rules() {
		assert.False(t, strings.HasSuffix(r.Summary, "."), r.ID)
		assert.True(t, strings.HasSuffix(r.Why, "."), r.ID)
	}
	rules := lint.Rules()
	rules[0].ID = "mine"
	assert.NotEqual(t, rules[0].ID, lint.Rules()[0].ID, "the table is not the caller's")
}
