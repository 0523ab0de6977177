package lint_test

import (
	"math"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/lint"
)

func pod(change func(*corev1.PodSpec)) func(*appsv1.DaemonSet) {
	return func(ds *appsv1.DaemonSet) { change(&ds.Spec.Template.Spec) }
}

func TestPodSpec(t *testing.T) {
	const spec = "spec.template.spec."
	forbidden := spec + "activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported"
	always := spec + `restartPolicy: Unsupported value: supported values: "Always"`
	runRefusals(t, lint.Options{}, []refusal{
		{"node name", pod(func(s *corev1.PodSpec) { s.NodeName = "n.1" }), nil},
		{"bad node name", pod(func(s *corev1.PodSpec) { s.NodeName = "N" }), []string{spec + "nodeName: Invalid value: " + badSubdomain}},
		{"node selector", pod(func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{"not ok": "x", "zone": "-"} }),
			[]string{spec + "nodeSelector: Invalid value: " + badLabelValue, spec + "nodeSelector: Invalid value: " + badLabelName}},
		{"restart on failure", pod(func(s *corev1.PodSpec) { s.RestartPolicy = corev1.RestartPolicyOnFailure }), []string{always}},
		{"restart policy", pod(func(s *corev1.PodSpec) { s.RestartPolicy = "Sometimes" }),
			[]string{spec + `restartPolicy: Unsupported value: supported values: "Always", "OnFailure", "Never"`, always}},
		{"deadline", pod(func(s *corev1.PodSpec) { s.ActiveDeadlineSeconds = to(int64(math.MaxInt32)) }), []string{forbidden}},
		{"bad deadline", pod(func(s *corev1.PodSpec) { s.ActiveDeadlineSeconds = to(int64(0)) }),
			[]string{spec + "activeDeadlineSeconds: Invalid value: must be between 1 and 2147483647, inclusive", forbidden}},
		{"negative grace period", pod(func(s *corev1.PodSpec) { s.TerminationGracePeriodSeconds = to(int64(-1)) }), nil},
		{"DNS policy", pod(func(s *corev1.PodSpec) { s.DNSPolicy = "Other" }),
			[]string{spec + `dnsPolicy: Unsupported value: supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"`}},
		{"DNS of its own", pod(func(s *corev1.PodSpec) {
			s.DNSPolicy, s.DNSConfig = corev1.DNSNone, &corev1.PodDNSConfig{Nameservers: []string{"10.0.0.1"}}
		}), nil},
		{"no DNS", pod(func(s *corev1.PodSpec) { s.DNSPolicy = corev1.DNSNone }),
			[]string{spec + "dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"}},
		{"no name server", pod(func(s *corev1.PodSpec) { s.DNSPolicy, s.DNSConfig = corev1.DNSNone, &corev1.PodDNSConfig{} }),
			[]string{spec + "dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None"}},
		{"ephemeral containers", pod(func(s *corev1.PodSpec) { s.EphemeralContainers = make([]corev1.EphemeralContainer, 2) }),
			[]string{spec + "ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"}},
	})
}

func TestTemplateMetadata(t *testing.T) {
	annotated := func(key, value string) func(*appsv1.DaemonSet) {
		return func(ds *appsv1.DaemonSet) { ds.Spec.Template.Annotations = map[string]string{key: value} }
	}
	const annotations = "spec.template.annotations"
	const (
		seccompAgent  = corev1.SeccompContainerAnnotationKeyPrefix + "agent"
		apparmorAgent = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + "agent"
		apparmorOther = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + "other"
	)
	runRefusals(t, lint.Options{}, []refusal{
		{"label", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Labels["x"] = "-" }, []string{
			// The same map is the selector here.
			"spec.selector.matchLabels: Invalid value: " + badLabelValue, "spec.template.labels: Invalid value: " + badLabelValue}},
		{"annotation", annotated("not ok", ""), []string{annotations + ": Invalid value: " + badLabelName}},
		{"what is not judged", func(ds *appsv1.DaemonSet) {
			m := &ds.Spec.Template.ObjectMeta
			m.Name, m.Namespace, m.Finalizers = "Not/A/Name", "Not/A/Name", []string{"mine"}
		}, nil},
		{"mirror", annotated(corev1.MirrorPodAnnotationKey, "x"),
			[]string{annotations + "[kubernetes.io/config.mirror]: Invalid value: must set spec.nodeName if mirror pod annotation is set"}},
		{"cost", annotated(corev1.PodDeletionCost, "-10"), nil},
		{"no cost", annotated(corev1.PodDeletionCost, "0"), nil},
		{"bad cost", annotated(corev1.PodDeletionCost, "+1"),
			[]string{annotations + "[controller.kubernetes.io/pod-deletion-cost]: Invalid value: must be a 32bit integer"}},
		{"big cost", annotated(corev1.PodDeletionCost, "2147483648"),
			[]string{annotations + "[controller.kubernetes.io/pod-deletion-cost]: Invalid value: must be a 32bit integer"}},
		{"tolerations", annotated(corev1.TolerationsAnnotationKey, `[{"operator":"Exists"}]`), nil},
		{"bad toleration", annotated(corev1.TolerationsAnnotationKey, `[{"operator":"Exists","value":"x"}]`),
			[]string{annotations + ".scheduler.alpha.kubernetes.io/tolerations[0].operator: Invalid value: value must be empty when `operator` is 'Exists'"}},
		{"no tolerations", annotated(corev1.TolerationsAnnotationKey, "{"), []string{annotations + ": Invalid value: unexpected end of JSON input"}},
		{"seccomp", annotated(corev1.SeccompPodAnnotationKey, "localhost/a/b"), nil},
		{"bad seccomp", annotated(corev1.SeccompPodAnnotationKey, "x"),
			[]string{annotations + ".seccomp.security.alpha.kubernetes.io/pod: Invalid value: must be a valid seccomp profile"}},
		{"bad seccomp file", annotated(seccompAgent, "localhost//../x"), []string{
			annotations + "." + seccompAgent + ": Invalid value: must be a relative path",
			annotations + "." + seccompAgent + ": Invalid value: must not contain '..'"}},
		{"apparmor", annotated(apparmorAgent, "localhost/x"), nil},
		{"bad apparmor", annotated(apparmorOther, "x"), []string{
			annotations + "[" + apparmorOther + "]: Invalid value: container not found",
			annotations + "[" + apparmorOther + `]: Invalid value: invalid AppArmor profile name: "x"`}},
	})
}
