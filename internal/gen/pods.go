package gen

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// Epoch is the moment around which generated times lie.
var Epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// DaemonSet draws a DaemonSet whose selector is app=probe.
func DaemonSet() *rapid.Generator[*appsv1.DaemonSet] {
	return rapid.Custom(func(t *rapid.T) *appsv1.DaemonSet {
		ds := &appsv1.DaemonSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", UID: "ds-uid", Generation: 3},
			Spec: appsv1.DaemonSetSpec{
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "probe"}},
				Template: *Template().Draw(t, "template"),
			},
		}
		if Chance(t, 60, "generation annotation") {
			ds.Annotations = map[string]string{
				appsv1.DeprecatedTemplateGeneration: Pick(t, "generation", "1", "+03", "2", "x", "", "-4", "9223372036854775808"),
			}
		}
		return ds
	})
}

// controllerRefs are what a pod or a revision may have as its controller.
func controllerRefs(t *rapid.T, ds *appsv1.DaemonSet) []metav1.OwnerReference {
	ours := *metav1.NewControllerRef(ds, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))
	switch below(t, 10, "controller") {
	case 0, 1:
		return nil
	case 2: // another DaemonSet, or an earlier one of the same name
		ours.UID = "other-uid"
	case 3: // the same UID under another kind or name
		if Chance(t, 50, "kind") {
			ours.Kind = "ReplicaSet"
		} else {
			ours.Name = "other"
		}
	case 4: // an owner that is not the controller
		ours.Controller = nil
	case 5: // an owner before the controller
		return []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "c-uid"}, ours}
	case 6: // the API group does not count
		ours.APIVersion = "extensions/v1beta1"
	}
	return []metav1.OwnerReference{ours}
}

// meta draws what pods and revisions have in common.
func meta(t *rapid.T, ds *appsv1.DaemonSet, name string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Namespace: ds.Namespace, Name: name, UID: types.UID(name + "-uid"),
		Labels:            map[string]string{"app": "probe"},
		OwnerReferences:   controllerRefs(t, ds),
		CreationTimestamp: metav1.NewTime(Epoch.Add(time.Duration(rapid.IntRange(-3, 0).Draw(t, "age")) * time.Minute)),
	}
	if Chance(t, 20, "selector does not match") {
		m.Labels["app"] = "else"
	}
	if Chance(t, 20, "terminating") {
		at := metav1.NewTime(Epoch)
		m.DeletionTimestamp = &at
		m.Finalizers = []string{"example.com/hold"}
	}
	return m
}

// Pod draws a pod around a DaemonSet: its own or not, matching or not, on one
// of the given nodes or meant for it, in any phase.
func Pod(ds *appsv1.DaemonSet, name string, nodes []string) *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: meta(t, ds, name)}
		if hash := Pick(t, "hash", "", "new", "old", "older"); hash != "" {
			pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] = hash
		}
		if Chance(t, 30, "generation label") {
			pod.Labels["pod-template-generation"] = Pick(t, "generation", "1", "3", "03", "2")
		}
		node := Pick(t, "node", nodes...)
		switch below(t, 10, "target") {
		case 0:
			// No target at all, or none that can be read.
			if Chance(t, 60, "affinity") {
				pod.Spec.Affinity = Affinity().Draw(t, "affinity")
			}
		case 1, 2:
			pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchFields: []corev1.NodeSelectorRequirement{{
						Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node},
					}},
				}}},
			}}
		default:
			pod.Spec.NodeName = node
		}
		pod.Status.Phase = Pick(t, "phase",
			corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodPending,
			corev1.PodFailed, corev1.PodSucceeded, corev1.PodUnknown, corev1.PodPhase(""))
		pod.Status.Conditions = conditions(t)
		if reason := Pick(t, "waiting", "", "", "", "CrashLoopBackOff", "ContainerCreating"); reason != "" {
			statuses := []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}}
			if Chance(t, 30, "init container") {
				pod.Status.InitContainerStatuses = statuses
			} else {
				pod.Status.ContainerStatuses = statuses
			}
		}
		return pod
	})
}

// conditions draws none, one or two Ready conditions among others.
func conditions(t *rapid.T) []corev1.PodCondition {
	var all []corev1.PodCondition
	if Chance(t, 50, "scheduled condition") {
		all = append(all, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue})
	}
	n := Pick(t, "ready conditions", 0, 1, 1, 1, 1, 2)
	for range n {
		c := corev1.PodCondition{Type: corev1.PodReady, Status: Pick(t, "ready",
			corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown)}
		if !Chance(t, 15, "no transition time") {
			c.LastTransitionTime = metav1.NewTime(Epoch.Add(time.Duration(rapid.IntRange(-90, 30).Draw(t, "since")) * time.Second))
		}
		all = append(all, c)
	}
	return all
}

// Pods draws up to n pods of different names on the given nodes and on one that
// does not exist.
func Pods(ds *appsv1.DaemonSet, n int, nodes []*corev1.Node) *rapid.Generator[[]*corev1.Pod] {
	names := []string{"gone"}
	for _, node := range nodes {
		names = append(names, node.Name)
	}
	return rapid.Custom(func(t *rapid.T) []*corev1.Pod {
		var pods []*corev1.Pod
		for i := range below(t, n+1, "pods") {
			pods = append(pods, Pod(ds, fmt.Sprintf("p%d", i), names).Draw(t, "pod"))
		}
		return pods
	})
}

// Revisions draws up to n revisions around a DaemonSet.
func Revisions(ds *appsv1.DaemonSet, n int) *rapid.Generator[[]*appsv1.ControllerRevision] {
	return rapid.Custom(func(t *rapid.T) []*appsv1.ControllerRevision {
		var all []*appsv1.ControllerRevision
		for i := range below(t, n+1, "revisions") {
			all = append(all, &appsv1.ControllerRevision{ObjectMeta: meta(t, ds, fmt.Sprintf("r%d", i)), Revision: int64(i)})
		}
		return all
	})
}
