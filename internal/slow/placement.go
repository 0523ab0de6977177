package slow

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// Placement is the pair that the controller computes for a node: whether a pod
// should run there, and whether one may continue. The affinity is matched by
// component-helpers, so the node has to have a name.
func Placement(template *corev1.PodTemplateSpec, node *corev1.Node, run, keep []corev1.Toleration, comparison bool) (shouldRun, shouldContinue bool) {
	if template.Spec.NodeName != "" && template.Spec.NodeName != node.Name {
		return false, false
	}
	// An error means that no term matched and at least one could not be
	// parsed; it is dropped.
	fits, _ := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: template.Spec}).Match(node)
	if !fits {
		return false, false
	}
	mayRun, mayStay := true, true
	for _, taint := range node.Spec.Taints {
		if taint.Effect != corev1.TaintEffectNoSchedule && taint.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		if !anyTolerates(run, taint, comparison) {
			mayRun = false
		}
		if taint.Effect == corev1.TaintEffectNoExecute && !anyTolerates(keep, taint, comparison) {
			mayStay = false
		}
	}
	return mayRun && mayStay, mayStay
}

func anyTolerates(list []corev1.Toleration, taint corev1.Taint, comparison bool) bool {
	for _, t := range list {
		if Tolerates(t, taint, comparison) {
			return true
		}
	}
	return false
}
