package rollout

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// PlanRollingUpdate plans the next step of the rolling update of a DaemonSet from
// its nodes and pods: [Update] on a fleet. Pods of another controller are passed
// over. Hash is that of the current revision. Use [Sync] for pods that are missing
// or in excess; it costs one [placement.Compile] and one [placement.NewFleet].
func PlanRollingUpdate(ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, hash string, now time.Time) (Plan, error) {
	if ds == nil {
		return Plan{}, nil
	}
	return Update(State{
		Fleet: placement.FleetOf(ds, nodes, pods, hash), Spec: SpecOf(ds),
		Target: hash, ObservedGeneration: ds.Status.ObservedGeneration, Now: now,
	}, Policy{})
}
