package simulate

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// Scenario is what is played.
type Scenario struct {
	// Fleet is what there is at the start: facts, or read from objects. Pods that
	// are not available stay as they are, those that terminate go.
	Fleet placement.Fleet
	Spec  rollout.Spec
	// Target is the revision that is rolled out; pods of another one are old, by
	// their Revision alone: whether they are flagged as updated does not count.
	Target string
	// Stable is that of rollout.State.
	Stable string
	Policy rollout.Policy
	Start  time.Time
	// Pods is how pods of the target behave; those of other revisions, such as the
	// stable one, take as long and start. Of is how those of a node and revision
	// do, if not so; it must be pure.
	Pods Behaviour
	Of   func(node, revision string) Behaviour
	// Seed is for durations that are drawn from a range.
	Seed uint64
	// Events happen on the way, in any order. Those of one moment happen in the
	// order of the list.
	Events []Event
	// Matcher judges nodes that join or change and come with an object; without
	// one they have the verdicts that the event says.
	Matcher *placement.Matcher
	Model   Model
	// Until is when a run that has not come to an end is given up; 0 is a week.
	Until time.Duration
	// Requests are those of one pod, for what a surge takes at its peak.
	Requests corev1.ResourceList
	// Planner plans; nil is [rollout.Sync]. It is for a controller of one's own.
	Planner func(rollout.State, rollout.Policy) (rollout.Plan, error)
}

// Model says what happens beside the controller.
type Model struct {
	// Resolution is to what moments are rounded up; 0 is a second. What happens at
	// one moment is one step.
	Resolution time.Duration
	// Pace is the least time between two plans that do something; 0 is none. A
	// policy's limit for each step means little without it.
	Pace time.Duration
	// Collect is how long the pods of a node that has left are there; 0 is 40
	// seconds, a negative time for ever.
	Collect time.Duration
	// KeepEvicted leaves pods on a node that comes to be excluded by a taint with
	// effect NoExecute to the controller.
	KeepEvicted bool
	// IgnoreKubelets lets pods start, run and stop on nodes that are not ready.
	IgnoreKubelets bool
}

// Event is something that happens at a time after the start: one of the fields
// besides At and Node is set.
type Event struct {
	At   time.Duration
	Node string // that joins, leaves or changes
	// Join is a node that joins, named Node, with its verdicts or its object.
	Join *placement.Node
	// Change is what becomes of a node that is there: its verdicts, or its object,
	// as after a relabel, a taint or a cordon. Its pods stay.
	Change *placement.Node
	// Health is what becomes of its kubelet.
	Health Health
	// Leave makes the node not exist any more.
	Leave bool
	// Target is another revision, with pods that behave as Pods says; nil is as
	// those of the revision before, or as they did when it was the target.
	Target string
	Pods   *Behaviour
	// Spec and Policy are what is changed to.
	Spec   *rollout.Spec
	Policy *rollout.Policy
}

// Health is whether the kubelet of a node answers.
type Health string

// What becomes of it.
const (
	GoesNotReady Health = "not-ready"
	ComesBack    Health = "ready"
)

// check reports what cannot be used.
func (s *Scenario) check() error {
	bad := func(format string, args ...any) error { return fmt.Errorf("simulate: scenario."+format, args...) }
	for field, d := range map[string]time.Duration{"until": s.Until, "model.resolution": s.Model.Resolution, "model.pace": s.Model.Pace} {
		if d < 0 {
			return bad("%s: %s is negative", field, d)
		}
	}
	if err := s.Pods.check(); err != nil {
		return bad("pods.%w", err)
	}
	switch {
	case s.Target == "":
		return bad("target: is empty")
	case s.Start.IsZero():
		return bad("start: is not set")
	}
	if err := s.Policy.Check(); err != nil {
		return bad("policy: %w", err)
	}
	exists := map[string]bool{}
	for i, n := range s.Fleet.Nodes {
		if n.Name == "" {
			return bad("fleet.nodes[%d].name: is empty", i)
		}
		if exists[n.Name] {
			return bad("fleet.nodes[%d].name: %s is there twice", i, n.Name)
		}
		exists[n.Name] = n.Verdict != placement.Unevaluated
	}
	for _, i := range inOrder(s.Events) {
		e := &s.Events[i]
		if err := e.check(exists); err != nil {
			return bad("events[%d].%w", i, err)
		}
		for _, n := range []*placement.Node{e.Join, e.Change} {
			if n != nil && n.Verdict == placement.Unevaluated && (n.Ref == nil || s.Matcher == nil) {
				return bad("events[%d].node: %s has no verdict, and no object that a matcher judges", i, e.Node)
			}
		}
	}
	return nil
}

// check reports what is wrong with an event, given the nodes that exist then, which
// it brings up to date.
func (e *Event) check(exists map[string]bool) error {
	set := 0
	for _, is := range []bool{e.Join != nil, e.Change != nil, e.Health != "", e.Leave, e.Target != "", e.Spec != nil, e.Policy != nil} {
		if is {
			set++
		}
	}
	switch about := e.Join != nil || e.Change != nil || e.Health != "" || e.Leave; {
	case e.At < 0:
		return fmt.Errorf("at: %s is before the start", e.At)
	case set != 1:
		return fmt.Errorf("at: %d things happen, must be one", set)
	case e.Health != "" && e.Health != GoesNotReady && e.Health != ComesBack:
		return fmt.Errorf("health: %q is unknown", e.Health)
	case about && e.Node == "":
		return fmt.Errorf("node: is empty")
	case !about && e.Node != "":
		return fmt.Errorf("node: %s has no part in it", e.Node)
	case e.Join != nil && exists[e.Node]:
		return fmt.Errorf("node: %s is there already", e.Node)
	case about && e.Join == nil && !exists[e.Node]:
		return fmt.Errorf("node: %s is not there", e.Node)
	case e.Pods != nil && e.Target == "":
		return fmt.Errorf("pods: are those of a target, and there is none")
	case e.Policy != nil:
		if err := e.Policy.Check(); err != nil {
			return fmt.Errorf("policy: %w", err)
		}
	case e.Pods != nil:
		if err := e.Pods.check(); err != nil {
			return fmt.Errorf("pods.%w", err)
		}
	}
	if e.Join != nil || e.Leave {
		exists[e.Node] = e.Join != nil
	}
	return nil
}
