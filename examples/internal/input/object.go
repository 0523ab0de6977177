package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// kindOf reads what an object says it is. It need not say anything. What comes
// out of a cluster says it first, and is read no further.
func (r *reader) kindOf(raw []byte, path string) (metav1.TypeMeta, error) {
	var kind metav1.TypeMeta
	if first := leadingStrings(raw); first["apiVersion"] != "" && first["kind"] != "" {
		return metav1.TypeMeta{APIVersion: first["apiVersion"], Kind: first["kind"]}, nil
	}
	err := r.decode(raw, &kind, path)
	return kind, err
}

// leadingStrings returns the first two fields of an object, as far as they are
// strings.
func leadingStrings(raw []byte) map[string]string {
	first := map[string]string{}
	dec := json.NewDecoder(bytes.NewReader(raw[:min(len(raw), 256)]))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for range 2 {
		name, _ := dec.Token()
		value, _ := dec.Token()
		key, isKey := name.(string)
		text, isText := value.(string)
		if !isKey || !isText {
			return nil
		}
		first[key] = text
	}
	return first
}

// add files an object under its kind. The text is not kept.
func (r *reader) add(kind metav1.TypeMeta, raw []byte, path string) error {
	switch {
	case kind.Kind == "":
		return r.errorf(below(path, "kind"), "is missing, so this is no Kubernetes object")
	case kind.APIVersion == "":
		return r.errorf(below(path, "apiVersion"), "is missing, so this is no Kubernetes object")
	}
	switch kind {
	case daemonSetKind:
		return r.addDaemonSet(raw, path)
	case nodeKind:
		return r.addNode(raw, path)
	case podKind:
		return r.addPod(raw, path)
	case revisionKind:
		return r.addRevision(raw, path)
	}
	if strings.HasSuffix(kind.Kind, "List") {
		var list struct {
			Items *[]json.RawMessage `json:"items"`
		}
		if err := r.decode(raw, &list, path); err != nil {
			return err
		}
		if list.Items != nil {
			return r.list(kind, *list.Items, below(path, "items"))
		}
	}
	r.PassedOver[kind.Kind]++
	for _, known := range []metav1.TypeMeta{daemonSetKind, nodeKind, podKind, revisionKind} {
		if kind.Kind == known.Kind {
			r.warn(below(path, "apiVersion"), fmt.Sprintf("a %s of %s is passed over, only %s is read", kind.Kind, kind.APIVersion, known.APIVersion))
		}
	}
	return nil
}

// The kinds that are read.
var (
	daemonSetKind = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"}
	revisionKind  = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevision"}
	nodeKind      = metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
	podKind       = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
)

// list files the items of a list.
func (r *reader) list(kind metav1.TypeMeta, items []json.RawMessage, path string) error {
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	for i, item := range items {
		if err := r.item(kind, item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// item files an item of a list. Those of a NodeList, as the API server sends
// it, need not say what they are: they are what the list says.
func (r *reader) item(list metav1.TypeMeta, raw []byte, path string) error {
	own, err := r.kindOf(raw, path)
	if err != nil {
		return err
	}
	if own == (metav1.TypeMeta{}) {
		own = list
	}
	return r.add(own, raw, path)
}

// claimable is what decides whose a pod or a revision is.
type claimable struct {
	Name              string                  `json:"name"`
	Namespace         string                  `json:"namespace"`
	UID               string                  `json:"uid"`
	Labels            map[string]string       `json:"labels"`
	OwnerReferences   []metav1.OwnerReference `json:"ownerReferences"`
	CreationTimestamp metav1.Time             `json:"creationTimestamp"`
	DeletionTimestamp *metav1.Time            `json:"deletionTimestamp"`
}

// addRevision reads of a ControllerRevision whose it is, and the contents if
// they are asked for.
func (r *reader) addRevision(raw []byte, path string) error {
	var revision struct {
		Metadata claimable `json:"metadata"`
		Revision int64     `json:"revision"`
	}
	if err := r.decode(raw, &revision, path); err != nil {
		return err
	}
	read := &appsv1.ControllerRevision{
		ObjectMeta: revision.Metadata.objectMeta(),
		Revision:   revision.Revision,
	}
	if r.source.RevisionContents {
		if err := r.contents(raw, path, read); err != nil {
			return err
		}
	}
	r.Revisions = append(r.Revisions, read)
	return nil
}

// contents reads what a revision stores. The controller writes it with sorted
// keys and without white space; kubectl prints it like everything else, indented
// or as YAML, so it is put back into the form in which the cluster has it.
func (r *reader) contents(raw []byte, path string, into *appsv1.ControllerRevision) error {
	var revision struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
		Data json.RawMessage `json:"data"`
	}
	if err := r.decode(raw, &revision, path); err != nil {
		return err
	}
	into.Annotations = revision.Metadata.Annotations
	if len(revision.Data) == 0 || string(revision.Data) == "null" {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(revision.Data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return r.errorf(below(path, "data"), "%v", err)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return r.errorf(below(path, "data"), "%v", err)
	}
	into.Data.Raw = data
	return nil
}
