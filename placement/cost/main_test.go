package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement/cost"
)

func TestMain(m *testing.M) { gen.Main(m, "1000") }

// list is a resource list for a table: names and quantities in turn.
func list(pairs ...string) corev1.ResourceList {
	l := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		l[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return l
}

// container is a container for a table.
func container(name string, requests, limits corev1.ResourceList) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: requests, Limits: limits}}
}

func sidecar(c corev1.Container) corev1.Container {
	always := corev1.ContainerRestartPolicyAlways
	c.RestartPolicy = &always
	return c
}

// daemonSet is a DaemonSet of a pod spec.
func daemonSet(name string, spec corev1.PodSpec) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}}
	ds.Spec.Template.Spec = spec
	return ds
}

// daemon compiles a DaemonSet with default options.
func daemon(t require.TestingT, ds *appsv1.DaemonSet) *cost.Daemon {
	d, err := cost.Compile(ds, cost.Options{})
	require.NoError(t, err)
	return d
}

// asking is the spec of one container with requests.
func asking(pairs ...string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{container("main", list(pairs...), nil)}}
}

func ptr[T any](v T) *T { return &v }
