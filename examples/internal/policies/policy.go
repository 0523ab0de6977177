package policies

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
)

// Policy is a policy as it is written. Its fields are those of rollout.Policy.
type Policy struct {
	Count      Counting   `json:"count"`
	Candidates Candidates `json:"candidates"`
	Order      Ordering   `json:"order"`
	Limit      Limiting   `json:"limit"`
	Gate       Gating     `json:"gate"`
}

// Counting is rollout.Counting.
type Counting struct {
	Nodes          rollout.Nodes         `json:"nodes"`
	Exempt         []string              `json:"exempt"`
	ExemptSelector *metav1.LabelSelector `json:"exemptSelector"`
	MaxExempt      *Amount               `json:"maxExempt"`
}

// Candidates is rollout.Candidates.
type Candidates struct {
	Selector *metav1.LabelSelector `json:"selector"`
	// Nodes are all when there is no list, and none when it is empty.
	Nodes     []string  `json:"nodes"`
	Partition Partition `json:"partition"`
	// NoRestart are the classes of differences for which no pod is restarted:
	// which revisions these are differs between DaemonSets, so they are not in
	// the policy that is compiled.
	NoRestart []revision.Class `json:"noRestart"`
}

// Partition is rollout.Partition.
type Partition struct {
	Value    *Amount          `json:"value"`
	Rounding rollout.Rounding `json:"rounding"`
	Base     int              `json:"base"`
}

// Ordering is rollout.Ordering.
type Ordering struct {
	By    string `json:"by"`
	Waves Waves  `json:"waves"`
}

// Waves is rollout.Waves.
type Waves struct {
	Label          string   `json:"label"`
	Values         []string `json:"values"`
	MaxUnavailable *Amount  `json:"maxUnavailable"`
}

// Limiting is rollout.Limiting.
type Limiting struct {
	Strict    bool      `json:"strict"`
	PerStep   *Amount   `json:"perStep"`
	Burst     *Amount   `json:"burst"`
	Removals  *Amount   `json:"removals"`
	SlowStart SlowStart `json:"slowStart"`
}

// SlowStart is rollout.SlowStart.
type SlowStart struct {
	Since    Moment  `json:"since"`
	Interval Span    `json:"interval"`
	Step     *Amount `json:"step"`
	Max      *Amount `json:"max"`
}

// Gating is rollout.Gating.
type Gating struct {
	Pause    rollout.Pause `json:"pause"`
	Failures Failures      `json:"failures"`
	From     Moment        `json:"from"`
	Until    Moment        `json:"until"`
}

// Failures is rollout.FailureGate.
type Failures struct {
	Max        *Amount `json:"max"`
	UnreadyFor Span    `json:"unreadyFor"`
}
