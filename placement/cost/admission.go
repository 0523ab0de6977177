package cost

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/tolerations"
)

// Admission is what a cluster holds that changes a pod when it is created. The zero
// value changes nothing but what the API server defaults by itself. The lists may be
// those of the whole cluster, in any order; of objects with the same name the last
// one counts, and nil entries are passed over.
type Admission struct {
	// LimitRanges are those of all namespaces or of the pod's; one without a
	// namespace applies to every pod. They are applied by name: the API server
	// goes by no order, and where two give a default for the same resource, one of
	// them wins.
	LimitRanges []*corev1.LimitRange
	// RuntimeClasses that a pod can name. When nil, the pod's own overhead counts;
	// when not, a class that is not among them refuses the pod.
	RuntimeClasses []*nodev1.RuntimeClass
	// PriorityClasses likewise. The two of the system are always known.
	PriorityClasses []*schedulingv1.PriorityClass
}

// Admit returns the pod as the API server would persist it, in what costs: limits
// copied to requests, the ports of a pod in the host's network, LimitRanges,
// RuntimeClass, priority, and then the requests of the pod as a whole. Webhooks are
// not known here: pass a pod that went through them as [Options].Pod.
//
// The list is what the pod would be refused for; it is returned all the same, as
// far as it got. Both are the caller's. Nil stays nil.
func Admit(pod *corev1.Pod, a Admission) (*corev1.Pod, field.ErrorList) {
	if pod == nil {
		return nil, nil
	}
	pod = pod.DeepCopy()
	spec := &pod.Spec
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			fill(&list[i].Resources.Requests, list[i].Resources.Limits)
			for j := range list[i].Ports {
				if p := &list[i].Ports[j]; spec.HostNetwork && p.HostPort == 0 {
					p.HostPort = p.ContainerPort
				}
			}
		}
	}
	for _, lr := range lastOf(a.LimitRanges, func(lr *corev1.LimitRange) string { return lr.Name + "\x00" + lr.Namespace }) {
		if lr.Namespace == "" || lr.Namespace == pod.Namespace {
			limitRange(spec, lr)
		}
	}
	refused := runtimeClass(spec, a.RuntimeClasses)
	refused = append(refused, priority(spec, a.PriorityClasses)...)
	whole, err := usable(pod, nil)
	if err != nil {
		return pod, append(refused, err)
	}
	wholePod(whole)
	return whole, refused
}

// fill adds to a list what it has not of another.
func fill(list *corev1.ResourceList, from corev1.ResourceList) {
	for name, quantity := range from {
		if _, exists := (*list)[name]; exists {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = quantity.DeepCopy()
	}
}

// limitRange fills in what the containers leave open. The API server has defaulted
// the items before it stores them, which is done here for items from a manifest:
// default from max, defaultRequest from default and then from min.
func limitRange(spec *corev1.PodSpec, lr *corev1.LimitRange) {
	var requests, limits corev1.ResourceList
	for i := range lr.Spec.Limits {
		item := &lr.Spec.Limits[i]
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		var limit, request corev1.ResourceList
		fill(&limit, item.Default)
		fill(&limit, item.Max)
		fill(&request, item.DefaultRequest)
		fill(&request, limit)
		fill(&request, item.Min)
		// Of two items the later one wins.
		fill(&limit, limits)
		fill(&request, requests)
		limits, requests = limit, request
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			fill(&list[i].Resources.Limits, limits)
			fill(&list[i].Resources.Requests, requests)
		}
	}
}

