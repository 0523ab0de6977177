package revision

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Class says what a change of a template is about. The values are stable.
type Class string

const (
	// NoChange: the templates mean the same.
	NoChange Class = "none"
	// MetadataOnly: labels or annotations.
	MetadataOnly Class = "metadata-only"
	// PlacementOnly: nodeSelector, nodeName, affinity, tolerations or topology
	// spread. A pod on a node that is still eligible could stay as it is.
	PlacementOnly Class = "placement-only"
	// ImageOnly: the images of containers.
	ImageOnly Class = "image-only"
	// ResourcesOnly: requests, limits and overhead.
	ResourcesOnly Class = "resources-only"
	// Other: anything else, or several of the above.
	Other Class = "other"
)

// FieldChange is one field that differs. Lists of named things, such as
// containers, are told apart by name, so that an inserted one is one change.
type FieldChange struct {
	// Field is the path below the template: spec.containers[main].image.
	Field string `json:"field"`
	Class Class  `json:"class"`
	// Before and After are the values as JSON; nil for a field that is not
	// there.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// String is the change in one line.
func (c FieldChange) String() string {
	switch {
	case c.Before == nil:
		return fmt.Sprintf("%s: added %s", c.Field, c.After)
	case c.After == nil:
		return fmt.Sprintf("%s: removed %s", c.Field, c.Before)
	}
	return fmt.Sprintf("%s: %s became %s", c.Field, c.Before, c.After)
}

// Difference is what lies between two templates.
type Difference struct {
	Class Class `json:"class"`
	// Changes are the fields that differ in meaning, by path.
	Changes []FieldChange `json:"changes,omitempty"`
	// NewRevision says that the controller, which compares bytes, makes a new
	// revision of the second template and restarts every pod, under RollingUpdate
	// one after the other, under OnDelete as they are deleted. With no changes
	// it is a restart for nothing: an order or a default that was spelled out.
	NewRevision bool `json:"newRevision"`
}

// Only reports whether every change is of one of the classes; it is true when
// there is no change.
func (d Difference) Only(classes ...Class) bool {
	return !slices.ContainsFunc(d.Changes, func(c FieldChange) bool { return !slices.Contains(classes, c.Class) })
}

// String says in words what the difference means, and lists the changes.
func (d Difference) String() string {
	var b strings.Builder
	switch {
	case !d.NewRevision:
		b.WriteString("no change: no pod restarts\n")
	case len(d.Changes) == 0:
		b.WriteString("no change of meaning, but every pod restarts\n")
	default:
		fmt.Fprintf(&b, "%s: every pod restarts\n", d.Class)
	}
	for _, c := range d.Changes {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String()
}

// Diff compares two templates by meaning, field by field: both are normalized
// first, see [Normalize]. A nil template is an empty one.
//
// It is an error when a template cannot be written as JSON; see [Patch].
func Diff(before, after *corev1.PodTemplateSpec) (Difference, error) {
	was, err := Patch(before)
	if err != nil {
		return Difference{}, err
	}
	is, err := Patch(after)
	if err != nil {
		return Difference{}, err
	}
	a, err := tree(before)
	if err != nil {
		return Difference{}, err
	}
	b, err := tree(after)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{NewRevision: string(was) != string(is), Class: NoChange}
	compareValues("", a, b, &d.Changes)
	slices.SortStableFunc(d.Changes, func(a, b FieldChange) int { return strings.Compare(a.Field, b.Field) })
	for i := range d.Changes {
		c := &d.Changes[i]
		c.Class = classOf(c.Field)
		if i == 0 {
			d.Class = c.Class
		} else if d.Class != c.Class {
			d.Class = Other
		}
	}
	return d, nil
}

// tree is the normalized template as JSON values.
func tree(template *corev1.PodTemplateSpec) (any, error) {
	data, err := json.Marshal(Normalize(template))
	if err != nil {
		return nil, fmt.Errorf("revision: template: %w", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("revision: template: %w", err)
	}
	dropNullTimes(value)
	return value, nil
}

// compareValues appends what differs between two values, by path.
func compareValues(path string, a, b any, changes *[]FieldChange) {
	as, bs := parts(a), parts(b)
	if as == nil || bs == nil {
		if before, after := encode(a), encode(b); string(before) != string(after) {
			*changes = append(*changes, FieldChange{Field: path, Before: before, After: after})
		}
		return
	}
	var shared []part // of a, in its order
	var order []string
	for _, p := range as {
		if after, both := find(bs, p.key); both {
			shared = append(shared, p)
			compareValues(join(path, p.key), p.value, after, changes)
			continue
		}
		*changes = append(*changes, FieldChange{Field: join(path, p.key), Before: encode(p.value)})
	}
	for _, p := range bs {
		if _, both := find(as, p.key); both {
			order = append(order, p.key)
			continue
		}
		*changes = append(*changes, FieldChange{Field: join(path, p.key), After: encode(p.value)})
	}
	// What is in both lists may be in another order, and where normalizing left
	// the order as it was, it matters.
	if !slices.EqualFunc(shared, order, func(p part, key string) bool { return p.key == key }) {
		before := make([]string, len(shared))
		for i, p := range shared {
			before[i] = p.key
		}
		*changes = append(*changes, FieldChange{Field: path, Before: encode(before), After: encode(order)})
	}
}

// part is one field of an object, or one element of a list of named objects.
type part struct {
	key   string
	value any
}

// parts are the fields of an object by name, and the elements of a list of named
// objects as [name], in the order of the list. They are nil for anything else,
// such as a list of values, of which the whole is compared.
func parts(value any) []part {
	switch value := value.(type) {
	case map[string]any:
		all := []part{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = append(all, part{key, value[key]})
		}
		return all
	case []any:
		var all []part
		for _, v := range value {
			object, _ := v.(map[string]any)
			name, ok := object["name"].(string)
			if !ok {
				return nil
			}
			key := "[" + name + "]"
			if _, twice := find(all, key); twice {
				return nil
			}
			all = append(all, part{key, v})
		}
		return all
	}
	return nil
}

func find(parts []part, key string) (any, bool) {
	for _, p := range parts {
		if p.key == key {
			return p.value, true
		}
	}
	return nil, false
}

// join appends a key to a path; one that is no plain name is quoted.
func join(path, key string) string {
	if strings.HasPrefix(key, "[") {
		return path + key
	}
	if strings.ContainsAny(key, "./[]\" ") {
		return path + "[" + strconv.Quote(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func encode(value any) json.RawMessage {
	// What came out of JSON goes back in.
	data, _ := json.Marshal(value)
	return data
}

// placementFields are the fields of a pod spec that say where the pod may run.
var placementFields = []string{"nodeSelector", "nodeName", "affinity", "tolerations", "topologySpreadConstraints"}

// classOf tells from its path what a change is about.
func classOf(path string) Class {
	rest, inSpec := strings.CutPrefix(path, "spec.")
	if !inSpec {
		if path == "metadata" || strings.HasPrefix(path, "metadata.") {
			return MetadataOnly
		}
		return Other
	}
	first := rest
	if at := strings.IndexAny(rest, ".["); at >= 0 {
		first = rest[:at]
	}
	switch {
	case slices.Contains(placementFields, first):
		return PlacementOnly
	case first == "resources", first == "overhead":
		return ResourcesOnly
	case first != "containers" && first != "initContainers":
		return Other
	}
	// spec.containers[name].field…; a container that comes or goes has no field.
	_, field, found := strings.Cut(rest, "].")
	switch {
	case !found:
		return Other
	case field == "image":
		return ImageOnly
	case field == "resources", strings.HasPrefix(field, "resources."):
		return ResourcesOnly
	}
	return Other
}
