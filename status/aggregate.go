package status

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
)

// Member is the DaemonSet of one of several clusters.
type Member struct {
	Generation int64
	Status     appsv1.DaemonSetStatus
}

// Aggregate adds the statuses of several clusters up to that of one object with a
// generation of its own. The generation is observed once every member has
// observed its own; before that the one before it is reported. Sums end at the
// largest number that the API has. Collision counts and conditions are of no use
// to another object and are left out. Without members nothing is observed.
func Aggregate(generation int64, members []Member) appsv1.DaemonSetStatus {
	var sum appsv1.DaemonSetStatus
	observed := len(members) > 0
	for i := range members {
		s := &members[i].Status
		observed = observed && s.ObservedGeneration >= members[i].Generation
		for _, part := range []struct {
			to *int32
			n  int32
		}{
			{&sum.CurrentNumberScheduled, s.CurrentNumberScheduled},
			{&sum.NumberMisscheduled, s.NumberMisscheduled},
			{&sum.DesiredNumberScheduled, s.DesiredNumberScheduled},
			{&sum.NumberReady, s.NumberReady},
			{&sum.UpdatedNumberScheduled, s.UpdatedNumberScheduled},
			{&sum.NumberAvailable, s.NumberAvailable},
			{&sum.NumberUnavailable, s.NumberUnavailable},
		} {
			*part.to = int32(max(math.MinInt32, min(int64(*part.to)+int64(part.n), math.MaxInt32)))
		}
	}
	sum.ObservedGeneration = generation
	if !observed {
		sum.ObservedGeneration = max(generation-1, 0)
	}
	return sum
}
