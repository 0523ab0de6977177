package rollout

import (
	"fmt"
	"math"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Spec is what a DaemonSet says about its rollout.
type Spec struct {
	// Strategy is the type of the update strategy. Anything but RollingUpdate
	// rolls nothing; the API server fills in RollingUpdate for an empty one.
	Strategy appsv1.DaemonSetUpdateStrategyType
	// RollingUpdate is the block of limits. Nil stands for both 0.
	RollingUpdate *appsv1.RollingUpdateDaemonSet
	// MinReadySeconds is how long a pod has to be ready to be available.
	MinReadySeconds int32
}

// SpecOf returns that of a DaemonSet; the zero Spec, which rolls nothing, for nil.
func SpecOf(ds *appsv1.DaemonSet) Spec {
	if ds == nil {
		return Spec{}
	}
	return Spec{
		Strategy:        ds.Spec.UpdateStrategy.Type,
		RollingUpdate:   ds.Spec.UpdateStrategy.RollingUpdate,
		MinReadySeconds: ds.Spec.MinReadySeconds,
	}
}

// Limits are the limits of a rolling update as numbers of nodes.
type Limits struct {
	MaxUnavailable int
	MaxSurge       int
}

// Limits resolves the limits for a number of eligible nodes: percentages are
// rounded up, and where both come out as 0, one node may be unavailable. Numbers
// beyond the nodes are as good as all of them; a negative one stays negative and
// allows nothing; a percentage whose share of one node is beyond 32 bits comes out
// as the largest or smallest number of 32 bits. Without RollingUpdate both are 0.
//
// It is an error when a limit is neither a number nor a percentage, or when
// maxUnavailable is missing from the block.
func (s Spec) Limits(desired int) (Limits, error) {
	var l Limits
	if s.Strategy != appsv1.RollingUpdateDaemonSetStrategyType {
		return l, nil
	}
	if r := s.RollingUpdate; r != nil {
		var err error
		if l.MaxUnavailable, err = scale("maxUnavailable", r.MaxUnavailable, desired); err != nil {
			return Limits{}, err
		}
		if r.MaxSurge != nil {
			if l.MaxSurge, err = scale("maxSurge", r.MaxSurge, desired); err != nil {
				return Limits{}, err
			}
		}
	}
	if desired > 0 && l.MaxUnavailable == 0 && l.MaxSurge == 0 {
		l.MaxUnavailable = 1
	}
	return l, nil
}

// scale resolves one limit.
func scale(name string, v *intstr.IntOrString, desired int) (int, error) {
	n, err := intstr.GetScaledValueFromIntOrPercent(v, desired, true)
	if err != nil {
		return 0, fmt.Errorf("rollout: spec.updateStrategy.rollingUpdate.%s: %w", name, err)
	}
	// A percentage may be so huge that its share of the nodes is no int; that of
	// one node always is.
	switch share, _ := intstr.GetScaledValueFromIntOrPercent(v, 1, true); {
	case share > math.MaxInt32:
		return math.MaxInt32, nil
	case share < math.MinInt32:
		return math.MinInt32, nil
	}
	return n, nil
}

// surges reports whether two pods may be on one node.
func (s Spec) surges() bool {
	if s.Strategy != appsv1.RollingUpdateDaemonSetStrategyType || s.RollingUpdate == nil || s.RollingUpdate.MaxSurge == nil {
		return false
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(s.RollingUpdate.MaxSurge, 1, true)
	return err == nil && n > 0
}
