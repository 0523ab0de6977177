package main

import (
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/current"
	"github.com/daemonplan/daemonplan/examples/internal/input"
	counters "github.com/daemonplan/daemonplan/status"
)

// report is everything that the program says, and the form of -o json and -o
// yaml. Names of fields are stable; new ones may be added.
type report struct {
	// Now is the moment that everything is about.
	Now time.Time `json:"now"`
	// DaemonSets are in the order of the input. One that was given twice is
	// here twice.
	DaemonSets []daemonSetReport `json:"daemonSets"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input.
	Warnings []input.Warning `json:"warnings"`
}

// daemonSetReport is the status of one DaemonSet.
type daemonSetReport struct {
	input.Identity
	// Verdicts are those of the tools on the status that is stored.
	Verdicts []counters.Verdict `json:"verdicts"`
	// Computed is what the pods say. It is not there when nobody can tell which
	// pods are the DaemonSet's.
	Computed *computedReport `json:"computed,omitempty"`
}

// computedReport is what comes from nodes and pods.
type computedReport struct {
	Revision current.Report `json:"revision"`
	// Counters are those of the API, in the order of the table.
	Counters []counterReport `json:"counters"`
	// LookAgain is when the next pod becomes available; not there when none is
	// waiting for that.
	LookAgain time.Time `json:"lookAgain,omitzero"`
	// Details are what the counters hide.
	Details detailsReport `json:"details"`
	// Nodes are those that are not done, by name, and States counts them.
	Nodes  []nodeReport          `json:"nodes"`
	States []counters.StateCount `json:"states"`
	Policy policyReport          `json:"policy"`
}

// counterReport is one counter of the status. Now is nil when it is unknown.
type counterReport struct {
	Name   string `json:"name"`
	Stored int64  `json:"stored"`
	Now    *int64 `json:"now"`
}

// detailsReport has what is behind the counters, without the part that is
// unknown.
type detailsReport struct {
	MayStay   int  `json:"mayStay"`
	MustGo    int  `json:"mustGo"`
	NodesGone int  `json:"nodesGone"`
	Behind    *int `json:"behind"`
	Surging   *int `json:"surging"`
}

// nodeReport is a node that is not done, in data and in words.
type nodeReport struct {
	counters.NodeStatus
	// Updated is nil when it is unknown.
	Updated *bool  `json:"updated"`
	Text    string `json:"text"`
}

// policyReport is the verdict of the policy.
type policyReport struct {
	counters.Finish
	// Updated is nil when it is unknown, and when the policy does not ask.
	Updated *int `json:"updated"`
	// Waiting are the nodes that the policy waits for.
	Waiting []nodeReport `json:"waiting"`
	// Rule is the policy in words, and Text the verdict.
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// done reports whether the policy says so of every DaemonSet.
func (r *report) done() bool {
	for _, ds := range r.DaemonSets {
		if ds.Computed == nil || !ds.Computed.Policy.Done {
			return false
		}
	}
	return true
}
