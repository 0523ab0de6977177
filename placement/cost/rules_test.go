package cost_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// The cost of a template, by the rule that decides it.
func TestPriceOfATemplate(t *testing.T) {
	gvisor := &nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: "gvisor"},
		Overhead:   &nodev1.Overhead{PodFixed: list("cpu", "10m")},
		Scheduling: &nodev1.Scheduling{NodeSelector: map[string]string{"runtime": "gvisor"}},
	}
	ranges := func(items ...corev1.LimitRangeItem) cost.Admission {
		for i := range items {
			if items[i].Type == "" {
				items[i].Type = corev1.LimitTypeContainer
			}
		}
		return cost.Admission{LimitRanges: []*corev1.LimitRange{{ObjectMeta: metav1.ObjectMeta{Namespace: "ns"}, Spec: corev1.LimitRangeSpec{Limits: items}}}}
	}
	bare := corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}
	for _, test := range []struct {
		name      string
		spec      corev1.PodSpec
		admission cost.Admission
		want      string
		refused   string
	}{{
		name: "rule 1: containers and sidecars, more than init, then overhead",
		spec: corev1.PodSpec{
			Containers: []corev1.Container{container("c", list("cpu", "100m"), nil)},
			InitContainers: []corev1.Container{
				sidecar(container("s", list("cpu", "50m"), nil)),
				container("i", list("cpu", "50m"), nil),
			},
			Overhead: list("cpu", "10m"),
		},
		want: "cpu 160m, pods 1",
	}, {
		name: "rule 1: an init container at its peak, with the sidecars before it",
		spec: corev1.PodSpec{
			Containers: []corev1.Container{container("c", list("cpu", "100m"), nil)},
			InitContainers: []corev1.Container{
				sidecar(container("s", list("cpu", "50m"), nil)),
				container("i", list("cpu", "500m"), nil),
				sidecar(container("later", list("cpu", "70m"), nil)),
			},
		},
		want: "cpu 550m, pods 1",
	}, {
		name: "rule 1: what the pod asks for as a whole replaces the sum",
		spec: corev1.PodSpec{
			Containers: []corev1.Container{container("c", list("cpu", "100m", "memory", "1Mi", "example.com/dev", "2"), nil)},
			Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "300m")},
			Overhead:   list("cpu", "10m"),
		},
		want: "cpu 310m, example.com/dev 2, memory 1Mi, pods 1",
	}, {
		name: "rule 1: huge pages, too, whatever the version of component-helpers",
		spec: corev1.PodSpec{
			Containers: []corev1.Container{container("c", list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi"))},
			Resources:  &corev1.ResourceRequirements{Limits: list("hugepages-2Mi", "8Mi")},
			Overhead:   list("hugepages-2Mi", "2Mi"),
		},
		want: "hugepages-2Mi 10Mi, pods 1",
	}, {
		name: "rule 2: limits become requests, in init containers as well",
		spec: corev1.PodSpec{
			Containers:     []corev1.Container{container("c", list("memory", "1Mi"), list("cpu", "100m", "memory", "2Mi"))},
			InitContainers: []corev1.Container{container("i", nil, list("cpu", "200m"))},
		},
		want: "cpu 200m, memory 1Mi, pods 1",
	}, {
		name: "rule 2: a request of 0 stays",
		spec: corev1.PodSpec{Containers: []corev1.Container{container("c", list("cpu", "0"), list("cpu", "100m"))}},
		want: "pods 1",
	}, {
		name: "rule 2: the pod's limit is its request where no container asks",
		spec: corev1.PodSpec{Containers: bare.Containers, Resources: &corev1.ResourceRequirements{Limits: list("cpu", "300m")}},
		want: "cpu 300m, pods 1",
	}, {
		name: "rule 2: or else what they ask for",
		spec: corev1.PodSpec{
			Containers: []corev1.Container{container("c", list("cpu", "100m"), nil)},
			Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "300m", "memory", "5Mi")},
		},
		want: "cpu 100m, memory 5Mi, pods 1",
	}, {
		name:      "rule 3: defaultRequest before default",
		spec:      bare,
		admission: ranges(corev1.LimitRangeItem{Default: list("cpu", "1"), DefaultRequest: list("cpu", "200m")}),
		want:      "cpu 200m, pods 1",
	}, {
		name:      "rule 3: only max",
		spec:      bare,
		admission: ranges(corev1.LimitRangeItem{Max: list("cpu", "4")}),
		want:      "cpu 4, pods 1",
	}, {
		name:      "rule 3: only min",
		spec:      bare,
		admission: ranges(corev1.LimitRangeItem{Min: list("cpu", "30m")}),
		want:      "cpu 30m, pods 1",
	}, {
		name:      "rule 3: a container's own limit comes first",
		spec:      corev1.PodSpec{Containers: []corev1.Container{container("c", nil, list("cpu", "100m"))}},
		admission: ranges(corev1.LimitRangeItem{Default: list("cpu", "1"), DefaultRequest: list("cpu", "200m")}),
		want:      "cpu 100m, pods 1",
	}, {
		name:      "rule 3: an item of another type",
		spec:      bare,
		admission: ranges(corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "4")}),
		want:      "pods 1",
	}, {
		name: "rule 3: a range of another namespace",
		spec: bare,
		admission: cost.Admission{LimitRanges: []*corev1.LimitRange{nil, {ObjectMeta: metav1.ObjectMeta{Namespace: "else"},
			Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: list("cpu", "4")}}}}}},
		want: "pods 1",
	}, {
		name:      "rule 3: the overhead of the RuntimeClass",
		spec:      corev1.PodSpec{Containers: asking("cpu", "100m").Containers, RuntimeClassName: ptr("gvisor")},
		admission: cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{nil, gvisor}},
		want:      "cpu 110m, pods 1",
	}, {
		name:      "rule 3: the same overhead in another spelling",
		spec:      corev1.PodSpec{Containers: asking("cpu", "100m").Containers, RuntimeClassName: ptr("gvisor"), Overhead: list("cpu", "0.01")},
		admission: cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{gvisor}},
		want:      "cpu 110m, pods 1",
	}, {
		name:      "rule 3: an overhead that differs",
		spec:      corev1.PodSpec{RuntimeClassName: ptr("gvisor"), Overhead: list("cpu", "20m")},
		admission: cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{gvisor}},
		want:      "cpu 10m, pods 1",
		refused:   "spec.overhead",
	}, {
		name:      "rule 3: a node selector that contradicts",
		spec:      corev1.PodSpec{RuntimeClassName: ptr("gvisor"), NodeSelector: map[string]string{"runtime": "runc"}},
		admission: cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{gvisor}},
		want:      "cpu 10m, pods 1",
		refused:   "spec.nodeSelector[runtime]",
	}, {
		name:      "rule 3: no such class",
		spec:      corev1.PodSpec{RuntimeClassName: ptr("kata")},
		admission: cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{gvisor}},
		want:      "pods 1",
		refused:   "spec.runtimeClassName",
	}, {
		name: "rule 6: ephemeral storage and extended resources",
		spec: asking("ephemeral-storage", "1Gi", "example.com/dev", "1"),
		want: "ephemeral-storage 1Gi, example.com/dev 1, pods 1",
	}, {
		name: "finer than a thousandth is rounded up",
		spec: asking("cpu", "100u", "memory", "1500m"),
		want: "cpu 1m, memory 1500m, pods 1",
	}, {
		name: "no container at all",
		want: "pods 1",
	}} {
		t.Run(test.name, func(t *testing.T) {
			ds := daemonSet("agent", test.spec)
			before := ds.DeepCopy()
			d, err := cost.Compile(ds, cost.Options{Admission: test.admission})
			require.NoError(t, err)
			assert.Equal(t, test.want, d.Requests.String())
			if test.refused == "" {
				assert.Empty(t, d.Refused)
			} else if assert.Len(t, d.Refused, 1) {
				assert.Equal(t, test.refused, d.Refused[0].Field)
			}
			assert.Equal(t, before, ds)
		})
	}
}

