package conformance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	kubectldrain "k8s.io/kubectl/pkg/drain"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement/drain"
)

// drainPods draws pods of a node as a drain meets them. Deletion timestamps are
// minutes away from now, so that the moment at which kubectl reads the clock does
// not matter.
func drainPods(t *rapid.T, ds *appsv1.DaemonSet, now time.Time) []*corev1.Pod {
	pods := gen.Pods(ds, 5, nil).Draw(t, "pods")
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil {
			pod.DeletionTimestamp = &metav1.Time{Time: now.Add(gen.Pick(t, "deleted", time.Hour, -time.Minute, -10*time.Minute))}
		}
		if gen.Chance(t, 10, "mirror") {
			pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
		}
		if gen.Chance(t, 30, "volume") {
			source := gen.Pick(t, "source", corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}, corev1.VolumeSource{})
			pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: source}}
		}
	}
	return pods
}

// TestDrain compares which pods go and every text with kubectl's own code.
func TestDrain(t *testing.T) {
	checks(t, 5000)
	now := time.Now()
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		pods := drainPods(t, ds, now)
		name := types.NamespacedName{Namespace: ds.Namespace, Name: ds.Name}
		o := drain.Options{
			Force: rapid.Bool().Draw(t, "force"), IgnoreDaemonSets: rapid.Bool().Draw(t, "ignore"), DeleteEmptyDirData: rapid.Bool().Draw(t, "delete data"),
			SkipWaitForDeleteSeconds: gen.Pick(t, "skip", 0, 300, -1),
		}
		var sets []*appsv1.DaemonSet
		var answer error
		switch {
		case gen.Chance(t, 30, "gone"):
		case gen.Chance(t, 20, "forbidden"):
			answer = apierrors.NewForbidden(appsv1.Resource("daemonsets"), ds.Name, fmt.Errorf("not yours"))
			o.Unreadable = map[types.NamespacedName]string{name: answer.Error()}
		default:
			sets = []*appsv1.DaemonSet{ds}
		}

		client := &fake.Clientset{}
		client.AddReactor("list", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
			list := &corev1.PodList{}
			for _, pod := range pods {
				list.Items = append(list.Items, *pod.DeepCopy())
			}
			return true, list, nil
		})
		client.AddReactor("get", "daemonsets", func(action clienttesting.Action) (bool, runtime.Object, error) {
			asked := action.(clienttesting.GetAction).GetName()
			switch {
			case asked == ds.Name && answer != nil:
				return true, nil, answer
			case asked == ds.Name && len(sets) > 0:
				return true, ds.DeepCopy(), nil
			}
			return true, nil, apierrors.NewNotFound(appsv1.Resource("daemonsets"), asked)
		})
		helper := &kubectldrain.Helper{
			Ctx: context.Background(), Client: client, Force: o.Force, IgnoreAllDaemonSets: o.IgnoreDaemonSets,
			DeleteEmptyDirData: o.DeleteEmptyDirData, SkipWaitForDeleteTimeoutSeconds: o.SkipWaitForDeleteSeconds,
		}
		list, errs := helper.GetPodsForDeletion("n")

		verdicts := drain.Judge(pods, sets, now, o)
		var want, got []string
		for _, pod := range list.Pods() {
			want = append(want, pod.Name)
		}
		for _, v := range verdicts {
			if v.Action == drain.Delete {
				got = append(got, v.Pod.Name)
			}
			reached.Add(string(v.Action), string(v.Code))
			reached.AddIf(len(v.Overwritten) > 0, "overwritten")
		}
		slices.Sort(want)
		assert.Equal(t, want, got)
		// kubectl joins and returns groups in the order of a map.
		groups := strings.Split(list.Warnings(), "; ")
		slices.Sort(groups)
		assert.Equal(t, strings.Join(groups, "; "), drain.Warnings(verdicts))
		assert.Equal(t, errorTexts(errs), errorTexts(drain.Errors(verdicts)))

		for _, pod := range pods {
			ref := metav1.GetControllerOf(pod)
			assert.Equal(t, ref != nil && ref.Kind == "DaemonSet" && ref.APIVersion == "apps/v1", drain.IsDaemonPod(pod, drain.Kubectl))
		}
	})
	reached.Require(t, "delete", "skip", "refuse", "deletable", "long-deleted", "daemon-pod", "orphaned-daemon-pod", "unreadable-daemonset",
		"mirror-pod", "local-storage", "unmanaged", "overwritten")
}

func errorTexts(errs []error) []string {
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	slices.Sort(texts)
	return texts
}
