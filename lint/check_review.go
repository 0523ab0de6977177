package lint

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

func privileged(c placed) bool {
	return c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged
}

func checkPrivileged(s *subject, found report) {
	for _, c := range s.containers() {
		if privileged(c) {
			found(c.field+".securityContext.privileged", fmt.Sprintf("container %s is privileged", c.Name), "grant single capabilities where those are enough")
		}
	}
}

func checkNamespaces(s *subject, found report) {
	for _, n := range []struct {
		field, shares string
		set           bool
	}{
		{"hostNetwork", "the network of the host", s.spec.HostNetwork},
		{"hostPID", "the process IDs of the host", s.spec.HostPID},
		{"hostIPC", "the IPC of the host", s.spec.HostIPC},
	} {
		if n.set {
			found(podSpec+"."+n.field, "pods share "+n.shares, "make sure that they need it")
		}
	}
}

func checkSpread(s *subject, found report) {
	for i, c := range s.spec.TopologySpreadConstraints {
		message := "each pod is bound to its node beforehand, so there is nothing to spread"
		if c.WhenUnsatisfiable == corev1.DoNotSchedule && c.NodeAffinityPolicy != nil && *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyIgnore {
			message += ", and the constraint can leave it Pending"
		}
		found(at(podSpec+".topologySpreadConstraints", i), message, "remove the constraint")
	}
}
