package canary

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Thresholds are the rules by which [Judge] goes. The zero value has none: the
// canary continues until a person decides.
//
// Fail and Pause are of one type, so that what one engine pauses for and another
// fails for is said in the same words:
//
//   - KubeVirt (processCanaryUpgrade) fails a canary that crash-loops:
//     Fail.CannotStart with CrashLoopBackOff.
//   - NVIDIA's driver upgrade fails after more than 10 restarts: Fail.MaxRestarts.
//   - SwarmKit (update/updater.go:Run) pauses or rolls back when the share of
//     failed tasks is above maxFailureRatio: MaxFailing and OnFailed of Pause or of
//     Fail.
type Thresholds struct {
	// Fail ends the canary. ExtendedDaemonSet's autoFail.
	Fail Rules
	// Pause holds it until a person decides. ExtendedDaemonSet's autoPause.
	Pause Rules
	// Promote says when it is over.
	Promote Promotion
}

// Rules are broken by single pods, from CannotStart to MaxRestarts, or by the
// canary as a whole. The zero value is broken by nothing.
type Rules struct {
	// CannotStart are reasons for which a container waits that cannot start; nil
	// is none. ExtendedDaemonSet pauses for eleven reasons
	// (pod.go:cannotStartReasons); those of [CannotStartReasons] are ours.
	CannotStart []string
	// MaxSlowStart is how long after its creation a pod may take to start. Until
	// then none of CannotStart counts; after it a pod breaks a rule too if one of
	// its containers is still being created: it waits with ContainerCreating or
	// PodInitializing. 0 is no limit: the former counts at once, the latter never.
	// ExtendedDaemonSet has it as maxSlowStartDuration
	// (strategy/canary.go:manageCanaryPodFailures), for ContainerCreating.
	// PodInitializing, with which all containers wait where there are init
	// containers, is ours, and so is what 0 means.
	MaxSlowStart time.Duration
	// OnFailed makes a pod in phase Failed break a rule. SwarmKit does;
	// ExtendedDaemonSet replaces such pods and does not hold it against the canary.
	OnFailed bool
	// UnreadyFor is how long a pod may be not ready, since its Ready condition
	// became so or, where it has no time, since the pod was created; 0 is no limit.
	// ExtendedDaemonSet does not look at readiness. The failure gate of a
	// rollout.Policy does by UnreadyFor, which forgets when the pod recovers.
	UnreadyFor time.Duration
	// MaxRestarts is how many restarts a pod may have; nil is no limit.
	// ExtendedDaemonSet has it, 2 to pause and 5 to fail.
	MaxRestarts *int32
	// MaxFailing is how many pods may break one of the rules above: a number, or a
	// percentage of the pods that are judged, not rounded; nil is 0, as in
	// ExtendedDaemonSet, where any pod is enough. SwarmKit's maxFailureRatio is of
	// the tasks to update, those not begun among them.
	MaxFailing *intstr.IntOrString

	// MaxRestartsDuration is how long there may be restarts, from the first to the
	// last of any pod of the canary; 0 is no limit. In ExtendedDaemonSet it fails,
	// by its condition PodRestarting, which is one for all pods.
	MaxRestartsDuration time.Duration
	// Timeout is how old the canary may become, paused or not; 0 is no limit. In
	// ExtendedDaemonSet it is canaryTimeout, and fails.
	Timeout time.Duration
}

// Promotion says when a canary is over. All of it has to hold, and no pause.
type Promotion struct {
	// Duration is how old the canary has to be; nil leaves it to a person, whatever
	// the other fields say. ExtendedDaemonSet has it
	// (utils.go:IsCanaryDeploymentEnded), counts from when the revision was
	// created, 10 minutes, and by a mode of its own leaves it to a person; here nil
	// is that mode.
	Duration *time.Duration
	// Quiet is how long ago the last restart has to be; 0 is not asked.
	// ExtendedDaemonSet has it as noRestartsDuration, 5 minutes.
	Quiet time.Duration
	// MinReady is how many pods have to be ready, and MinReadySeconds for how long;
	// 0 promotes a canary that has no pod. ExtendedDaemonSet does not ask. KubeVirt
	// (processCanaryUpgrade) goes on once one pod is ready. Selected.Wanted is a
	// good number.
	MinReady        int
	MinReadySeconds int32
}

// ExtendedDaemonSet returns the rules of Datadog's ExtendedDaemonSet with its
// defaults: it pauses for a container that cannot start and for more than 2
// restarts, fails for more than 5, and promotes after 10 minutes of which the last
// 5 were without a restart (strategy/canary.go:manageCanaryPodFailures,
// utils.go:IsCanaryDeploymentEnded). It has no default for MaxSlowStart,
// MaxRestartsDuration and Timeout, or none that is known here. The zero
// [Selection] has the default of one node.
func ExtendedDaemonSet() Thresholds {
	pause, fail, duration := int32(2), int32(5), 10*time.Minute
	return Thresholds{
		Fail:    Rules{MaxRestarts: &fail},
		Pause:   Rules{CannotStart: CannotStartReasons(), MaxRestarts: &pause},
		Promote: Promotion{Duration: &duration, Quiet: 5 * time.Minute},
	}
}

// CannotStartReasons returns, sorted, the reasons with which the kubelet says that
// a container that waits could not be started. CrashLoopBackOff is not among
// them: such a container starts, and its restarts are counted. The list is ours.
func CannotStartReasons() []string {
	return []string{
		"CreateContainerConfigError", "CreateContainerError",
		"ErrImageNeverPull", "ErrImagePull",
		"ImageInspectError", "ImagePullBackOff", "InvalidImageName",
		"PostStartHookError", "PreCreateHookError", "PreStartHookError",
		"RegistryUnavailable", "RunContainerError", "SignatureValidationFailed",
	}
}

// check finds the first field that cannot be used.
func (t *Thresholds) check() error {
	for _, r := range []struct {
		name  string
		rules *Rules
	}{{"fail", &t.Fail}, {"pause", &t.Pause}} {
		path := "thresholds." + r.name
		if r.rules.MaxFailing != nil {
			if _, _, err := amount(path+".maxFailing", *r.rules.MaxFailing, 0); err != nil {
				return err
			}
		}
		if n := r.rules.MaxRestarts; n != nil && *n < 0 {
			return fmt.Errorf("canary: %s.maxRestarts: %d is negative", path, *n)
		}
		for _, d := range []struct {
			name string
			d    time.Duration
		}{
			{"maxSlowStart", r.rules.MaxSlowStart}, {"unreadyFor", r.rules.UnreadyFor},
			{"maxRestartsDuration", r.rules.MaxRestartsDuration}, {"timeout", r.rules.Timeout},
		} {
			if d.d < 0 {
				return fmt.Errorf("canary: %s.%s: %s is negative", path, d.name, d.d)
			}
		}
	}
	switch p := &t.Promote; {
	case p.Duration != nil && *p.Duration < 0:
		return fmt.Errorf("canary: thresholds.promote.duration: %s is negative", *p.Duration)
	case p.Quiet < 0:
		return fmt.Errorf("canary: thresholds.promote.quiet: %s is negative", p.Quiet)
	case p.MinReady < 0:
		return fmt.Errorf("canary: thresholds.promote.minReady: %d is negative", p.MinReady)
	case p.MinReadySeconds < 0:
		return fmt.Errorf("canary: thresholds.promote.minReadySeconds: %d is negative", p.MinReadySeconds)
	}
	return nil
}
