package placement_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/placement"
)

func TestTrigger(t *testing.T) {
	m := placement.Compile(nil, placement.Options{})
	clean, keep, out := node("n", nil), node("n", nil, noSchedule("k", "")), node("n", nil, noExecute("k", ""))
	for name, c := range map[string]struct {
		event placement.NodeEvent
		want  placement.Trigger
	}{
		"a new eligible node":                 {placement.NodeEvent{New: clean}, placement.TriggerMissing},
		"eligible and served":                 {placement.NodeEvent{New: clean, Pods: 1}, placement.TriggerNone},
		"excluded with a pod":                 {placement.NodeEvent{Old: clean, New: out, Pods: 1}, placement.TriggerMustGo},
		"excluded without a pod":              {placement.NodeEvent{Old: clean, New: out}, placement.TriggerNone},
		"keep-only with a pod":                {placement.NodeEvent{Old: clean, New: keep, Pods: 1}, placement.TriggerNone},
		"keep-only with a pod, misscheduled":  {placement.NodeEvent{Old: clean, New: keep, Pods: 1, NumberMisscheduled: 1}, placement.TriggerMisscheduled},
		"eligible again, misscheduled":        {placement.NodeEvent{Old: keep, New: clean, Pods: 1, NumberMisscheduled: 1}, placement.TriggerMisscheduled},
		"no pod here, misscheduled elsewhere": {placement.NodeEvent{Old: clean, New: keep, NumberMisscheduled: 1}, placement.TriggerNone},
		"nothing changed":                     {placement.NodeEvent{Old: clean, New: node("n", map[string]string{})}, placement.TriggerNone},
		"the node is gone":                    {placement.NodeEvent{Old: clean, Pods: 1, NumberMisscheduled: 1}, placement.TriggerNone},
		"nothing at all":                      {placement.NodeEvent{}, placement.TriggerNone},
	} {
		assert.Equal(t, c.want, m.Trigger(c.event), name)
	}
}

func TestTriggerLooksAtLabelsAndTaintsAlone(t *testing.T) {
	m := placement.Compile(nil, placement.Options{})
	early, late := metav1.NewTime(time.Unix(1, 0)), metav1.NewTime(time.Unix(2, 0))
	base := node("n", map[string]string{"k": "v"}, corev1.Taint{Key: "a", Effect: "PreferNoSchedule", TimeAdded: &early})
	changed := func(change func(*corev1.Node)) placement.NodeEvent {
		n := base.DeepCopy()
		change(n)
		return placement.NodeEvent{Old: base, New: n}
	}
	for name, c := range map[string]struct {
		event placement.NodeEvent
		want  placement.Trigger
	}{
		"cordoned":             {changed(func(n *corev1.Node) { n.Spec.Unschedulable = true }), placement.TriggerNone},
		"conditions":           {changed(func(n *corev1.Node) { n.Status.Conditions = []corev1.NodeCondition{{Type: "Ready"}} }), placement.TriggerNone},
		"a label":              {changed(func(n *corev1.Node) { n.Labels["k"] = "w" }), placement.TriggerMissing},
		"a label taken away":   {changed(func(n *corev1.Node) { n.Labels = nil }), placement.TriggerMissing},
		"a taint taken away":   {changed(func(n *corev1.Node) { n.Spec.Taints = nil }), placement.TriggerMissing},
		"the time of a taint":  {changed(func(n *corev1.Node) { n.Spec.Taints[0].TimeAdded = &late }), placement.TriggerMissing},
		"a time taken away":    {changed(func(n *corev1.Node) { n.Spec.Taints[0].TimeAdded = nil }), placement.TriggerMissing},
		"an equal copy of all": {changed(func(n *corev1.Node) {}), placement.TriggerNone},
	} {
		assert.Equal(t, c.want, m.Trigger(c.event), name)
	}
	// A predicate may look at anything, so everything asks for a look.
	m = placement.Compile(nil, placement.Options{Predicates: []placement.Predicate{{
		Test: func(s placement.Shape) bool { return !s.Node.Spec.Unschedulable }, Removes: true,
	}}})
	event := changed(func(n *corev1.Node) { n.Spec.Unschedulable = true })
	event.Pods = 1
	assert.Equal(t, placement.TriggerMustGo, m.Trigger(event))
}
