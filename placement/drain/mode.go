package drain

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Mode is a definition of "is a daemon pod". The values are stable.
type Mode string

const (
	// Kubectl, in its drain: the controller is a DaemonSet of apps/v1.
	Kubectl Mode = "kubectl"
	// Karpenter: any owner, controller or not, is a DaemonSet of apps/v1.
	Karpenter Mode = "karpenter"
	// ClusterAutoscaler: the controller is of kind DaemonSet in any API group, or
	// the pod has the annotation [DaemonPodAnnotation] with the value "true".
	ClusterAutoscaler Mode = "cluster-autoscaler"
	// Descheduler, and OpenCost too: any owner is of kind DaemonSet, in any API
	// group.
	Descheduler Mode = "descheduler"
	// Controller: a DaemonSet has the pod, as [placement.Claim] decides: by the
	// UID of the controller reference, and by the selector. It is the only mode
	// for which the DaemonSets matter.
	Controller Mode = "controller"
)

// DaemonPodAnnotation makes of any pod a daemon pod for the cluster autoscaler.
const DaemonPodAnnotation = "cluster-autoscaler.kubernetes.io/daemonset-pod"

const kind = "DaemonSet"

// Modes returns all modes, in the order of their declaration.
func Modes() []Mode {
	return []Mode{Kubectl, Karpenter, ClusterAutoscaler, Descheduler, Controller}
}

// IsDaemonPod reports whether the pod is a daemon pod in the sense of the mode.
// It is false for nil and for a mode that does not exist.
//
// Controller asks whether one of the given DaemonSets has the pod already; one
// that it would still have to adopt is not its own yet.
func IsDaemonPod(pod *corev1.Pod, m Mode, sets ...*appsv1.DaemonSet) bool {
	if pod == nil {
		return false
	}
	switch m {
	case Kubectl:
		ref := metav1.GetControllerOfNoCopy(pod)
		return ref != nil && isAppsV1(ref)
	case Karpenter:
		for i := range pod.OwnerReferences {
			if isAppsV1(&pod.OwnerReferences[i]) {
				return true
			}
		}
	case ClusterAutoscaler:
		ref := metav1.GetControllerOfNoCopy(pod)
		return ref != nil && ref.Kind == kind || pod.Annotations[DaemonPodAnnotation] == "true"
	case Descheduler:
		for i := range pod.OwnerReferences {
			if pod.OwnerReferences[i].Kind == kind {
				return true
			}
		}
	case Controller:
		if metav1.GetControllerOfNoCopy(pod) == nil {
			return false // at most to be adopted
		}
		for _, ds := range sets {
			if has(ds, pod) {
				return true
			}
		}
	}
	return false
}

// isAppsV1 reports whether a reference is to a DaemonSet as kubectl and Karpenter
// compare it: literally, version included.
func isAppsV1(ref *metav1.OwnerReference) bool {
	return ref.Kind == kind && ref.APIVersion == appsv1.SchemeGroupVersion.String()
}

// has reports whether the DaemonSet claims the pod, or would.
func has(ds *appsv1.DaemonSet, pod *corev1.Pod) bool {
	if ds == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		return false
	}
	return len(placement.Claim(placement.OwnerOf(ds), selector, []*corev1.Pod{pod}).Claimed) > 0
}
