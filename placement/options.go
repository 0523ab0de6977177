package placement

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Options says how a template is judged. The zero value is what the controller
// of a default cluster does.
type Options struct {
	// Run are the tolerations by which a node is judged for a new pod, and
	// that [NewPod] writes into it.
	Run Tolerations
	// Continue are those by which a pod that runs is allowed to stay. The
	// controller uses one list for both. A stricter list for Run keeps new
	// pods off a drained node without touching the ones that are there
	// (Deckhouse patches OpenKruise to this end: Run.NoDefaults).
	//
	// A NoExecute taint that Run tolerates and Continue does not makes the
	// node Excluded: a pod created there would be deleted at once.
	Continue Tolerations
	// ComparisonOperators stands for the feature gate
	// TaintTolerationComparisonOperators: see tolerations.Options.
	ComparisonOperators bool
	// Predicates are asked after the controller's own rules, in this order.
	// They can only take nodes away.
	Predicates []Predicate
	// Path is where the template stands in the caller's object. Errors and
	// requirements name fields below it; nil stands for the template itself,
	// so that paths begin with "spec".
	Path *field.Path
}

// Tolerations is a list of tolerations relative to that of a template. The
// zero value is the template's own with the defaults merged in.
type Tolerations struct {
	// NoDefaults leaves the controller's defaults out.
	NoDefaults bool
	// Extra are merged in last.
	Extra []corev1.Toleration
}

// Of returns the list for a pod spec, in a new slice. A nil spec has no
// tolerations of its own.
func (o Tolerations) Of(spec *corev1.PodSpec) []corev1.Toleration {
	var list []corev1.Toleration
	switch {
	case !o.NoDefaults:
		list = tolerations.Effective(spec)
	case spec != nil:
		list = tolerations.Merge(spec.Tolerations, nil)
	}
	return tolerations.Merge(list, o.Extra)
}

// Predicate is a rule of the caller's: stay off NotReady nodes, respect a
// cordon, keep to a pool, ask for room.
type Predicate struct {
	// Code names the rule and comes out as the code of a [Cause]. Give it a
	// name that the controller's rules do not have, such as
	// "example.com/cordoned"; empty stands for "predicate".
	Code Code
	// Removes says that a pod that runs on a node which fails the test is
	// deleted. Without it the node is KeepOnly.
	Removes bool
	// Test reports whether the node passes. It must be pure: the same answer
	// for the same shape, and nothing written. A nil Test passes every node.
	Test func(Shape) bool
	// Text says why a node failed, for Explain. Nil stands for the code.
	Text func(Shape) string
}

// code is the code under which the predicate is reported.
func (p *Predicate) code() Code {
	if p.Code == "" {
		return "predicate"
	}
	return p.Code
}

// verdict is what a node is that fails the test.
func (p *Predicate) verdict() Verdict {
	if p.Removes {
		return Excluded
	}
	return KeepOnly
}

// passes asks the predicate.
func (p *Predicate) passes(s Shape) bool { return p.Test == nil || p.Test(s) }
