package canary_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout/canary"
)

func TestMain(m *testing.M) { gen.Main(m, "3000") }

var now = gen.Epoch

// ago is a moment before now.
func ago(d time.Duration) time.Time { return now.Add(-d) }

// of makes the pointer that an option wants.
func of[T any](v T) *T { return &v }

// on is an eligible node with labels, given as pairs.
func on(name string, labels ...string) placement.Node {
	ref := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
	for i := 0; i+1 < len(labels); i += 2 {
		ref.Labels[labels[i]] = labels[i+1]
	}
	return placement.Node{Name: name, Verdict: placement.Eligible, Stable: placement.Eligible, Ref: ref}
}

// with puts a pod on the node whose containers have restarted so often.
func with(n placement.Node, restarts ...int32) placement.Node {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod-" + n.Name}, Spec: corev1.PodSpec{NodeName: n.Name}}
	for _, r := range restarts {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{RestartCount: r})
	}
	n.Pods = append(n.Pods, placement.Reading{}.Facts(pod))
	return n
}

// but is the node with another verdict.
func but(n placement.Node, v placement.Verdict) placement.Node {
	n.Verdict = v
	return n
}

// sick is a pod of a canary that is well but for what is changed.
func sick(name string, change func(*canary.Health)) canary.Health {
	h := canary.Health{Pod: name, Node: "node-of-" + name, Created: ago(time.Minute), Ready: true, ReadyChanged: ago(30 * time.Second)}
	if change != nil {
		change(&h)
	}
	return h
}

// restarting is a pod that restarted so often, at last at a moment.
func restarting(name string, n int32, last time.Time) canary.Health {
	return sick(name, func(h *canary.Health) { h.Restarts, h.FirstRestart, h.LastRestart = n, last, last })
}

// waiting is a pod that was created so long ago and waits.
func waiting(name string, age time.Duration, reasons ...string) canary.Health {
	return sick(name, func(h *canary.Health) { h.Created, h.Waiting, h.Ready = ago(age), reasons, false })
}
