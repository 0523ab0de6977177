package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// mark is something that happens, in words.
type mark struct {
	at   time.Duration
	text string
	spec *rollout.Spec // what the DaemonSet's becomes, if that is it
}

// timetable makes the events of a scenario of those that were written, which may be
// about many nodes.
type timetable struct {
	doc     *written
	given   bool // the start
	what    string
	events  []simulate.Event
	origins []int // the written event of each
	marks   []mark
	of      behaviours

	start simulate.Scenario
	spec  rollout.Spec
	nodes map[string]*corev1.Node // that there are at the time
	names []string                // of all that there ever were, in order
}

func newTimetable(d *written, s *simulate.Scenario, given bool) *timetable {
	t := &timetable{
		doc: d, given: given, start: *s, spec: s.Spec, nodes: map[string]*corev1.Node{},
		of: behaviours{of: map[string]simulate.Behaviour{target: s.Pods}, some: map[string][]*exception{}},
	}
	for i := range s.Fleet.Nodes {
		if n := &s.Fleet.Nodes[i]; n.Verdict != placement.Unevaluated && n.Ref != nil {
			t.there(n.Ref)
		}
	}
	return t
}

// there files a node that there is from now on.
func (t *timetable) there(n *corev1.Node) {
	t.nodes[n.Name] = n
	if at, found := slices.BinarySearch(t.names, n.Name); !found {
		t.names = slices.Insert(t.names, at, n.Name)
	}
	if _, known := t.of.some[n.Name]; !known {
		t.of.add(t.doc.Some, n.Name, n.Labels[zoneLabel])
	}
}

// some are the nodes that are meant and there, by name.
func (t *timetable) some(w *which) (names []string) {
	for _, name := range t.names {
		if n := t.nodes[name]; n != nil && w.matches(name, n.Labels[zoneLabel]) {
			names = append(names, name)
		}
	}
	return names
}

// nobody says that no node is meant, with the zones that there are.
func (t *timetable) nobody(w *which) string {
	zones := map[string]bool{}
	for _, n := range t.nodes {
		if zone := n.Labels[zoneLabel]; zone != "" {
			zones[zone] = true
		}
	}
	switch all := output.SortedKeys(zones); {
	case w.Zone == "":
		return "no node is called so"
	case len(all) == 0:
		return "no node has the label " + zoneLabel
	case !zones[w.Zone]:
		return fmt.Sprintf("no node is in zone %q: the zones are %s", w.Zone, output.Few(all))
	}
	return "no node of the zone is called so"
}

