package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/rollout"
	"github.com/daemonplan/daemonplan/status"
)

// benchSync is the whole of a sync on our side: claims, history, fleet, plan and
// status.
func benchSync(ds *appsv1.DaemonSet, c *cluster) (rollout.Plan, status.Result, error) {
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		return rollout.Plan{}, status.Result{}, err
	}
	owner := placement.OwnerOf(ds)
	mine := placement.Claim(owner, selector, c.pods)
	h, err := revision.Resolve(revision.State{
		Owner: owner, Template: &ds.Spec.Template, Selector: selector,
		Revisions: c.revisions, Pods: mine.Claimed, CollisionCount: ds.Status.CollisionCount,
	}, revision.Options{})
	if err != nil {
		return rollout.Plan{}, status.Result{}, err
	}
	reading := h.Reading()
	fleet := placement.NewFleet(placement.Compile(&ds.Spec.Template, placement.Options{}), c.nodes, mine.Claimed, reading)
	plan, err := rollout.Sync(rollout.State{Fleet: fleet, Spec: rollout.SpecOf(ds), Target: reading.Revision, Now: gen.Epoch})
	revision.Prune(h.Old, mine.Claimed, ds.Spec.RevisionHistoryLimit)
	return plan, status.Compute(fleet, status.InputOf(ds, gen.Epoch)), err
}

// benchCluster is a fleet on which a DaemonSet has come to rest: each eligible node
// has an available pod of the current revision.
func benchCluster(b *testing.B, template *corev1.PodTemplateSpec, n int) *cluster {
	labels := map[string]string{"app": "probe"}
	limit, one := int32(10), intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "u", Generation: 1}}
	ds.Spec = appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *template.DeepCopy(), RevisionHistoryLimit: &limit,
		UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &one},
		},
	}
	ds.Spec.Template.Labels = labels
	c := &cluster{ds: ds, nodes: gen.Fleet(n, fleetSeed)}
	owner := placement.OwnerOf(ds)
	hash := revision.Hash(&ds.Spec.Template, nil)
	m := placement.Compile(&ds.Spec.Template, placement.Options{})
	for i, node := range c.nodes {
		if m.Match(node) != placement.Eligible {
			continue
		}
		pod := placement.NewPod(owner, &ds.Spec.Template, node.Name, placement.PodOptions{Hash: hash})
		pod.Name, pod.UID, pod.Spec.NodeName = fmt.Sprintf("probe-%d", i), types.UID(fmt.Sprint(i)), node.Name
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(gen.Epoch)}}
		c.pods = append(c.pods, pod)
	}
	slices.Reverse(c.pods)
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	if err != nil {
		b.Fatal(err)
	}
	h, err := revision.Resolve(revision.State{Owner: owner, Template: &ds.Spec.Template, Selector: selector}, revision.Options{})
	if err != nil {
		b.Fatal(err)
	}
	c.revisions = []*appsv1.ControllerRevision{h.Create}
	_, result, err := benchSync(ds, c)
	if err != nil {
		b.Fatal(err)
	}
	ds.Status = result.Status
	return c
}

// BenchmarkWholeSync runs one sync in which nothing is left to do. The metric is
// for one node.
func BenchmarkWholeSync(b *testing.B) {
	templates := gen.FleetTemplates()
	for _, n := range []int{1000, 10_000, 100_000} {
		for _, name := range []string{"none", "selector+2"} {
			c := benchCluster(b, templates[name], n)
			run := func(side string, sync func() error) {
				b.Run(fmt.Sprintf("template=%s/nodes=%d/side=%s", name, n, side), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := sync(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
				})
			}
			r := newReference(b, gen.Epoch, c.ds, c.nodes, c.pods, c.revisions)
			run("controller", func() error {
				err := r.sync()
				if len(r.client.Actions()) > 0 {
					b.Fatal(r.client.Actions())
				}
				return err
			})
			run("daemonplan", func() error {
				plan, result, err := benchSync(c.ds, c)
				if !plan.Empty() || result.Write {
					b.Fatal(plan, result)
				}
				return err
			})
		}
	}
}
