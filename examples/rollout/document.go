package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// document is a scenario as it is written. Flags are edits of it.
type document struct {
	Name  string `json:"name"`
	Start moment `json:"start"`
	// Nodes and Zones are the fleet when no file has one.
	Nodes *int     `json:"nodes"`
	Zones []string `json:"zones"`
	limits
	Pods   behaviour   `json:"pods"`
	Some   []exception `json:"some"`
	Policy policy      `json:"policy"`
	Events []event     `json:"events"`
	Model  model       `json:"model"`
	Seed   uint64      `json:"seed"`
	Until  span        `json:"until"`
}

// limits are those of the DaemonSet; nil is as it has them.
type limits struct {
	MaxUnavailable  *amount `json:"maxUnavailable"`
	MaxSurge        *amount `json:"maxSurge"`
	MinReadySeconds *int32  `json:"minReadySeconds"`
}

// behaviour is how new pods behave; nil is as the others.
type behaviour struct {
	Schedule *lasting `json:"schedule"`
	Ready    *lasting `json:"ready"`
	Stop     *lasting `json:"stop"`
	Fate     *string  `json:"fate"`
	Fails    *int     `json:"fails"`
}

// which are nodes: of a zone, by their names or patterns, or both.
type which struct {
	Zone  string   `json:"zone"`
	Nodes []string `json:"nodes"`
}

// exception is how pods behave on some nodes. The last one that says something
// counts.
type exception struct {
	which
	behaviour
	// Revision is of which pods; empty for all.
	Revision string `json:"revision"`
	flag     string
}

// event is something that happens: one of the fields below Nodes.
type event struct {
	At span `json:"at"`
	which
	Health string    `json:"health"`
	Leave  bool      `json:"leave"`
	Join   *newNode  `json:"join"`
	Change *newNode  `json:"change"`
	Target string    `json:"target"`
	Pods   behaviour `json:"pods"`
	Spec   *limits   `json:"spec"`
	Policy *policy   `json:"policy"`
	flag   string    // that it is from
}

// newNode is what a node comes to be; what is missing stays.
type newNode struct {
	Labels map[string]string `json:"labels"`
	Taints []corev1.Taint    `json:"taints"`
	Cordon *bool             `json:"cordon"`
}

// model is simulate.Model.
type model struct {
	Resolution     span `json:"resolution"`
	Pace           span `json:"pace"`
	Collect        span `json:"collect"`
	NeverCollect   bool `json:"neverCollect"`
	KeepEvicted    bool `json:"keepEvicted"`
	IgnoreKubelets bool `json:"ignoreKubelets"`
}

// policy has the fields of rollout.Policy, with names instead of functions.
type policy struct {
	Count struct {
		Nodes     string   `json:"nodes"`
		Exempt    []string `json:"exempt"`
		MaxExempt *amount  `json:"maxExempt"`
	} `json:"count"`
	Candidates struct {
		Selector *metav1.LabelSelector `json:"selector"`
		// Nodes are all when there is no list, and none when it is empty.
		Nodes     []string `json:"nodes"`
		Partition struct {
			Value    *amount `json:"value"`
			Rounding string  `json:"rounding"`
			Base     int     `json:"base"`
		} `json:"partition"`
	} `json:"candidates"`
	Order struct {
		By    string `json:"by"`
		Waves struct {
			Label          string   `json:"label"`
			Values         []string `json:"values"`
			MaxUnavailable *amount  `json:"maxUnavailable"`
		} `json:"waves"`
	} `json:"order"`
	Limit struct {
		Strict    bool    `json:"strict"`
		PerStep   *amount `json:"perStep"`
		Burst     *amount `json:"burst"`
		Removals  *amount `json:"removals"`
		SlowStart struct {
			// Since is the start of the run when it is missing.
			Since    moment  `json:"since"`
			Interval span    `json:"interval"`
			Step     *amount `json:"step"`
			Max      *amount `json:"max"`
		} `json:"slowStart"`
	} `json:"limit"`
	Gate struct {
		Pause    string `json:"pause"`
		Failures struct {
			Max        *amount `json:"max"`
			UnreadyFor span    `json:"unreadyFor"`
		} `json:"failures"`
		From  moment `json:"from"`
		Until moment `json:"until"`
	} `json:"gate"`
}