// Rule 3: what the class asks of nodes is in the pod, and not in the verdict.
func TestRuntimeClassSelectorIsInThePodOnly(t *testing.T) {
	ds := daemonSet("agent", corev1.PodSpec{RuntimeClassName: ptr("gvisor")})
	class := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "gvisor"}, Scheduling: &nodev1.Scheduling{
		NodeSelector: map[string]string{"runtime": "gvisor"}, Tolerations: []corev1.Toleration{{Key: "sandbox"}},
	}}
	a := cost.Admission{RuntimeClasses: []*nodev1.RuntimeClass{class}}
	pod, refused := cost.Admit(&corev1.Pod{Spec: ds.Spec.Template.Spec}, a)
	assert.Empty(t, refused)
	assert.Equal(t, class.Scheduling.NodeSelector, pod.Spec.NodeSelector)
	assert.Equal(t, class.Scheduling.Tolerations, pod.Spec.Tolerations)
	d, err := cost.Compile(ds, cost.Options{Admission: a})
	require.NoError(t, err)
	assert.Equal(t, placement.Eligible, d.Matcher.MatchShape(placement.Shape{}))
}

// Rules 4 and 5: the status of a pod that runs counts, and no template has one.
func TestPriceOfALivePod(t *testing.T) {
	pod := func(wanted, inForce string, conditions ...corev1.PodCondition) *corev1.Pod {
		p := &corev1.Pod{Spec: asking("cpu", wanted)}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main",
			AllocatedResources: list("cpu", inForce), Resources: &corev1.ResourceRequirements{Requests: list("cpu", inForce)}}}
		p.Status.Conditions = conditions
		return p
	}
	pending := func(reason string) corev1.PodCondition {
		return corev1.PodCondition{Type: "PodResizePending", Status: corev1.ConditionTrue, Reason: reason}
	}
	ended := pod("200m", "200m")
	ended.Status.Phase = corev1.PodSucceeded
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"rule 4: wanted more than there is", pod("200m", "100m"), "cpu 200m, pods 1"},
		{"rule 4: wanted less than there is", pod("100m", "200m"), "cpu 200m, pods 1"},
		{"rule 4: deferred", pod("200m", "100m", pending("Deferred")), "cpu 200m, pods 1"},
		{"rule 4: infeasible", pod("200m", "100m", pending("Infeasible")), "cpu 100m, pods 1"},
		{"ended", ended, "nothing"},
		{"none", nil, "nothing"},
	} {
		got, err := cost.RequestsOf(test.pod, nil)
		require.NoError(t, err, test.name)
		assert.Equal(t, test.want, got.String(), test.name)
	}

	// Rule 5: as the size of new pods, the spec alone counts.
	d, err := cost.Compile(daemonSet("agent", corev1.PodSpec{}), cost.Options{Pod: pod("200m", "300m")})
	require.NoError(t, err)
	assert.Equal(t, "cpu 200m, pods 1", d.Requests.String())
}

