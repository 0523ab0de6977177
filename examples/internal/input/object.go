package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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

// addNode reads of a node what placement reads, and the conditions if they are
// asked for. The rest, mostly conditions and images, is nine tenths of the text; leaving it undecoded takes a quarter of
// the memory of whole Nodes, and a little less time. Nor is it checked.
func (r *reader) addNode(raw []byte, path string) error {
	var node struct {
		Metadata struct {
			Name   string            `json:"name"`
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
		Spec struct {
			Taints []corev1.Taint `json:"taints"`
		} `json:"spec"`
	}
	if err := r.decode(raw, &node, path); err != nil {
		return err
	}
	read := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: node.Metadata.Name, Labels: node.Metadata.Labels},
		Spec:       corev1.NodeSpec{Taints: node.Spec.Taints},
	}
	if r.source.NodeConditions {
		var err error
		if read.Status.Conditions, err = r.conditions(raw, path); err != nil {
			return err
		}
	}
	r.Nodes = append(r.Nodes, read)
	r.source.Progress.show(len(r.Nodes))
	return nil
}

// conditions reads of a node's conditions what they are and whether they hold.
func (r *reader) conditions(raw []byte, path string) ([]corev1.NodeCondition, error) {
	var node struct {
		Status struct {
			Conditions []struct {
				Type   corev1.NodeConditionType `json:"type"`
				Status corev1.ConditionStatus   `json:"status"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := r.decode(raw, &node, path); err != nil {
		return nil, err
	}
	conditions := make([]corev1.NodeCondition, len(node.Status.Conditions))
	for i, c := range node.Status.Conditions {
		conditions[i] = corev1.NodeCondition{Type: c.Type, Status: c.Status}
	}
	return conditions, nil
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

// addPod reads of a pod what decides whose it is, where it is, and its state.
func (r *reader) addPod(raw []byte, path string) error {
	var pod struct {
		Metadata claimable `json:"metadata"`
		Spec     struct {
			NodeName string           `json:"nodeName"`
			Affinity *corev1.Affinity `json:"affinity"`
		} `json:"spec"`
		Status struct {
			Phase      corev1.PodPhase       `json:"phase"`
			Conditions []corev1.PodCondition `json:"conditions"`
		} `json:"status"`
	}
	if err := r.decode(raw, &pod, path); err != nil {
		return err
	}
	r.Pods = append(r.Pods, &corev1.Pod{
		ObjectMeta: pod.Metadata.objectMeta(),
		Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName, Affinity: pod.Spec.Affinity},
		Status:     corev1.PodStatus{Phase: pod.Status.Phase, Conditions: pod.Status.Conditions},
	})
	return nil
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
