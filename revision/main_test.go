package revision_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
)

func TestMain(m *testing.M) { gen.Main(m, "3000") }

var probe = labels.SelectorFromSet(labels.Set{"app": "probe"})

// daemonSet is ns/probe with one of the history templates.
func daemonSet(template int) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "ds-uid"},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "probe"}},
			Template: *gen.HistoryTemplates()[template],
		},
	}
}

// patchOf is the patch of one of the history templates.
func patchOf(t assert.TestingT, template int) []byte {
	patch, err := revision.Patch(gen.HistoryTemplates()[template])
	assert.NoError(t, err)
	return patch
}

// stored is a revision of the DaemonSet that stores one of the templates.
func stored(t assert.TestingT, hash string, number int64, template int) *appsv1.ControllerRevision {
	ds := daemonSet(template)
	return &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "probe-" + hash, UID: types.UID("uid-" + hash),
			Labels:          map[string]string{"app": "probe", revision.HashLabel: hash},
			OwnerReferences: []metav1.OwnerReference{*placement.OwnerOf(ds).ControllerRef()},
		},
		Data:     runtime.RawExtension{Raw: patchOf(t, template)},
		Revision: number,
	}
}

// pod is a pod of the DaemonSet with a hash, on a node.
func pod(name, hash string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name), Labels: map[string]string{"app": "probe", revision.HashLabel: hash}},
		Spec:       corev1.PodSpec{NodeName: "node-of-" + name},
	}
}

// state is what a DaemonSet with a template resolves from.
func state(ds *appsv1.DaemonSet, revisions []*appsv1.ControllerRevision, pods ...*corev1.Pod) revision.State {
	return revision.State{
		Owner: placement.OwnerOf(ds), Template: &ds.Spec.Template, Selector: probe,
		Revisions: revisions, Pods: pods, CollisionCount: ds.Status.CollisionCount,
	}
}

func names(list []*appsv1.ControllerRevision) []string {
	all := []string{}
	for _, r := range list {
		all = append(all, r.Name)
	}
	return all
}
