// Package daemonplan is the map of a library of side-effect-free DaemonSet
// algorithms: everything that the DaemonSet controller of Kubernetes decides,
// as functions of plain API objects. There is no client in it, no clock, no
// log and no goroutine; every input is an argument, every effect is in the
// result. This package holds no code of its own.
//
// # The packages, in the order in which they import each other
//
//   - tolerations: what a daemon pod tolerates, and whether a taint is
//     tolerated.
//   - placement: which nodes a DaemonSet runs on and why not, the pod for a
//     node, whose pods are whose, and the facts of a fleet. Below it
//     placement/cost: what DaemonSets take from nodes, existing or not; and
//     placement/drain: what a drain does with daemon pods, and what a new node lacks.
//   - revision: which revision is current and what to write for it, rollback,
//     what differs between two templates.
//   - status: the counters, what lies behind them, and who calls it finished.
//   - rollout: what to create and delete now, and what is held back; policies and
//     diagnosis. Below it rollout/canary, which chooses nodes and judges them, and
//     rollout/simulate, which plays a rollout forward.
//   - lint: what the API server fills in, what it refuses, and what is hardly meant.
//
// # Two promises
//
// Exact by default: with zero-value options every decision is one that the
// controller of Kubernetes 1.37.2 could make on the same input. The module in
// conformance/ runs that controller beside this library to prove it. The
// departures, where it panics, errs or leaves the answer open, are in one
// table in the README.
//
// Better on request: reasons for everything, and rules of the caller, are
// options or functions of their own. Nothing of it is on by default.
//
// # How it reads
//
// A controller parses the template once, finds out which pods are its own and
// which revision is current, and reads nodes and pods into a fleet of facts. What
// to do follows from the facts:
//
//	matcher := placement.Compile(&ds.Spec.Template, placement.Options{})
//	mine := placement.Claim(placement.OwnerOf(ds), selector, pods)
//	history, err := revision.Resolve(revision.State{…}, revision.Options{})
//	fleet := placement.NewFleet(matcher, nodes, mine.Claimed, history.Reading())
//	plan, err := rollout.Sync(rollout.State{Fleet: fleet, …}, rollout.Policy{})
//	result := status.Compute(fleet, status.InputOf(ds, now))
//
// The first Example below shows the first half, with what is missing on the nodes;
// the second is the whole of a controller's reconcile function.
//
// # Rules that hold everywhere
//
// Inputs are never written to. Results may point to objects that came in,
// which neither side then changes; objects that the library makes share no
// memory with anything. Every result has an order that its documentation states,
// and shuffled inputs give an equal result; the few lists that keep the order of
// the input say so, and nothing depends on it. Options are structs by value, and zero is a default cluster. Errors are for input that cannot be
// used and name the field; nothing panics on an API object, however malformed.
// Node names and pod UIDs are keys: where a list repeats one, the last wins.
package daemonplan
