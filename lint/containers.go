package lint

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateContainers judges the containers that run side by side: their host
// ports must not clash.
func validateContainers(containers []corev1.Container, path *field.Path) field.ErrorList {
	if len(containers) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	names, hostPorts := sets.Set[string]{}, sets.Set[string]{}
	for i := range containers {
		c, at := &containers[i], path.Index(i)
		errs = append(errs, validateContainer(c, at)...)
		if names.Has(c.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		}
		names.Insert(c.Name)
	}
	for i := range containers {
		errs = append(errs, validateUniqueHostPorts(containers[i].Ports, hostPorts, path.Index(i))...)
	}
	return errs
}

// validateInitContainers judges the containers that run one by one: each may use
// the host ports of another. An empty name is reported as missing, not as a
// duplicate of another empty one, unless a regular container lacks its name too.
func validateInitContainers(containers, regular []corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := sets.Set[string]{}
	for i := range regular {
		names.Insert(regular[i].Name)
	}
	for i := range containers {
		c, at := &containers[i], path.Index(i)
		errs = append(errs, validateContainer(c, at)...)
		if names.Has(c.Name) {
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		} else if c.Name != "" {
			names.Insert(c.Name)
		}
		// The API server checks a list of this one container and so reports the
		// clash at index 0, whichever container it is.
		errs = append(errs, validateUniqueHostPorts(c.Ports, sets.Set[string]{}, path.Index(0))...)
	}
	return errs
}

func validateContainer(c *corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if c.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	} else {
		for _, msg := range validation.IsDNS1123Label(c.Name) {
			errs = append(errs, field.Invalid(path.Child("name"), c.Name, msg))
		}
	}
	// White space around the image of a template passes: projects replace such
	// an image before pods are made.
	if c.Image == "" {
		errs = append(errs, field.Required(path.Child("image"), ""))
	}
	switch c.TerminationMessagePolicy {
	case corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError:
	default:
		errs = append(errs, field.NotSupported(path.Child("terminationMessagePolicy"), c.TerminationMessagePolicy,
			[]corev1.TerminationMessagePolicy{corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError}))
	}
	errs = append(errs, validatePorts(c.Ports, path.Child("ports"))...)
	switch c.ImagePullPolicy {
	case corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever:
	default:
		errs = append(errs, field.NotSupported(path.Child("imagePullPolicy"), c.ImagePullPolicy,
			[]corev1.PullPolicy{corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever}))
	}
	return errs
}

// validatePorts judges the ports of one container. Port names are unique within
// it; a malformed name is not compared with others.
func validatePorts(ports []corev1.ContainerPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := sets.Set[string]{}
	for i := range ports {
		p, at := &ports[i], path.Index(i)
		if p.Name != "" {
			msgs := validation.IsValidPortName(p.Name)
			for _, msg := range msgs {
				errs = append(errs, field.Invalid(at.Child("name"), p.Name, msg))
			}
			if names.Has(p.Name) {
				errs = append(errs, field.Duplicate(at.Child("name"), p.Name))
			} else if len(msgs) == 0 {
				names.Insert(p.Name)
			}
		}
		if p.ContainerPort == 0 {
			errs = append(errs, field.Required(at.Child("containerPort"), ""))
		} else {
			errs = append(errs, validatePortNumber(p.ContainerPort, at.Child("containerPort"))...)
		}
		if p.HostPort != 0 {
			errs = append(errs, validatePortNumber(p.HostPort, at.Child("hostPort"))...)
		}
		switch p.Protocol {
		case corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP:
		default:
			errs = append(errs, field.NotSupported(at.Child("protocol"), p.Protocol,
				[]corev1.Protocol{corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP}))
		}
	}
	return errs
}

func validatePortNumber(port int32, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range validation.IsValidPortNum(int(port)) {
		errs = append(errs, field.Invalid(path, port, msg))
	}
	return errs
}

// validateUniqueHostPorts reports host ports of the container at path that are in
// use, and adds the others. Two ports clash only if protocol and host IP are
// equal as written: "" and "0.0.0.0" do not clash.
func validateUniqueHostPorts(ports []corev1.ContainerPort, used sets.Set[string], path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range ports {
		p := &ports[i]
		if p.HostPort == 0 {
			continue
		}
		key := fmt.Sprintf("%s/%s/%d", p.Protocol, p.HostIP, p.HostPort)
		if used.Has(key) {
			errs = append(errs, field.Duplicate(path.Child("ports").Index(i).Child("hostPort"), key))
		}
		used.Insert(key)
	}
	return errs
}

// validateHostNetworkPorts asks, on the host network, for host ports that are
// unset (pods get them from the container port) or equal to the container port.
// Init containers are free.
func validateHostNetworkPorts(containers []corev1.Container, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range containers {
		ports := path.Index(i).Child("ports")
		for j, p := range containers[i].Ports {
			if p.HostPort != 0 && p.HostPort != p.ContainerPort {
				errs = append(errs, field.Invalid(ports.Index(j).Child("hostPort"), p.HostPort,
					"must match `containerPort` when `hostNetwork` is true"))
			}
		}
	}
	return errs
}
