package lint

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Where things stand in a DaemonSet.
const (
	podSpec       = "spec.template.spec"
	nodeSelector  = podSpec + ".nodeSelector"
	tolerationsAt = podSpec + ".tolerations"
	nodeAffinity  = podSpec + ".affinity.nodeAffinity"
	requiredTerms = nodeAffinity + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	preferredAt   = nodeAffinity + ".preferredDuringSchedulingIgnoredDuringExecution"
	rollingUpdate = "spec.updateStrategy.rollingUpdate"
)

var templatePath = field.NewPath("spec", "template")

func at(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

func key(of, key string) string { return fmt.Sprintf("%s[%s]", of, key) }

// placed is a container and where it stands.
type placed struct {
	*corev1.Container
	field string
}

// running are the containers that run as long as the pod does: the sidecars among
// the init containers, then the others.
func (s *subject) running() []placed {
	var all []placed
	for _, c := range s.containers() {
		sidecar := c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		if sidecar || !strings.Contains(c.field, ".initContainers[") {
			all = append(all, c)
		}
	}
	return all
}

// containers are all of them, in the order in which they start.
func (s *subject) containers() []placed {
	var all []placed
	for i := range s.spec.InitContainers {
		all = append(all, placed{&s.spec.InitContainers[i], at(podSpec+".initContainers", i)})
	}
	for i := range s.spec.Containers {
		all = append(all, placed{&s.spec.Containers[i], at(podSpec+".containers", i)})
	}
	return all
}

// terms are those of the required node affinity; set is false when there is none.
func (s *subject) terms() (terms []corev1.NodeSelectorTerm, set bool) {
	if a := s.spec.Affinity; a != nil && a.NodeAffinity != nil {
		if required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
			return required.NodeSelectorTerms, true
		}
	}
	return nil, false
}

// restricts reports whether every node that is selected was asked for one of the
// labels: by nodeSelector, or in each term of the required node affinity.
func (s *subject) restricts(keys ...string) bool {
	for _, k := range keys {
		if _, found := s.spec.NodeSelector[k]; found {
			return true
		}
	}
	terms, _ := s.terms()
	for i := range terms {
		if !slices.ContainsFunc(terms[i].MatchExpressions, func(r corev1.NodeSelectorRequirement) bool { return slices.Contains(keys, r.Key) }) {
			return false
		}
	}
	return len(terms) > 0
}

// some names up to three of a list and counts the rest.
func some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
