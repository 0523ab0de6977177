package lint_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/lint"
)

const (
	container0 = "spec.template.spec.containers[0]."
	init0      = "spec.template.spec.initContainers[0]."
)

func container(change func(*corev1.Container)) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) { change(&ds.Spec.Template.Spec.Containers[0]) }
}

func listening(ports ...corev1.ContainerPort) func(*appsv1.DaemonSet) {
	return container(func(c *corev1.Container) { c.Ports = ports })
}

func TestContainers(t *testing.T) {
	runRefusals(t, lint.Options{}, []refusal{
		{"none", pod(func(s *corev1.PodSpec) { s.Containers = nil }), []string{"spec.template.spec.containers: Required value: "}},
		{"empty", container(func(c *corev1.Container) { *c = corev1.Container{} }),
			[]string{container0 + "name: Required value: ", container0 + "image: Required value: "}},
		{"name", container(func(c *corev1.Container) { c.Name = "a.b" }), []string{container0 + "name: Invalid value: must not contain dots"}},
		{"capital", container(func(c *corev1.Container) { c.Name = "A" }), []string{container0 + "name: Invalid value: " + badLabel}},
		{"padded image", container(func(c *corev1.Container) { c.Image = " x " }), nil},
		{"pull policy", container(func(c *corev1.Container) { c.ImagePullPolicy = "Sometimes" }),
			[]string{container0 + `imagePullPolicy: Unsupported value: supported values: "Always", "IfNotPresent", "Never"`}},
		{"message policy", container(func(c *corev1.Container) { c.TerminationMessagePolicy = "Shout" }),
			[]string{container0 + `terminationMessagePolicy: Unsupported value: supported values: "File", "FallbackToLogsOnError"`}},
		{"same name twice", pod(func(s *corev1.PodSpec) { s.Containers = append(s.Containers, s.Containers[0]) }),
			[]string{"spec.template.spec.containers[1].name: Duplicate value: "}},
		{"name of a regular container", pod(func(s *corev1.PodSpec) { s.InitContainers = s.Containers }),
			[]string{init0 + "name: Duplicate value: "}},
		{"init containers without names", pod(func(s *corev1.PodSpec) { s.InitContainers = []corev1.Container{{Image: "x"}, {Image: "x"}} }),
			[]string{init0 + "name: Required value: ", "spec.template.spec.initContainers[1].name: Required value: "}},
	})
}

func TestPorts(t *testing.T) {
	port := func(container, host int32) corev1.ContainerPort {
		return corev1.ContainerPort{ContainerPort: container, HostPort: host}
	}
	onHost := func(ports ...corev1.ContainerPort) func(*appsv1.DaemonSet) {
		return func(ds *appsv1.DaemonSet) {
			ds.Spec.Template.Spec.HostNetwork = true
			listening(ports...)(ds)
		}
	}
	const portRange = "must be between 1 and 65535, inclusive"
	runRefusals(t, lint.Options{}, []refusal{
		{"plain", listening(port(80, 0), port(80, 0)), nil},
		{"missing", listening(port(0, 0)), []string{container0 + "ports[0].containerPort: Required value: "}},
		{"out of range", listening(port(65536, -1)), []string{
			container0 + "ports[0].containerPort: Invalid value: " + portRange, container0 + "ports[0].hostPort: Invalid value: " + portRange}},
		{"protocol", listening(corev1.ContainerPort{ContainerPort: 80, Protocol: "tcp"}),
			[]string{container0 + `ports[0].protocol: Unsupported value: supported values: "SCTP", "TCP", "UDP"`}},
		{"name", listening(corev1.ContainerPort{ContainerPort: 80, Name: "80"}),
			[]string{container0 + "ports[0].name: Invalid value: must contain at least one letter (a-z)"}},
		{"same name twice", listening(corev1.ContainerPort{ContainerPort: 80, Name: "a"}, corev1.ContainerPort{ContainerPort: 81, Name: "a"}),
			[]string{container0 + "ports[1].name: Duplicate value: "}},
		{"same host port twice", listening(port(80, 80), port(81, 80)), []string{container0 + "ports[1].hostPort: Duplicate value: "}},
		{"same host port, other address", listening(port(80, 80), corev1.ContainerPort{ContainerPort: 81, HostPort: 80, HostIP: "0.0.0.0"}), nil},
		{"same host port in two containers", pod(func(s *corev1.PodSpec) {
			s.Containers[0].Ports = []corev1.ContainerPort{port(80, 80)}
			s.Containers = append(s.Containers, corev1.Container{Name: "b", Image: "x", Ports: s.Containers[0].Ports})
		}), []string{"spec.template.spec.containers[1].ports[0].hostPort: Duplicate value: "}},
		{"same host port in init containers", pod(func(s *corev1.PodSpec) {
			ports := []corev1.ContainerPort{port(80, 80)}
			s.InitContainers = []corev1.Container{{Name: "a", Image: "x", Ports: ports}, {Name: "b", Image: "x", Ports: ports}}
		}), nil},
		// The index is that of a list of one, as in the API server.
		{"same host port in the second init container", pod(func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "a", Image: "x"},
				{Name: "b", Image: "x", Ports: []corev1.ContainerPort{port(80, 80), port(81, 80)}}}
		}), []string{init0 + "ports[1].hostPort: Duplicate value: "}},
		{"host network", onHost(port(80, 80), port(81, 0)), nil},
		{"host network with another host port", onHost(port(80, 81)),
			[]string{container0 + "ports[0].hostPort: Invalid value: must match `containerPort` when `hostNetwork` is true"}},
		{"host network, init container", pod(func(s *corev1.PodSpec) {
			s.HostNetwork = true
			s.InitContainers = []corev1.Container{{Name: "a", Image: "x", Ports: []corev1.ContainerPort{port(80, 81)}}}
		}), nil},
		// openkruise/kruise#2361: a surge and host ports never work together, but
		// the API server does not object.
		{"surge with host ports", func(ds *appsv1.DaemonSet) {
			rollingUpdate(number(0), number(2))(ds)
			listening(port(8080, 18080))(ds)
		}, nil},
		// kubernetes/kubernetes#133378: stored before validation was strict.
		{"surge and unavailable", rollingUpdate(number(2), number(1)),
			[]string{rolling + "maxSurge: Invalid value: may not be set when maxUnavailable is non-zero"}},
	})
}
