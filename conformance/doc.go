// Package conformance compares daemonplan with the code of Kubernetes itself.
//
// It is a module of its own, because it imports k8s.io/kubernetes, which a
// library must not: the controller, the API server's validation and its defaults
// of one fixed version are the oracle here. Tests draw random objects and
// cluster states, give both sides the same, and compare what each decides. Where
// the oracle leaves a choice to map order, daemonplan has to make one of the
// possible choices.
//
// The package has no code but its tests. Run them without the race detector:
// the oracle is large, its own goroutines are not under test, and instrumented it
// takes too long to build.
//
//	cd conformance && go test ./...
package conformance
