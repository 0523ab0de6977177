package status_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/status"
)

func TestMain(m *testing.M) { gen.Main(m, "3000") }

var now = gen.Epoch

// readyPod has a Ready condition of a status, that many seconds old; a negative
// age lies ahead. Without an age it has no time.
func readyPod(state corev1.ConditionStatus, age ...int) *corev1.Pod {
	c := corev1.PodCondition{Type: corev1.PodReady, Status: state}
	if len(age) > 0 {
		c.LastTransitionTime = metav1.NewTime(now.Add(-time.Duration(age[0]) * time.Second))
	}
	return &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{c}}}
}

// facts is a pod that is only facts, ready for that many seconds.
func facts(name string, flags placement.Flags, age int) placement.Pod {
	return placement.Pod{Name: name, Flags: flags | placement.Scheduled, ReadyChanged: now.Add(-time.Duration(age) * time.Second)}
}

// on is an eligible node with pods.
func on(name string, pods ...placement.Pod) placement.Node {
	return placement.Node{Name: name, Verdict: placement.Eligible, Stable: placement.Eligible, Pods: pods}
}

func fleet(nodes ...placement.Node) placement.Fleet { return placement.Fleet{Nodes: nodes} }

// stored is a DaemonSet with a stored status.
func stored(s appsv1.DaemonSetStatus) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", Generation: 2},
		Status:     s,
	}
	ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
		Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{},
	}
	return ds
}

const good = placement.Ready | placement.Updated

func at(seconds int) status.Input {
	return status.Input{MinReadySeconds: int32(seconds), Now: now}
}
