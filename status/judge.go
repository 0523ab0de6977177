package status

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Rule is one of the rules in the field for whether a rollout is finished. The
// values are stable.
type Rule string

const (
	// Kubectl is kubectl rollout status (v0.37): an error unless the strategy is
	// RollingUpdate; then the generation observed, all nodes updated, all
	// available. Nodes on which no pod can become available are waited for
	// without end.
	Kubectl Rule = "kubectl"
	// Helm is helm install --wait with the legacy waiter: the generation observed
	// to the number; any strategy but RollingUpdate is ready with that; exactly
	// as many updated as desired; and ready all but maxUnavailable, rounded up,
	// so that one node with maxUnavailable 1 is ready with no pod at all.
	Helm Rule = "helm"
	// Kstatus is sigs.k8s.io/cli-utils/pkg/kstatus, which Flux and helm's watcher
	// use: the generation set and observed to the number, then all nodes current,
	// updated, available and ready, whatever the strategy, so that OnDelete waits
	// for somebody to delete the pods. The conditions Reconciling and Stalled
	// come first.
	Kstatus Rule = "kstatus"
	// ArgoCD is the health of Argo CD: as Kubectl, but OnDelete is healthy once
	// the generation is observed, whatever the pods do, and any other strategy
	// is treated as RollingUpdate.
	ArgoCD Rule = "argocd"
)

// Rules returns the rules in the order of their declaration.
func Rules() []Rule { return []Rule{Kubectl, Helm, Kstatus, ArgoCD} }

// Verdict is what a rule makes of a status.
type Verdict struct {
	Rule Rule `json:"rule"`
	// Done: the tool stops waiting. It does with an error too.
	Done bool `json:"done"`
	// Phase is the word of the tool: Current, InProgress, Terminating, Failed for
	// Kstatus, Healthy and Progressing for ArgoCD; empty for the others.
	Phase string `json:"phase,omitempty"`
	// Message is what the tool prints, byte for byte for Kubectl, newline
	// included, and for Kstatus. For the others it is the reason in our words.
	Message string `json:"message,omitempty"`
	// Error is the text of the error with which the tool ends.
	Error string `json:"error,omitempty"`
}

// Judge returns the verdict of a rule on the status that is stored in the object.
// A nil DaemonSet and an unknown rule yield an Error and nothing else.
func Judge(ds *appsv1.DaemonSet, rule Rule) Verdict {
	v := Verdict{Rule: rule}
	if ds == nil {
		v.Error = "status: no DaemonSet"
		return v
	}
	switch rule {
	case Kubectl:
		v.kubectl(ds)
	case Helm:
		v.helm(ds)
	case Kstatus:
		v.kstatus(ds)
	case ArgoCD:
		v.argoCD(ds)
	default:
		v.Error = fmt.Sprintf("status: no such rule: %q", string(rule))
	}
	return v
}

const (
	notObserved  = "Waiting for daemon set spec update to be observed...\n"
	notUpdated   = "Waiting for daemon set %q rollout to finish: %d out of %d new pods have been updated...\n"
	notAvailable = "Waiting for daemon set %q rollout to finish: %d of %d updated pods are available...\n"
	rolledOut    = "daemon set %q successfully rolled out\n"
)

func (v *Verdict) kubectl(ds *appsv1.DaemonSet) {
	if ds.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		v.Done, v.Error = true, "rollout status is only available for RollingUpdate strategy type"
		return
	}
	v.Done, v.Message = kubectlWaits(ds)
}

// kubectlWaits is the rule without the question of the strategy.
func kubectlWaits(ds *appsv1.DaemonSet) (done bool, message string) {
	s := &ds.Status
	switch {
	case ds.Generation > s.ObservedGeneration:
		return false, notObserved
	case s.UpdatedNumberScheduled < s.DesiredNumberScheduled:
		return false, fmt.Sprintf(notUpdated, ds.Name, s.UpdatedNumberScheduled, s.DesiredNumberScheduled)
	case s.NumberAvailable < s.DesiredNumberScheduled:
		return false, fmt.Sprintf(notAvailable, ds.Name, s.NumberAvailable, s.DesiredNumberScheduled)
	}
	return true, fmt.Sprintf(rolledOut, ds.Name)
}