// fill goes through what was written, in the order in which it happens.
func (t *timetable) fill() error {
	c := input.Checker{Document: t.doc.Document}
	t.doc.Pods.check(&c, "pods.fate")
	for i := range t.doc.Some {
		e := &t.doc.Some[i]
		e.check(&c, fmt.Sprintf("some[%d].fate", i))
		if len(t.some(&e.which)) == 0 {
			if e.flag != "" {
				return fmt.Errorf("%s: %s", e.flag, t.nobody(&e.which))
			}
			c.Problem(fmt.Sprintf("some[%d]", i), "%s", t.nobody(&e.which))
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	order := make([]int, len(t.doc.Events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.doc.Events[a].At.Duration, t.doc.Events[b].At.Duration) })
	for _, i := range order {
		if err := t.add(i); err != nil {
			return err
		}
	}
	return nil
}

// add makes one event happen.
func (t *timetable) add(i int) error {
	e := &t.doc.Events[i]
	set := 0
	for _, is := range []bool{e.Health != "", e.Leave, e.Join != nil, e.Change != nil, e.Target != "", e.Spec != nil, e.Policy != nil} {
		if is {
			set++
		}
	}
	if set != 1 {
		return t.errorf(i, "at", "has %d things that happen, must be one of health, leave, join, change, target, spec, policy", set)
	}
	if e.Pods != (behaviour{}) && e.Target == "" {
		return t.errorf(i, "pods", "are those of a target, and there is none")
	}
	about := e.Health != "" || e.Leave || e.Change != nil
	switch {
	case e.Join != nil:
		return t.join(i)
	case !about:
		return t.whole(i)
	case e.Zone == "" && len(e.Nodes) == 0:
		return t.errorf(i, "nodes", "is missing: give nodes or a zone")
	}
	names := t.some(&e.which)
	if len(names) == 0 {
		return t.errorf(i, "nodes", "%s", t.nobody(&e.which))
	}
	var text string
	for _, name := range names {
		one := simulate.Event{Node: name, Health: simulate.Health(e.Health), Leave: e.Leave}
		if e.Change != nil {
			t.nodes[name] = e.Change.of(t.nodes[name])
			one.Change = &placement.Node{Ref: t.nodes[name]}
		}
		if e.Leave {
			delete(t.nodes, name)
		}
		t.happens(i, one)
	}
	switch {
	case e.Health == string(simulate.GoesNotReady):
		text = "down"
	case e.Health != "":
		text = "back"
	case e.Leave:
		text = "gone"
	default:
		text = "changed"
	}
	t.mark(i, e.which.inWords(names)+" "+text)
	return nil
}

// inWords names nodes shortly.
func (w *which) inWords(names []string) string {
	switch {
	case w.Zone != "" && len(w.Nodes) == 0:
		return "zone " + w.Zone
	case len(names) == 1:
		return names[0]
	}
	return output.Plural(len(names), "node", "nodes")
}

// join makes nodes join.
func (t *timetable) join(i int) error {
	e := &t.doc.Events[i]
	if len(e.Nodes) == 0 {
		return t.errorf(i, "nodes", "is missing: give the names of nodes that join")
	}
	for _, name := range e.Nodes {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
		if e.Zone != "" {
			n.Labels[zoneLabel] = e.Zone
		}
		n = e.Join.of(n)
		t.happens(i, simulate.Event{Node: name, Join: &placement.Node{Ref: n}})
		if name != "" {
			t.there(n)
		}
	}
	t.mark(i, (&which{Nodes: e.Nodes}).inWords(e.Nodes)+" new")
	return nil
}

// of is what a node becomes.
func (c *newNode) of(n *corev1.Node) *corev1.Node {
	n = n.DeepCopy()
	if n.Labels == nil {
		n.Labels = map[string]string{}
	}
	maps.Copy(n.Labels, c.Labels)
	if c.Taints != nil {
		n.Spec.Taints = c.Taints
	}
	if c.Cordon != nil {
		n.Spec.Unschedulable = *c.Cordon
	}
	return n
}

// whole is an event that is about no node.
func (t *timetable) whole(i int) error {
	e := &t.doc.Events[i]
	one := simulate.Event{Target: e.Target}
	switch {
	case e.Target != "":
		c := input.Checker{Document: t.doc.Document}
		e.Pods.check(&c, fmt.Sprintf("events[%d].pods.fate", i))
		if err := c.Err(); err != nil {
			return err
		}
		if _, known := t.of.of[e.Target]; !known {
			pods := e.Pods.over(t.start.Pods)
			one.Pods, t.of.of[e.Target] = &pods, pods
		} else if e.Pods != (behaviour{}) {
			return t.errorf(i, "pods", "are those of revision %s already, which was there before", e.Target)
		}
		t.mark(i, "revision "+e.Target)
	case e.Spec != nil:
		e.Spec.settle(e.Spec.MaxUnavailable != nil, e.Spec.MaxSurge != nil)
		spec, err := e.Spec.over(t.spec, t.doc.Document, fmt.Sprintf("events[%d].spec.", i))
		if err != nil {
			return err
		}
		t.spec, one.Spec = spec, &spec
		t.mark(i, limitsInWords(spec))
		t.marks[len(t.marks)-1].spec = &spec
	case e.Policy != nil:
		p, err := policyOf(*e.Policy, t.doc.Document, fmt.Sprintf("events[%d].policy.", i), t.start.Start.Add(e.At.Duration), t.given)
		if err != nil {
			return err
		}
		one.Policy = &p
		t.mark(i, "policy "+cmp.Or(e.Policy.String(), "off"))
	}
	if e.Zone != "" || len(e.Nodes) > 0 {
		return t.errorf(i, "nodes", "and zone have no part in it")
	}
	t.happens(i, one)
	return nil
}

func (t *timetable) happens(i int, e simulate.Event) {
	e.At = t.doc.Events[i].At.Duration
	t.events, t.origins = append(t.events, e), append(t.origins, i)
}

func (t *timetable) mark(i int, text string) {
	t.marks = append(t.marks, mark{at: t.doc.Events[i].At.Duration, text: output.Clean(text)})
}

// limitsInWords are those of a DaemonSet.
func limitsInWords(s rollout.Spec) string {
	words := []string{"updateStrategy " + string(s.Strategy)}
	if r := s.RollingUpdate; r != nil {
		words = nil
		for _, f := range []struct {
			name string
			of   *policies.Amount
		}{{"maxUnavailable ", policies.AmountOf(r.MaxUnavailable)}, {"maxSurge ", policies.AmountOf(r.MaxSurge)}} {
			if !f.of.None() {
				words = append(words, f.name+f.of.String())
			}
		}
	}
	if s.MinReadySeconds > 0 {
		words = append(words, fmt.Sprint("minReadySeconds ", s.MinReadySeconds))
	}
	return strings.Join(words, ", ")
}
