package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/lint"
)

func TestDefaultNil(t *testing.T) {
	assert.Nil(t, lint.Default(nil))
	assert.Nil(t, lint.DefaultTemplate(nil))
}

func TestDefaultOfAnEmptyDaemonSet(t *testing.T) {
	assert.Equal(t, &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{
		RevisionHistoryLimit: to(int32(10)),
		UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
			Type:          "RollingUpdate",
			RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: number(1), MaxSurge: number(0)},
		},
		Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy:                 "Always",
			TerminationGracePeriodSeconds: to(int64(30)),
			DNSPolicy:                     "ClusterFirst",
			SecurityContext:               &corev1.PodSecurityContext{},
			SchedulerName:                 "default-scheduler",
		}},
	}}, lint.Default(&appsv1.DaemonSet{}))
}

func TestDefaultStrategy(t *testing.T) {
	strategy := func(kind appsv1.DaemonSetUpdateStrategyType, unavailable, surge *intstr.IntOrString) appsv1.DaemonSetUpdateStrategy {
		return appsv1.DaemonSetUpdateStrategy{Type: kind, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: unavailable, MaxSurge: surge}}
	}
	for _, c := range []struct {
		name     string
		in, want appsv1.DaemonSetUpdateStrategy
	}{
		{"numbers without a type", strategy("", text("10%"), nil), strategy("RollingUpdate", text("10%"), number(0))},
		{"surge alone", strategy("RollingUpdate", nil, number(1)), strategy("RollingUpdate", number(1), number(1))},
		{"OnDelete", strategy("OnDelete", nil, number(1)), strategy("OnDelete", nil, number(1))},
		{"OnDelete without numbers", appsv1.DaemonSetUpdateStrategy{Type: "OnDelete"}, appsv1.DaemonSetUpdateStrategy{Type: "OnDelete"}},
		{"unknown", appsv1.DaemonSetUpdateStrategy{Type: "Recreate"}, appsv1.DaemonSetUpdateStrategy{Type: "Recreate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lint.Default(&appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{UpdateStrategy: c.in}})
			assert.Equal(t, c.want, got.Spec.UpdateStrategy)
		})
	}
}

// template defaults a pod spec and returns the result.
func template(spec corev1.PodSpec) corev1.PodSpec {
	return lint.DefaultTemplate(&corev1.PodTemplateSpec{Spec: spec}).Spec
}

func TestDefaultServiceAccount(t *testing.T) {
	for _, c := range []struct{ name, old, want string }{
		{"", "", ""}, {"a", "", "a"}, {"", "b", "b"}, {"a", "b", "a"},
	} {
		got := template(corev1.PodSpec{ServiceAccountName: c.name, DeprecatedServiceAccount: c.old})
		assert.Equal(t, [2]string{c.want, c.want}, [2]string{got.ServiceAccountName, got.DeprecatedServiceAccount})
	}
}

func TestDefaultKeepsWhatIsSet(t *testing.T) {
	spec := corev1.PodSpec{
		RestartPolicy: "Sometimes", DNSPolicy: "Default", SchedulerName: "mine", TerminationGracePeriodSeconds: to(int64(-1)),
		SecurityContext: &corev1.PodSecurityContext{RunAsUser: to(int64(1))}, HostNetwork: true,
		Containers: []corev1.Container{{
			Image: "a:latest", ImagePullPolicy: "Never", TerminationMessagePath: "/x", TerminationMessagePolicy: "Shout",
			Ports:     []corev1.ContainerPort{{ContainerPort: 80, Protocol: "UDP"}},
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1500m")}},
			ReadinessProbe: &corev1.Probe{TimeoutSeconds: 2, PeriodSeconds: 3, SuccessThreshold: 4, FailureThreshold: -5,
				ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "p", Scheme: "HTTPS"}}},
		}},
	}
	// Neither host ports nor requests: a pod gets those, a template does not.
	assert.Equal(t, spec, template(spec))
}

// All three kinds of containers get the same.
func TestDefaultContainers(t *testing.T) {
	in := corev1.EphemeralContainerCommon{
		Image: "example.com/agent",
		Ports: []corev1.ContainerPort{{ContainerPort: 80}},
		Env: []corev1.EnvVar{{Name: "a"}, {Name: "b", ValueFrom: &corev1.EnvVarSource{}},
			{Name: "c", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}}},
		LivenessProbe:  &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{}}},
		ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{}}},
		StartupProbe:   &corev1.Probe{PeriodSeconds: 5},
		Lifecycle: &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/up"}},
			PreStop: &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Scheme: "HTTPS"}}},
		Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{"cpu": resource.MustParse("100u")}, Requests: corev1.ResourceList{"cpu": resource.MustParse("1001u")}},
	}
	want := corev1.EphemeralContainerCommon{
		Image: "example.com/agent", ImagePullPolicy: "Always", TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File",
		Ports: []corev1.ContainerPort{{ContainerPort: 80, Protocol: "TCP"}},
		Env: []corev1.EnvVar{{Name: "a"}, {Name: "b", ValueFrom: &corev1.EnvVarSource{}},
			{Name: "c", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "spec.nodeName"}}}},
		LivenessProbe: &corev1.Probe{TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
			ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Scheme: "HTTP"}}},
		ReadinessProbe: &corev1.Probe{TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
			ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Service: to("")}}},
		StartupProbe: &corev1.Probe{TimeoutSeconds: 1, PeriodSeconds: 5, SuccessThreshold: 1, FailureThreshold: 3},
		Lifecycle: &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/up", Scheme: "HTTP"}},
			PreStop: &corev1.LifecycleHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Scheme: "HTTPS"}}},
		Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{"cpu": resource.MustParse("1m")}, Requests: corev1.ResourceList{"cpu": resource.MustParse("2m")}},
	}
	got := template(corev1.PodSpec{
		InitContainers:      []corev1.Container{corev1.Container(in)},
		Containers:          []corev1.Container{corev1.Container(in)},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: in}},
	})
	assertSemantic(t, corev1.Container(want), got.InitContainers[0])
	assertSemantic(t, corev1.Container(want), got.Containers[0])
	assertSemantic(t, want, got.EphemeralContainers[0].EphemeralContainerCommon)
}

