package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/placement"
)

// cluster is the input of a DaemonSet with maxUnavailable, as one list of JSON. Each
// line is a node and its pod, in words: the name of the node, which ends in a
// number and begins with its zone, and any of
//
//	new old              a pod, ready since it was created, at 10:00 or 09:00
//	unready              it is not ready, since 10:50
//	failed, terminating  it is so
//	pending              it has no node yet
//	node-not-ready       since 10:30
//	cordoned
//	tainted, excluded    it gets no pod, and keeps the one it has or not
//	gone                 the node does not exist
//
// For the program the hash of new pods is "new".
func cluster(t testing.TB, maxUnavailable int, lines ...string) string {
	budget := intstr.FromInt(maxUnavailable)
	ds := &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: metav1.ObjectMeta{Name: "agent", Namespace: "default", UID: "ds"},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
				Type:          appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &budget},
			},
		},
	}
	items := []any{ds}
	for i, line := range lines {
		words := strings.Fields(line)
		name := words[0]
		node := &corev1.Node{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"zone": name[:1]}},
			Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
				{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: at(8, 0)},
			}},
		}
		pod := &corev1.Pod{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("agent-%05d", i), Namespace: "default", UID: types.UID(line), Labels: map[string]string{"app": "agent"},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(ds, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))},
			},
			Spec: corev1.PodSpec{NodeName: name},
		}
		ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue}
		has, gone := false, false
		for _, word := range words[1:] {
			switch word {
			case "new", "old":
				has = true
				pod.Labels["controller-revision-hash"] = word
				pod.CreationTimestamp = at(9, 0)
				if word == "new" {
					pod.CreationTimestamp = at(10, 0)
				}
				ready.LastTransitionTime = pod.CreationTimestamp
			case "unready":
				ready.Status, ready.LastTransitionTime = corev1.ConditionFalse, at(10, 50)
			case "failed":
				pod.Status.Phase = corev1.PodFailed
			case "pending":
				pod.Spec.NodeName, pod.Spec.Affinity = "", placement.InjectNodeAffinity(nil, name)
			case "terminating":
				deleted := at(10, 55)
				pod.DeletionTimestamp = &deleted
			case "node-not-ready":
				node.Status.Conditions[0].Status, node.Status.Conditions[0].LastTransitionTime = corev1.ConditionUnknown, at(10, 30)
			case "cordoned":
				node.Spec.Unschedulable = true
			case "tainted":
				node.Spec.Taints = []corev1.Taint{{Key: "no", Effect: corev1.TaintEffectNoSchedule}}
			case "excluded":
				node.Spec.Taints = []corev1.Taint{{Key: "no", Effect: corev1.TaintEffectNoExecute}}
			case "gone":
				gone = true
			default:
				t.Fatal("no such word:", word)
			}
		}
		if !gone {
			items = append(items, node)
		}
		if has {
			pod.Status.Conditions = []corev1.PodCondition{ready}
			items = append(items, pod)
		}
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	require.NoError(t, err)
	return string(text)
}

// at is a time of the day of the demonstration.
func at(hour, minute int) metav1.Time {
	return metav1.NewTime(time.Date(2026, 3, 4, hour, minute, 0, 0, time.UTC))
}

func write(t testing.TB, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}
