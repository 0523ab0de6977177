package main

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/examples/internal/current"
	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/rollout"
)

// report is everything that the program says, and the form of -o json and -o
// yaml. Names of fields are stable; new ones may be added.
type report struct {
	// Now is the moment that everything is about.
	Now time.Time `json:"now"`
	// Policy is the file of the policy; not there when there is none.
	Policy string `json:"policy,omitempty"`
	// DaemonSets are in the order of the input. One that was given twice is
	// here twice.
	DaemonSets []daemonSetReport `json:"daemonSets"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input.
	Warnings []input.Warning `json:"warnings"`
}

// daemonSetReport is what one sync of a DaemonSet does.
type daemonSetReport struct {
	input.Identity
	Revision current.Report `json:"revision"`
	// Stable is the hash of the revision that -stable names.
	Stable string `json:"stable,omitempty"`
	// NoRestart are hashes of revisions whose pods are as good as new.
	NoRestart []string `json:"noRestart"`
	// Plan is what the sync does under the policy, and Without what it does with
	// the rules of the controller alone.
	Plan    planReport `json:"plan"`
	Without planReport `json:"withoutPolicy"`
	// Holds are what Plan counts as held, one by one.
	Holds     []holdReport    `json:"holds"`
	Diagnosis diagnosisReport `json:"diagnosis"`
}

// planReport is a plan, in data and in words.
type planReport struct {
	Condition rollout.Condition `json:"condition"`
	Create    []createReport    `json:"create"`
	Delete    []deleteReport    `json:"delete"`
	Held      []rollout.Count   `json:"held"`
	// LookAgain is when to do so though nothing happens until then; not there
	// when there is no such moment.
	LookAgain time.Time `json:"lookAgain,omitzero"`
}

// createReport is a pod to create.
type createReport struct {
	rollout.Create
	// Wave is the value of the label of waves.
	Wave string `json:"wave,omitempty"`
	Text string `json:"text"`
}

// deleteReport is a pod to delete.
type deleteReport struct {
	Node   string         `json:"node"`
	Pod    string         `json:"pod"`
	UID    types.UID      `json:"uid,omitempty"`
	Reason rollout.Reason `json:"reason"`
	Wave   string         `json:"wave,omitempty"`
	Text   string         `json:"text"`
}

// holdReport is a pod, or without one a node to create one on, that has to wait.
type holdReport struct {
	rollout.Hold
	Wave string `json:"wave,omitempty"`
	Text string `json:"text"`
}

// diagnosisReport is how the update stands under the policy.
type diagnosisReport struct {
	Condition rollout.Condition `json:"condition"`
	Text      string            `json:"text"`
	Outdated  int               `json:"outdated"`
	// Budget is not there when the strategy has none.
	Budget   *budgetReport    `json:"budget,omitempty"`
	Spenders []spenderReport  `json:"spenders"`
	Remedies []rollout.Remedy `json:"remedies"`
}

// budgetReport is how many nodes may be unavailable, or with surge have two pods.
type budgetReport struct {
	Name  string `json:"name"` // maxUnavailable or maxSurge
	Limit int    `json:"limit"`
	Spent int    `json:"spent"`
}

// spenderReport is a node that spends the budget.
type spenderReport struct {
	rollout.Spender
	Text string `json:"text"`
}

// blocked reports whether the update of some DaemonSet is.
func (r *report) blocked() bool {
	for _, ds := range r.DaemonSets {
		if ds.Diagnosis.Condition == rollout.Blocked {
			return true
		}
	}
	return false
}

func planOf(p rollout.Plan, condition rollout.Condition, waves map[string]string) planReport {
	r := planReport{
		Condition: condition, Create: []createReport{}, Delete: []deleteReport{},
		Held: append([]rollout.Count{}, p.Held...), LookAgain: output.Time(p.Next),
	}
	for _, c := range p.Create {
		r.Create = append(r.Create, createReport{c, waves[c.Node], reasonTexts[c.Reason]})
	}
	for _, d := range p.Delete {
		r.Delete = append(r.Delete, deleteReport{d.Node, d.Pod, d.UID, d.Reason, waves[d.Node], reasonTexts[d.Reason]})
	}
	return r
}

func holdsOf(holds []rollout.Hold, waves map[string]string) []holdReport {
	all := make([]holdReport, len(holds))
	for i, h := range holds {
		all[i] = holdReport{h, waves[h.Node], reasonTexts[h.Reason]}
	}
	return all
}

func diagnosisOf(d rollout.Diagnosis) diagnosisReport {
	r := diagnosisReport{
		Condition: d.Condition, Text: conditionTexts[d.Condition], Outdated: d.Outdated,
		Spenders: make([]spenderReport, len(d.Spenders)), Remedies: append([]rollout.Remedy{}, d.Remedies...),
	}
	if d.Budget != (rollout.Budget{}) {
		r.Budget = &budgetReport{"maxUnavailable", d.Budget.Limit, d.Budget.Spent}
		if d.Budget.Surge {
			r.Budget.Name = "maxSurge"
		}
	}
	for i, s := range d.Spenders {
		s.Since = output.Time(s.Since)
		r.Spenders[i] = spenderReport{s, spendingTexts[s.Cause]}
	}
	return r
}
