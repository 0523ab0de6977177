package tolerations_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

func formats(list []corev1.Toleration) []string {
	var out []string
	for _, t := range list {
		out = append(out, tolerations.Format(t))
	}
	return out
}

func TestDefaultTolerations(t *testing.T) {
	six := []string{
		"node.kubernetes.io/not-ready:NoExecute op=Exists",
		"node.kubernetes.io/unreachable:NoExecute op=Exists",
		"node.kubernetes.io/disk-pressure:NoSchedule op=Exists",
		"node.kubernetes.io/memory-pressure:NoSchedule op=Exists",
		"node.kubernetes.io/pid-pressure:NoSchedule op=Exists",
		"node.kubernetes.io/unschedulable:NoSchedule op=Exists",
	}
	assert.Equal(t, six, formats(tolerations.DefaultTolerations(nil)))
	assert.Equal(t, six, formats(tolerations.DefaultTolerations(&corev1.PodSpec{
		Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
	})), "the spec's own tolerations are not among the defaults")
	// kubernetes/website#5011
	assert.Equal(t, append(six, "node.kubernetes.io/network-unavailable:NoSchedule op=Exists"),
		formats(tolerations.DefaultTolerations(&corev1.PodSpec{HostNetwork: true})))
}

func TestEffectiveKeepsTheOrderOfTheSpec(t *testing.T) {
	thirty := int64(30)
	spec := &corev1.PodSpec{Tolerations: []corev1.Toleration{
		{Key: "z", Operator: corev1.TolerationOpExists},
		{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &thirty},
		{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, TolerationSeconds: &thirty},
		{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
	}}
	assert.Equal(t, []string{
		"z op=Exists",
		"node.kubernetes.io/unschedulable:NoSchedule op=Exists",
		"node.kubernetes.io/not-ready:NoExecute op=Exists", // the 30 s are lost
		"node.kubernetes.io/unreachable op=Exists for 30s", // another effect: stays beside the default
		"node.kubernetes.io/disk-pressure:NoSchedule",      // no operator: not the same toleration
		"node.kubernetes.io/unreachable:NoExecute op=Exists",
		"node.kubernetes.io/disk-pressure:NoSchedule op=Exists",
		"node.kubernetes.io/memory-pressure:NoSchedule op=Exists",
		"node.kubernetes.io/pid-pressure:NoSchedule op=Exists",
	}, formats(tolerations.Effective(spec)))
	assert.Equal(t, formats(tolerations.DefaultTolerations(nil)), formats(tolerations.Effective(nil)))
}
