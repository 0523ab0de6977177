package placement

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Flags are what is true of a pod.
type Flags uint16

const (
	// Scheduled: spec.nodeName is set.
	Scheduled Flags = 1 << iota
	// Ready: the first condition of type Ready is True.
	Ready
	// Terminating: the deletion timestamp is set.
	Terminating
	// Failed and Succeeded are the phases in which a pod has ended.
	Failed
	Succeeded
	// Updated: the pod is of the revision that the fleet was read for, by its
	// hash label or by its template generation. A pod can be Updated by its
	// generation and have another Revision.
	Updated
	// CrashLooping: the pod is not Ready, and one of its containers waits to be
	// restarted, with reason CrashLoopBackOff.
	CrashLooping
)

var flagNames = [...]string{"scheduled", "ready", "terminating", "failed", "succeeded", "updated", "crash-looping"}

// Has reports whether all of the given flags are set.
func (f Flags) Has(all Flags) bool { return f&all == all }

// Any reports whether one of the given flags is set.
func (f Flags) Any(of Flags) bool { return f&of != 0 }

// String joins the names of the flags with "|"; "none" when there are none.
func (f Flags) String() string {
	var names []string
	for i, name := range flagNames {
		if f.Any(1 << i) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "|")
}

// Pod is what decides about a pod. A simulator makes these without objects.
type Pod struct {
	Name string
	UID  types.UID
	// Revision is the value of the label controller-revision-hash; empty when
	// there is none.
	Revision string
	Created  time.Time
	// ReadyChanged is when the Ready condition became what it is, True or not;
	// zero when there is none or it has no time, with which a pod is never
	// available for a positive minReadySeconds.
	ReadyChanged time.Time
	Flags        Flags
	// Ref is the object that was read; nil for a pod that is only facts.
	Ref *corev1.Pod
}

// compare orders the pods of one node: scheduled before unscheduled, older
// before younger, then by name and UID. The first pod is the one that the
// controller keeps, and the only one that it counts.
func (p *Pod) compare(q *Pod) int {
	return cmp.Or(
		cmp.Compare(q.Flags&Scheduled, p.Flags&Scheduled),
		p.Created.Compare(q.Created),
		cmp.Compare(p.Name, q.Name),
		cmp.Compare(p.UID, q.UID),
		// Pods that are only facts may have neither name nor UID.
		cmp.Compare(p.Revision, q.Revision),
		cmp.Compare(p.Flags, q.Flags),
		p.ReadyChanged.Compare(q.ReadyChanged),
	)
}

// Facts reads one pod as [NewFleet] does, the hook included. The zero Pod stands
// for nil.
func (r Reading) Facts(pod *corev1.Pod) Pod {
	if pod == nil {
		return Pod{}
	}
	return r.facts(pod, r.generation())
}

// facts is Facts with the generation in the form of a label.
func (r *Reading) facts(pod *corev1.Pod, generation string) Pod {
	f := factsOf(pod, r.Revision, generation)
	if r.Pod != nil {
		f = r.Pod(pod, f)
	}
	return f
}

// generation is the generation in the form of a label; empty for none.
func (r *Reading) generation() string {
	if r.Generation == nil {
		return ""
	}
	return strconv.FormatInt(*r.Generation, 10)
}

// factsOf reads a pod, without the hook.
func factsOf(pod *corev1.Pod, hash, generation string) Pod {
	f := Pod{
		Name:     pod.Name,
		UID:      pod.UID,
		Revision: pod.Labels[hashLabel],
		Created:  pod.CreationTimestamp.Time,
		Ref:      pod,
	}
	if pod.Spec.NodeName != "" {
		f.Flags |= Scheduled
	}
	if pod.DeletionTimestamp != nil {
		f.Flags |= Terminating
	}
	switch pod.Status.Phase {
	case corev1.PodFailed:
		f.Flags |= Failed
	case corev1.PodSucceeded:
		f.Flags |= Succeeded
	}
	if hash != "" && f.Revision == hash ||
		generation != "" && pod.Labels[TemplateGenerationLabel] == generation {
		f.Flags |= Updated
	}
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type != corev1.PodReady {
			continue
		}
		f.ReadyChanged = c.LastTransitionTime.Time
		if c.Status == corev1.ConditionTrue {
			f.Flags |= Ready
		}
		break
	}
	if !f.Flags.Has(Ready) && (crashLooping(pod.Status.ContainerStatuses) || crashLooping(pod.Status.InitContainerStatuses)) {
		f.Flags |= CrashLooping
	}
	return f
}

func crashLooping(containers []corev1.ContainerStatus) bool {
	for i := range containers {
		if w := containers[i].State.Waiting; w != nil && w.Reason == "CrashLoopBackOff" {
			return true
		}
	}
	return false
}

// AvailableAt returns the moment from which the pod is available, and whether
// there is one: it has to be ready, and unless minReadySeconds is 0 its condition
// needs a transition time, after which those seconds go by. For a pod that is
// available by being ready alone the moment is the zero time.
func (p *Pod) AvailableAt(minReadySeconds int32) (time.Time, bool) {
	switch {
	case !p.Flags.Has(Ready):
		return time.Time{}, false
	case minReadySeconds == 0:
		return time.Time{}, true
	case p.ReadyChanged.IsZero():
		return time.Time{}, false
	}
	return p.ReadyChanged.Add(time.Duration(minReadySeconds) * time.Second), true
}
