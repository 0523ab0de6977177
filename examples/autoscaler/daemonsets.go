package main

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// daemonSet has one container that requests CPU, and what changes make of it.
func daemonSet(name, cpu string, changes ...func(*corev1.PodSpec)) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ops", Name: name}}
	ds.Spec.Template.Spec.Containers = []corev1.Container{{
		Name:      "main",
		Resources: corev1.ResourceRequirements{Requests: cpus(cpu)},
	}}
	for _, change := range changes {
		change(&ds.Spec.Template.Spec)
	}
	return ds
}

func cpus(cpu string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
}

// selects sets one entry of nodeSelector.
func selects(key, value string) func(*corev1.PodSpec) {
	return func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{key: value} }
}

// requires adds a term with one requirement to the required node affinity.
// metadata.name is a field, anything else is a label.
func requires(key string, op corev1.NodeSelectorOperator, values ...string) func(*corev1.PodSpec) {
	requirement := []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}
	term := corev1.NodeSelectorTerm{MatchExpressions: requirement}
	if key == metav1.ObjectNameField {
		term = corev1.NodeSelectorTerm{MatchFields: requirement}
	}
	return func(spec *corev1.PodSpec) {
		if spec.Affinity == nil {
			required := &corev1.NodeSelector{}
			spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
		}
		required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, term)
	}
}

// toleratesAll adds the toleration for everything.
func toleratesAll(spec *corev1.PodSpec) {
	spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
}

// limitsOnly turns the requests of the container into limits.
func limitsOnly(spec *corev1.PodSpec) {
	r := &spec.Containers[0].Resources
	r.Requests, r.Limits = nil, r.Requests
}

// goesTo says in words where the template of a case sends its pods, besides what it
// tolerates by default.
func goesTo(spec *corev1.PodSpec) string {
	var parts, terms []string
	for _, key := range output.SortedKeys(spec.NodeSelector) {
		parts = append(parts, key+"="+spec.NodeSelector[key])
	}
	if spec.Affinity != nil {
		for _, term := range spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			for _, r := range slices.Concat(term.MatchExpressions, term.MatchFields) {
				terms = append(terms, fmt.Sprintf("%s %s %s", r.Key, r.Operator, strings.Join(r.Values, ",")))
			}
		}
		parts = append(parts, strings.Join(terms, ", or "))
	}
	if len(spec.Tolerations) > 0 {
		parts = append(parts, "whatever the taints")
	}
	if len(parts) == 0 {
		return "any node"
	}
	return strings.Join(parts, "; ")
}