// Rule 6: a DaemonSet counts once for each node, its surge apart.
func TestSurgeIsApart(t *testing.T) {
	d := daemon(t, daemonSet("agent", asking("cpu", "100m")))
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	at := func(minute int) metav1.Time { return metav1.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }
	old := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "old", CreationTimestamp: at(1)}, Spec: asking("cpu", "300m")}
	young := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a-young", CreationTimestamp: at(2)}, Spec: asking("cpu", "100m")}
	old.Spec.NodeName, young.Spec.NodeName = "n", "n"
	report, err := cost.Fleet([]*corev1.Node{node}, []cost.Workload{{Daemon: d, Pods: []*corev1.Pod{young, old}}}, cost.Grouping{})
	require.NoError(t, err)
	assert.Equal(t, "cpu 100m, pods 1", report.Total.Expected.String())
	assert.Equal(t, "cpu 300m, pods 1", report.Total.Present.String())
	assert.Equal(t, "cpu 100m, pods 1", report.Total.Surge.String())
	assert.Equal(t, "cpu 400m, pods 2", report.Total.Reserved.String())
	assert.Empty(t, report.Total.OldRevision, "no revision was given")
	assert.Nil(t, report.Groups)
}

// Rule 5: a pod too many of one DaemonSet does not hide one that is missing of another.
func TestMissingIsNotNetted(t *testing.T) {
	here := daemon(t, daemonSet("here", asking("cpu", "100m")))
	selective := asking("cpu", "100m")
	selective.NodeSelector = map[string]string{"x": "y"}
	elsewhere := daemon(t, daemonSet("elsewhere", selective))
	stray := &corev1.Pod{Spec: asking("cpu", "100m")}
	stray.Spec.NodeName = "n"
	lines, err := cost.Lines(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, []cost.Workload{
		{Daemon: here}, {Daemon: elsewhere, Pods: []*corev1.Pod{stray}},
		{Daemon: daemon(t, daemonSet("neither", selective))},
	})
	require.NoError(t, err)
	require.Len(t, lines, 2)
	assert.Equal(t, "cpu 100m, pods 1", lines[0].Unexpected.String())
	assert.Empty(t, lines[0].Missing)
	assert.Equal(t, "cpu 100m, pods 1", lines[1].Missing.String())
}

// Rule 7: static pods are another input, as the pods of a Daemon that goes nowhere.
func TestStaticPods(t *testing.T) {
	nowhere := asking("cpu", "250m")
	nowhere.NodeSelector = map[string]string{"static": "never"}
	static := daemon(t, daemonSet("static", nowhere))
	mirror := &corev1.Pod{Spec: asking("cpu", "250m")}
	mirror.Spec.NodeName = "n"
	report, err := cost.Fleet([]*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n"}}},
		[]cost.Workload{{Daemon: static, Pods: []*corev1.Pod{mirror}}}, cost.Grouping{})
	require.NoError(t, err)
	assert.Equal(t, "cpu 250m, pods 1", report.Total.Reserved.String())
	assert.Empty(t, report.Total.Expected)
}

