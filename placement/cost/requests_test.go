package cost_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helper "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement/cost"
)

// sizedSpec draws a pod spec with resources at every level.
func sizedSpec(t *rapid.T) corev1.PodSpec {
	some := func() corev1.ResourceList {
		l := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/dev"} {
			if gen.Chance(t, 35, "listed") {
				l[name] = *resource.NewMilliQuantity(rapid.Int64Range(0, 5000).Draw(t, "milli"), resource.DecimalSI)
			}
		}
		if len(l) == 0 {
			return nil
		}
		return l
	}
	// Huge pages are asked for by a limit: the API server takes no other request.
	drawn := func() corev1.Container {
		c := container("", some(), some())
		delete(c.Resources.Requests, "hugepages-2Mi")
		return c
	}
	var spec corev1.PodSpec
	for range rapid.IntRange(0, 3).Draw(t, "containers") {
		spec.Containers = append(spec.Containers, drawn())
	}
	for range rapid.IntRange(0, 3).Draw(t, "init") {
		c := drawn()
		if gen.Chance(t, 50, "sidecar") {
			c = sidecar(c)
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	if gen.Chance(t, 40, "whole pod") {
		spec.Resources = &corev1.ResourceRequirements{Requests: some(), Limits: some()}
	}
	if gen.Chance(t, 30, "overhead") {
		spec.Overhead = some()
	}
	return spec
}

// requestsArePodRequests compares a template's price with PodRequests on the pod, and
// both with a defaulting written out by hand. It is a fuzz target too.
func requestsArePodRequests(reached *tally.Tally) func(*rapid.T) {
	return func(t *rapid.T) {
		ds := daemonSet("x", sizedSpec(t))
		before := ds.DeepCopy()
		d := daemon(t, ds)
		assert.Equal(t, before, ds)

		pod := &corev1.Pod{Spec: *ds.Spec.Template.Spec.DeepCopy()}
		for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
			for i := range containers {
				r := &containers[i].Resources
				for name, q := range r.Limits {
					if _, ok := r.Requests[name]; !ok {
						if r.Requests == nil {
							r.Requests = corev1.ResourceList{}
						}
						r.Requests[name] = q
						reached.Add("limit to request")
					}
				}
			}
		}
		sum := helper.PodRequests(pod, helper.PodResourcesOptions{SkipPodLevelResources: true, ExcludeOverhead: true})
		if whole := pod.Spec.Resources; whole != nil {
			for _, name := range []corev1.ResourceName{"cpu", "memory", "hugepages-2Mi"} {
				request, asked := whole.Requests[name]
				limit, limited := whole.Limits[name]
				_, counted := sum[name]
				switch {
				case asked:
					sum[name] = request
					reached.Add("whole request")
				case limited && (!counted || name == "hugepages-2Mi"):
					sum[name] = limit
					reached.Add("whole limit")
				}
			}
		}
		for name, q := range pod.Spec.Overhead {
			total := sum[name]
			total.Add(q)
			sum[name] = total
			reached.Add("overhead")
		}
		sum["pods"] = resource.MustParse("1")
		want, err := cost.ResourcesOf(sum, nil)
		require.NoError(t, err)
		assert.Equal(t, want, d.Requests)

		admitted, refused := cost.Admit(&corev1.Pod{Spec: ds.Spec.Template.Spec}, cost.Admission{})
		assert.Empty(t, refused)
		live, err := cost.RequestsOf(admitted, nil)
		require.NoError(t, err)
		assert.Equal(t, d.Requests, live)
		twice, _ := cost.Admit(admitted, cost.Admission{})
		assert.Equal(t, admitted, twice, "what was admitted stays")
		if helper.IsSupportedPodLevelResource("hugepages-2Mi") || admitted.Spec.Resources == nil {
			list := helper.PodRequests(admitted, helper.PodResourcesOptions{})
			list["pods"] = resource.MustParse("1")
			want, err = cost.ResourcesOf(list, nil)
			require.NoError(t, err)
			assert.Equal(t, want, d.Requests)
			want, err = cost.ResourcesOf(helper.PodLimits(admitted, helper.PodResourcesOptions{}), nil)
			require.NoError(t, err)
			assert.Equal(t, want, d.Limits)
			reached.Add("compared with component-helpers alone")
		}
	}
}

func TestRequestsArePodRequests(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, requestsArePodRequests(&reached))
	reached.Require(t, "limit to request", "whole request", "whole limit", "overhead", "compared with component-helpers alone")
}

func FuzzRequests(f *testing.F) { f.Fuzz(rapid.MakeFuzz(requestsArePodRequests(&tally.Tally{}))) }

// What a quantity can be that no manifest holds takes no time.
func TestQuantitiesWithoutEnd(t *testing.T) {
	zero := resource.NewScaledQuantity(0, math.MaxInt32)
	tiny := resource.NewScaledQuantity(1, math.MinInt32+1)
	huge := resource.NewScaledQuantity(1, math.MaxInt32)
	tinyDec := tiny.DeepCopy()
	tinyDec.ToDec()
	spec := asking()
	spec.Containers[0].Resources.Requests = corev1.ResourceList{"a/zero": *zero, "a/tiny": *tiny, "a/dec": tinyDec}
	assert.Equal(t, "a/dec 1m, a/tiny 1m, pods 1", daemon(t, daemonSet("x", spec)).Requests.String())
	spec.Containers[0].Resources.Requests["cpu"] = *huge
	_, err := cost.Compile(daemonSet("x", spec), cost.Options{})
	assert.ErrorContains(t, err, "must be below 2^63")
}
