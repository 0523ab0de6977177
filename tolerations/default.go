package tolerations

import corev1 "k8s.io/api/core/v1"

// DefaultTolerations returns the tolerations that the controller adds to every
// daemon pod, in the order in which it adds them: six, and with
// spec.HostNetwork a seventh for node.kubernetes.io/network-unavailable. A nil
// spec stands for one without host network. The slice is new at every call.
//
// These are the defaults alone. [Effective] returns them merged with the
// tolerations of the spec.
func DefaultTolerations(spec *corev1.PodSpec) []corev1.Toleration {
	defaults := []corev1.Toleration{
		// A daemon pod survives what evicts other pods: its node turning not
		// ready or unreachable.
		exists(corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute),
		exists(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute),
		// The taints that stand for node conditions and for a cordon.
		exists(corev1.TaintNodeDiskPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodeMemoryPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodePIDPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule),
	}
	if spec != nil && spec.HostNetwork {
		// A pod on the host's network needs no pod network.
		defaults = append(defaults, exists(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoSchedule))
	}
	return defaults
}

// exists returns a toleration of every taint with this key and effect.
func exists(key string, effect corev1.TaintEffect) corev1.Toleration {
	return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
}

// Effective returns the tolerations that a daemon pod made from spec has: its
// own with the defaults merged in, as [Merge] merges. A nil spec has the
// defaults alone.
//
// The result equals what the controller writes into a pod, so it is also the
// list by which it judges nodes.
func Effective(spec *corev1.PodSpec) []corev1.Toleration {
	var own []corev1.Toleration
	if spec != nil {
		own = spec.Tolerations
	}
	return Merge(own, DefaultTolerations(spec))
}
