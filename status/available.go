package status

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

// Ready reports whether the first condition of type Ready is True. A nil pod is
// not ready.
func Ready(pod *corev1.Pod) bool {
	return placement.Reading{}.Facts(pod).Flags.Has(placement.Ready)
}

// Available reports whether the pod is ready and has been for minReadySeconds.
// With 0 being ready is enough; with a negative number the Ready condition needs a
// transition time all the same.
func Available(pod *corev1.Pod, minReadySeconds int32, now time.Time) bool {
	p := placement.Reading{}.Facts(pod)
	return available(&p, minReadySeconds, now)
}

// AvailableAt returns the moment from which the pod is available, and whether
// there is one: without becoming ready first, or without a transition time while
// minReadySeconds is not 0, there is none. For a pod that is available by being
// ready alone the moment is the zero time.
func AvailableAt(pod *corev1.Pod, minReadySeconds int32) (time.Time, bool) {
	p := placement.Reading{}.Facts(pod)
	return p.AvailableAt(minReadySeconds)
}

// available is Available on facts.
func available(p *placement.Pod, minReadySeconds int32, now time.Time) bool {
	at, ok := p.AvailableAt(minReadySeconds)
	return ok && !at.After(now)
}
