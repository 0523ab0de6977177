package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/status"
)

func counters(desired, current, updated, ready, available int32) appsv1.DaemonSetStatus {
	return appsv1.DaemonSetStatus{
		ObservedGeneration: 2, DesiredNumberScheduled: desired, CurrentNumberScheduled: current,
		UpdatedNumberScheduled: updated, NumberReady: ready, NumberAvailable: available, NumberUnavailable: desired - available,
	}
}

// The four rules, one table: what they agree on, and where they do not.
func TestJudge(t *testing.T) {
	one, half := intstr.FromInt32(1), intstr.FromString("50%")
	bad := intstr.FromString("half")
	type want struct{ kubectl, helm, kstatus, argo bool }
	for name, c := range map[string]struct {
		status appsv1.DaemonSetStatus
		change func(*appsv1.DaemonSet)
		want   want
	}{
		"all there":                {counters(3, 3, 3, 3, 3), nil, want{true, true, true, true}},
		"nothing of nothing":       {counters(0, 0, 0, 0, 0), nil, want{true, true, true, true}},
		"not observed":             {counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { ds.Generation = 3 }, want{}},
		"observed ahead":           {counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { ds.Generation = 1 }, want{true, false, false, true}},
		"never observed":           {counters(0, 0, 0, 0, 0), func(ds *appsv1.DaemonSet) { ds.Status.ObservedGeneration = 0 }, want{}},
		"one old":                  {counters(3, 3, 2, 3, 3), nil, want{}},
		"one too many updated":     {counters(3, 3, 4, 4, 4), nil, want{true, false, true, true}},
		"one not available":        {counters(3, 3, 3, 3, 2), nil, want{false, true, false, false}},
		"one not ready":            {counters(3, 3, 3, 2, 2), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &one }, want{false, true, false, false}},
		"two not ready":            {counters(3, 3, 3, 1, 1), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &one }, want{}},
		"half, rounded up":         {counters(3, 3, 3, 1, 1), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &half }, want{false, true, false, false}},
		"no number":                {counters(3, 3, 3, 0, 0), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &bad }, want{false, true, false, false}},
		"no block":                 {counters(3, 3, 3, 0, 0), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate = nil }, want{false, true, false, false}},
		"one node, helm/helm#8660": {counters(1, 1, 1, 0, 0), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &one }, want{false, true, false, false}},
		"OnDelete, all old":        {counters(3, 3, 0, 3, 3), onDelete, want{true, true, false, true}},
		"OnDelete, one missing, argoproj/gitops-engine#137": {counters(3, 2, 0, 2, 2), onDelete, want{true, true, false, true}},
		"OnDelete, not observed":                            {counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { onDelete(ds); ds.Generation = 3 }, want{true, false, false, false}},
		"no type":                                           {counters(3, 3, 2, 3, 3), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.Type = "" }, want{true, true, false, false}},
		"being deleted":                                     {counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { ds.DeletionTimestamp = &metav1.Time{Time: now} }, want{true, true, false, true}},
		"a condition of kstatus": {counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) {
			ds.Status.Conditions = []appsv1.DaemonSetCondition{{Type: "Other", Status: corev1.ConditionTrue}, {Type: "Stalled", Status: corev1.ConditionTrue}}
		}, want{true, true, false, true}},
		"available within the budget, kubernetes/kubernetes#44672": {counters(10, 10, 10, 9, 9), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &one }, want{false, true, false, false}},
		"a stale message does not matter, argoproj/argo-cd#16951":  {counters(2, 2, 2, 2, 2), nil, want{true, true, true, true}},
	} {
		ds := stored(c.status)
		none := intstr.FromInt32(0)
		ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &none
		if c.change != nil {
			c.change(ds)
		}
		before := ds.DeepCopy()
		got := want{
			status.Judge(ds, status.Kubectl).Done, status.Judge(ds, status.Helm).Done,
			status.Judge(ds, status.Kstatus).Done, status.Judge(ds, status.ArgoCD).Done,
		}
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, before, ds)
	}
}

func onDelete(ds *appsv1.DaemonSet) {
	ds.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
}

func TestJudgeMessages(t *testing.T) {
	for _, c := range []struct {
		status appsv1.DaemonSetStatus
		change func(*appsv1.DaemonSet)
		rule   status.Rule
		want   status.Verdict
	}{
		{counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { ds.Generation = 3 }, status.Kubectl, status.Verdict{Message: "Waiting for daemon set spec update to be observed...\n"}},
		{counters(3, 3, 2, 3, 3), nil, status.Kubectl, status.Verdict{Message: "Waiting for daemon set \"probe\" rollout to finish: 2 out of 3 new pods have been updated...\n"}},
		{counters(3, 3, 3, 3, 2), nil, status.Kubectl, status.Verdict{Message: "Waiting for daemon set \"probe\" rollout to finish: 2 of 3 updated pods are available...\n"}},
		{counters(3, 3, 3, 3, 3), nil, status.Kubectl, status.Verdict{Done: true, Message: "daemon set \"probe\" successfully rolled out\n"}},
		{counters(3, 3, 3, 3, 3), onDelete, status.Kubectl, status.Verdict{Done: true, Error: "rollout status is only available for RollingUpdate strategy type"}},
		{counters(3, 3, 3, 3, 3), nil, status.Kstatus, status.Verdict{Done: true, Phase: "Current", Message: "All replicas scheduled as expected. Replicas: 3"}},
		{counters(3, 2, 3, 3, 3), nil, status.Kstatus, status.Verdict{Phase: "InProgress", Message: "Current: 2/3"}},
		{counters(3, 3, 3, 2, 3), nil, status.Kstatus, status.Verdict{Phase: "InProgress", Message: "Ready: 2/3"}},
		{counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) { ds.DeletionTimestamp = &metav1.Time{Time: now} }, status.Kstatus, status.Verdict{Phase: "Terminating", Message: "Resource scheduled for deletion"}},
		{counters(3, 3, 3, 3, 3), func(ds *appsv1.DaemonSet) {
			ds.Status.Conditions = []appsv1.DaemonSetCondition{{Type: "Reconciling", Status: corev1.ConditionTrue, Message: "soon"}}
		}, status.Kstatus, status.Verdict{Phase: "InProgress", Message: "soon"}},
		{counters(3, 3, 0, 3, 3), onDelete, status.ArgoCD, status.Verdict{Done: true, Phase: "Healthy", Message: "0 of 3 are updated, the others when they are deleted"}},
		{counters(3, 3, 3, 2, 2), nil, status.ArgoCD, status.Verdict{Phase: "Progressing", Message: "2 of 3 are available"}},
		{counters(3, 3, 3, 3, 3), nil, "flux", status.Verdict{Error: `status: no such rule: "flux"`}},
	} {
		ds := stored(c.status)
		if c.change != nil {
			c.change(ds)
		}
		c.want.Rule = c.rule
		assert.Equal(t, c.want, status.Judge(ds, c.rule))
	}
	for _, rule := range status.Rules() {
		assert.Equal(t, status.Verdict{Rule: rule, Error: "status: no DaemonSet"}, status.Judge(nil, rule))
	}
	quoted := stored(counters(1, 1, 1, 1, 1))
	quoted.Name = "a\"b"
	assert.Equal(t, "daemon set \"a\\\"b\" successfully rolled out\n", status.Judge(quoted, status.Kubectl).Message)
}
