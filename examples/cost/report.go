package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/input"
)

// report is everything that the program says, and the form of -o json and -o
// yaml. Names of fields are stable; new ones may be added.
type report struct {
	// Fleet is about the nodes that were read; not there when there are none.
	Fleet *fleetReport `json:"fleet,omitempty"`
	// Shapes are in the order of the command line.
	Shapes []shapeReport `json:"shapes"`
	// PassedOver counts objects of kinds that play no part, by kind.
	PassedOver map[string]int `json:"passedOver"`
	// Warnings are about the input.
	Warnings []input.Warning `json:"warnings"`
}

// fleetReport is what DaemonSets cost the nodes that were read.
type fleetReport struct {
	DaemonSets []daemonSetReport `json:"daemonSets"`
	Total      totalReport       `json:"total"`
	// GroupLabel is empty when there are no groups.
	GroupLabel string        `json:"groupLabel"`
	Groups     []groupReport `json:"groups"`
	// Smallest and Largest are not there when no node has an allocatable cpu.
	Smallest *nodeReport `json:"smallest,omitempty"`
	Largest  *nodeReport `json:"largest,omitempty"`
}

type daemonName struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// daemonSetReport is one DaemonSet on all nodes.
type daemonSetReport struct {
	Name   daemonName          `json:"daemonSet"`
	PerPod corev1.ResourceList `json:"perPod"`
	// Nodes is how many are expected to have a pod.
	Nodes int                 `json:"nodes"`
	Total corev1.ResourceList `json:"total"`
	// Surge is what a rollout adds for a while, at most.
	Surge corev1.ResourceList `json:"surge"`
	Now   *nowReport          `json:"now,omitempty"`
}

// nowReport is what the pods that were read take; not there when there are none.
type nowReport struct {
	Reserved corev1.ResourceList `json:"reserved"`
	// Missing is that of nodes without a pod that they should have.
	Missing corev1.ResourceList `json:"missing"`
	// Surge and Unexpected are parts of Reserved: second pods on a node, and pods on
	// nodes that they do not belong to.
	Surge      corev1.ResourceList `json:"surge"`
	Unexpected corev1.ResourceList `json:"unexpected"`
}

// sums are what all DaemonSets take from some nodes, one pod of each on each.
type sums struct {
	Nodes       int                 `json:"nodes"`
	Allocatable corev1.ResourceList `json:"allocatable"`
	Requests    corev1.ResourceList `json:"requests"`
	// Share is Requests in thousandths of Allocatable, rounded down, of the
	// resources of which there are some.
	Share map[corev1.ResourceName]int64 `json:"sharePerMille"`
}

type totalReport struct {
	sums
	Surge corev1.ResourceList `json:"surge"`
	Now   *nowReport          `json:"now,omitempty"`
}

type groupReport struct {
	Name string `json:"name"`
	sums
}

type nodeReport struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	sums
}

// shapeReport is about a node that does not exist yet.
type shapeReport struct {
	Shape string      `json:"shape"`
	Runs  []podReport `json:"runs"`
	// DoesNotRun are the other DaemonSets.
	DoesNotRun []daemonName `json:"doesNotRun"`
	sums
	// Left is Allocatable less Requests, of the resources of the shape; negative
	// where the DaemonSets do not fit, and then Lacking has that much.
	Left    corev1.ResourceList `json:"left"`
	Lacking corev1.ResourceList `json:"lacking"`
}

type podReport struct {
	Name   daemonName          `json:"daemonSet"`
	PerPod corev1.ResourceList `json:"perPod"`
}
