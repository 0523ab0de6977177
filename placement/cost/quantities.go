package cost

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// visit is asked about each list of quantities in a pod that can decide about its
// requests. at is its field below the pod.
type visit func(list corev1.ResourceList, at func() *field.Path)

// eachList visits the lists of a pod, and none that is empty.
func eachList(pod *corev1.Pod, path *field.Path, do visit) {
	spec := path.Child("spec")
	if path == nil {
		spec = field.NewPath("spec")
	}
	requirements := func(r *corev1.ResourceRequirements, at func() *field.Path) {
		if len(r.Requests) > 0 {
			do(r.Requests, func() *field.Path { return at().Child("resources", "requests") })
		}
		if len(r.Limits) > 0 {
			do(r.Limits, func() *field.Path { return at().Child("resources", "limits") })
		}
	}
	containers := func(list []corev1.Container, name string) {
		for i := range list {
			requirements(&list[i].Resources, func() *field.Path { return spec.Child(name).Index(i) })
		}
	}
	containers(pod.Spec.InitContainers, "initContainers")
	containers(pod.Spec.Containers, "containers")
	if pod.Spec.Resources != nil {
		requirements(pod.Spec.Resources, func() *field.Path { return spec })
	}
	if len(pod.Spec.Overhead) > 0 {
		do(pod.Spec.Overhead, func() *field.Path { return spec.Child("overhead") })
	}

	status := path.Child("status")
	if path == nil {
		status = field.NewPath("status")
	}
	statuses := func(list []corev1.ContainerStatus, name string) {
		for i := range list {
			at := func() *field.Path { return status.Child(name).Index(i) }
			if len(list[i].AllocatedResources) > 0 {
				do(list[i].AllocatedResources, func() *field.Path { return at().Child("allocatedResources") })
			}
			if list[i].Resources != nil {
				requirements(list[i].Resources, at)
			}
		}
	}
	statuses(pod.Status.InitContainerStatuses, "initContainerStatuses")
	statuses(pod.Status.ContainerStatuses, "containerStatuses")
}

// usable returns a pod with which component-helpers can count: the pod itself, or,
// where a quantity is finer than the API keeps, a copy in which it is rounded up.
// Negative and endless quantities are an error, the first by its field.
func usable(pod *corev1.Pod, path *field.Path) (*corev1.Pod, *field.Error) {
	var bad field.ErrorList
	anyOdd := false
	eachList(pod, path, func(list corev1.ResourceList, at func() *field.Path) {
		for name, quantity := range list {
			_, odd, err := readAmount(quantity)
			if err != nil {
				bad = append(bad, invalid(at(), name, err))
			}
			anyOdd = anyOdd || odd
		}
	})
	switch {
	case len(bad) > 0:
		return nil, first(bad)
	case !anyOdd:
		return pod, nil
	}
	pod = pod.DeepCopy()
	eachList(pod, path, func(list corev1.ResourceList, _ func() *field.Path) {
		for name, quantity := range list {
			v, _, _ := readAmount(quantity)
			list[name] = v.quantity(quantity.Format)
		}
	})
	return pod, nil
}
