package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// document is a scenario as it is written. Flags are edits of it.
type document struct {
	Name  string          `json:"name"`
	Start policies.Moment `json:"start"`
	// Nodes and Zones are the fleet when no file has one.
	Nodes *int     `json:"nodes"`
	Zones []string `json:"zones"`
	limits
	Pods   behaviour       `json:"pods"`
	Some   []exception     `json:"some"`
	Policy policies.Policy `json:"policy"`
	Events []event         `json:"events"`
	Model  model           `json:"model"`
	Seed   uint64          `json:"seed"`
	Until  policies.Span   `json:"until"`
}

// limits are those of the DaemonSet; nil is as it has them.
type limits struct {
	MaxUnavailable  *policies.Amount `json:"maxUnavailable"`
	MaxSurge        *policies.Amount `json:"maxSurge"`
	MinReadySeconds *int32           `json:"minReadySeconds"`
}

// behaviour is how new pods behave; nil is as the others.
type behaviour struct {
	Schedule *lasting       `json:"schedule"`
	Ready    *lasting       `json:"ready"`
	Stop     *lasting       `json:"stop"`
	Fate     *simulate.Fate `json:"fate"`
	Fails    *int           `json:"fails"`
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
	At policies.Span `json:"at"`
	which
	Health string           `json:"health"`
	Leave  bool             `json:"leave"`
	Join   *newNode         `json:"join"`
	Change *newNode         `json:"change"`
	Target string           `json:"target"`
	Pods   behaviour        `json:"pods"`
	Spec   *limits          `json:"spec"`
	Policy *policies.Policy `json:"policy"`
	flag   string           // that it is from
}

// newNode is what a node comes to be; what is missing stays.
type newNode struct {
	Labels map[string]string `json:"labels"`
	Taints []corev1.Taint    `json:"taints"`
	Cordon *bool             `json:"cordon"`
}

// model is simulate.Model.
type model struct {
	Resolution     policies.Span `json:"resolution"`
	Pace           policies.Span `json:"pace"`
	Collect        policies.Span `json:"collect"`
	NeverCollect   bool          `json:"neverCollect"`
	KeepEvicted    bool          `json:"keepEvicted"`
	IgnoreKubelets bool          `json:"ignoreKubelets"`
}
