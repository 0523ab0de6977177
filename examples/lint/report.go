package main

import (
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/lint"
)

// report is everything that the program says, and the form of -o json and -o
// yaml. Names of fields are stable; new ones may be added.
type report struct {
	// DaemonSets are in the order of the input.
	DaemonSets []daemonSetReport `json:"daemonSets"`
	// Nodes is how many were read.
	Nodes int `json:"nodes"`
	// Counts are of all DaemonSets together.
	Counts counts `json:"counts"`
	// Fail is the severity from which on Failed is true.
	Fail   lint.Severity `json:"fail"`
	Failed bool          `json:"failed"`
	// NotAsked are the rules that were left out.
	NotAsked []skipped `json:"notAsked"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input.
	Warnings []input.Warning `json:"warnings"`
}

// daemonSetReport is what was found about one DaemonSet, the worst first.
type daemonSetReport struct {
	input.Identity
	Counts   counts         `json:"counts"`
	Findings []lint.Finding `json:"findings"`
}

// counts are numbers of findings.
type counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notices  int `json:"notices"`
}

func (c *counts) add(s lint.Severity) {
	switch s {
	case lint.Error:
		c.Errors++
	case lint.Warning:
		c.Warnings++
	default:
		c.Notices++
	}
}

// skipped is a rule that was not asked, and why.
type skipped struct {
	Rule   lint.RuleID `json:"rule"`
	Reason string      `json:"reason"`
}
