package conformance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
)

// patched records which objects a reference manager patches, and with what.
type patched struct {
	kubecontroller.FakePodControl
	adopted, released []string
	patches           map[string]string // by the name of the object
}

func (p *patched) PatchPod(_ context.Context, _, name string, data []byte) error {
	p.file(name, data)
	return nil
}

func (p *patched) PatchControllerRevision(_ context.Context, _, name string, data []byte) error {
	p.file(name, data)
	return nil
}

// file tells an adoption, which writes a reference, from a release, which
// deletes one.
func (p *patched) file(name string, data []byte) {
	if p.patches == nil {
		p.patches = map[string]string{}
	}
	p.patches[name] = string(data)
	if strings.Contains(string(data), `"$patch":"delete"`) {
		p.released = append(p.released, name)
		return
	}
	p.adopted = append(p.adopted, name)
}

// checkPatches compares the patches with those that the claims ask for.
func checkPatches[T placement.Claimable](t *rapid.T, ds *appsv1.DaemonSet, p *patched, c placement.Claims[T]) {
	want := map[string]string{}
	for _, o := range c.Adopt {
		want[o.GetName()] = string(placement.AdoptPatch(placement.OwnerOf(ds), o.GetUID()))
	}
	for _, o := range c.Release {
		want[o.GetName()] = string(placement.ReleasePatch(placement.OwnerOf(ds), o.GetUID()))
	}
	assert.Equal(t, len(p.patches), len(want))
	for name, patch := range p.patches {
		assert.Equal(t, patch, want[name])
	}
}

func names[T metav1.Object](list []T) []string {
	all := []string{}
	for _, o := range list {
		all = append(all, o.GetName())
	}
	return all
}

// claimState is an owner with objects around it.
func claimState(t *rapid.T) (*appsv1.DaemonSet, labels.Selector) {
	ds := gen.DaemonSet().Draw(t, "daemonset")
	if rapid.IntRange(0, 3).Draw(t, "deleting") == 0 {
		at := metav1.NewTime(gen.Epoch)
		ds.DeletionTimestamp = &at
	}
	switch rapid.IntRange(0, 9).Draw(t, "selector") {
	case 0:
		ds.Spec.Selector = nil // matches nothing
	case 1:
		ds.Spec.Selector = &metav1.LabelSelector{} // matches everything
	}
	selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
	assert.NoError(t, err)
	return ds, selector
}

// canAdopt is the live read of the owner, which always allows here: whether an
// owner is being deleted is for the cache to say in these tests.
func canAdopt(context.Context) error { return nil }

func TestClaimPods(t *testing.T) {
	checks(t, 20_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds, selector := claimState(t)
		pods := gen.Pods(ds, 6, nil).Draw(t, "pods")
		if len(pods) > 0 && rapid.Bool().Draw(t, "elsewhere") {
			pods[0].Namespace = "other"
		}

		informer := informers.NewSharedInformerFactory(fake.NewClientset(), 0).Core().V1().Pods().Informer()
		assert.NoError(t, kubecontroller.AddPodControllerIndexer(informer))
		for _, pod := range pods {
			assert.NoError(t, informer.GetIndexer().Add(pod.DeepCopy()))
		}
		candidates, err := kubecontroller.FilterPodsByOwner(informer.GetIndexer(), &ds.ObjectMeta, "DaemonSet", true)
		assert.NoError(t, err)
		control := &patched{}
		manager := kubecontroller.NewPodControllerRefManager(control, ds, selector, placement.OwnerOf(ds).Kind, canAdopt)
		claimed, err := manager.ClaimPods(context.Background(), candidates)
		assert.NoError(t, err)

		c := placement.Claim(placement.OwnerOf(ds), selector, pods)
		assert.ElementsMatch(t, names(claimed), names(c.Claimed))
		assert.ElementsMatch(t, control.adopted, names(c.Adopt))
		assert.ElementsMatch(t, control.released, names(c.Release))
		checkPatches(t, ds, control, c)
		countClaims(&reached, len(pods), ds, len(c.Claimed), len(c.Adopt), len(c.Release))
	})
	requireClaims(t, &reached)
}

func TestClaimRevisions(t *testing.T) {
	checks(t, 20_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds, selector := claimState(t)
		revisions := gen.Revisions(ds, 6).Draw(t, "revisions")
		control := &patched{}
		manager := kubecontroller.NewControllerRevisionControllerRefManager(control, ds, selector, placement.OwnerOf(ds).Kind, canAdopt)
		claimed, err := manager.ClaimControllerRevisions(context.Background(), revisions)
		assert.NoError(t, err)

		c := placement.Claim(placement.OwnerOf(ds), selector, revisions)
		assert.ElementsMatch(t, names(claimed), names(c.Claimed))
		assert.ElementsMatch(t, control.adopted, names(c.Adopt))
		assert.ElementsMatch(t, control.released, names(c.Release))
		checkPatches(t, ds, control, c)
		countClaims(&reached, len(revisions), ds, len(c.Claimed), len(c.Adopt), len(c.Release))
	})
	requireClaims(t, &reached)
}

func countClaims(reached *tally.Tally, all int, ds *appsv1.DaemonSet, claimed, adopt, release int) {
	reached.AddIf(claimed > adopt, "claimed")
	reached.AddIf(claimed > adopt && ds.DeletionTimestamp != nil, "claimed while the owner is being deleted")
	reached.AddIf(adopt > 0, "adopted")
	reached.AddIf(release > 0, "released")
	reached.AddIf(release > 0 && ds.Spec.Selector == nil, "released for want of a selector")
	reached.AddIf(claimed+release < all, "left alone")
}

func requireClaims(t *testing.T, reached *tally.Tally) {
	t.Helper()
	reached.Require(t, "claimed", "claimed while the owner is being deleted", "adopted", "released",
		"released for want of a selector", "left alone")
}

// podsByNode is how the controller groups the pods that it claims.
func TestFleetGroups(t *testing.T) {
	checks(t, 3000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		nodes := gen.Nodes(4).Draw(t, "nodes")
		pods := gen.Pods(ds, 8, nodes).Draw(t, "pods")
		r := newReference(t, gen.Epoch, ds, nodes, pods, nil)
		groups, err := getNodesToDaemonPods(r.controller, context.Background(), ds, false)
		assert.NoError(t, err)

		selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
		assert.NoError(t, err)
		mine := placement.Claim(placement.OwnerOf(ds), selector, pods)
		fleet := placement.NewFleet(placement.Compile(&ds.Spec.Template, placement.Options{}), nodes, mine.Claimed, placement.Reading{})
		for _, n := range fleet.Nodes {
			want := sorted(groups[n.Name])
			assert.Len(t, n.Pods, len(want))
			for i := range n.Pods {
				assert.Equal(t, want[i].Name, n.Pods[i].Name)
			}
			reached.AddIf(len(want) > 1, "several pods on a node")
			reached.AddIf(n.Ref == nil, "pods on a node that does not exist")
			delete(groups, n.Name)
		}
		assert.Empty(t, groups)
	})
	reached.Require(t, "several pods on a node", "pods on a node that does not exist")
}

// sorted is a group in the order in which the controller prefers pods.
func sorted(pods []*corev1.Pod) []*corev1.Pod {
	less := podByCreationTimestampAndPhaseLess
	for i := range pods {
		for j := i; j > 0 && less(pods, j, j-1); j-- {
			pods[j], pods[j-1] = pods[j-1], pods[j]
		}
	}
	return pods
}