func TestPriority(t *testing.T) {
	never := corev1.PreemptNever
	classes := []*schedulingv1.PriorityClass{nil,
		{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 100, PreemptionPolicy: &never},
		{ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 7, GlobalDefault: true},
		{ObjectMeta: metav1.ObjectMeta{Name: "also"}, Value: 9, GlobalDefault: true},
	}
	for _, test := range []struct {
		spec     corev1.PodSpec
		classes  []*schedulingv1.PriorityClass
		priority int32
		class    string
		preempts bool
		refused  int
	}{
		{corev1.PodSpec{PriorityClassName: "system-node-critical"}, nil, 2000001000, "system-node-critical", true, 0},
		{corev1.PodSpec{PriorityClassName: "system-cluster-critical"}, classes, 2000000000, "system-cluster-critical", true, 0},
		{corev1.PodSpec{PriorityClassName: "high"}, nil, 0, "high", true, 0},
		{corev1.PodSpec{PriorityClassName: "high"}, classes, 100, "high", false, 0},
		{corev1.PodSpec{PriorityClassName: "high", Priority: ptr(int32(3))}, classes, 100, "high", false, 1},
		{corev1.PodSpec{Priority: ptr(int32(3))}, nil, 3, "", true, 0},
		{corev1.PodSpec{}, classes, 7, "usual", true, 0},
		{corev1.PodSpec{}, classes[:1], 0, "", true, 0},
		{corev1.PodSpec{PriorityClassName: "gone"}, classes, 0, "gone", true, 1},
	} {
		d, err := cost.Compile(daemonSet("x", test.spec), cost.Options{Admission: cost.Admission{PriorityClasses: test.classes}})
		require.NoError(t, err)
		assert.Equal(t, test.priority, d.Priority, test)
		assert.Equal(t, test.class, d.PriorityClass, test)
		assert.Equal(t, test.preempts, d.Preempts, test)
		assert.Len(t, d.Refused, test.refused, test)
	}
}

func TestHostPorts(t *testing.T) {
	spec := corev1.PodSpec{
		Containers: []corev1.Container{
			{Name: "a", Ports: []corev1.ContainerPort{{ContainerPort: 80}, {ContainerPort: 53, HostPort: 53, Protocol: corev1.ProtocolUDP}}},
			{Name: "b", Ports: []corev1.ContainerPort{{ContainerPort: 1, HostPort: 53, Protocol: corev1.ProtocolUDP}}},
		},
		InitContainers: []corev1.Container{
			sidecar(corev1.Container{Name: "s", Ports: []corev1.ContainerPort{{HostPort: 9, HostIP: "10.0.0.1"}}}),
			{Name: "i", Ports: []corev1.ContainerPort{{HostPort: 7}}},
		},
	}
	udp, tcp := cost.HostPort{Protocol: "UDP", Port: 53}, cost.HostPort{IP: "10.0.0.1", Protocol: "TCP", Port: 9}
	assert.Equal(t, []cost.HostPort{tcp, udp}, daemon(t, daemonSet("x", spec)).Ports)
	spec.HostNetwork = true
	assert.Equal(t, []cost.HostPort{tcp, udp, {Protocol: "TCP", Port: 80}}, daemon(t, daemonSet("x", spec)).Ports)

	assert.Equal(t, "TCP 10.0.0.1:9", tcp.String())
	assert.False(t, udp.Conflicts(tcp))
	assert.True(t, tcp.Conflicts(cost.HostPort{IP: "0.0.0.0", Protocol: "TCP", Port: 9}))
	assert.False(t, tcp.Conflicts(cost.HostPort{IP: "10.0.0.2", Protocol: "TCP", Port: 9}))
}

// Errors name the field, and the same one every time.
func TestUnusableQuantities(t *testing.T) {
	spec := asking("cpu", "-1", "memory", "-1", "ephemeral-storage", "1")
	_, err := cost.Compile(daemonSet("x", spec), cost.Options{})
	assert.EqualError(t, err, "cost: ns/x: spec.containers[0].resources.requests[cpu]: Invalid value: must not be negative")
	_, err = cost.Compile(nil, cost.Options{})
	assert.Error(t, err)
	_, err = cost.Compile(daemonSet("x", corev1.PodSpec{}), cost.Options{Pod: &corev1.Pod{Spec: spec}})
	assert.ErrorContains(t, err, "pod.spec.containers[0].resources.requests[cpu]")
	two := corev1.PodSpec{Containers: append(asking("cpu", "9223372036854775807").Containers, asking("cpu", "1").Containers...)}
	_, err = cost.Compile(daemonSet("x", two), cost.Options{})
	assert.ErrorIs(t, err, cost.ErrOverflow)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}, Status: corev1.NodeStatus{Allocatable: list("cpu", "-1")}}
	_, err = cost.Fleet([]*corev1.Node{node}, nil, cost.Grouping{})
	assert.EqualError(t, err, `cost: node "n": status.allocatable[cpu]: Invalid value: must not be negative`)
	_, refused := cost.Admit(&corev1.Pod{Spec: spec}, cost.Admission{})
	assert.Len(t, refused, 1)
}
