package cost_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// The size of one pod is taken for the next one's only when nothing in which they
// differ can matter.
func TestPodSizesAreToldApart(t *testing.T) {
	status := func(requests corev1.ResourceList) corev1.PodStatus {
		return corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "main",
			AllocatedResources: list("cpu", "100m"), Resources: &corev1.ResourceRequirements{Requests: requests}}}}
	}
	with := func(change func(*corev1.Pod)) *corev1.Pod {
		pod := &corev1.Pod{Spec: asking("cpu", "100m"), Status: status(list("cpu", "100m"))}
		pod.Spec.InitContainers = []corev1.Container{sidecar(container("s", list("cpu", "70m"), nil))}
		change(pod)
		pod.Spec.NodeName = "n"
		return pod
	}
	plain := with(func(*corev1.Pod) {})
	d := daemon(t, daemonSet("x", asking("cpu", "100m")))
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	for name, other := range map[string]*corev1.Pod{
		"the same":            with(func(*corev1.Pod) {}),
		"in another spelling": with(func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = list("cpu", "0.1") }),
		"container":           with(func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = list("cpu", "200m") }),
		"another resource":    with(func(p *corev1.Pod) { p.Spec.Containers[0].Resources.Requests = list("memory", "100m") }),
		"one container more":  with(func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, asking("cpu", "1").Containers...) }),
		"no sidecar":          with(func(p *corev1.Pod) { p.Spec.InitContainers[0].RestartPolicy = nil }),
		"whole pod":           with(func(p *corev1.Pod) { p.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "5")} }),
		"overhead":            with(func(p *corev1.Pod) { p.Spec.Overhead = list("cpu", "1m") }),
		"resized":             with(func(p *corev1.Pod) { p.Status = status(list("cpu", "300m")) }),
		"infeasible": with(func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests = list("cpu", "900m")
			p.Status.Conditions = []corev1.PodCondition{{Type: "PodResizePending", Reason: "Infeasible"}}
		}),
		"ended": with(func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }),
	} {
		for _, pods := range [][]*corev1.Pod{{plain, other}, {other, plain}} {
			report, err := cost.Fleet([]*corev1.Node{node}, []cost.Workload{{Daemon: d, Pods: pods}}, cost.Grouping{})
			require.NoError(t, err)
			var want cost.Resources
			for _, pod := range pods {
				takes, err := cost.RequestsOf(pod, nil)
				require.NoError(t, err)
				plus(t, &want, takes)
			}
			assert.Equal(t, want, report.Total.Reserved, name)
		}
	}
}

// Values that are equal one after the other are still different shapes.
func TestShapesAreToldApart(t *testing.T) {
	spec := corev1.PodSpec{NodeSelector: map[string]string{"a": "x", "b": "yz"}}
	set := cost.NewSet([]*cost.Daemon{daemon(t, daemonSet("d", spec))})
	shapes := []placement.Shape{
		{Labels: map[string]string{"a": "xy", "b": "z"}},
		{Labels: map[string]string{"a": "x", "b": "yz"}},
		{Labels: map[string]string{"a": "xyz", "b": ""}},
		{Labels: map[string]string{"a": "xyz"}},
	}
	groups, err := set.Group(shapes, cost.Question{})
	require.NoError(t, err)
	require.Len(t, groups, 2)
	assert.Equal(t, []int{1}, groups[0].Shapes)
}

// A taint is ignored by its key and by what else is set.
func TestIgnoredTaints(t *testing.T) {
	set := cost.NewSet([]*cost.Daemon{daemon(t, daemonSet("d", corev1.PodSpec{}))})
	shape := placement.Shape{Taints: []corev1.Taint{{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}}}
	for _, test := range []struct {
		ignore corev1.Taint
		runs   bool
	}{
		{corev1.Taint{Key: "k"}, true},
		{corev1.Taint{Key: "k", Value: "v"}, true},
		{corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoSchedule}, true},
		{corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoExecute}, false},
		{corev1.Taint{Key: "k", Value: "w"}, false},
		{corev1.Taint{Key: "l"}, false},
		{corev1.Taint{}, false},
	} {
		overhead, err := set.Overhead(shape, cost.Question{IgnoreTaints: []corev1.Taint{test.ignore}})
		require.NoError(t, err)
		assert.Equal(t, test.runs, len(overhead.Daemons) == 1, test.ignore)
	}
	assert.Equal(t, "v", shape.Taints[0].Value)
}

// The limit of a pod is raised to what it asks for.
func TestLimitOfTheWholePod(t *testing.T) {
	spec := corev1.PodSpec{
		Containers: []corev1.Container{container("a", nil, list("cpu", "100m", "memory", "1Mi")), container("b", nil, list("cpu", "50m"))},
		Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "300m")},
	}
	pod, refused := cost.Admit(&corev1.Pod{Spec: spec}, cost.Admission{})
	require.Empty(t, refused)
	limits := mustRead(t, pod.Spec.Resources.Limits)
	assert.Equal(t, "cpu 300m", limits.String(), "not every container limits its memory")
	spec.Resources.Requests = list("cpu", "120m")
	pod, _ = cost.Admit(&corev1.Pod{Spec: spec}, cost.Admission{})
	assert.Equal(t, "cpu 150m", mustRead(t, pod.Spec.Resources.Limits).String())
}
