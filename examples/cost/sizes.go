package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/daemonplan/daemonplan/examples/internal/input"
)

// sizes are what package input does not read: what is allocatable on nodes, and
// the containers of pods.
type sizes struct {
	nodes map[string][]corev1.ResourceList // by name; several of one without a name
	pods  map[podKey][]*corev1.Pod
}

type podKey struct{ namespace, name, uid string }

// addSizes reads the files again and adds sizes to the nodes and the pods that
// were found there.
func addSizes(in input.Objects, files []string, stdin []byte) error {
	s := sizes{map[string][]corev1.ResourceList{}, map[podKey][]*corev1.Pod{}}
	names := files
	if len(files) == 0 {
		names = demoNames
	}
	for _, name := range names {
		var text []byte
		var err error
		at := name
		switch {
		case len(files) == 0:
			text, err = demoFiles.ReadFile("demo/" + name)
		case name == "-":
			text, at = stdin, "standard input"
		default:
			text, err = os.ReadFile(name)
		}
		if err == nil {
			err = s.stream(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return s.assign(in)
}

// assign gives each node and each pod its size. Of those that are alike the last
// one counts; those without a name are in the order of the input. The error is for
// one that the second reading did not find, which took the text apart in another
// way than the first.
func (s sizes) assign(in input.Objects) error {
	for _, node := range in.Nodes {
		all := s.nodes[node.Name]
		switch {
		case len(all) == 0:
			return fmt.Errorf("node %s: its status.allocatable was not found: put its document between plain lines of ---", node.Name)
		case node.Name == "":
			node.Status.Allocatable, s.nodes[""] = all[0], all[1:]
		default:
			node.Status.Allocatable = all[len(all)-1]
		}
	}
	for _, pod := range in.Pods {
		key := podKey{pod.Namespace, pod.Name, string(pod.UID)}
		all := s.pods[key]
		if len(all) == 0 {
			return fmt.Errorf("pod %s/%s: its containers were not found: put its document between plain lines of ---", pod.Namespace, pod.Name)
		}
		pod.Spec, pod.Status = all[0].Spec, all[0].Status
		if len(all) > 1 {
			s.pods[key] = all[1:]
		}
	}
	return nil
}

// commented is a line between documents that has a comment.
var commented = regexp.MustCompile(`(?m)^---[ \t]+#.*$`)

// stream reads JSON or YAML that package input has read before.
func (s sizes) stream(text []byte) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if head := bytes.TrimLeft(text, " \t\r\n"); len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		decoder := json.NewDecoder(bytes.NewReader(text))
		for {
			var raw json.RawMessage
			if err := decoder.Decode(&raw); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if err := s.value(raw, metav1.TypeMeta{}); err != nil {
				return err
			}
		}
	}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(commented.ReplaceAll(text, []byte("---")))))
	for {
		doc, err := documents.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		raw, err := yaml.YAMLToJSON(doc)
		if err != nil {
			return err
		}
		if err := s.value(raw, metav1.TypeMeta{}); err != nil {
			return err
		}
	}
}

// value reads an object, a list, or an array. An object that says nothing about
// itself is what the list says.
func (s sizes) value(raw []byte, list metav1.TypeMeta) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] == '[' {
		return s.items(raw, list)
	}
	var object struct {
		metav1.TypeMeta `json:",inline"`
		Items           json.RawMessage `json:"items"`
	}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return err
	}
	kind := object.TypeMeta
	if kind == (metav1.TypeMeta{}) {
		kind = list
	}
	switch {
	case kind == metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}:
		return s.node(raw)
	case kind == metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}:
		return s.pod(raw)
	case strings.HasSuffix(kind.Kind, "List") && len(object.Items) > 0:
		kind.Kind = strings.TrimSuffix(kind.Kind, "List")
		return s.items(object.Items, kind)
	}
	return nil
}

func (s sizes) items(raw []byte, list metav1.TypeMeta) error {
	var items []json.RawMessage
	if err := utiljson.Unmarshal(raw, &items); err != nil {
		return err
	}
	for _, item := range items {
		if err := s.value(item, list); err != nil {
			return err
		}
	}
	return nil
}

func (s sizes) node(raw []byte) error {
	var node struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Status struct {
			Allocatable corev1.ResourceList `json:"allocatable"`
		} `json:"status"`
	}
	if err := utiljson.Unmarshal(raw, &node); err != nil {
		return fmt.Errorf("node %s: status.allocatable: %w", node.Metadata.Name, err)
	}
	s.nodes[node.Metadata.Name] = append(s.nodes[node.Metadata.Name], node.Status.Allocatable)
	return nil
}

func (s sizes) pod(raw []byte) error {
	pod := new(corev1.Pod)
	if err := utiljson.Unmarshal(raw, pod); err != nil {
		return fmt.Errorf("pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	key := podKey{cmp.Or(pod.Namespace, metav1.NamespaceDefault), pod.Name, string(pod.UID)}
	s.pods[key] = append(s.pods[key], pod)
	return nil
}
