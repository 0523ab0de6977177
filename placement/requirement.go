package placement

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/daemonplan/daemonplan/internal/decimal"
)

// term is one compiled term of the required node affinity. Only terms that
// were parsed without an error and are not empty can match.
type term struct {
	labels []labelRequirement
	fields []fieldRequirement
}

// size is the number of requirements.
func (t *term) size() int { return len(t.labels) + len(t.fields) }

// matches reports whether every requirement holds.
func (t *term) matches(name *string, nodeLabels map[string]string) bool {
	for i := range t.labels {
		if !t.labels[i].holds(nodeLabels) {
			return false
		}
	}
	for i := range t.fields {
		if !t.fields[i].holds(*name) {
			return false
		}
	}
	return true
}

// labelRequirement is one compiled entry of matchExpressions.
type labelRequirement struct {
	key    string
	op     selection.Operator
	value  string   // In, NotIn: the first value
	others []string // In, NotIn: the values after it
	number int64    // Gt, Lt
}

// labelOperators maps the operators of the API to those of package labels.
var labelOperators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn:           selection.In,
	corev1.NodeSelectorOpNotIn:        selection.NotIn,
	corev1.NodeSelectorOpExists:       selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist,
	corev1.NodeSelectorOpGt:           selection.GreaterThan,
	corev1.NodeSelectorOpLt:           selection.LessThan,
}

// newLabelRequirement compiles a requirement, or says at which fields it is
// wrong. What is wrong is for package labels to decide, as it is in the
// controller: a bad key, a bad value, a wrong number of values.
func newLabelRequirement(r corev1.NodeSelectorRequirement, path *field.Path) (labelRequirement, field.ErrorList) {
	op, known := labelOperators[r.Operator]
	if !known {
		return labelRequirement{}, field.ErrorList{field.NotSupported(path.Child("operator"), r.Operator, []corev1.NodeSelectorOperator{
			corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
			corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
		})}
	}
	if _, err := labels.NewRequirement(r.Key, op, r.Values, field.WithPath(path)); err != nil {
		return labelRequirement{}, fieldErrors(err, path)
	}
	compiled := labelRequirement{key: r.Key, op: op}
	switch op {
	case selection.In, selection.NotIn:
		compiled.value = r.Values[0]
		compiled.others = slices.Clone(r.Values[1:])
	case selection.GreaterThan, selection.LessThan:
		compiled.number, _ = decimal.Parse(r.Values[0])
	}
	return compiled, nil
}

// fieldErrors takes an error of package labels, which is a list of field
// errors, apart.
func fieldErrors(err error, path *field.Path) field.ErrorList {
	var list field.ErrorList
	var aggregate utilerrors.Aggregate
	if !errors.As(err, &aggregate) {
		return field.ErrorList{field.Invalid(path, nil, err.Error())}
	}
	for _, e := range aggregate.Errors() {
		var fe *field.Error
		if !errors.As(e, &fe) {
			fe = field.Invalid(path, nil, e.Error())
		}
		list = append(list, fe)
	}
	return list
}

// holds reports whether the labels meet the requirement. A missing key meets
// NotIn and DoesNotExist. A label that is no integer meets neither Gt nor Lt.
func (r *labelRequirement) holds(nodeLabels map[string]string) bool {
	have, ok := nodeLabels[r.key]
	switch r.op {
	case selection.In:
		return ok && r.names(have)
	case selection.NotIn:
		return !ok || !r.names(have)
	case selection.Exists:
		return ok
	case selection.DoesNotExist:
		return !ok
	}
	if !ok {
		return false
	}
	n, ok := decimal.Parse(have)
	if !ok {
		return false
	}
	if r.op == selection.GreaterThan {
		return n > r.number
	}
	return n < r.number
}

// names reports whether value is one of the requirement's values.
func (r *labelRequirement) names(value string) bool {
	return r.value == value || slices.Contains(r.others, value)
}

// fieldRequirement is one compiled entry of matchFields.
type fieldRequirement struct {
	byName bool // the key is metadata.name
	not    bool // the operator is NotIn
	value  string
}

// newFieldRequirement compiles a requirement on a field. Its key is not
// checked: the controller accepts any, and reads one other than metadata.name
// as the empty string.
func newFieldRequirement(r corev1.NodeSelectorRequirement, path *field.Path) (fieldRequirement, field.ErrorList) {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
	default:
		return fieldRequirement{}, field.ErrorList{field.NotSupported(path.Child("operator"), r.Operator,
			[]corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn})}
	}
	if len(r.Values) != 1 {
		return fieldRequirement{}, field.ErrorList{field.Invalid(path.Child("values"), slices.Clone(r.Values), "must have one element")}
	}
	return fieldRequirement{
		byName: r.Key == metav1.ObjectNameField,
		not:    r.Operator == corev1.NodeSelectorOpNotIn,
		value:  r.Values[0],
	}, nil
}

// holds reports whether a node of this name meets the requirement. An empty
// name is the name of no node, so it equals not even an empty value.
func (r *fieldRequirement) holds(name string) bool {
	equal := r.value == ""
	if r.byName {
		equal = name != "" && name == r.value
	}
	return equal != r.not
}
