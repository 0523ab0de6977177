package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// report is everything that a plan says, and the form of -o json and -o yaml.
// Names of fields are stable; new ones may be added.
type report struct {
	// DaemonSets are in the order of the input. One that was given twice is
	// here twice.
	DaemonSets []daemonSetReport `json:"daemonSets"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input, and what the API server would refuse.
	Warnings []input.Warning `json:"warnings"`
}

// daemonSetReport is the plan for one DaemonSet.
type daemonSetReport struct {
	input.Identity
	// Summary counts all nodes, also when -node asks for one.
	Summary placement.Summary `json:"summary"`
	// Nodes are all nodes by name, or the one that -node asks for.
	Nodes []nodeReport `json:"nodes"`
	// Tolerations are there when -node asks for a node.
	Tolerations *tolerationsReport `json:"tolerations,omitempty"`
	// Pods and Revisions are there when such objects were read.
	Pods      *podsReport      `json:"pods,omitempty"`
	Revisions *revisionsReport `json:"revisions,omitempty"`
}

// nodeReport is a node to one DaemonSet.
type nodeReport struct {
	Name    string            `json:"name"`
	Verdict placement.Verdict `json:"verdict"`
	// Reasons are all that stand against the node; the first is the cause
	// that the summary counts. An eligible node has none.
	Reasons []reasonReport `json:"reasons"`
	// Pods are the DaemonSet's pods on this node.
	Pods []podReport `json:"pods,omitempty"`

	// What -node prints has these from the library as they are.
	explanation placement.Explanation
	taints      []corev1.Taint
}

// reasonReport is a reason with its sentence.
type reasonReport struct {
	Message string `json:"message"`
	placement.Reason
}

// tolerationsReport is what the pods tolerate.
type tolerationsReport struct {
	// Effective are the template's own and the controller's defaults.
	Effective []corev1.Toleration `json:"effective"`
	// Changes are what the defaults did to the template's own.
	Changes []tolerations.Change `json:"changes"`
}

// podReport is a pod in a few words.
type podReport struct {
	Name string `json:"name"`
	// State is empty for a pod that is ready, and otherwise what it is:
	// terminating, failed, succeeded, unscheduled or not ready.
	State string `json:"state,omitempty"`
}

// podsReport sorts pods by what the controller has to do about them. All lists
// are sorted.
type podsReport struct {
	// Claimed counts the DaemonSet's pods, with those that it adopts.
	Claimed int `json:"claimed"`
	// Adopt match the selector and have no owner. Release are the
	// DaemonSet's and do not match it any more.
	Adopt   []string `json:"adopt"`
	Release []string `json:"release"`
	// MissingOn are the eligible nodes without a pod, where one is created.
	MissingOn []string `json:"missingOn"`
	// DeletedFrom are the excluded nodes with a pod, which is deleted.
	DeletedFrom []string `json:"deletedFrom"`
	// LatentLosses are the nodes where the pod that runs may stay and will
	// not come back once it is gone.
	LatentLosses []string `json:"latentLosses"`
	// Stray are pods on nodes that are not among those that were read, or
	// for none at all.
	Stray []string `json:"stray"`
}

// revisionsReport counts ControllerRevisions.
type revisionsReport struct {
	Claimed int `json:"claimed"`
	Adopt   int `json:"adopt"`
	Release int `json:"release"`
}
