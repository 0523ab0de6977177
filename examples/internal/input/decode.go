package input

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// decode reads JSON into a struct as the API server does: names of fields are
// case-sensitive. A value of the wrong type makes the input unusable.
func (r *reader) decode(raw []byte, into any, path string) error {
	err := utiljson.Unmarshal(raw, into)
	if err == nil {
		return nil
	}
	found := r.mistyped(raw, reflect.TypeOf(into).Elem(), path)
	if len(found) == 0 { // the whole fails and no part does
		return r.errorf(path, "%v", err)
	}
	return join(found)
}

// addDaemonSet reads a DaemonSet. Fields that this program does not know, and
// fields written twice, are worth a warning: kubectl refuses a typo.
func (r *reader) addDaemonSet(raw []byte, path string) error {
	ds := new(appsv1.DaemonSet)
	if err := r.decode(raw, ds, path); err != nil {
		return err
	}
	// With an empty scheme the serializer decodes into what it is given.
	none := runtime.NewScheme()
	strict := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, none, none, serializer.SerializerOptions{Strict: true})
	_, _, err := strict.Decode(raw, nil, new(appsv1.DaemonSet))
	if faults, ok := runtime.AsStrictDecodingError(err); ok {
		for _, err := range faults.Errors() {
			problem, field := err.Error(), ""
			var at interface{ FieldPath() string }
			if errors.As(err, &at) {
				problem, _, _ = strings.Cut(problem, ` "`)
				field = below(path, at.FieldPath())
			}
			if strings.HasPrefix(problem, "unknown") {
				problem += ": a typo, or newer than this program"
			}
			r.warn(field, problem)
		}
	}
	// kubectl fills this in; it takes another namespace from its own flags.
	ds.Namespace = cmp.Or(ds.Namespace, metav1.NamespaceDefault)
	r.DaemonSets = append(r.DaemonSets, Manifest{r.Place, path, ds})
	return nil
}

// objectMeta puts a claimable into the form that the library reads. Objects
// from a cluster have a namespace; a manifest's is default, as a DaemonSet's.
func (c claimable) objectMeta() metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: c.Name, Namespace: cmp.Or(c.Namespace, metav1.NamespaceDefault), UID: types.UID(c.UID),
		Labels: c.Labels, OwnerReferences: c.OwnerReferences,
		CreationTimestamp: c.CreationTimestamp, DeletionTimestamp: c.DeletionTimestamp,
	}
}

// mistyped finds what in the text does not fit the type: all of it, where the
// decoder names the first, and often without index or, for a quantity, without
// any field. It decodes part by part, so it is for text that failed already.
func (r *reader) mistyped(raw []byte, t reflect.Type, path string) []fault {
	err := utiljson.Unmarshal(raw, reflect.New(t).Interface())
	if err == nil {
		return nil
	}
	var found []fault
	switch t.Kind() {
	case reflect.Pointer:
		return r.mistyped(raw, t.Elem(), path)
	case reflect.Struct:
		var parts map[string]json.RawMessage
		if !decodesItself(t) && utiljson.Unmarshal(raw, &parts) == nil {
			for name, field := range jsonFields(t) {
				if part, ok := parts[name]; ok {
					found = append(found, r.mistyped(part, field, below(path, name))...)
				}
			}
			slices.SortFunc(found, func(a, b fault) int { return strings.Compare(a.field, b.field) })
		}
	case reflect.Slice:
		var parts []json.RawMessage
		if !decodesItself(t) && utiljson.Unmarshal(raw, &parts) == nil {
			for i, part := range parts {
				found = append(found, r.mistyped(part, t.Elem(), fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case reflect.Map:
		var parts map[string]json.RawMessage
		if !decodesItself(t) && utiljson.Unmarshal(raw, &parts) == nil {
			for _, key := range output.SortedKeys(parts) {
				found = append(found, r.mistyped(parts[key], t.Elem(), fmt.Sprintf("%s[%s]", path, key))...)
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	return []fault{{r.Place, path, wrongType(err, t)}}
}

// decodesItself reports whether the type has a form of its own in JSON, such as
// a quantity or a time.
func decodesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// jsonFields returns the fields of a struct by their names in JSON, with those
// of structs that are embedded without a name.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			maps.Copy(fields, jsonFields(f.Type))
		case name != "" && name != "-":
			fields[name] = f.Type
		}
	}
	return fields
}

// wrongType says what a value should have been.
func wrongType(err error, t reflect.Type) string {
	var of *json.UnmarshalTypeError
	if !errors.As(err, &of) {
		return err.Error()
	}
	text := "must be " + inWords(t) + ", not " + article(of.Value)
	if t.Kind() == reflect.String && (of.Value == "number" || of.Value == "bool") {
		text += " (write it in quotes)"
	}
	return text
}

func inWords(t reflect.Type) string {
	if t == reflect.TypeFor[intstr.IntOrString]() {
		return "a number or a string"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		if decodesItself(t) {
			return "a string"
		}
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "an integer"
	}
	return "a " + t.Kind().String()
}

// article turns the decoder's words for a value into those of a sentence. A
// number that does not fit comes with its digits.
func article(value string) string {
	switch value {
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "bool":
		return "true or false"
	case "string", "number":
		return "a " + value
	}
	return strings.TrimPrefix(value, "number ")
}
