package main

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
	r.passedOver[kind.Kind]++
	for _, known := range []metav1.TypeMeta{daemonSetKind, nodeKind, podKind, revisionKind} {
		if kind.Kind == known.Kind {
			r.warn(below(path, "apiVersion"), fmt.Sprintf("a %s of %s is passed over, only %s is read", kind.Kind, kind.APIVersion, known.APIVersion))
		}
	}
	return nil
}

// The kinds that a plan is made from.
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

// addNode reads of a node what placement reads. The rest, mostly conditions and
// images, is nine tenths of the text; leaving it undecoded takes a quarter of
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
	r.nodes = append(r.nodes, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: node.Metadata.Name, Labels: node.Metadata.Labels},
		Spec:       corev1.NodeSpec{Taints: node.Spec.Taints},
	})
	r.progress.show(len(r.nodes))
	return nil
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
	r.pods = append(r.pods, &corev1.Pod{
		ObjectMeta: pod.Metadata.objectMeta(),
		Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName, Affinity: pod.Spec.Affinity},
		Status:     corev1.PodStatus{Phase: pod.Status.Phase, Conditions: pod.Status.Conditions},
	})
	return nil
}

// addRevision reads of a ControllerRevision whose it is.
func (r *reader) addRevision(raw []byte, path string) error {
	var revision struct {
		Metadata claimable `json:"metadata"`
		Revision int64     `json:"revision"`
	}
	if err := r.decode(raw, &revision, path); err != nil {
		return err
	}
	r.revisions = append(r.revisions, &appsv1.ControllerRevision{
		ObjectMeta: revision.Metadata.objectMeta(),
		Revision:   revision.Revision,
	})
	return nil
}
