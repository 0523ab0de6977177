package drain

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Options are the flags of kubectl drain. The zero value is kubectl without flags.
type Options struct {
	// Force deletes pods without controller, and daemon pods whose DaemonSet is
	// gone (--force).
	Force bool
	// IgnoreDaemonSets leaves daemon pods alone instead of refusing
	// (--ignore-daemonsets).
	IgnoreDaemonSets bool
	// DeleteEmptyDirData deletes pods although that loses their emptyDir volumes
	// (--delete-emptydir-data).
	DeleteEmptyDirData bool
	// SkipWaitForDeleteSeconds passes over pods whose deletion timestamp is more
	// than so many seconds in the past (--skip-wait-for-delete-timeout). With 0
	// or less none is.
	SkipWaitForDeleteSeconds int
	// Unreadable says of DaemonSets that could not be looked up, and not because
	// there is none, what the API server answered.
	Unreadable map[types.NamespacedName]string
}

// Action is what becomes of a pod. The values are stable.
type Action string

const (
	// Delete: the pod is evicted or deleted.
	Delete Action = "delete"
	// Skip: the pod stays, and the drain goes on.
	Skip Action = "skip"
	// Refuse: the pod stops the drain before anything is deleted.
	Refuse Action = "refuse"
)

// Code says why. The values are stable.
type Code string

const (
	// Deletable: nothing stands against it.
	Deletable Code = "deletable"
	// LongDeleted: the pod is being deleted for longer than is waited.
	LongDeleted Code = "long-deleted"
	// DaemonPod: a DaemonSet has the pod.
	DaemonPod Code = "daemon-pod"
	// OrphanedDaemonPod: the DaemonSet that the pod refers to does not exist.
	OrphanedDaemonPod Code = "orphaned-daemon-pod"
	// UnreadableDaemonSet: whether the DaemonSet exists could not be found out.
	UnreadableDaemonSet Code = "unreadable-daemonset"
	// MirrorPod: the kubelet runs the pod from a file.
	MirrorPod Code = "mirror-pod"
	// LocalStorage: the pod has an emptyDir volume.
	LocalStorage Code = "local-storage"
	// Unmanaged: the pod has no controller.
	Unmanaged Code = "unmanaged"
)

// The messages of kubectl.
const (
	daemonSetFatal      = "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"
	daemonSetWarning    = "ignoring DaemonSet-managed Pods"
	localStorageFatal   = "Pods with local storage (use --delete-emptydir-data to override)"
	localStorageWarning = "deleting Pods with local storage"
	unmanagedFatal      = "Pods that declare no controller (use --force to override)"
	unmanagedWarning    = "deleting Pods that declare no controller"
)

// Verdict is what kubectl drain does with one pod.
type Verdict struct {
	// Pod is the object that was judged.
	Pod    *corev1.Pod `json:"-"`
	Action Action      `json:"action"`
	Code   Code        `json:"code"`
	// Message is kubectl's: an error of a pod that is refused, a warning of
	// another; empty where it says nothing.
	Message string `json:"message,omitempty"`
	// Overwritten are warnings that a later filter made kubectl forget, such as
	// that of local storage, in the order of the filters.
	Overwritten []string `json:"overwritten,omitempty"`
}

