package rollout

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// NotReady reports whether the node has a condition Ready that is not True: its
// kubelet does not answer, or says so. For [Counting.Exempt]. A new pod may be the
// cause: see [NotReadyBefore].
func NotReady(n *placement.Node) bool {
	c, known := readyCondition(n)
	return known && c.Status != corev1.ConditionTrue
}

// NotReadyBefore is [NotReady] of a node that became so before any pod of the
// target on it was created, so that none of them can be the cause (kubernetes#117658).
func NotReadyBefore(n *placement.Node) bool {
	if !NotReady(n) {
		return false
	}
	c, _ := readyCondition(n)
	for i := range n.Pods {
		if p := &n.Pods[i]; p.Flags.Has(placement.Updated) && !c.LastTransitionTime.Time.Before(p.Created) {
			return false
		}
	}
	return true
}

// readyCondition is that of the node, if it is known to have one.
func readyCondition(n *placement.Node) (c corev1.NodeCondition, known bool) {
	if n.Ref == nil {
		return c, false
	}
	for i := range n.Ref.Status.Conditions {
		if n.Ref.Status.Conditions[i].Type == corev1.NodeReady {
			return n.Ref.Status.Conditions[i], true
		}
	}
	return c, false
}

// Cordoned reports whether the node is unschedulable. For [Counting.Exempt].
func Cordoned(n *placement.Node) bool { return n.Ref != nil && n.Ref.Spec.Unschedulable }

// NameDescending orders nodes by name from the last to the first, for
// [Ordering.By]: OpenKruise's order (daemonset_update.go:filterDaemonPodsNodeToUpdate),
// which compares bytes, so that n9 comes before n10.
func NameDescending(a, b *placement.Node) int { return cmp.Compare(b.Name, a.Name) }

// KruisePartition is OpenKruise's rule (daemonset_update.go:filterDaemonPodsNodeToUpdate):
// a percentage is of the desired number in the status as it was last written, and
// rounded down. Its maximum of updated nodes counts all nodes that have a pod, here
// it counts eligible ones; and a status that says 0 makes it keep none, where here
// a percentage is then of the eligible nodes of now.
func KruisePartition(value *intstr.IntOrString, statusDesired int32) Partition {
	return Partition{Value: value, Rounding: RoundDown, Base: int(statusDesired)}
}

// ExtendedSlowStart is ExtendedDaemonSet's rule with its defaults
// (rollingupdate.go:calculateMaxCreation): one, and one more for every minute, up to
// 250. Since is when its revision became active, and again after every pause.
func ExtendedSlowStart(since time.Time) SlowStart {
	step, most := intstr.FromInt32(1), intstr.FromInt32(250)
	return SlowStart{Since: since, Interval: time.Minute, Step: &step, Max: &most}
}
