package drain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement/drain"
)

func TestJudge(t *testing.T) {
	ds, gone := set("agent"), set("gone")
	name := types.NamespacedName{Namespace: "ns", Name: "agent"}
	for _, c := range []struct {
		name string
		pod  *corev1.Pod
		o    drain.Options
		want drain.Verdict
	}{
		{"daemon pod", pod(ds, "p"), drain.Options{},
			drain.Verdict{Action: drain.Refuse, Code: drain.DaemonPod, Message: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"}},
		{"daemon pod, ignored", pod(ds, "p", emptyDir), drain.Options{IgnoreDaemonSets: true},
			drain.Verdict{Action: drain.Skip, Code: drain.DaemonPod, Message: "ignoring DaemonSet-managed Pods"}},
		{"force does not reach daemon pods", pod(ds, "p"), drain.Options{Force: true, DeleteEmptyDirData: true},
			drain.Verdict{Action: drain.Refuse, Code: drain.DaemonPod, Message: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"}},
		{"ended daemon pod", pod(ds, "p", phase(corev1.PodFailed)), drain.Options{}, drain.Verdict{Action: drain.Delete, Code: drain.Deletable}},
		{"orphan", pod(gone, "p"), drain.Options{IgnoreDaemonSets: true},
			drain.Verdict{Action: drain.Refuse, Code: drain.OrphanedDaemonPod, Message: `daemonsets.apps "gone" not found`}},
		{"orphan, forced: kubectl forgets its warning", pod(gone, "p"), drain.Options{Force: true},
			drain.Verdict{Action: drain.Delete, Code: drain.Deletable, Overwritten: []string{`daemonsets.apps "gone" not found`}}},
		{"orphan with local storage, forced", pod(gone, "p", emptyDir), drain.Options{Force: true},
			drain.Verdict{Action: drain.Refuse, Code: drain.LocalStorage, Message: "Pods with local storage (use --delete-emptydir-data to override)",
				Overwritten: []string{`daemonsets.apps "gone" not found`}}},
		{"unreadable", pod(ds, "p"), drain.Options{Force: true, Unreadable: map[types.NamespacedName]string{name: "forbidden"}},
			drain.Verdict{Action: drain.Refuse, Code: drain.UnreadableDaemonSet, Message: "forbidden"}},
		{"mirror", pod(ds, "p", unowned, mirrored), drain.Options{}, drain.Verdict{Action: drain.Skip, Code: drain.MirrorPod}},
		{"daemon pod and mirror", pod(ds, "p", mirrored), drain.Options{},
			drain.Verdict{Action: drain.Refuse, Code: drain.DaemonPod, Message: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"}},
		{"ended, with local storage", pod(ds, "p", unowned, emptyDir, phase(corev1.PodSucceeded)), drain.Options{},
			drain.Verdict{Action: drain.Delete, Code: drain.Deletable}},
		{"unmanaged", pod(ds, "p", unowned), drain.Options{},
			drain.Verdict{Action: drain.Refuse, Code: drain.Unmanaged, Message: "Pods that declare no controller (use --force to override)"}},
		{"unmanaged with local storage, forced", pod(ds, "p", unowned, emptyDir), drain.Options{Force: true, DeleteEmptyDirData: true},
			drain.Verdict{Action: drain.Delete, Code: drain.Unmanaged, Message: "deleting Pods that declare no controller",
				Overwritten: []string{"deleting Pods with local storage"}}},
		{"long deleted", pod(ds, "p", terminating), drain.Options{SkipWaitForDeleteSeconds: 59}, drain.Verdict{Action: drain.Skip, Code: drain.LongDeleted}},
		{"not so long deleted", pod(ds, "p", terminating), drain.Options{SkipWaitForDeleteSeconds: 60, IgnoreDaemonSets: true},
			drain.Verdict{Action: drain.Skip, Code: drain.DaemonPod, Message: "ignoring DaemonSet-managed Pods"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := drain.Judge([]*corev1.Pod{c.pod}, []*appsv1.DaemonSet{nil, ds}, gen.Epoch.Add(time.Minute), c.o)
			c.want.Pod = c.pod
			assert.Equal(t, []drain.Verdict{c.want}, got)
		})
	}
}

func TestTexts(t *testing.T) {
	ds := set("agent")
	pods := []*corev1.Pod{pod(ds, "b"), nil, pod(ds, "a"), pod(ds, "c", unowned), pod(ds, "b")}
	verdicts := drain.Judge(pods, []*appsv1.DaemonSet{ds}, gen.Epoch, drain.Options{})
	assert.Len(t, verdicts, 3)
	var texts []string
	for _, err := range drain.Errors(verdicts) {
		texts = append(texts, err.Error())
	}
	assert.Equal(t, []string{
		"cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): ns/a, ns/b",
		"cannot delete Pods that declare no controller (use --force to override): ns/c",
	}, texts)
	assert.Empty(t, drain.Warnings(verdicts))

	verdicts = drain.Judge(pods, []*appsv1.DaemonSet{ds}, gen.Epoch, drain.Options{IgnoreDaemonSets: true, Force: true})
	assert.Nil(t, drain.Errors(verdicts))
	assert.Equal(t, "deleting Pods that declare no controller: ns/c; ignoring DaemonSet-managed Pods: ns/a, ns/b", drain.Warnings(verdicts))
	assert.Equal(t, "ns/a: skip (daemon-pod): ignoring DaemonSet-managed Pods", verdicts[0].String())

	unreadable := drain.Options{Unreadable: map[types.NamespacedName]string{{Namespace: "ns", Name: "agent"}: ""}}
	assert.EqualError(t, drain.Errors(drain.Judge(pods[:1], nil, gen.Epoch, unreadable))[0], "cannot delete unexpected error: ns/b")
}

// The verdicts do not depend on the order of either list, and nothing is written to.
func TestJudgeOrder(t *testing.T) {
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		pods := gen.Pods(ds, 6, nil).Draw(t, "pods")
		for _, p := range pods {
			if gen.Chance(t, 20, "mirror") {
				mirrored(p)
			}
			if gen.Chance(t, 20, "local storage") {
				emptyDir(p)
			}
		}
		sets := []*appsv1.DaemonSet{set("agent"), ds}
		if gen.Chance(t, 30, "gone") {
			sets = sets[:1]
		}
		o := drain.Options{
			Force: rapid.Bool().Draw(t, "force"), IgnoreDaemonSets: rapid.Bool().Draw(t, "ignore"), DeleteEmptyDirData: rapid.Bool().Draw(t, "delete data"),
			SkipWaitForDeleteSeconds: gen.Pick(t, "skip", 0, 10, 1000),
		}
		now := gen.Epoch.Add(time.Minute)
		var before []*corev1.Pod
		for i := range pods {
			before = append(before, pods[i].DeepCopy())
		}
		got := drain.Judge(pods, sets, now, o)
		assert.Equal(t, before, pods)
		assert.Equal(t, got, drain.Judge(gen.Shuffled(t, pods), gen.Shuffled(t, sets), now, o))
		assert.Len(t, got, len(pods))
		for _, v := range got {
			reached.Add(string(v.Action), string(v.Code))
			if v.Action == drain.Refuse {
				assert.NotEmpty(t, v.Message)
			}
		}
	})
	reached.Require(t, "delete", "skip", "refuse", "deletable", "long-deleted", "daemon-pod", "orphaned-daemon-pod", "mirror-pod", "local-storage", "unmanaged")
}