// Judge returns what kubectl drain does with each of the pods, which are those of
// one node, ordered by namespace, name and UID. Nil entries are passed over, and
// of pods with the same UID, unless it is empty, the last one counts.
//
// sets are the DaemonSets that exist. kubectl looks one up by the namespace of the
// pod and the name in its controller reference, not by UID.
func Judge(pods []*corev1.Pod, sets []*appsv1.DaemonSet, now time.Time, o Options) []Verdict {
	known := make(map[types.NamespacedName]bool, len(sets))
	for _, ds := range sets {
		if ds != nil {
			known[types.NamespacedName{Namespace: ds.Namespace, Name: ds.Name}] = true
		}
	}
	j := judge{known: known, now: now, o: o}
	last := make(map[types.UID]int, len(pods))
	for i, pod := range pods {
		if pod != nil && pod.UID != "" {
			last[pod.UID] = i
		}
	}
	var verdicts []Verdict
	for i, pod := range pods {
		if pod == nil || pod.UID != "" && last[pod.UID] != i {
			continue
		}
		verdicts = append(verdicts, j.verdict(pod))
	}
	slices.SortStableFunc(verdicts, func(a, b Verdict) int {
		return cmp.Or(
			cmp.Compare(a.Pod.Namespace, b.Pod.Namespace),
			cmp.Compare(a.Pod.Name, b.Pod.Name),
			cmp.Compare(a.Pod.UID, b.Pod.UID),
		)
	})
	return verdicts
}

// judge holds what the filters look at besides the pod.
type judge struct {
	known map[types.NamespacedName]bool
	now   time.Time
	o     Options
}

// opinion is what one filter says.
type opinion struct {
	action  Action
	code    Code
	message string
}

var pass = opinion{action: Delete, code: Deletable}

// verdict asks the filters in kubectl's order. The first that does not delete
// decides; otherwise the last one does, and forgets what the others said.
func (j *judge) verdict(pod *corev1.Pod) Verdict {
	v := Verdict{Pod: pod}
	for _, filter := range []func(*corev1.Pod) opinion{
		j.deleted, j.daemonSet, mirror, j.localStorage, j.unmanaged,
	} {
		if v.Message != "" {
			v.Overwritten = append(v.Overwritten, v.Message)
		}
		said := filter(pod)
		v.Action, v.Code, v.Message = said.action, said.code, said.message
		if v.Action != Delete {
			break
		}
	}
	return v
}

func (j *judge) deleted(pod *corev1.Pod) opinion {
	if limit := j.o.SkipWaitForDeleteSeconds; limit > 0 && !pod.DeletionTimestamp.IsZero() &&
		int(j.now.Sub(pod.DeletionTimestamp.Time).Seconds()) > limit {
		return opinion{action: Skip, code: LongDeleted}
	}
	return pass
}

func (j *judge) daemonSet(pod *corev1.Pod) opinion {
	if !IsDaemonPod(pod, Kubectl) || ended(pod) {
		return pass
	}
	name := types.NamespacedName{Namespace: pod.Namespace, Name: metav1.GetControllerOfNoCopy(pod).Name}
	if answer, found := j.o.Unreadable[name]; found {
		return opinion{Refuse, UnreadableDaemonSet, answer}
	}
	switch {
	case !j.known[name] && j.o.Force:
		return opinion{Delete, OrphanedDaemonPod, notFound(name.Name)}
	case !j.known[name]:
		return opinion{Refuse, OrphanedDaemonPod, notFound(name.Name)}
	case !j.o.IgnoreDaemonSets:
		return opinion{Refuse, DaemonPod, daemonSetFatal}
	}
	return opinion{Skip, DaemonPod, daemonSetWarning}
}

func mirror(pod *corev1.Pod) opinion {
	if _, found := pod.Annotations[corev1.MirrorPodAnnotationKey]; found {
		return opinion{action: Skip, code: MirrorPod}
	}
	return pass
}

func (j *judge) localStorage(pod *corev1.Pod) opinion {
	local := slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.EmptyDir != nil })
	switch {
	case !local || ended(pod):
		return pass
	case !j.o.DeleteEmptyDirData:
		return opinion{Refuse, LocalStorage, localStorageFatal}
	}
	return opinion{Delete, LocalStorage, localStorageWarning}
}

func (j *judge) unmanaged(pod *corev1.Pod) opinion {
	switch {
	case ended(pod) || metav1.GetControllerOfNoCopy(pod) != nil:
		return pass
	case j.o.Force:
		return opinion{Delete, Unmanaged, unmanagedWarning}
	}
	return opinion{Refuse, Unmanaged, unmanagedFatal}
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
