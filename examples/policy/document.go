package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// document is a policy as it is written. Its fields are those of rollout.Policy,
// with names instead of functions.
type document struct {
	Count      counting   `json:"count"`
	Candidates candidates `json:"candidates"`
	Order      ordering   `json:"order"`
	Limit      limiting   `json:"limit"`
	Gate       gating     `json:"gate"`
}

type counting struct {
	Nodes          string                `json:"nodes"`
	Exempt         []string              `json:"exempt"`
	ExemptSelector *metav1.LabelSelector `json:"exemptSelector"`
	MaxExempt      *amount               `json:"maxExempt"`
}

type candidates struct {
	Selector *metav1.LabelSelector `json:"selector"`
	// Nodes are all when there is no list, and none when it is empty.
	Nodes     []string  `json:"nodes"`
	Partition partition `json:"partition"`
	NoRestart []string  `json:"noRestart"`
}

type partition struct {
	Value    *amount `json:"value"`
	Rounding string  `json:"rounding"`
	Base     int     `json:"base"`
}

type ordering struct {
	By    string `json:"by"`
	Waves waves  `json:"waves"`
}

type waves struct {
	Label          string   `json:"label"`
	Values         []string `json:"values"`
	MaxUnavailable *amount  `json:"maxUnavailable"`
}

type limiting struct {
	Strict    bool      `json:"strict"`
	PerStep   *amount   `json:"perStep"`
	Burst     *amount   `json:"burst"`
	Removals  *amount   `json:"removals"`
	SlowStart slowStart `json:"slowStart"`
}

type slowStart struct {
	Since    moment  `json:"since"`
	Interval span    `json:"interval"`
	Step     *amount `json:"step"`
	Max      *amount `json:"max"`
}

type gating struct {
	Pause    string   `json:"pause"`
	Failures failures `json:"failures"`
	From     moment   `json:"from"`
	Until    moment   `json:"until"`
}

type failures struct {
	Max        *amount `json:"max"`
	UnreadyFor span    `json:"unreadyFor"`
}
