package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/resource"

	"github.com/daemonplan/daemonplan/placement"
)

// Options say how a template is judged and priced. The zero value is a default
// cluster without LimitRanges, whose RuntimeClasses and PriorityClasses are not known.
type Options struct {
	// Placement is how nodes are judged.
	Placement placement.Options
	// Admission is what changes the pod at its creation.
	Admission Admission
	// Pod, when set, is what is priced in place of the template: a pod that went
	// through webhooks or was sized by a VPA. It counts as it is written, without
	// Admission and without its status, since a new pod starts with its spec. Where
	// pods go is always up to the template: a pod's own affinity names one node.
	Pod *corev1.Pod
}

// Daemon is a DaemonSet, compiled and priced. It is immutable, and safe for
// concurrent use. Make one with [Compile].
type Daemon struct {
	Key types.NamespacedName
	// Matcher judges nodes.
	Matcher *placement.Matcher
	// Requests is what one new pod takes, a pod slot included.
	Requests Resources
	// Limits are what its containers, or the pod as a whole, may use at most. A
	// container without a limit is not seen in them.
	Limits Resources
	// Ports are the host ports it opens, sorted.
	Ports []HostPort
	// Claims are its resource claims (DRA), in the order of the pod.
	Claims []corev1.PodResourceClaim
	// Priority, and whether the scheduler may evict pods of a lower one for it: see
	// [Admission].PriorityClasses.
	Priority      int32
	PriorityClass string
	Preempts      bool
	// Refused is what the API server would refuse the pod for, as far as is seen
	// here. A refused DaemonSet is priced like any other: it would take this much.
	Refused field.ErrorList

	reads reads
}

// Compile prices a DaemonSet. The error names the field of a quantity that is
// negative or out of range, or is [ErrOverflow]. A nil DaemonSet is an error.
func Compile(ds *appsv1.DaemonSet, o Options) (*Daemon, error) {
	if ds == nil {
		return nil, fmt.Errorf("cost: no DaemonSet")
	}
	return CompileTemplate(placement.OwnerOf(ds), &ds.Spec.Template, o)
}

// CompileTemplate is [Compile] for an owner of any kind. A nil template is an empty
// one.
func CompileTemplate(owner placement.Owner, template *corev1.PodTemplateSpec, o Options) (*Daemon, error) {
	d := &Daemon{
		Matcher: placement.Compile(template, o.Placement),
		reads:   readsOf(template, &o.Placement),
	}
	path := o.Placement.Path
	pod := o.Pod
	if pod == nil {
		pod = placement.NewPod(owner, template, "", placement.PodOptions{Tolerations: o.Placement.Run})
	} else {
		path = field.NewPath("pod")
	}
	if ref := owner.ControllerRef(); ref != nil {
		d.Key = types.NamespacedName{Namespace: owner.Object.GetNamespace(), Name: owner.Object.GetName()}
	}
	usablePod, bad := usable(pod, path)
	if bad != nil {
		return nil, fmt.Errorf("cost: %s: %w", d.Key, bad)
	}
	pod = usablePod
	if o.Pod == nil {
		if pod, d.Refused = Admit(pod, o.Admission); len(d.Refused) > 0 {
			// What is left is what a LimitRange or a RuntimeClass brought in.
			if _, bad := usable(pod, nil); bad != nil {
				return nil, fmt.Errorf("cost: %s: admission: %w", d.Key, bad)
			}
		}
	}
	var err error
	if d.Requests, err = sum(pod, resource.PodResourcesOptions{}); err != nil {
		return nil, fmt.Errorf("cost: %s: requests: %w", d.Key, err)
	}
	if d.Limits, err = limits(pod); err != nil {
		return nil, fmt.Errorf("cost: %s: limits: %w", d.Key, err)
	}
	d.Ports = portsOf(&pod.Spec)
	for i := range pod.Spec.ResourceClaims {
		d.Claims = append(d.Claims, *pod.Spec.ResourceClaims[i].DeepCopy())
	}
	if pod.Spec.Priority != nil {
		d.Priority = *pod.Spec.Priority
	}
	d.PriorityClass = pod.Spec.PriorityClassName
	d.Preempts = pod.Spec.PreemptionPolicy == nil || *pod.Spec.PreemptionPolicy == corev1.PreemptLowerPriority
	return d, nil
}

// String is the key and the requests.
func (d *Daemon) String() string {
	if d == nil {
		return "no daemon"
	}
	return fmt.Sprintf("%s: %s", d.Key, d.Requests)
}

// HostPort is a port that a pod opens on its node.
type HostPort struct {
	// IP is empty for every address of the node.
	IP       string
	Protocol corev1.Protocol
	Port     int32
}

// String is "TCP 10.0.0.1:9100", or without an address "TCP 9100".
func (p HostPort) String() string {
	if p.IP == "" {
		return fmt.Sprintf("%s %d", p.Protocol, p.Port)
	}
	return fmt.Sprintf("%s %s:%d", p.Protocol, p.IP, p.Port)
}

// Conflicts reports whether two pods with these ports cannot be on the same node.
func (p HostPort) Conflicts(o HostPort) bool {
	anyAddress := func(ip string) bool { return ip == "" || ip == "0.0.0.0" || ip == "::" }
	return p.Port == o.Port && p.Protocol == o.Protocol && (p.IP == o.IP || anyAddress(p.IP) || anyAddress(o.IP))
}

func (p HostPort) compare(o HostPort) int {
	return cmp.Or(cmp.Compare(p.Port, o.Port), strings.Compare(string(p.Protocol), string(o.Protocol)), strings.Compare(p.IP, o.IP))
}

// portsOf are the host ports of containers and sidecars; an init container that
// ends is not there beside other pods for long, and the scheduler does not count it.
func portsOf(spec *corev1.PodSpec) []HostPort {
	var all []HostPort
	add := func(c *corev1.Container) {
		for _, p := range c.Ports {
			if p.HostPort > 0 {
				all = append(all, HostPort{p.HostIP, cmp.Or(p.Protocol, corev1.ProtocolTCP), p.HostPort})
			}
		}
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; sidecar(c) {
			add(c)
		}
	}
	for i := range spec.Containers {
		add(&spec.Containers[i])
	}
	slices.SortFunc(all, HostPort.compare)
	return slices.Compact(all)
}
