package drain

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
)

// Sets are the DaemonSets of a cluster, compiled: parse them once, ask about many
// nodes. It is immutable and safe for concurrent use; the zero value is a cluster
// without DaemonSets.
type Sets struct {
	sets []set // by namespace and name
}

// set is one DaemonSet that the controller syncs.
type set struct {
	name     types.NamespacedName
	owner    placement.Owner
	spec     *appsv1.DaemonSetSpec
	selector labels.Selector
	matcher  *placement.Matcher
}

// Compile reads DaemonSets. Left out are those for which the controller creates
// nothing: nil, being deleted, with a selector that is missing, empty or does not
// parse. Of DaemonSets with the same namespace and name the last one counts. The
// objects must not change while the result is in use.
func Compile(sets []*appsv1.DaemonSet, o placement.Options) Sets {
	last := make(map[types.NamespacedName]int, len(sets))
	for i, ds := range sets {
		if ds != nil {
			last[nameOf(ds)] = i
		}
	}
	var s Sets
	for i, ds := range sets {
		if ds == nil || last[nameOf(ds)] != i || ds.DeletionTimestamp != nil {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
		if err != nil || ds.Spec.Selector == nil || selector.Empty() {
			continue
		}
		s.sets = append(s.sets, set{
			name: nameOf(ds), owner: placement.OwnerOf(ds), spec: &ds.Spec,
			selector: selector, matcher: placement.Compile(&ds.Spec.Template, o),
		})
	}
	slices.SortFunc(s.sets, func(a, b set) int { return compareNames(a.name, b.name) })
	return s
}

func nameOf(ds *appsv1.DaemonSet) types.NamespacedName {
	return types.NamespacedName{Namespace: ds.Namespace, Name: ds.Name}
}

func compareNames(a, b types.NamespacedName) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// on returns the facts of a node for the DaemonSet, with the pods that it has
// there.
func (s *set) on(node *corev1.Node, pods []*corev1.Pod) placement.Node {
	claimed := placement.Claim(s.owner, s.selector, pods).Claimed
	fleet := placement.NewFleet(s.matcher, []*corev1.Node{node}, claimed, placement.Reading{})
	return fleet.Nodes[0]
}
