package cost

import (
	"iter"
	"math/bits"
	"slices"
	"strings"

	"github.com/daemonplan/daemonplan/placement"
)

// Set is many DaemonSets that are asked together. It is immutable and safe for
// concurrent use; a nil Set has none.
type Set struct {
	daemons []*Daemon // by key
	// keys are the labels that one of them reads, sorted.
	keys []string
	// all says that one of them may look at anything, name that one looks at names.
	all, name bool
}

// NewSet compiles DaemonSets into a set, sorted by namespace and name. Of those with
// the same key the last one counts, unless the name is empty: those without one are
// all different, and stay in their order. Nil entries are passed over.
func NewSet(daemons []*Daemon) *Set {
	s := &Set{daemons: lastDaemons(daemons, func(d *Daemon) *Daemon { return d })}
	for _, d := range s.daemons {
		s.all = s.all || d.reads.all()
		s.name = s.name || d.reads.name
		for i := range d.reads.labels {
			s.keys = append(s.keys, d.reads.labels[i].key)
		}
	}
	slices.Sort(s.keys)
	s.keys = slices.Compact(s.keys)
	return s
}

// lastDaemons sorts what belongs to DaemonSets by their keys. Of equal keys the last
// one counts.
func lastDaemons[T any](list []T, of func(T) *Daemon) []T {
	var all []T
	for _, v := range list {
		if of(v) != nil {
			all = append(all, v)
		}
	}
	slices.SortStableFunc(all, func(a, b T) int {
		x, y := of(a).Key, of(b).Key
		if c := strings.Compare(x.Namespace, y.Namespace); c != 0 {
			return c
		}
		return strings.Compare(x.Name, y.Name)
	})
	kept := all[:0]
	for i, v := range all {
		if i+1 < len(all) && of(v).Key.Name != "" && of(v).Key == of(all[i+1]).Key {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

// Daemons yields the DaemonSets with their numbers, in their order.
func (s *Set) Daemons() iter.Seq2[int, *Daemon] {
	return func(yield func(int, *Daemon) bool) {
		if s == nil {
			return
		}
		for i, d := range s.daemons {
			if !yield(i, d) {
				return
			}
		}
	}
}

// Reads returns the labels that the verdicts of the set can depend on, sorted. With
// predicates of the caller's they can depend on more, and exact is false.
func (s *Set) Reads() (labels []string, exact bool) {
	if s == nil {
		return nil, true
	}
	return slices.Clone(s.keys), !s.all
}

// Match returns the DaemonSets for which a shape is Eligible. The memory of dst is
// used when it is large enough; then nothing is allocated.
func (s *Set) Match(shape placement.Shape, dst Bits) Bits {
	if s == nil {
		return dst[:0]
	}
	dst = dst.cleared(len(s.daemons))
	for i, d := range s.daemons {
		if d.Matcher.MatchShape(shape) == placement.Eligible {
			dst.add(i)
		}
	}
	return dst
}

// Bits is a set of DaemonSets by their numbers in a [Set].
type Bits []uint64

// cleared is an empty set for n numbers.
func (b Bits) cleared(n int) Bits {
	words := (n + 63) / 64
	if cap(b) < words {
		return make(Bits, words)
	}
	b = b[:words]
	clear(b)
	return b
}

func (b Bits) add(i int) { b[i/64] |= 1 << (i % 64) }

// Has reports whether the number is in the set.
func (b Bits) Has(i int) bool { return i >= 0 && i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

// Len returns how many numbers are in the set.
func (b Bits) Len() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// All yields the numbers, the smallest first.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(w*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// compare orders sets of one Set as lists of numbers: the one with the smallest
// number that the other has not comes first, the empty one last.
func (b Bits) compare(o Bits) int {
	for w := range b {
		if differ := b[w] ^ o[w]; differ != 0 {
			if b[w]&(differ&-differ) != 0 {
				return -1
			}
			return 1
		}
	}
	return 0
}
