package rollout

import (
	"cmp"
	"math"
	"slices"

	"github.com/daemonplan/daemonplan/placement"
)

// action is something to do on a node: to create a pod, or to delete one.
type action struct {
	node *placement.Node
	pod  *placement.Pod // nil to create, but the old one beside which
	why  Reason
	turn int // among those of one node

	revision string // of the pod to create
}

func (a action) podName() string {
	if a.pod == nil {
		return ""
	}
	return a.pod.Name
}

// selection counts actions and keeps the first ones in the order of a plan: as
// many as a burst, unless all are wanted.
type selection struct {
	after  string
	by     func(a, b *placement.Node) int // nil is by name
	limit  int
	items  []action
	total  int
	sorted bool // the first limit items are those in order, more may follow
}

func newSelection(after string, by func(a, b *placement.Node) int, all bool) selection {
	s := selection{after: after, by: by, limit: Burst}
	if all {
		s.limit = math.MaxInt / 2
	}
	return s
}

// add costs one comparison for an action that is beyond the limit.
func (s *selection) add(a *action) {
	s.total++
	if s.sorted && s.compare(a, &s.items[s.limit-1]) >= 0 {
		return
	}
	s.items = append(s.items, *a)
	if len(s.items) >= 2*s.limit {
		s.cut()
	}
}

// cut sorts and forgets what is beyond the limit. Of equal actions those that were
// added first come first.
func (s *selection) cut() {
	slices.SortStableFunc(s.items, func(a, b action) int { return s.compare(&a, &b) })
	if len(s.items) >= s.limit {
		clear(s.items[s.limit:])
		s.items = s.items[:s.limit]
		s.sorted = true
	}
}

// compare orders by node, and then by turn.
func (s *selection) compare(a, b *action) int {
	if c := s.nodes(a.node, b.node); c != 0 {
		return c
	}
	return cmp.Compare(a.turn, b.turn)
}

// nodes orders nodes: as the policy says, and then by name.
func (s *selection) nodes(a, b *placement.Node) int {
	if s.by != nil {
		if c := s.by(a, b); c != 0 {
			return c
		}
	}
	return s.names(a.Name, b.Name)
}

// names orders the names of nodes: those after State.After first.
func (s *selection) names(a, b string) int {
	if s.after != "" {
		if c := cmp.Compare(s.round(a), s.round(b)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a, b)
}

// round is the round in which the turn of a node comes.
func (s *selection) round(name string) int {
	if name <= s.after {
		return 1
	}
	return 0
}
