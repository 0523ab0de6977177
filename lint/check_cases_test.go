package lint_test

import (
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/lint"
)

const (
	specPath  = "spec.template.spec"
	termsPath = specPath + ".affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	prefPath  = specPath + ".affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"
)

var blanket = corev1.Toleration{Operator: corev1.TolerationOpExists}

// hoping adds a preference to whatever affinity there is.
func hoping(preference corev1.NodeSelectorTerm) func(*appsv1.DaemonSet, *lint.Context) {
	return spec(func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: preference}},
		}}
	})
}

func maxUnavailable(v string) func(*appsv1.DaemonSet, *lint.Context) {
	return func(ds *appsv1.DaemonSet, _ *lint.Context) {
		ds.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: text(v)}
	}
}

// other is another DaemonSet with a selector and labels "app=VALUE".
func other(name, selector, labels string) func(*appsv1.DaemonSet, *lint.Context) {
	return func(_ *appsv1.DaemonSet, c *lint.Context) {
		ds := valid()
		ds.Name = name
		ds.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": selector}}
		ds.Spec.Template.Labels = map[string]string{"app": labels}
		c.Others = append(c.Others, ds, nil)
	}
}

func hostPort(s *corev1.PodSpec) {
	s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
}

func declared(s *corev1.PodSpec) {
	s.HostNetwork = true
	s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
}

func device(s *corev1.PodSpec) {
	s.Containers[0].Resources.Limits = resources("example.com/nic", "1")
}

func onDelete(ds *appsv1.DaemonSet, _ *lint.Context) {
	ds.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
}

func noProbe(s *corev1.PodSpec) { s.Containers[0].ReadinessProbe = nil }

func privilege(s *corev1.PodSpec) {
	s.Containers[0].SecurityContext = &corev1.SecurityContext{Privileged: to(true)}
}

func hostPath(path string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: path}}}}
	}
}

func nothing(*appsv1.DaemonSet, *lint.Context) {}

