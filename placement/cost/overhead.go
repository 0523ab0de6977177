package cost

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// Question is how shapes are asked about. The zero value takes them as they are and
// counts every DaemonSet.
type Question struct {
	// IgnoreTaints are taints that will be gone when the node is in use: those of
	// its start, or of the node from which a shape was copied. A taint is ignored
	// when its key is equal and, where they are set here, value and effect, too.
	IgnoreTaints []corev1.Taint
	// AssumeLabels are labels that will be there, in place of those of the shape. For
	// one whose value is not known ask with a [Domain].
	AssumeLabels map[string]string
	Filter       Filter
}

// Filter says which DaemonSets count. The zero value is all.
type Filter struct {
	// MinPriority leaves out those of a lower priority. Priorities come from
	// [Admission].PriorityClasses; without them one that names a class of the
	// cluster's own has 0.
	MinPriority *int32
	// NoClaims leaves out those with resource claims (DRA).
	NoClaims bool
	// Keep leaves out those for which it is false. It must be pure. Nil keeps all.
	Keep func(*Daemon) bool
}

// keeps reports whether a DaemonSet counts.
func (f *Filter) keeps(d *Daemon) bool {
	return (f.MinPriority == nil || d.Priority >= *f.MinPriority) &&
		!(f.NoClaims && len(d.Claims) > 0) &&
		(f.Keep == nil || f.Keep(d))
}

// ignores reports whether a taint is ignored.
func (q *Question) ignores(taint *corev1.Taint) bool {
	for i := range q.IgnoreTaints {
		t := &q.IgnoreTaints[i]
		if t.Key == taint.Key && (t.Value == "" || t.Value == taint.Value) && (t.Effect == "" || t.Effect == taint.Effect) {
			return true
		}
	}
	return false
}

// shape is the shape that is asked about; the one that was given stays as it is.
func (q *Question) shape(s placement.Shape) placement.Shape {
	if len(q.IgnoreTaints) > 0 {
		kept := make([]corev1.Taint, 0, len(s.Taints))
		for i := range s.Taints {
			if !q.ignores(&s.Taints[i]) {
				kept = append(kept, s.Taints[i])
			}
		}
		s.Taints = kept
	}
	if len(q.AssumeLabels) > 0 {
		labels := make(map[string]string, len(s.Labels)+len(q.AssumeLabels))
		for key, value := range s.Labels {
			labels[key] = value
		}
		for key, value := range q.AssumeLabels {
			labels[key] = value
		}
		s.Labels = labels
	}
	return s
}

// Overhead is what DaemonSets take from a node that is of some shape.
type Overhead struct {
	// Daemons are those that run there, by namespace and name.
	Daemons []*Daemon
	// Requests is their sum, in which "pods" is the number of pod slots.
	Requests Resources
	// Ports are the host ports they open, sorted, each once.
	Ports []HostPort
	// Claims are their resource claims (DRA), in the order of Daemons.
	Claims []Claim
}

// Claim is a resource claim of a DaemonSet's pod.
type Claim struct {
	Daemon types.NamespacedName
	Claim  corev1.PodResourceClaim
}

// String is the names of the DaemonSets and the sum: "ns/a, ns/b: cpu 300m, pods 2".
func (o Overhead) String() string {
	names := make([]string, len(o.Daemons))
	for i, d := range o.Daemons {
		names[i] = d.Key.String()
	}
	if len(names) == 0 {
		return "no daemons"
	}
	return fmt.Sprintf("%s: %s", strings.Join(names, ", "), o.Requests)
}

// Overhead returns what the DaemonSets take from a node of this shape. A taint that
// is not tolerated keeps a DaemonSet off, whatever its effect: there is no pod yet
// that could stay. The error is [ErrOverflow].
func (s *Set) Overhead(shape placement.Shape, q Question) (Overhead, error) {
	matched := s.Match(q.shape(shape), nil)
	matched.and(s.kept(q.Filter))
	return s.overhead(matched)
}

// kept are the DaemonSets that a filter keeps.
func (s *Set) kept(f Filter) Bits {
	if s == nil {
		return nil
	}
	kept := Bits(nil).cleared(len(s.daemons))
	for i, d := range s.daemons {
		if f.keeps(d) {
			kept.add(i)
		}
	}
	return kept
}

func (b Bits) and(o Bits) {
	for w := range b {
		b[w] &= o[w]
	}
}

// overhead sums up a set of DaemonSets.
func (s *Set) overhead(of Bits) (Overhead, error) {
	var o Overhead
	var err error
	n := of.Len()
	if n == 0 {
		return Overhead{}, nil
	}
	o.Daemons = make([]*Daemon, 0, n)
	for i := range of.All() {
		d := s.daemons[i]
		o.Daemons = append(o.Daemons, d)
		if o.Requests, err = o.Requests.Plus(d.Requests); err != nil {
			return Overhead{}, err
		}
		o.Ports = append(o.Ports, d.Ports...)
		for _, c := range d.Claims {
			o.Claims = append(o.Claims, Claim{d.Key, *c.DeepCopy()})
		}
	}
	slices.SortFunc(o.Ports, HostPort.compare)
	o.Ports = slices.Compact(o.Ports)
	return o, nil
}
