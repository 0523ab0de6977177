package revision

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/daemonplan/daemonplan/internal/defaults"
)

// Matches reports whether the revision stores the template, byte by byte: the
// rule of the controller. A nil revision stores nothing.
//
// It is an error when the template cannot be written as JSON; see [Patch].
func Matches(template *corev1.PodTemplateSpec, revision *appsv1.ControllerRevision) (bool, error) {
	patch, err := Patch(template)
	if err != nil {
		return false, err
	}
	return revision != nil && bytes.Equal(patch, revision.Data.Raw), nil
}

// MatchesByMeaning reports whether the revision stores a template that means the
// same: equal once both have the API server's defaults, leave out
// "creationTimestamp":null, and have their unordered lists in one order; see
// [Normalize]. Pods of such a revision need no restart.
//
// It is an error when the revision does not store a template; see [Template].
func MatchesByMeaning(template *corev1.PodTemplateSpec, revision *appsv1.ControllerRevision) (bool, error) {
	stored, err := Template(revision)
	if err != nil {
		return false, err
	}
	return equality.Semantic.DeepEqual(Normalize(template), Normalize(stored)), nil
}

// meaning is a template whose meaning is compared with that of many revisions.
type meaning struct{ normal *corev1.PodTemplateSpec }

func meaningOf(template *corev1.PodTemplateSpec) *meaning { return &meaning{Normalize(template)} }

// of reports whether the revision means the same. One that stores no template
// does not.
func (m *meaning) of(r *appsv1.ControllerRevision) bool {
	stored, err := Template(r)
	return err == nil && equality.Semantic.DeepEqual(m.normal, Normalize(stored))
}

// Normalize returns a copy of the template in the one form that all templates of
// the same meaning share: with the API server's defaults, and with every list
// sorted whose order means nothing. These are the terms, requirements and values
// of node affinity, tolerations, volumes, image pull
// secrets, and of each container its ports and the capabilities that it adds and
// drops. Containers, environment, commands and mounts keep their order. A nil
// template becomes an empty one with the defaults.
func Normalize(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	if template == nil {
		template = &corev1.PodTemplateSpec{}
	}
	t := defaults.Template(template)
	spec := &t.Spec
	if a := spec.Affinity; a != nil && a.NodeAffinity != nil {
		if required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
			for i := range required.NodeSelectorTerms {
				sortTerm(&required.NodeSelectorTerms[i])
			}
			sortByJSON(required.NodeSelectorTerms)
		}
		preferred := a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		for i := range preferred {
			sortTerm(&preferred[i].Preference)
		}
		sortByJSON(preferred)
	}
	sortByJSON(spec.Tolerations)
	slices.SortStableFunc(spec.Volumes, func(a, b corev1.Volume) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(spec.ImagePullSecrets, func(a, b corev1.LocalObjectReference) int { return cmp.Compare(a.Name, b.Name) })
	for i := range spec.InitContainers {
		sortContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		sortContainer(&spec.Containers[i])
	}
	return t
}

// sortTerm sorts the requirements of a term and their values.
func sortTerm(t *corev1.NodeSelectorTerm) {
	for _, list := range [][]corev1.NodeSelectorRequirement{t.MatchExpressions, t.MatchFields} {
		for i := range list {
			slices.Sort(list[i].Values)
		}
		sortByJSON(list)
	}
}

func sortContainer(c *corev1.Container) {
	sortByJSON(c.Ports)
	if c.SecurityContext != nil && c.SecurityContext.Capabilities != nil {
		slices.Sort(c.SecurityContext.Capabilities.Add)
		slices.Sort(c.SecurityContext.Capabilities.Drop)
	}
}

// sortByJSON sorts a list by what its elements look like. Which order that is
// does not matter, as long as it is one.
func sortByJSON[T any](list []T) {
	if len(list) < 2 {
		return
	}
	type keyed struct {
		key  string
		elem T
	}
	all := make([]keyed, len(list))
	for i, v := range list {
		// None of these types has a value without a form in JSON.
		key, _ := json.Marshal(v)
		all[i] = keyed{string(key), v}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i := range all {
		list[i] = all[i].elem
	}
}
