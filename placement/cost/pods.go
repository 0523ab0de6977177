package cost

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// podReader finds the pods of one DaemonSet on each node.
type podReader struct {
	start []int // of each node in pods, and one more
	pods  []podCost
	where []int // the node of each pod of the list, or -1
	last  map[types.UID]int
}

// podCost is what counts of a pod.
type podCost struct {
	pod   *corev1.Pod
	takes []entry
	old   bool
}

// on are the pods on a node, the one that the controller keeps first.
func (r *podReader) on(node int) []podCost {
	if len(r.pods) == 0 {
		return nil
	}
	return r.pods[r.start[node]:r.start[node+1]]
}

// read sorts the pods of a workload by node.
func (r *podReader) read(w *Workload, f *fleet) error {
	r.pods = r.pods[:0]
	if len(w.Pods) == 0 {
		return nil
	}
	r.count(w.Pods, f)
	r.pods = slices.Grow(r.pods, r.start[len(f.nodes)])[:r.start[len(f.nodes)]]
	next := slices.Clone(r.start)
	known := sizes{table: f.table}
	dated := w.Reading.Revision != "" || w.Reading.Generation != nil || w.Reading.Pod != nil
	for i, pod := range w.Pods {
		at := r.where[i]
		if at < 0 {
			continue
		}
		takes, err := known.of(pod)
		if err != nil {
			return fmt.Errorf("pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
		old := dated && !w.Reading.Facts(pod).Flags.Has(placement.Updated)
		r.pods[next[at]] = podCost{pod, takes, old}
		next[at]++
	}
	for i := range f.nodes {
		if pods := r.on(i); len(pods) > 1 {
			inOrder(pods, f.nodes[i])
		}
	}
	return nil
}

// count finds the node of each pod and counts the pods of each node.
func (r *podReader) count(pods []*corev1.Pod, f *fleet) {
	r.start = slices.Grow(r.start[:0], len(f.nodes)+1)[:len(f.nodes)+1]
	clear(r.start)
	r.where = slices.Grow(r.where[:0], len(pods))[:len(pods)]
	if r.last == nil {
		r.last = make(map[types.UID]int, len(pods))
	}
	clear(r.last)
	for i, pod := range pods {
		r.where[i] = -1
		if pod == nil {
			continue
		}
		if pod.UID != "" {
			if earlier, again := r.last[pod.UID]; again {
				if at := r.where[earlier]; at >= 0 {
					r.start[at+1]--
					r.where[earlier] = -1
				}
			}
			r.last[pod.UID] = i
		}
		if ended(pod) {
			continue
		}
		name, err := placement.TargetNode(pod)
		if err != nil {
			continue
		}
		if at, ok := f.at[name]; ok {
			r.where[i] = at
			r.start[at+1]++
		}
	}
	for i := range f.nodes {
		r.start[i+1] += r.start[i]
	}
}

// inOrder puts the pods of a node into the order of a placement.Fleet.
func inOrder(pods []podCost, node *corev1.Node) {
	objects := make([]*corev1.Pod, len(pods))
	rank := make(map[*corev1.Pod]int, len(pods))
	for i := range pods {
		objects[i] = pods[i].pod
	}
	facts := placement.NewFleet(nil, []*corev1.Node{node}, objects, placement.Reading{})
	for i := range facts.Nodes[0].Pods {
		rank[facts.Nodes[0].Pods[i].Ref] = i
	}
	slices.SortStableFunc(pods, func(a, b podCost) int { return rank[a.pod] - rank[b.pod] })
}
