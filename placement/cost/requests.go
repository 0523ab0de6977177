package cost

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/resource"
)

// RequestsOf returns what a pod that runs takes from its node, a pod slot included:
// PodRequests of component-helpers with the status read, so that a resize in place
// counts with the greater of what is wanted, allocated and in force, and one that
// is infeasible with what there is. A pod that has ended takes nothing, nor does
// nil. How much of a status is read beyond that is up to the version of
// component-helpers in the build.
//
// The error names the field of a quantity that is negative or out of range, below
// path, which may be nil; or it is [ErrOverflow].
func RequestsOf(pod *corev1.Pod, path *field.Path) (Resources, error) {
	if pod == nil || ended(pod) {
		return nil, nil
	}
	pod, bad := usable(pod, path)
	if bad != nil {
		return nil, bad
	}
	// Helpers before 1.33 know an infeasible resize by a field that kubelets have
	// since replaced by a condition.
	if infeasible(pod) && pod.Status.Resize != corev1.PodResizeStatusInfeasible {
		mine := *pod
		mine.Status.Resize = corev1.PodResizeStatusInfeasible
		pod = &mine
	}
	return sum(pod, resource.PodResourcesOptions{UseStatusResources: true})
}

// ended reports whether a pod holds nothing any more.
func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
}

// infeasible reports whether the node has refused a resize for good.
func infeasible(pod *corev1.Pod) bool {
	for i := range pod.Status.Conditions {
		// The names are those of k8s.io/api v0.33. Kubelets take the condition away
		// when it no longer holds, so that its status is not looked at there either.
		if c := &pod.Status.Conditions[i]; c.Type == "PodResizePending" {
			return c.Reason == "Infeasible"
		}
	}
	return false
}

// sum is the requests of a usable pod with its slot.
func sum(pod *corev1.Pod, o resource.PodResourcesOptions) (Resources, error) {
	list := resource.PodRequests(pod, o)
	replaceHugePages(list, pod.Spec.Overhead, pod.Spec.Resources, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Requests })
	requests, err := sumOf(list)
	if err != nil {
		return nil, err
	}
	return requests.Plus(onePod)
}

// onePod is the slot that every pod takes.
var onePod = Resources{{corev1.ResourcePods, value{1, 0}}}

// limits is the limits of a usable pod: only what every container limits is one,
// but that is for the reader; the API adds up those there are.
func limits(pod *corev1.Pod) (Resources, error) {
	list := resource.PodLimits(pod, resource.PodResourcesOptions{})
	replaceHugePages(list, pod.Spec.Overhead, pod.Spec.Resources, func(r *corev1.ResourceRequirements) corev1.ResourceList { return r.Limits })
	return sumOf(list)
}

// replaceHugePages does for huge pages what component-helpers does since v0.33: of
// them, too, what the pod asks for as a whole counts instead of what its containers
// ask for.
func replaceHugePages(list, overhead corev1.ResourceList, whole *corev1.ResourceRequirements, of func(*corev1.ResourceRequirements) corev1.ResourceList) {
	if whole == nil {
		return
	}
	for name, quantity := range of(whole) {
		if hugePages(name) && !resource.IsSupportedPodLevelResource(name) {
			quantity = quantity.DeepCopy()
			if over, ok := overhead[name]; ok {
				quantity.Add(over)
			}
			list[name] = quantity
		}
	}
}

func hugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// sumOf reads a list that was added up from usable quantities, so that the only
// thing that can be wrong with it is its size.
func sumOf(list corev1.ResourceList) (Resources, error) {
	var all Resources
	tooMuch := ""
	for name, quantity := range list {
		v, _, err := read(quantity)
		if err != nil && (tooMuch == "" || string(name) < tooMuch) {
			tooMuch = string(name)
		}
		if !v.isZero() {
			all = append(all, Amount{name, v})
		}
	}
	if tooMuch != "" {
		return nil, overflow(corev1.ResourceName(tooMuch))
	}
	all.sort()
	return all, nil
}
