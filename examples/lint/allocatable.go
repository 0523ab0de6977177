package main

import (
	"bytes"
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// addAllocatable reads what pods may use of nodes. The package input leaves that
// out, as no other program asks, so the files that have nodes are read once more.
// What cannot be read twice, as a pipe, leaves its nodes without, which is told.
func addAllocatable(in *input.Objects, files []string, stdin []byte) error {
	if len(in.Nodes) == 0 {
		return nil
	}
	a := allocatable{}
	if len(files) == 0 {
		for _, name := range demoNames {
			text, err := demoFiles.ReadFile("demo/" + name)
			if err != nil {
				return err
			}
			a.read(text)
		}
	}
	for _, name := range files {
		text := stdin
		if name != "-" {
			info, err := os.Stat(name)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if text, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		a.read(text)
	}
	var without []string
	for _, node := range in.Nodes {
		if node.Status.Allocatable = a[node.Name]; len(a[node.Name]) == 0 {
			without = append(without, node.Name)
		}
	}
	if len(without) > 0 {
		in.Warnings = append(in.Warnings, input.Warning{Field: "status.allocatable", Message: "is unknown of " +
			output.Plural(len(without), "node", "nodes") + ", so cost-share and surge-exclusive-resource pass over them: " + output.Few(without)})
	}
	return nil
}

// allocatable has the resources of nodes, by name.
type allocatable map[string]corev1.ResourceList

// read adds those of a text that is known to be good. Where it turns out not to
// be, nothing is added.
func (a allocatable) read(text []byte) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))), 4096)
	for {
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			return
		}
		a.add(raw, "")
	}
}

// add adds those of a node, or of a list of them. What does not say what it is,
// is what its list says.
func (a allocatable) add(raw json.RawMessage, kind string) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) == nil { // as jq prints them
		for _, item := range items {
			a.add(item, "")
		}
		return
	}
	var object struct {
		Kind     string `json:"kind"`
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Status json.RawMessage   `json:"status"`
		Items  []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return
	}
	if object.Kind != "" {
		kind = object.Kind
	}
	switch kind {
	case "Node":
		var status struct {
			Allocatable corev1.ResourceList `json:"allocatable"`
		}
		if json.Unmarshal(object.Status, &status) != nil {
			status.Allocatable = nil
		}
		a[object.Metadata.Name] = status.Allocatable
	case "NodeList":
		for _, item := range object.Items {
			a.add(item, "Node")
		}
	case "List":
		for _, item := range object.Items {
			a.add(item, "")
		}
	}
}
