package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/rollout"
)

// rolling reports whether pods are replaced by a rolling update.
func (s *subject) rolling() bool {
	return s.ds.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType
}

// surges reports whether two pods may be on a node.
func (s *subject) surges() bool {
	if !s.rolling() {
		return false
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(s.ds.Spec.UpdateStrategy.RollingUpdate.MaxSurge, 100, true)
	return err == nil && n > 0
}

func checkSurgePorts(s *subject, found report) {
	if !s.surges() {
		return
	}
	for _, c := range s.running() {
		for i, p := range c.Ports {
			switch {
			case p.HostPort != 0:
				found(at(c.field+".ports", i)+".hostPort", fmt.Sprintf("with maxSurge the new pod waits for host port %d, which the old pod keeps until the new one is ready", p.HostPort),
					"use maxUnavailable instead of maxSurge, or no host port")
			case s.spec.HostNetwork && p.ContainerPort != 0:
				found(at(c.field+".ports", i)+".containerPort", fmt.Sprintf("with maxSurge on the host network the new pod waits for port %d, which the old pod keeps until the new one is ready", p.ContainerPort),
					"use maxUnavailable instead of maxSurge")
			}
		}
	}
}

func checkSurgeNetwork(s *subject, found report) {
	ports := slices.ContainsFunc(s.running(), func(c placed) bool { return len(c.Ports) > 0 })
	if s.surges() && s.spec.HostNetwork && !ports {
		found(podSpec+".hostNetwork", "with maxSurge two pods share the host network, and no container declares which ports it listens on",
			"use maxUnavailable instead of maxSurge, or declare the ports")
	}
}

func checkSurgeDevices(s *subject, found report) {
	if !s.surges() {
		return
	}
	for name, request := range s.requests() {
		if !isDevice(name) || request.Sign() <= 0 {
			continue
		}
		twice := request.DeepCopy()
		twice.Mul(2)
		known, short := false, false
		for _, node := range s.eligible {
			if have, listed := node.Status.Allocatable[name]; listed {
				known, short = true, short || have.Cmp(twice) < 0
			}
		}
		if short || !known {
			found(podSpec, fmt.Sprintf("with maxSurge a node has to have %s %s, twice what a pod asks for", twice.String(), name),
				"use maxUnavailable instead of maxSurge")
		}
	}
}

// isDevice reports whether a resource is handed out in whole pieces that no two
// pods share: an extended resource.
func isDevice(name corev1.ResourceName) bool {
	domain, _, qualified := strings.Cut(string(name), "/")
	return qualified && domain != "kubernetes.io" && !strings.HasSuffix(domain, ".kubernetes.io")
}

// limits are those of the rolling update on the fleet; false where there is no
// rolling update or a limit is not usable.
func (s *subject) limits() (rollout.Limits, bool) {
	if !s.rolling() {
		return rollout.Limits{}, false
	}
	l, err := rollout.SpecOf(s.ds).Limits(len(s.eligible))
	return l, err == nil
}

func checkMaxUnavailable(s *subject, found report) {
	field, suggestion := rollingUpdate+".maxUnavailable", "allow fewer, such as 10%"
	if len(s.nodes) == 0 {
		if s.rolling() {
			if v := s.ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable; v.Type == intstr.String && v.StrVal == "100%" {
				found(field, "an update takes down every pod at once", suggestion)
			}
		}
		return
	}
	if l, ok := s.limits(); ok && len(s.eligible) > 1 && l.MaxUnavailable >= len(s.eligible) {
		found(field, fmt.Sprintf("an update takes down every pod at once: %s of %d", s.ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable, len(s.eligible)), suggestion)
	}
}

func checkSlow(s *subject, found report) {
	l, ok := s.limits()
	most := max(l.MaxUnavailable, 0) + max(l.MaxSurge, 0)
	if !ok || s.MaxRollout <= 0 || most == 0 || len(s.eligible) == 0 {
		return
	}
	field := rollingUpdate + ".maxUnavailable"
	if l.MaxSurge > 0 {
		field = rollingUpdate + ".maxSurge"
	}
	start := s.PodStart
	if start <= 0 {
		start = defaultPodStart
	}
	step := start + time.Duration(max(s.ds.Spec.MinReadySeconds, 0))*time.Second
	if step < start {
		step = start // beyond what a duration holds
	}
	steps := (len(s.eligible)-1)/most + 1
	if int64(steps) > int64(s.MaxRollout/step) {
		found(field, fmt.Sprintf("%s in steps of %d are %d steps of at least %s, more than %s", count(len(s.eligible), "node"), most, steps, step, s.MaxRollout),
			"allow more at once, such as 10%")
	}
}

func checkReadiness(s *subject, found report) {
	if !s.rolling() || s.ds.Spec.MinReadySeconds > 0 || len(s.spec.ReadinessGates) > 0 {
		return
	}
	// A startup probe holds readiness back too.
	if !slices.ContainsFunc(s.running(), func(c placed) bool { return c.ReadinessProbe != nil || c.StartupProbe != nil }) {
		found("spec.minReadySeconds", "a pod counts as available as soon as its containers run, even if they crash a second later",
			"add a readiness probe, or set minReadySeconds")
	}
}

func checkOnDelete(s *subject, found report) {
	if s.ds.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType {
		found("spec.updateStrategy.type", "pods keep the old template until somebody deletes them", "make sure that something does, or use RollingUpdate")
	}
}
