package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helper "k8s.io/component-helpers/resource"
	kubecorev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// drawResources draws requests and limits of which either may be missing, and no
// request above its limit.
func drawResources(t *rapid.T, label string) corev1.ResourceRequirements {
	var r corev1.ResourceRequirements
	for name, amounts := range map[corev1.ResourceName][]string{
		corev1.ResourceCPU: {"100m", "250m", "1", "1500m"}, corev1.ResourceMemory: {"64Mi", "100M", "1Gi", "2Gi"},
		corev1.ResourceEphemeralStorage: {"1Gi", "2Gi", "3Gi", "4Gi"},
	} {
		request, limit := gen.Pick(t, label+" request", "", amounts[0], amounts[1]), gen.Pick(t, label+" limit", "", "", amounts[2], amounts[3])
		if request != "" {
			if r.Requests == nil {
				r.Requests = corev1.ResourceList{}
			}
			r.Requests[name] = resource.MustParse(request)
		}
		if limit != "" {
			if r.Limits == nil {
				r.Limits = corev1.ResourceList{}
			}
			r.Limits[name] = resource.MustParse(limit)
		}
	}
	return r
}

func drawPriced(t *rapid.T) corev1.PodSpec {
	always := corev1.ContainerRestartPolicyAlways
	var spec corev1.PodSpec
	for range rapid.IntRange(1, 3).Draw(t, "containers") {
		spec.Containers = append(spec.Containers, corev1.Container{Name: string(rune('a' + len(spec.Containers))), Resources: drawResources(t, "container")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "init containers") {
		c := corev1.Container{Name: string(rune('i' + len(spec.InitContainers))), Resources: drawResources(t, "init container")}
		if rapid.Bool().Draw(t, "sidecar") {
			c.RestartPolicy = &always
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	if gen.Chance(t, 30, "overhead") {
		spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("70m")}
	}
	return spec
}

// TestCostRequests: what a daemon pod requests is what the reference sums up of the
// pod that the controller makes, once the API server has filled it in.
func TestCostRequests(t *testing.T) {
	checks(t, 3000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := &appsv1.DaemonSet{}
		ds.Namespace, ds.Name, ds.UID = "ns", "probe", "u"
		ds.Spec.Template.Spec = drawPriced(t)
		daemon, err := cost.Compile(ds, cost.Options{})
		if err != nil {
			t.Fatal(err)
		}

		pod := placement.NewPod(placement.OwnerOf(ds), &ds.Spec.Template, "n", placement.PodOptions{})
		kubecorev1.SetObjectDefaults_Pod(pod)
		want := helper.PodRequests(pod, helper.PodResourcesOptions{})
		want[corev1.ResourcePods] = resource.MustParse("1")
		for name, q := range want {
			got := daemon.Requests.Get(name)
			assert.Zero(t, q.Cmp(got), "%s: %s, and the reference %s", name, got.String(), q.String())
		}
		for name := range daemon.Requests.List() {
			_, ok := want[name]
			assert.True(t, ok || daemon.Requests.List()[name] == resource.Quantity{}, "%s", name)
		}
		limits := helper.PodLimits(pod, helper.PodResourcesOptions{})
		for name, q := range limits {
			got := daemon.Limits.Get(name)
			assert.Zero(t, q.Cmp(got), "limit of %s: %s, and the reference %s", name, got.String(), q.String())
		}
		reached.AddIf(len(ds.Spec.Template.Spec.InitContainers) > 0, "init containers")
		reached.AddIf(len(limits) > 0, "limits")
		reached.AddIf(ds.Spec.Template.Spec.Overhead != nil, "overhead")
	})
	reached.Require(t, "init containers", "limits", "overhead")
}
