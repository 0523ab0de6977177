package canary_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

// drawFleet draws up to nine nodes, mostly eligible, of few different labels.
func drawFleet(t *rapid.T) placement.Fleet {
	var f placement.Fleet
	for i := range gen.Pick(t, "nodes", 0, 1, 2, 3, 5, 7, 9) {
		n := on(fmt.Sprintf("n%d", i), "zone", gen.Pick(t, "zone", "a", "a", "a", "a", "b", "c"), "tier", gen.Pick(t, "tier", "test", "test", "prod"))
		if gen.Chance(t, 10, "without zone") {
			delete(n.Ref.Labels, "zone")
		}
		switch {
		case gen.Chance(t, 12, "not eligible"):
			n.Verdict = gen.Pick(t, "verdict", placement.KeepOnly, placement.Excluded, placement.Unevaluated)
		case gen.Chance(t, 5, "facts"):
			n.Ref = nil
		case gen.Chance(t, 5, "gone"):
			n.Ref, n.Verdict = nil, placement.Unevaluated
		}
		for range gen.Pick(t, "pods", 0, 1, 1, 2) {
			n = with(n, gen.Pick[int32](t, "restarts", 0, 0, 1, 2, 7), gen.Pick[int32](t, "restarts", 0, 0, 1))
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f
}

func drawSelection(t *rapid.T) canary.Selection {
	s := canary.Selection{Replicas: gen.Pick(t, "replicas",
		nil, replicas(0), replicas(2), replicas(3), replicas(5), percent("1%"), percent("34%"), percent("50%"), percent("150%"))}
	if gen.Chance(t, 40, "selector") {
		s.Selector = labels.SelectorFromSet(labels.Set{"tier": "test"})
	}
	if gen.Chance(t, 70, "spread") {
		s.SpreadOver = gen.Pick(t, "keys", []string{"zone"}, []string{"zone"}, []string{"zone", "tier"}, []string{"none"})
	}
	if gen.Chance(t, 2, "unusable") {
		s.Replicas = gen.Pick(t, "replicas", replicas(-1), percent("x"), percent("-5%"))
	}
	return s
}

// obvious is what is known of a node in the slow selection.
type obvious struct {
	name, value string
	restarts    int
	current     bool
}

// slowSelect sorts all nodes and goes through them three times.
func slowSelect(f placement.Fleet, current []string, s canary.Selection) (wanted int, names []string) {
	eligible := 0
	var all []obvious
	values := map[string]bool{}
	for _, n := range f.Nodes {
		if n.Verdict != placement.Eligible {
			continue
		}
		eligible++
		of := labels.Set{}
		if n.Ref != nil {
			of = n.Ref.Labels
		}
		if s.Selector != nil && !s.Selector.Matches(of) {
			continue
		}
		o := obvious{name: n.Name, current: slices.Contains(current, n.Name)}
		for _, key := range s.SpreadOver {
			o.value += of[key] + "/"
		}
		for _, p := range n.Pods {
			if p.Ref != nil {
				for _, c := range append(append([]corev1.ContainerStatus{}, p.Ref.Status.ContainerStatuses...), p.Ref.Status.InitContainerStatuses...) {
					o.restarts += int(c.RestartCount)
				}
			}
		}
		values[o.value] = true
		all = append(all, o)
	}

	ceil := func(a, b int) int {
		q, r := new(big.Int).QuoRem(big.NewInt(int64(a)), big.NewInt(int64(b)), new(big.Int))
		return int(q.Int64()) + r.Sign()
	}
	wanted = 1
	if s.Replicas != nil {
		wanted = int(s.Replicas.IntVal)
		if s.Replicas.Type == intstr.String {
			n, _ := strconv.Atoi(strings.TrimSuffix(s.Replicas.StrVal, "%"))
			wanted = ceil(n*eligible, 100)
		}
	}
	taken := map[string]int{}
	take := func(which func(obvious) bool) {
		for _, o := range all {
			if len(names) < wanted && !slices.Contains(names, o.name) && which(o) {
				names = append(names, o.name)
				taken[o.value]++
			}
		}
	}
	fits := func(o obvious) bool { return taken[o.value] < ceil(wanted, max(len(values), 1)) }
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	take(func(o obvious) bool { return o.current && fits(o) })
	take(func(o obvious) bool { return o.current })
	sort.SliceStable(all, func(i, j int) bool { return all[i].restarts < all[j].restarts })
	take(func(o obvious) bool { return !o.current && fits(o) })
	sort.Strings(names)
	return wanted, names
}

// text is all of a value, objects included.
func text(t *rapid.T, v any) string {
	data, err := json.Marshal(v)
	assert.NoError(t, err)
	return string(data)
}

func selectIsObvious(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		fleet, s := drawFleet(t), drawSelection(t)
		var current []string
		for range gen.Pick(t, "current", 0, 0, 1, 2, 4, 6) {
			current = append(current, gen.Pick(t, "name", "n0", "n1", "n2", "n3", "n4", "n8", "missing", ""))
		}
		before := text(t, fleet)
		kept := slices.Clone(current)
		got, err := canary.Select(fleet, current, s)
		assert.Equal(t, before, text(t, fleet), "the fleet was changed")
		assert.Equal(t, kept, current, "the names were changed")
		if err != nil {
			assert.Zero(t, got)
			reached.Add("error")
			return
		}
		wanted, names := slowSelect(fleet, current, s)
		assert.Equal(t, wanted, got.Wanted)
		assert.Equal(t, names, got.Nodes)
		assert.Equal(t, wanted-len(names), got.Short)

		// Of the names before, each is chosen or dropped with a reason.
		for _, name := range current {
			at := slices.IndexFunc(got.Dropped, func(d canary.Dropped) bool { return d.Node == name })
			assert.True(t, name == "" || slices.Contains(got.Nodes, name) != (at >= 0), "%s", name)
			reached.AddIf(at < 0, "kept")
		}
		for i, d := range got.Dropped {
			assert.Contains(t, current, d.Node)
			assert.True(t, i == 0 || got.Dropped[i-1].Node < d.Node)
			reached.Add(string(d.Reason))
		}
		checkShares(t, reached, fleet, current, s, got)

		// Order does not matter, and nothing changes where nothing has changed, or
		// where only restarts have.
		shuffled := placement.Fleet{Nodes: gen.Shuffled(t, fleet.Nodes)}
		again, err := canary.Select(shuffled, append(gen.Shuffled(t, current), current...), s)
		assert.NoError(t, err)
		assert.Equal(t, got, again)
		for i := range shuffled.Nodes {
			shuffled.Nodes[i] = with(shuffled.Nodes[i], gen.Pick[int32](t, "new restarts", 0, 1, 9))
		}
		again, err = canary.Select(shuffled, got.Nodes, s)
		assert.NoError(t, err)
		got.Dropped = nil
		assert.Equal(t, got, again)
		reached.AddIf(got.Short > 0 && got.Candidates == len(got.Nodes), "short of nodes")
		reached.AddIf(got.Short > 0 && got.Candidates > len(got.Nodes), "short by the spread")
	}
}

// checkShares: no more are chosen than wanted, and nothing is added to a value that
// has its share.
func checkShares(t *rapid.T, reached *tally.Tally, f placement.Fleet, current []string, s canary.Selection, got canary.Selected) {
	assert.LessOrEqual(t, len(got.Nodes), got.Wanted)
	if len(s.SpreadOver) != 1 || got.Wanted == 0 {
		return
	}
	values, of, added := map[string]bool{}, map[string]int{}, map[string]bool{}
	for _, n := range f.Nodes {
		var set labels.Set
		if n.Ref != nil {
			set = n.Ref.Labels
		}
		if n.Verdict != placement.Eligible || s.Selector != nil && !s.Selector.Matches(set) {
			continue
		}
		value := set[s.SpreadOver[0]]
		values[value] = true
		if slices.Contains(got.Nodes, n.Name) {
			of[value]++
			added[value] = added[value] || !slices.Contains(current, n.Name)
		}
	}
	for value, n := range of {
		within := (n-1)*len(values) < got.Wanted // n is at most wanted/values, rounded up
		assert.True(t, within || !added[value], "%d of %q", n, value)
		reached.AddIf(added[value] && len(values) > 1, "added to a value")
		reached.AddIf(!within, "kept beyond the share")
	}
}

func TestSelectIsObvious(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, selectIsObvious(&reached))
	reached.Require(t, "error", "kept", "kept beyond the share", "added to a value", "short of nodes", "short by the spread",
		string(canary.NodeGone), string(canary.NotEligible), string(canary.NotSelected), string(canary.Surplus))
}

func FuzzSelect(f *testing.F) { f.Fuzz(rapid.MakeFuzz(selectIsObvious(&tally.Tally{}))) }