func TestDefaultRoundsPodResources(t *testing.T) {
	odd := corev1.ResourceList{"cpu": resource.MustParse("1n"), "memory": resource.MustParse("1Gi")}
	even := corev1.ResourceList{"cpu": resource.MustParse("1m"), "memory": resource.MustParse("1Gi")}
	got := template(corev1.PodSpec{Overhead: odd, Resources: &corev1.ResourceRequirements{Limits: odd, Requests: odd}})
	assertSemantic(t, even, got.Overhead)
	assertSemantic(t, corev1.ResourceRequirements{Limits: even, Requests: even}, *got.Resources)
	assertSemantic(t, resource.MustParse("1n"), odd["cpu"])
}

func TestDefaultVolumes(t *testing.T) {
	field := func(version string) []corev1.DownwardAPIVolumeFile {
		return []corev1.DownwardAPIVolumeFile{{FieldRef: &corev1.ObjectFieldSelector{APIVersion: version}}, {}}
	}
	claim := func(mode *corev1.PersistentVolumeMode, size string) *corev1.EphemeralVolumeSource {
		list := corev1.ResourceList{"storage": resource.MustParse(size)}
		return &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: corev1.PersistentVolumeClaimSpec{
			VolumeMode: mode, Resources: corev1.VolumeResourceRequirements{Limits: list, Requests: list}}}}
	}
	for _, c := range []struct {
		name     string
		in, want corev1.VolumeSource
	}{
		{"none", corev1.VolumeSource{}, corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{"emptyDir", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: "Memory"}}, corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: "Memory"}}},
		{"nfs", corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}, corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}},
		{"hostPath", corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{}}, corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Type: to(corev1.HostPathUnset)}}},
		{"secret", corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{}}, corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{DefaultMode: to(int32(0o644))}}},
		{"configMap", corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}, corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{DefaultMode: to(int32(0o644))}}},
		{"image", corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "a:1"}}, corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: "a:1", PullPolicy: "IfNotPresent"}}},
		{
			"downwardAPI", corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{Items: field("")}},
			corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{DefaultMode: to(int32(0o644)), Items: field("v1")}},
		},
		{
			"projected",
			corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{}, {DownwardAPI: &corev1.DownwardAPIProjection{Items: field("")}},
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{}}, {ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: to(int64(0))}}}}},
			corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: to(int32(0o644)), Sources: []corev1.VolumeProjection{{}, {DownwardAPI: &corev1.DownwardAPIProjection{Items: field("v1")}},
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: to(int64(3600))}}, {ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: to(int64(0))}}}}},
		},
		{"iscsi", corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{}}, corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{ISCSIInterface: "default"}}},
		{"rbd", corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}, corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{RBDPool: "rbd", RadosUser: "admin", Keyring: "/etc/ceph/keyring"}}},
		{
			"azureDisk", corev1.VolumeSource{AzureDisk: &corev1.AzureDiskVolumeSource{}},
			corev1.VolumeSource{AzureDisk: &corev1.AzureDiskVolumeSource{CachingMode: to(corev1.AzureDataDiskCachingReadWrite), FSType: to("ext4"), ReadOnly: to(false), Kind: to(corev1.AzureSharedBlobDisk)}},
		},
		{"scaleIO", corev1.VolumeSource{ScaleIO: &corev1.ScaleIOVolumeSource{}}, corev1.VolumeSource{ScaleIO: &corev1.ScaleIOVolumeSource{StorageMode: "ThinProvisioned", FSType: "xfs"}}},
		{"ephemeral", corev1.VolumeSource{Ephemeral: claim(nil, "1500u")}, corev1.VolumeSource{Ephemeral: claim(to(corev1.PersistentVolumeFilesystem), "2m")}},
		{"ephemeral without claim", corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}, corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := template(corev1.PodSpec{Volumes: []corev1.Volume{{Name: "v", VolumeSource: c.in}}})
			require.Len(t, got.Volumes, 1)
			assertSemantic(t, corev1.Volume{Name: "v", VolumeSource: c.want}, got.Volumes[0])
		})
	}
}
