package cost

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// Group is the shapes on which the same DaemonSets run.
type Group struct {
	// Set is the DaemonSets by number.
	Set Bits
	// Shapes are indexes into the list that was asked about, ascending.
	Shapes []int
	Overhead
}

// Group asks about many shapes and groups them by the DaemonSets that run there. It
// is [Set.Overhead] of each, but shapes that look the same to every DaemonSet are
// asked about once: those with the same taints and the same values of the labels in
// [Set.Reads]. With predicates of the caller's each shape is asked about.
//
// Of two groups the one comes first that has the DaemonSet with the smallest number
// among those in which they differ, so that one without any is the last. Allocations grow with the groups and
// the looks, not with the shapes. The error is [ErrOverflow].
func (s *Set) Group(shapes []placement.Shape, q Question) ([]Group, error) {
	if s == nil || len(shapes) == 0 {
		return nil, nil
	}
	g := grouper{set: s, question: &q, kept: s.kept(q.Filter), byLook: map[string]int32{}, byBits: map[string]int32{}}
	of := make([]int32, len(shapes)) // the group of each shape
	for i := range shapes {
		of[i] = g.group(&shapes[i])
	}

	// The lists of all groups lie in one block.
	block := make([]int, len(shapes))
	next := 0
	for i := range g.groups {
		end := next + int(g.counts[i])
		g.groups[i].Shapes = block[next:next:end]
		next = end
	}
	for i, at := range of {
		g.groups[at].Shapes = append(g.groups[at].Shapes, i)
	}
	slices.SortFunc(g.groups, func(a, b Group) int { return a.Set.compare(b.Set) })
	for i := range g.groups {
		overhead, err := s.overhead(g.groups[i].Set)
		if err != nil {
			return nil, err
		}
		g.groups[i].Overhead = overhead
	}
	return g.groups, nil
}

// grouper collects groups.
type grouper struct {
	set      *Set
	question *Question
	kept     Bits
	byLook   map[string]int32
	byBits   map[string]int32
	groups   []Group
	counts   []int32

	// Memory that is used again.
	look    []byte
	key     []byte
	matched Bits
	taints  []corev1.Taint
	labels  map[string]string
}

// group finds or makes the group of a shape.
func (g *grouper) group(shape *placement.Shape) int32 {
	if g.set.all {
		at := g.file(g.question.shape(*shape))
		g.counts[at]++
		return at
	}
	g.project(shape)
	at, known := g.byLook[string(g.look)]
	if !known {
		if g.labels == nil {
			g.labels = make(map[string]string, len(g.set.keys))
		}
		clear(g.labels)
		for _, key := range g.set.keys {
			if value, ok := g.value(shape, key); ok {
				g.labels[key] = value
			}
		}
		at = g.file(placement.Shape{Name: shape.Name, Labels: g.labels, Taints: g.taints})
		g.byLook[string(g.look)] = at
	}
	g.counts[at]++
	return at
}

// value is the value of a label as it is asked about.
func (g *grouper) value(shape *placement.Shape, key string) (string, bool) {
	if value, ok := g.question.AssumeLabels[key]; ok {
		return value, true
	}
	value, ok := shape.Labels[key]
	return value, ok
}

// project writes down what the set sees of a shape, and keeps the taints it sees.
// Each part carries its length, so that no two different shapes are written alike.
func (g *grouper) project(shape *placement.Shape) {
	g.look, g.taints = g.look[:0], g.taints[:0]
	if g.set.name {
		g.write(shape.Name)
	}
	for _, key := range g.set.keys {
		if value, ok := g.value(shape, key); ok {
			g.write(value)
		} else {
			g.look = append(g.look, 0xff) // no length begins with it
		}
	}
	for i := range shape.Taints {
		t := &shape.Taints[i]
		if tolerations.Blocking.Has(t.Effect) && !g.question.ignores(t) {
			g.write(t.Key)
			g.write(t.Value)
			g.write(string(t.Effect))
			g.taints = append(g.taints, *t)
		}
	}
}

func (g *grouper) write(s string) {
	// The length in parts of six bits, all but the last marked; so no byte of it is
	// 0xff.
	n := len(s)
	for ; n >= 0x40; n >>= 6 {
		g.look = append(g.look, byte(n&0x3f)|0x40)
	}
	g.look = append(g.look, byte(n))
	g.look = append(g.look, s...)
}

// file finds or makes the group of the DaemonSets that run on a shape.
func (g *grouper) file(shape placement.Shape) int32 {
	g.matched = g.set.Match(shape, g.matched)
	g.matched.and(g.kept)
	g.key = g.key[:0]
	for _, word := range g.matched {
		for shift := 0; shift < 64; shift += 8 {
			g.key = append(g.key, byte(word>>shift))
		}
	}
	if at, known := g.byBits[string(g.key)]; known {
		return at
	}
	at := int32(len(g.groups))
	g.byBits[string(g.key)] = at
	g.groups = append(g.groups, Group{Set: slices.Clone(g.matched)})
	g.counts = append(g.counts, 0)
	return at
}