var ruleCases = map[lint.RuleID][]ruleCase{
	lint.NoNode: {
		{"a label that no node has", specPath + ".nodeSelector[pool]", selecting("pool", "gpu")},
		{"a taint on every node", specPath + ".tolerations", func(_ *appsv1.DaemonSet, c *lint.Context) {
			for _, n := range c.Nodes {
				tainted(n, "dedicated", "", corev1.TaintEffectNoSchedule)
			}
		}},
		{"a node that is gone", specPath + ".nodeName", spec(func(s *corev1.PodSpec) { s.NodeName = "n9" })},
		{"affinity", termsPath, wanting(term("pool", corev1.NodeSelectorOpExists))},
		{"no term that can match, and no fleet", termsPath, all(wanting(term("", corev1.NodeSelectorOpExists), corev1.NodeSelectorTerm{}), func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = nil })},
		{"one node is left", "", all(selecting("pool", "gpu"), fleet(member("n4", "pool", "gpu")))},
		{"no fleet", "", all(selecting("pool", "gpu"), func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = nil })},
		{"one good term", "", wanting(term("", corev1.NodeSelectorOpExists), term("kubernetes.io/os", corev1.NodeSelectorOpExists))},
	},
	lint.LabelSpelling: {
		{"case of a value", specPath + ".nodeSelector[pool]", all(selecting("pool", "gpu"), fleet(member("n4", "pool", "gpu"), member("n5", "pool", "GPU")))},
		{"separator of a key", specPath + ".nodeSelector[node-pool]", all(selecting("node-pool", "a"), fleet(member("n4", "node_pool", "a")))},
		{"affinity", termsPath + "[0].matchExpressions[0]", all(wanting(term("pool", corev1.NodeSelectorOpIn, "a", "b")), fleet(member("n4", "Pool", "b")))},
		{"dots", specPath + ".nodeSelector[zone]", all(selecting("zone", "a.b"), fleet(member("n4", "zone", "a-b")))},
		{"one of two labels", specPath + ".nodeSelector[pool]", all(spec(func(s *corev1.PodSpec) {
			s.NodeSelector = map[string]string{"kubernetes.io/os": "linux", "pool": "gpu"}
		}), fleet(member("n4", "pool", "GPU")))},
		{"Exists", termsPath + "[0].matchExpressions[0]", all(wanting(term("pool", corev1.NodeSelectorOpExists)), fleet(member("n4", "Pool", "b")))},
		{"another value", "", all(selecting("pool", "gpu"), fleet(member("n4", "pool", "gpu"), member("n5", "pool", "cpu")))},
		{"versions", "", all(selecting("v", "1.10"), fleet(member("n4", "v", "1.10"), member("n5", "v", "11.0"), member("n6", "v", "110")))},
		{"both keys", "", all(selecting("pool", "a"), fleet(member("n4", "pool", "a"), member("n5", "pool", "b", "Pool", "a")))},
		{"a taint keeps the node out anyway", "", all(selecting("pool", "a"), fleet(member("n4", "pool", "a"), tainted(member("n5", "pool", "A"), "t", "", corev1.TaintEffectNoSchedule)))},
		{"nothing is selected", "", fleet(member("n4", "Kubernetes.io/os", "linux"))},
	},
	lint.NodeNameSet: {
		{"set", specPath + ".nodeName", spec(func(s *corev1.PodSpec) { s.NodeName = "n1" })},
		{"selected by its label", "", selecting("kubernetes.io/hostname", "n1")},
	},
	lint.LandsOnWindows: {
		{"by a blanket toleration", specPath, all(tolerated(blanket), fleet(tainted(member("w", "kubernetes.io/os", "windows"), "os", "windows", corev1.TaintEffectNoSchedule)))},
		{"one of two terms leaves it open", specPath, all(fleet(member("w", "kubernetes.io/os", "windows")),
			wanting(term("kubernetes.io/os", corev1.NodeSelectorOpIn, "linux"), term("kubernetes.io/arch", corev1.NodeSelectorOpExists)))},
		{"kept off by the taint", "", fleet(tainted(member("w", "kubernetes.io/os", "windows"), "os", "windows", corev1.TaintEffectNoSchedule))},
		{"selected", "", all(selecting("kubernetes.io/os", "linux"), fleet(member("w", "kubernetes.io/os", "windows")))},
		{"both are meant", "", all(wanting(term("kubernetes.io/os", corev1.NodeSelectorOpIn, "linux", "windows")), fleet(member("w", "kubernetes.io/os", "windows")))},
		{"meant for Windows", "", all(fleet(member("w", "kubernetes.io/os", "windows")), spec(func(s *corev1.PodSpec) { s.OS = &corev1.PodOS{Name: corev1.Windows} }))},
		{"a host process", "", all(fleet(member("w", "kubernetes.io/os", "windows")), spec(func(s *corev1.PodSpec) {
			s.SecurityContext = &corev1.PodSecurityContext{WindowsOptions: &corev1.WindowsSecurityContextOptions{HostProcess: to(true)}}
		}))},
	},
	lint.MixedArchitectures: {
		{"arm64 among amd64", specPath, fleet(member("a", "kubernetes.io/arch", "arm64"))},
		{"arm64 is not eligible", "", fleet(tainted(member("a", "kubernetes.io/arch", "arm64"), "arch", "arm64", corev1.TaintEffectNoSchedule))},
		{"both are meant", "", all(wanting(term("kubernetes.io/arch", corev1.NodeSelectorOpIn, "amd64", "arm64")), fleet(member("a", "kubernetes.io/arch", "arm64")))},
		{"a fleet of one kind", "", func(_ *appsv1.DaemonSet, c *lint.Context) {
			c.Nodes = []*corev1.Node{member("a", "kubernetes.io/arch", "arm64")}
		}},
	},
	lint.LandsOnVirtualNode: {
		{"fargate, by a blanket toleration", specPath, all(tolerated(blanket), fleet(tainted(member("f", "eks.amazonaws.com/compute-type", "fargate"), "eks.amazonaws.com/compute-type", "fargate", corev1.TaintEffectNoSchedule)))},
		{"a virtual kubelet", specPath, all(tolerated(blanket), fleet(tainted(member("v"), "virtual-kubelet.io/provider", "azure", corev1.TaintEffectNoSchedule)))},
		{"kept off by the taint", "", fleet(tainted(member("v", "type", "virtual-kubelet"), "virtual-kubelet.io/provider", "azure", corev1.TaintEffectNoSchedule))},
		{"excluded", "", all(tolerated(blanket), wanting(term("type", corev1.NodeSelectorOpNotIn, "virtual-kubelet")), fleet(member("v", "type", "virtual-kubelet")))},
		{"meant", "", all(tolerated(corev1.Toleration{Key: "virtual-kubelet.io/provider", Operator: corev1.TolerationOpExists}), fleet(tainted(member("v"), "virtual-kubelet.io/provider", "azure", corev1.TaintEffectNoSchedule)))},
		{"selected", "", all(selecting("type", "virtual-kubelet"), fleet(member("v", "type", "virtual-kubelet")))},
		{"another compute type", "", fleet(member("e", "eks.amazonaws.com/compute-type", "ec2"))},
	},
	lint.AffinityUnparsable: {
		{"no values", termsPath + "[1].matchExpressions[0].values", wanting(term("kubernetes.io/os", corev1.NodeSelectorOpExists), term("a", corev1.NodeSelectorOpIn))},
		{"an empty term", termsPath + "[1]", wanting(term("kubernetes.io/os", corev1.NodeSelectorOpExists), corev1.NodeSelectorTerm{})},
		{"no term", termsPath, wanting()},
		{"a preference", prefPath + "[0].preference.matchExpressions[0].values[0]", hoping(term("a", corev1.NodeSelectorOpGt, "x"))},
		{"good ones", "", wanting(term("kubernetes.io/os", corev1.NodeSelectorOpExists), term("a", corev1.NodeSelectorOpGt, "5"))},
		{"a good preference", "", hoping(term("a", corev1.NodeSelectorOpGt, "5"))},
		{"an empty preference", "", hoping(corev1.NodeSelectorTerm{})},
	},
	lint.ToleratesEverything: {
		{"in one", specPath + ".tolerations[1]", tolerated(corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists}, blanket)},
		{"in two", specPath + ".tolerations", tolerated(corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule},
			corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute})},
		{"one effect", "", tolerated(corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule})},
		{"a key", "", tolerated(corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists})},
		{"no operator", "", tolerated(corev1.Toleration{})},
	},
	lint.TolerationWithoutOperator: {
		{"a key alone", specPath + ".tolerations[0]", tolerated(corev1.Toleration{Key: "dedicated"})},
		{"the taint has a value", specPath + ".tolerations[0]", all(tolerated(corev1.Toleration{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}),
			fleet(tainted(member("t"), "dedicated", "", corev1.TaintEffectNoSchedule), tainted(member("u"), "dedicated", "gpu", corev1.TaintEffectNoSchedule)))},
		{"an effect alone", specPath + ".tolerations[0]", tolerated(corev1.Toleration{Effect: corev1.TaintEffectNoSchedule})},
		{"a value", "", tolerated(corev1.Toleration{Key: "dedicated", Value: "gpu"})},
		{"Equal", "", tolerated(corev1.Toleration{Key: "dedicated", Operator: corev1.TolerationOpEqual})},
		{"a taint that never has a value", "", tolerated(corev1.Toleration{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}, corev1.Toleration{Key: corev1.TaintNodeNotReady})},
		{"the taint has no value", "", all(tolerated(corev1.Toleration{Key: "dedicated"}), fleet(tainted(member("t"), "dedicated", "", corev1.TaintEffectNoSchedule)))},
	},
	lint.MasterWithoutControlPlane: {
		{"alone", specPath + ".tolerations[0]", tolerated(corev1.Toleration{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule})},
		{"for another effect", specPath + ".tolerations[0]", tolerated(corev1.Toleration{Key: "node-role.kubernetes.io/master", Operator: corev1.TolerationOpExists},
			corev1.Toleration{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoExecute})},
		{"both", "", tolerated(corev1.Toleration{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule},
			corev1.Toleration{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule})},
		{"everything", "", tolerated(corev1.Toleration{Key: "node-role.kubernetes.io/master", Effect: corev1.TaintEffectNoSchedule}, blanket)},
	},
	lint.NoResources: {
		{"none", specPath + ".containers[0].resources", spec(func(s *corev1.PodSpec) { s.Containers[0].Resources = corev1.ResourceRequirements{} })},
		{"a device alone", specPath + ".containers[0].resources", spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = resources("example.com/nic", "1") })},
		{"a sidecar", specPath + ".initContainers[0].resources", spec(func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "s", RestartPolicy: to(corev1.ContainerRestartPolicyAlways)}}
		})},
		{"an init container", "", spec(func(s *corev1.PodSpec) { s.InitContainers = []corev1.Container{{Name: "i"}} })},
		{"memory", "", spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = resources("memory", "1Gi") })},
		{"those of the pod", "", spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources = corev1.ResourceRequirements{}
			s.Resources = &corev1.ResourceRequirements{Requests: resources("cpu", "100m")}
		})},
	},
	lint.LimitsOnly: {
		{"of a container", specPath + ".containers[0].resources", spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources = corev1.ResourceRequirements{Limits: resources("cpu", "100m", "memory", "100Mi")}
		})},
		{"of one resource", specPath + ".containers[0].resources", spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources = corev1.ResourceRequirements{Limits: resources("cpu", "100m"), Requests: resources("memory", "100Mi")}
		})},
		{"of the pod", specPath + ".resources", spec(func(s *corev1.PodSpec) { s.Resources = &corev1.ResourceRequirements{Limits: resources("cpu", "100m")} })},
		{"both", "", spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources.Limits = resources("cpu", "200m", "memory", "100Mi")
		})},
		{"a device", "", spec(device)},
	},
	lint.CostShare: {
		{"cpu", specPath, spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = resources("cpu", "501m") })},
		{"by a limit", specPath, spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources = corev1.ResourceRequirements{Limits: resources("memory", "2Gi")}
		})},
		{"a pod's limit, and what its containers ask for", specPath, spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources.Requests = resources("cpu", "501m")
			s.Resources = &corev1.ResourceRequirements{Limits: resources("cpu", "2")}
		})},
		{"a smaller node", specPath, fleet(func() *corev1.Node {
			n := member("small")
			n.Status.Allocatable = resources("cpu", "300m", "memory", "4Gi")
			return n
		}())},
		{"a smaller share", specPath, func(_ *appsv1.DaemonSet, c *lint.Context) { c.MaxShare = 4 }},
		{"just that", "", spec(func(s *corev1.PodSpec) {
			s.Containers[0].Resources.Requests = resources("cpu", "500m", "memory", "1Gi")
		})},
		{"a node without allocatable", "", fleet(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "new"}})},
		{"a smaller node that is not eligible", "", fleet(func() *corev1.Node {
			n := tainted(member("small"), "t", "", corev1.TaintEffectNoSchedule)
			n.Status.Allocatable = resources("cpu", "300m")
			return n
		}())},
		{"a pod's limit, where its containers ask for less", "", spec(func(s *corev1.PodSpec) { s.Resources = &corev1.ResourceRequirements{Limits: resources("cpu", "2")} })},
	},
	lint.NoPriorityClass: {
		{"host network", specPath + ".priorityClassName", spec(func(s *corev1.PodSpec) { s.HostNetwork = true })},
		{"host path", specPath + ".priorityClassName", spec(hostPath("/var/log"))},
		{"privileged", specPath + ".priorityClassName", spec(privilege)},
		{"no host access", "", nothing},
		{"the time zone", "", spec(hostPath("/etc/localtime"))},
		{"a class", "", spec(func(s *corev1.PodSpec) { s.HostPID, s.PriorityClassName = true, "high" })},
	},
	lint.SurgeHostPort: {
		{"host port", specPath + ".containers[0].ports[0].hostPort", all(surging(1), spec(hostPort))},
		{"host network", specPath + ".containers[0].ports[0].containerPort", all(surging(1), spec(declared))},
		{"no surge", "", spec(hostPort)},
		{"no host port", "", all(surging(1), spec(func(s *corev1.PodSpec) { s.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}} }))},
		{"OnDelete", "", all(surging(1), spec(hostPort), onDelete)},
	},
	lint.SurgeHostNetwork: {
		{"no port declared", specPath + ".hostNetwork", all(surging(1), spec(func(s *corev1.PodSpec) { s.HostNetwork = true }))},
		{"declared", "", all(surging(1), spec(declared))},
		{"no surge", "", spec(func(s *corev1.PodSpec) { s.HostNetwork = true })},
	},
	lint.SurgeExclusive: {
		{"a device", specPath, all(surging(1), spec(device))},
		{"a node with one", specPath, all(surging(1), spec(device), fleet(func() *corev1.Node {
			n := member("d")
			n.Status.Allocatable = resources("example.com/nic", "1")
			return n
		}()), func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = c.Nodes[3:] })},
		{"nodes with two", "", all(surging(1), spec(device), func(_ *appsv1.DaemonSet, c *lint.Context) {
			for _, n := range c.Nodes {
				n.Status.Allocatable = resources("example.com/nic", "2")
			}
		})},
		{"no surge", "", spec(device)},
		{"no device", "", all(surging(1), spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Limits = resources("ephemeral-storage", "1Gi") }))},
	},
	lint.MaxUnavailableFleet: {
		{"all", "spec.updateStrategy.rollingUpdate.maxUnavailable", func(ds *appsv1.DaemonSet, _ *lint.Context) {
			ds.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: number(3)}
		}},
		{"rounded up", "spec.updateStrategy.rollingUpdate.maxUnavailable", maxUnavailable("67%")},
		{"100%, and no fleet", "spec.updateStrategy.rollingUpdate.maxUnavailable", all(maxUnavailable("100%"), func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = nil })},
		{"all but one", "", maxUnavailable("66%")},
		{"one node", "", func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = c.Nodes[:1] }},
		{"99%, and no fleet", "", all(maxUnavailable("99%"), func(_ *appsv1.DaemonSet, c *lint.Context) { c.Nodes = nil })},
		{"OnDelete", "", all(maxUnavailable("100%"), onDelete)},
	},
	lint.SlowRollout: {
		{"one by one", "spec.updateStrategy.rollingUpdate.maxUnavailable", func(_ *appsv1.DaemonSet, c *lint.Context) { c.MaxRollout = 89 * time.Second }},
		{"minReadySeconds", "spec.updateStrategy.rollingUpdate.maxUnavailable", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.MinReadySeconds = 1200 }},
		{"a surge", "spec.updateStrategy.rollingUpdate.maxSurge", all(surging(2), func(_ *appsv1.DaemonSet, c *lint.Context) { c.MaxRollout = 59 * time.Second })},
		{"pods that start slowly", "spec.updateStrategy.rollingUpdate.maxUnavailable", func(_ *appsv1.DaemonSet, c *lint.Context) { c.PodStart = 21 * time.Minute }},
		{"in time", "", func(_ *appsv1.DaemonSet, c *lint.Context) { c.MaxRollout = 90 * time.Second }},
		{"no limit", "", func(ds *appsv1.DaemonSet, c *lint.Context) { ds.Spec.MinReadySeconds, c.MaxRollout = 1<<31-1, 0 }},
		{"two at once", "", all(maxUnavailable("50%"), func(_ *appsv1.DaemonSet, c *lint.Context) { c.MaxRollout = 60 * time.Second })},
	},
	lint.NoReadiness: {
		{"no probe", "spec.minReadySeconds", spec(noProbe)},
		{"a liveness probe", "spec.minReadySeconds", spec(func(s *corev1.PodSpec) { noProbe(s); s.Containers[0].LivenessProbe = &corev1.Probe{} })},
		{"minReadySeconds", "", all(spec(noProbe), func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.MinReadySeconds = 1 })},
		{"a startup probe", "", spec(func(s *corev1.PodSpec) { noProbe(s); s.Containers[0].StartupProbe = &corev1.Probe{} })},
		{"a readiness gate", "", spec(func(s *corev1.PodSpec) {
			noProbe(s)
			s.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "example.com/ok"}}
		})},
		{"OnDelete", "", all(spec(noProbe), onDelete)},
	},
	lint.OnDelete: {
		{"OnDelete", "spec.updateStrategy.type", onDelete},
		{"the default", "", nothing},
	},
	lint.TopologySpread: {
		{"one", specPath + ".topologySpreadConstraints[0]", spec(func(s *corev1.PodSpec) {
			s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: "zone"}}
		})},
		{"none", "", nothing},
	},
	lint.LabelNumber: {
		{"a version", "spec.template.metadata.labels[version]", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.Template.Labels["version"] = "1.10" }},
		{"a commit", "metadata.labels[commit]", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Labels = map[string]string{"commit": "123e456"} }},
		{"an octal number", specPath + ".nodeSelector[rack]", all(selecting("rack", "0755"), fleet(member("r", "rack", "0755")))},
		{"a version of three parts", "", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.Template.Labels["version"] = "1.10.2" }},
		{"words", "", func(ds *appsv1.DaemonSet, _ *lint.Context) {
			ds.Labels = map[string]string{"a": "", "b": "v1.10", "c": "inf", "d": "NaN", "e": "12ab", "f": "1-2", "g": "true"}
		}},
		{"the template generation", "", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.Template.Labels["pod-template-generation"] = "3" }},
	},
	lint.LabelTooLong: {
		{"of a pod", "spec.template.metadata.labels[a]", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.Template.Labels["a"] = strings.Repeat("x", 64) }},
		{"of a node", specPath + ".nodeSelector[a]", selecting("a", strings.Repeat("x", 64))},
		{"63", "", func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Spec.Template.Labels["a"] = strings.Repeat("x", 63) }},
	},
	lint.DeprecatedLabel: {
		{"beta os", specPath + ".nodeSelector[beta.kubernetes.io/os]", selecting("beta.kubernetes.io/os", "linux")},
		{"master, in affinity", termsPath + "[0].matchExpressions[0]", wanting(term("node-role.kubernetes.io/master", corev1.NodeSelectorOpDoesNotExist))},
		{"in a preference", prefPath + "[0].preference.matchExpressions[0]", hoping(term("failure-domain.beta.kubernetes.io/zone", corev1.NodeSelectorOpIn, "a"))},
		{"beside its successor", "", wanting(term("node-role.kubernetes.io/master", corev1.NodeSelectorOpExists), term("node-role.kubernetes.io/control-plane", corev1.NodeSelectorOpExists))},
		{"the successor", "", selecting("kubernetes.io/os", "linux")},
	},
	lint.SelectorCollision: {
		{"the same labels", "spec.selector", other("other", "agent", "agent")},
		{"their selector is wider", "spec.template.metadata.labels", all(other("other", "agent", "agent"), func(ds *appsv1.DaemonSet, _ *lint.Context) {
			ds.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent", "tier": "node"}}
			ds.Spec.Template.Labels = map[string]string{"app": "agent", "tier": "node"}
		})},
		{"other labels", "", other("other", "else", "else")},
		{"itself", "", other("agent", "agent", "agent")},
		{"another namespace", "", all(other("other", "agent", "agent"), func(ds *appsv1.DaemonSet, _ *lint.Context) { ds.Namespace = "kube-system" })},
	},
	lint.PrivilegedContainer: {
		{"a container", specPath + ".containers[0].securityContext.privileged", spec(privilege)},
		{"an init container", specPath + ".initContainers[0].securityContext.privileged", spec(func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "i", SecurityContext: &corev1.SecurityContext{Privileged: to(true)}}}
		})},
		{"capabilities", "", spec(func(s *corev1.PodSpec) {
			s.Containers[0].SecurityContext = &corev1.SecurityContext{Privileged: to(false), Capabilities: &corev1.Capabilities{Add: []corev1.Capability{"NET_ADMIN"}}}
		})},
	},
	lint.HostNamespace: {
		{"all of them", specPath + ".hostIPC " + specPath + ".hostNetwork " + specPath + ".hostPID", spec(func(s *corev1.PodSpec) { s.HostNetwork, s.HostPID, s.HostIPC = true, true, true })},
		{"none", "", spec(hostPath("/proc"))},
	},
}
