package input

import (
	corev1 "k8s.io/api/core/v1"
)

// addPod reads of a pod what decides whose it is, where it is, and its state.
func (r *reader) addPod(raw []byte, path string) error {
	var pod struct {
		Metadata claimable `json:"metadata"`
		Spec     struct {
			NodeName string           `json:"nodeName"`
			Affinity *corev1.Affinity `json:"affinity"`
		} `json:"spec"`
		Status struct {
			Phase      corev1.PodPhase       `json:"phase"`
			Conditions []corev1.PodCondition `json:"conditions"`
		} `json:"status"`
	}
	if err := r.decode(raw, &pod, path); err != nil {
		return err
	}
	read := &corev1.Pod{
		ObjectMeta: pod.Metadata.objectMeta(),
		Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName, Affinity: pod.Spec.Affinity},
		Status:     corev1.PodStatus{Phase: pod.Status.Phase, Conditions: pod.Status.Conditions},
	}
	if r.source.PodContainers {
		if err := r.containers(raw, path, read); err != nil {
			return err
		}
	}
	if r.source.WholePods {
		var pod struct {
			Spec   corev1.PodSpec   `json:"spec"`
			Status corev1.PodStatus `json:"status"`
		}
		if err := r.decode(raw, &pod, path); err != nil {
			return err
		}
		read.Spec, read.Status = pod.Spec, pod.Status
	}
	r.Pods = append(r.Pods, read)
	return nil
}

// containers reads of a pod's containers which ports of the node they take, and
// what they wait for.
func (r *reader) containers(raw []byte, path string, into *corev1.Pod) error {
	type container struct {
		Ports []struct {
			HostPort      int32 `json:"hostPort"`
			ContainerPort int32 `json:"containerPort"`
		} `json:"ports"`
	}
	type status struct {
		State struct {
			Waiting *struct {
				Reason string `json:"reason"`
			} `json:"waiting"`
		} `json:"state"`
	}
	var pod struct {
		Spec struct {
			HostNetwork    bool        `json:"hostNetwork"`
			InitContainers []container `json:"initContainers"`
			Containers     []container `json:"containers"`
		} `json:"spec"`
		Status struct {
			InitContainerStatuses []status `json:"initContainerStatuses"`
			ContainerStatuses     []status `json:"containerStatuses"`
		} `json:"status"`
	}
	if err := r.decode(raw, &pod, path); err != nil {
		return err
	}
	containers := func(from []container) (read []corev1.Container) {
		for _, c := range from {
			var one corev1.Container
			for _, p := range c.Ports {
				one.Ports = append(one.Ports, corev1.ContainerPort{HostPort: p.HostPort, ContainerPort: p.ContainerPort})
			}
			read = append(read, one)
		}
		return read
	}
	statuses := func(from []status) (read []corev1.ContainerStatus) {
		for _, s := range from {
			var one corev1.ContainerStatus
			if w := s.State.Waiting; w != nil {
				one.State.Waiting = &corev1.ContainerStateWaiting{Reason: w.Reason}
			}
			read = append(read, one)
		}
		return read
	}
	into.Spec.HostNetwork = pod.Spec.HostNetwork
	into.Spec.InitContainers = containers(pod.Spec.InitContainers)
	into.Spec.Containers = containers(pod.Spec.Containers)
	into.Status.InitContainerStatuses = statuses(pod.Status.InitContainerStatuses)
	into.Status.ContainerStatuses = statuses(pod.Status.ContainerStatuses)
	return nil
}