// runtimeClass writes overhead, node selector and tolerations of the class. The
// DaemonSet controller sees none of them, so that it creates pods on nodes that the
// class does not fit, which stay pending.
func runtimeClass(spec *corev1.PodSpec, classes []*nodev1.RuntimeClass) field.ErrorList {
	if spec.RuntimeClassName == nil || *spec.RuntimeClassName == "" || classes == nil {
		return nil
	}
	all := lastOf(classes, func(c *nodev1.RuntimeClass) string { return c.Name })
	i := slices.IndexFunc(all, func(c *nodev1.RuntimeClass) bool { return c.Name == *spec.RuntimeClassName })
	if i < 0 {
		return field.ErrorList{field.NotFound(field.NewPath("spec", "runtimeClassName"), *spec.RuntimeClassName)}
	}
	var refused field.ErrorList
	class := all[i].DeepCopy()
	if class.Overhead != nil {
		if len(spec.Overhead) > 0 && !sameList(spec.Overhead, class.Overhead.PodFixed) {
			refused = append(refused, field.Forbidden(field.NewPath("spec", "overhead"), "must be that of the RuntimeClass "+class.Name))
		}
		spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling != nil {
		for key, value := range class.Scheduling.NodeSelector {
			if own, ok := spec.NodeSelector[key]; ok && own != value {
				refused = append(refused, field.Forbidden(field.NewPath("spec", "nodeSelector").Key(key), "must be that of the RuntimeClass "+class.Name))
				continue
			}
			if spec.NodeSelector == nil {
				spec.NodeSelector = map[string]string{}
			}
			spec.NodeSelector[key] = value
		}
		spec.Tolerations = tolerations.Merge(spec.Tolerations, class.Scheduling.Tolerations)
	}
	slices.SortFunc(refused, func(a, b *field.Error) int { return strings.Compare(a.Field, b.Field) })
	return refused
}

// sameList reports whether two lists hold the same amounts. Lists that cannot be
// read are the same only when they are written alike.
func sameList(a, b corev1.ResourceList) bool {
	if len(a) != len(b) {
		return false
	}
	for name, q := range a {
		r, ok := b[name]
		if !ok {
			return false
		}
		x, _, errX := read(q)
		y, _, errY := read(r)
		if x != y || (errX == nil) != (errY == nil) {
			return false
		}
	}
	return true
}

// The classes that every cluster has.
const (
	systemCritical     int32 = 2_000_000_000
	systemNodeCritical int32 = systemCritical + 1000
)

// priority resolves the class of a pod.
func priority(spec *corev1.PodSpec, classes []*schedulingv1.PriorityClass) field.ErrorList {
	var value int32
	policy := corev1.PreemptLowerPriority
	switch name := spec.PriorityClassName; {
	case name == "system-node-critical":
		value = systemNodeCritical
	case name == "system-cluster-critical":
		value = systemCritical
	case classes == nil:
		// Nothing is known, so the pod keeps what it has.
		return nil
	default:
		class := priorityClass(name, classes)
		switch {
		case class == nil && name != "":
			return field.ErrorList{field.NotFound(field.NewPath("spec", "priorityClassName"), name)}
		case class != nil:
			spec.PriorityClassName, value = class.Name, class.Value
			if class.PreemptionPolicy != nil {
				policy = *class.PreemptionPolicy
			}
		}
	}
	var refused field.ErrorList
	if spec.Priority != nil && *spec.Priority != value {
		refused = append(refused, field.Forbidden(field.NewPath("spec", "priority"), fmt.Sprintf("must be %d, that of the PriorityClass", value)))
	}
	if spec.PreemptionPolicy != nil && *spec.PreemptionPolicy != policy {
		refused = append(refused, field.Forbidden(field.NewPath("spec", "preemptionPolicy"), fmt.Sprintf("must be %s, that of the PriorityClass", policy)))
	}
	spec.Priority, spec.PreemptionPolicy = &value, &policy
	return refused
}

// priorityClass finds a class; for no name the global default, of several the one
// with the least value, as the API server does.
func priorityClass(name string, classes []*schedulingv1.PriorityClass) *schedulingv1.PriorityClass {
	var found *schedulingv1.PriorityClass
	for _, c := range lastOf(classes, func(c *schedulingv1.PriorityClass) string { return c.Name }) {
		switch {
		case name != "" && c.Name == name:
			return c
		case name == "" && c.GlobalDefault && (found == nil || c.Value < found.Value):
			found = c
		}
	}
	return found
}

// lastOf are the objects of a list by key, without nil and those that come again.
func lastOf[T any](list []*T, key func(*T) string) []*T {
	byKey := make(map[string]*T, len(list))
	for _, object := range list {
		if object != nil {
			byKey[key(object)] = object
		}
	}
	keys := make([]string, 0, len(byKey))
	for k := range byKey {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	all := make([]*T, len(keys))
	for i, k := range keys {
		all[i] = byKey[k]
	}
	return all
}
