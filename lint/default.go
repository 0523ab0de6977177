package lint

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/internal/defaults"
)

// Default returns a copy of the DaemonSet with everything filled in that the API
// server fills in for apps/v1, whatever the object already says elsewhere, valid
// or not. Default of a result is that result; nil stays nil.
//
// A DaemonSet that was read from the API server comes back unchanged. One from
// a manifest comes back with the spec that the API server would return, but not
// with what the server writes by itself: uid, generation, timestamps, managed
// fields, the annotation deprecated.daemonset.template.generation and the
// status. Nor are fields dropped that belong to a feature gate which is off.
func Default(ds *appsv1.DaemonSet) *appsv1.DaemonSet { return defaults.DaemonSet(ds) }

// DefaultTemplate returns a copy of the template as the API server would return
// it inside a DaemonSet, so that a template from a file can be compared with one
// from a cluster. nil stays nil.
//
// Pods get more defaults than templates do: requests from limits, host ports on
// the host network, enableServiceLinks. Those are not filled in.
func DefaultTemplate(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	return defaults.Template(template)
}
