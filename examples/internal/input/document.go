package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// Document is one that is no object of Kubernetes but a program's own, such as a
// policy, and that somebody has written by hand. It is read strictly: what a
// program does not know it refuses.
type Document struct {
	Place
	raw []byte // JSON
}

// ReadDocument reads a file of one document, or standard input for "-".
func ReadDocument(file string, stdin io.Reader) (Document, error) {
	r := newReader(Source{Stdin: stdin})
	var d Document
	err := r.open(file, "", func(in io.Reader) (err error) {
		d, err = r.own(in)
		return err
	})
	return d, err
}

// DocumentOf reads a text that is at hand.
func DocumentOf(file string, text []byte) (Document, error) {
	r := newReader(Source{})
	r.Place = Place{File: file}
	return r.own(bytes.NewReader(text))
}

// own reads one document of YAML or JSON.
func (r *reader) own(in io.Reader) (Document, error) {
	d := Document{Place: r.Place}
	b := bufio.NewReaderSize(in, sniffed)
	if _, err := r.head(b); err != nil {
		return d, err
	}
	err := r.documents(b, func(doc []byte, begin int) (err error) {
		skipped, any := leadingLines(doc)
		switch {
		case !any:
			return nil
		case d.raw != nil:
			return r.errorf("", "has another document in line %d: one is wanted", begin+skipped)
		}
		d.raw, err = r.ownJSON(doc, begin)
		return err
	})
	if err == nil && d.raw == nil {
		err = r.errorf("", "is empty: {} is a document without anything in it")
	}
	return d, err
}

// ownJSON returns a document as JSON, which it may be already. Keys must not be
// repeated.
func (r *reader) ownJSON(doc []byte, begin int) ([]byte, error) {
	if json.Valid(doc) {
		if key := repeated(json.NewDecoder(bytes.NewReader(doc)), ""); key != "" {
			return nil, r.errorf(key, "is written twice")
		}
		return r.anObject(doc)
	}
	raw, err := yaml.YAMLToJSONStrict(doc)
	if err != nil {
		return nil, r.errorf("", "malformed YAML: %s%s", yamlProblem(err, begin), yamlAdvice(doc, begin))
	}
	return r.anObject(raw)
}

// anObject makes sure that JSON is an object.
func (r *reader) anObject(raw []byte) ([]byte, error) {
	if raw = bytes.TrimSpace(raw); raw[0] != '{' {
		return nil, r.errorf("", "is no object: %.40s", raw)
	}
	return raw, nil
}

// repeated returns the path of the first key that a JSON value has twice.
func repeated(in *json.Decoder, path string) string {
	open, _ := in.Token()
	keys := map[string]bool{}
	for i := 0; (open == json.Delim('{') || open == json.Delim('[')) && in.More(); i++ {
		at := fmt.Sprintf("%s[%d]", path, i)
		if open == json.Delim('{') {
			key, _ := in.Token()
			name := fmt.Sprint(key)
			if at = below(path, name); keys[name] {
				return at
			}
			keys[name] = true
		}
		if found := repeated(in, at); found != "" {
			return found
		}
	}
	if open == json.Delim('{') || open == json.Delim('[') {
		in.Token()
	}
	return ""
}

// Decode reads the document into a struct. The error has everything that does not
// fit: fields that the struct does not have, and values of another type.
func (d Document) Decode(into any) error {
	r := reader{Place: d.Place}
	t := reflect.TypeOf(into).Elem()
	found := r.unknown(d.raw, t, "")
	if err := utiljson.Unmarshal(d.raw, into); err != nil {
		found = append(found, r.mistyped(d.raw, t, "")...)
	}
	slices.SortStableFunc(found, func(a, b fault) int { return strings.Compare(a.field, b.field) })
	return join(found)
}

// Errorf is the error that a field of the document cannot be used.
func (d Document) Errorf(field, format string, args ...any) error {
	return d.errorf(field, format, args...)
}

// Warning is a warning about a field of the document.
func (d Document) Warning(field, format string, args ...any) Warning {
	return Warning{d.Place, field, fmt.Sprintf(format, args...)}
}

// unknown finds the fields that a type does not have.
func (r *reader) unknown(raw []byte, t reflect.Type, path string) (found []fault) {
	switch {
	case t.Kind() == reflect.Pointer:
		return r.unknown(raw, t.Elem(), path)
	case decodesItself(t):
	case t.Kind() == reflect.Slice:
		var parts []json.RawMessage
		if utiljson.Unmarshal(raw, &parts) == nil {
			for i, part := range parts {
				found = append(found, r.unknown(part, t.Elem(), fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	case t.Kind() == reflect.Struct:
		var parts map[string]json.RawMessage
		if utiljson.Unmarshal(raw, &parts) != nil {
			return nil // mistyped says so
		}
		fields := jsonFields(t)
		for _, name := range output.SortedKeys(parts) {
			if field, ok := fields[name]; ok {
				found = append(found, r.unknown(parts[name], field, below(path, name))...)
				continue
			}
			found = append(found, fault{r.Place, below(path, name), "is not known: must be one of " + strings.Join(output.SortedKeys(fields), ", ")})
		}
	}
	return found
}