func (v *Verdict) helm(ds *appsv1.DaemonSet) {
	s := &ds.Status
	if s.ObservedGeneration != ds.Generation {
		v.Message = "the generation is not observed"
		return
	}
	if ds.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		v.Done, v.Message = true, "the strategy is not RollingUpdate"
		return
	}
	if s.UpdatedNumberScheduled != s.DesiredNumberScheduled {
		v.Message = fmt.Sprintf("%d of %d are updated", s.UpdatedNumberScheduled, s.DesiredNumberScheduled)
		return
	}
	needed := int(s.DesiredNumberScheduled) - helmMayMiss(ds)
	v.Done = int(s.NumberReady) >= needed
	v.Message = fmt.Sprintf("%d are ready, %d are needed", s.NumberReady, needed)
}

// helmMayMiss is how many pods may be missing. Helm panics without the
// rollingUpdate block, which the API server fills in; here all may be missing, as
// for an invalid value.
func helmMayMiss(ds *appsv1.DaemonSet) int {
	desired := int(ds.Status.DesiredNumberScheduled)
	rolling := ds.Spec.UpdateStrategy.RollingUpdate
	if rolling == nil || rolling.MaxUnavailable == nil {
		return desired
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(rolling.MaxUnavailable, desired, true)
	if err != nil {
		return desired
	}
	return n
}

// kstatus reads an object without status fields as one in which they are missing:
// a zero generation is not written.
func (v *Verdict) kstatus(ds *appsv1.DaemonSet) {
	s := &ds.Status
	v.Phase = "InProgress"
	if ds.DeletionTimestamp != nil {
		v.Phase, v.Message = "Terminating", "Resource scheduled for deletion"
		return
	}
	if ds.Generation != 0 && s.ObservedGeneration != 0 && s.ObservedGeneration != ds.Generation {
		v.Message = fmt.Sprintf("DaemonSet generation is %d, but latest observed generation is %d", ds.Generation, s.ObservedGeneration)
		return
	}
	for _, c := range s.Conditions {
		if c.Status != corev1.ConditionTrue {
			continue
		}
		switch c.Type {
		case "Reconciling":
			v.Message = c.Message
			return
		case "Stalled":
			v.Phase, v.Message = "Failed", c.Message
			return
		}
	}
	desired := s.DesiredNumberScheduled
	switch {
	case ds.Generation == 0:
		v.Message = "DaemonSet metadata.generation not found"
	case s.ObservedGeneration == 0:
		v.Message = "DaemonSet status.observedGeneration not found"
	case desired > s.CurrentNumberScheduled:
		v.Message = fmt.Sprintf("Current: %d/%d", s.CurrentNumberScheduled, desired)
	case desired > s.UpdatedNumberScheduled:
		v.Message = fmt.Sprintf("Updated: %d/%d", s.UpdatedNumberScheduled, desired)
	case desired > s.NumberAvailable:
		v.Message = fmt.Sprintf("Available: %d/%d", s.NumberAvailable, desired)
	case desired > s.NumberReady:
		v.Message = fmt.Sprintf("Ready: %d/%d", s.NumberReady, desired)
	default:
		v.Done, v.Phase = true, "Current"
		v.Message = fmt.Sprintf("All replicas scheduled as expected. Replicas: %d", desired)
	}
}

func (v *Verdict) argoCD(ds *appsv1.DaemonSet) {
	s := &ds.Status
	switch {
	case ds.Generation > s.ObservedGeneration:
		v.Message = "the generation is not observed"
	case ds.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType:
		v.Done = true
		v.Message = fmt.Sprintf("%d of %d are updated, the others when they are deleted", s.UpdatedNumberScheduled, s.DesiredNumberScheduled)
	case s.UpdatedNumberScheduled < s.DesiredNumberScheduled:
		v.Message = fmt.Sprintf("%d of %d are updated", s.UpdatedNumberScheduled, s.DesiredNumberScheduled)
	case s.NumberAvailable < s.DesiredNumberScheduled:
		v.Message = fmt.Sprintf("%d of %d are available", s.NumberAvailable, s.DesiredNumberScheduled)
	default:
		v.Done = true
	}
	v.Phase = "Progressing"
	if v.Done {
		v.Phase = "Healthy"
	}
}
