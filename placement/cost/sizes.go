package cost

import corev1 "k8s.io/api/core/v1"

// sizes remembers what the last pod of a DaemonSet takes, as most of the others take
// the same. To see that they do costs a tenth of summing it up.
type sizes struct {
	table  *table
	sample *corev1.Pod
	takes  []entry
}

func (s *sizes) of(pod *corev1.Pod) ([]entry, error) {
	if s.sample != nil && sameSize(s.sample, pod) {
		return s.takes, nil
	}
	requests, err := RequestsOf(pod, nil)
	if err != nil {
		return nil, err
	}
	s.sample, s.takes = pod, s.table.entries(requests)
	return s.takes, nil
}

// sameSize reports whether two pods that have not ended are certain to take the same.
// It may say no for want of certainty: it compares how quantities are written.
func sameSize(a, b *corev1.Pod) bool {
	return a.Spec.Resources == nil && b.Spec.Resources == nil &&
		a.Status.Resize == b.Status.Resize && infeasible(a) == infeasible(b) &&
		sameQuantities(a.Spec.Overhead, b.Spec.Overhead) &&
		same(a.Spec.Containers, b.Spec.Containers, sameContainer) &&
		same(a.Spec.InitContainers, b.Spec.InitContainers, sameContainer) &&
		same(a.Status.ContainerStatuses, b.Status.ContainerStatuses, sameStatus) &&
		same(a.Status.InitContainerStatuses, b.Status.InitContainerStatuses, sameStatus)
}

// same is slices.EqualFunc without copies of the elements, which are large.
func same[T any](a, b []T, equal func(a, b *T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameContainer(a, b *corev1.Container) bool {
	return a.Name == b.Name && sidecar(a) == sidecar(b) && sameQuantities(a.Resources.Requests, b.Resources.Requests)
}

func sidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

func sameStatus(a, b *corev1.ContainerStatus) bool {
	if a.Name != b.Name || (a.Resources == nil) != (b.Resources == nil) ||
		(a.AllocatedResources == nil) != (b.AllocatedResources == nil) ||
		!sameQuantities(a.AllocatedResources, b.AllocatedResources) {
		return false
	}
	return a.Resources == nil ||
		(a.Resources.Requests == nil) == (b.Resources.Requests == nil) &&
			sameQuantities(a.Resources.Requests, b.Resources.Requests)
}

func sameQuantities(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, q := range a {
		// Equal numbers in other spellings differ here, and that is fine.
		if r, ok := b[name]; !ok || q != r {
			return false
		}
	}
	return true
}
