package purity

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
)

// Rule names what a finding is about.
type Rule string

const (
	Client      Rule = "client"      // talks to an API server
	Clock       Rule = "clock"       // reads the time or waits: time is an argument
	Randomness  Rule = "randomness"  // two calls with one input may differ
	Environment Rule = "environment" // files, variables, flags, the machine's time zone, the runtime
	Network     Rule = "network"     // sockets and resolvers
	Logging     Rule = "logging"     // loggers, and packages that log by themselves
	Output      Rule = "output"      // writes to or reads from the process's streams
	Concurrency Rule = "concurrency" // goroutines, channels, locks
	Init        Rule = "init"        // work on import
	Global      Rule = "global"      // package-level state that can change
	Opaque      Rule = "opaque"      // dot and blank imports, cgo, go:linkname: what they reach cannot be seen
	Testing     Rule = "testing"     // package testing in library code
	Dependency  Rule = "dependency"  // a module that importers should not have to carry
	Layer       Rule = "layer"       // an import against the order of our packages
	Module      Rule = "module"      // go.mod asks for more than it should
)

var rules = []Rule{Client, Clock, Randomness, Environment, Network, Logging, Output, Concurrency, Init, Global, Opaque, Testing, Dependency, Layer, Module}

// A Finding is one place that breaks a rule.
type Finding struct {
	Pos    token.Position // only Filename is set for findings about go.mod
	Rule   Rule
	Detail string
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s", f.Pos, f.Rule, f.Detail)
}

// sortFindings orders by file, line, column, rule and detail.
func sortFindings(found []Finding) {
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
}
