package revision

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Patch returns the bytes that a revision stores for a template: the strategic
// merge patch that puts the template back, with sorted keys and without a
// newline. Equal templates have equal patches, and a nil template has that of an
// empty one.
//
// It is an error when the template has a value that JSON has no form for, such as
// an IntOrString of neither type.
func Patch(template *corev1.PodTemplateSpec) ([]byte, error) {
	if template == nil {
		template = &corev1.PodTemplateSpec{}
	}
	data, err := json.Marshal(template)
	if err != nil {
		return nil, fmt.Errorf("revision: template: %w", err)
	}
	// Through maps, as the controller does: that is what sorts the keys, and
	// what turns large integers into the nearest floating-point number.
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("revision: template: %w", err)
	}
	dropNullTimes(fields)
	fields[directive] = directiveReplace
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	if err != nil {
		return nil, fmt.Errorf("revision: template: %w", err)
	}
	return patch, nil
}

const (
	directive        = "$patch"
	directiveReplace = "replace"
)

// dropNullTimes removes "creationTimestamp":null from every metadata below. A
// time that is set stays.
func dropNullTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		if metadata, ok := value["metadata"].(map[string]any); ok {
			if time, found := metadata["creationTimestamp"]; found && time == nil {
				delete(metadata, "creationTimestamp")
			}
		}
		for _, v := range value {
			dropNullTimes(v)
		}
	case []any:
		for _, v := range value {
			dropNullTimes(v)
		}
	}
}

// Template returns the template that a revision stores, decoded from its patch.
// Fields that this version of k8s.io/api does not know are dropped.
//
// It is an error when the revision is nil, when its data is not JSON, or when it
// is not a patch that replaces spec.template: then it is not a DaemonSet's.
func Template(revision *appsv1.ControllerRevision) (*corev1.PodTemplateSpec, error) {
	if revision == nil {
		return nil, fmt.Errorf("revision: no revision")
	}
	var patch struct {
		Spec struct {
			Template json.RawMessage `json:"template"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(revision.Data.Raw, &patch); err != nil {
		return nil, fmt.Errorf("revision: %s: data: %w", revision.Name, err)
	}
	var replaces struct {
		Directive string `json:"$patch"`
	}
	if len(patch.Spec.Template) == 0 {
		return nil, fmt.Errorf("revision: %s: data.spec.template: not there", revision.Name)
	}
	if err := json.Unmarshal(patch.Spec.Template, &replaces); err != nil {
		return nil, fmt.Errorf("revision: %s: data.spec.template: %w", revision.Name, err)
	}
	if replaces.Directive != directiveReplace {
		return nil, fmt.Errorf("revision: %s: data.spec.template.$patch: is %q, must be %q", revision.Name, replaces.Directive, directiveReplace)
	}
	template := &corev1.PodTemplateSpec{}
	if err := json.Unmarshal(patch.Spec.Template, template); err != nil {
		return nil, fmt.Errorf("revision: %s: data.spec.template: %w", revision.Name, err)
	}
	return template, nil
}
