package gen

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

var nodeSelectorOperators = []corev1.NodeSelectorOperator{
	corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists,
	corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt,
}

// LabelRequirement draws an entry of matchExpressions. One in five has a
// number of values that its operator does not take.
func LabelRequirement() *rapid.Generator[corev1.NodeSelectorRequirement] {
	return rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
		r := corev1.NodeSelectorRequirement{Key: LabelKey(t), Operator: Pick(t, "operator", nodeSelectorOperators...)}
		if Chance(t, 3, "bad operator") {
			r.Operator = Pick[corev1.NodeSelectorOperator](t, "operator", "", "in", "Equals")
		}
		n := below(t, 4, "values")
		if !Chance(t, 20, "any number of values") {
			switch r.Operator {
			case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
				n = max(n, 1)
			case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
				n = 0
			default:
				n = 1
			}
		}
		for range n {
			r.Values = append(r.Values, LabelValue(t))
		}
		if (r.Operator == corev1.NodeSelectorOpGt || r.Operator == corev1.NodeSelectorOpLt) && n == 1 && !Chance(t, 25, "any value") {
			r.Values[0] = Pick(t, "number", "5", "6", "0", "499")
		}
		return r
	})
}

// FieldRequirement draws an entry of matchFields.
func FieldRequirement() *rapid.Generator[corev1.NodeSelectorRequirement] {
	return rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
		r := corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: Pick(t, "operator", nodeSelectorOperators[:2]...)}
		if Chance(t, 10, "bad operator") {
			r.Operator = Pick(t, "operator", nodeSelectorOperators...)
		}
		if Chance(t, 15, "another field") {
			r.Key = Pick(t, "field", "", "metadata.namespace", "spec.unschedulable", "metadata.name ")
		}
		n := 1
		if Chance(t, 10, "any number of values") {
			n = below(t, 3, "values")
		}
		for range n {
			if Chance(t, 15, "empty value") {
				r.Values = append(r.Values, "")
				continue
			}
			r.Values = append(r.Values, Pick(t, "name", NodeNames...))
		}
		return r
	})
}

// Term draws a term of the required node affinity, sometimes an empty one.
func Term() *rapid.Generator[corev1.NodeSelectorTerm] {
	return rapid.Custom(func(t *rapid.T) corev1.NodeSelectorTerm {
		term := corev1.NodeSelectorTerm{}
		if !Chance(t, 20, "no expressions") {
			term.MatchExpressions = list(LabelRequirement(), 2).Draw(t, "matchExpressions")
		}
		if Chance(t, 25, "fields") {
			term.MatchFields = list(FieldRequirement(), 2).Draw(t, "matchFields")
		}
		return term
	})
}

// Affinity draws an affinity of any depth, nil at each level included.
func Affinity() *rapid.Generator[*corev1.Affinity] {
	return rapid.Custom(func(t *rapid.T) *corev1.Affinity {
		a := &corev1.Affinity{}
		if Chance(t, 25, "pod affinity") {
			a.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: "kubernetes.io/hostname"},
			}}
		}
		switch below(t, 10, "depth") {
		case 0:
			return nil
		case 1:
			return a
		}
		a.NodeAffinity = &corev1.NodeAffinity{}
		if Chance(t, 20, "preferred") {
			a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.PreferredSchedulingTerm{
				{Weight: 1, Preference: Term().Draw(t, "preference")},
			}
		}
		if !Chance(t, 10, "nothing required") {
			a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
				NodeSelectorTerms: list(Term(), 3).Draw(t, "terms"),
			}
		}
		return a
	})
}

// Template draws a pod template; about half of its parts are absent, so that
// every rule gets to decide.
func Template() *rapid.Generator[*corev1.PodTemplateSpec] {
	return rapid.Custom(func(t *rapid.T) *corev1.PodTemplateSpec {
		template := &corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "probe"}}}
		spec := &template.Spec
		spec.Containers = []corev1.Container{{Name: "main", Image: "registry.example/probe:1"}}
		if Chance(t, 15, "plain") {
			return template
		}
		spec.HostNetwork = Chance(t, 25, "hostNetwork")
		if Chance(t, 8, "nodeName") {
			spec.NodeName = Pick(t, "nodeName", NodeNames...)
		}
		if Chance(t, 40, "nodeSelector") {
			spec.NodeSelector = map[string]string{}
			for range below(t, 3, "entries") {
				spec.NodeSelector[LabelKey(t)] = LabelValue(t)
			}
		}
		if Chance(t, 50, "affinity") {
			spec.Affinity = Affinity().Draw(t, "affinity")
		}
		if Chance(t, 50, "tolerations") {
			spec.Tolerations = Tolerations().Draw(t, "tolerations")
		}
		return template
	})
}

// Metadata adds labels, annotations and finalizers to a drawn template, some
// of which collide with those that the controller writes.
func Metadata(t *rapid.T, template *corev1.PodTemplateSpec) {
	if Chance(t, 20, "no labels") {
		template.Labels = nil
	}
	if template.Labels != nil && Chance(t, 20, "own hash label") {
		template.Labels["controller-revision-hash"] = "mine"
	}
	if template.Labels != nil && Chance(t, 20, "own generation label") {
		template.Labels["pod-template-generation"] = "7"
	}
	if Chance(t, 40, "annotations") {
		template.Annotations = map[string]string{"note": "x"}
	}
	if Chance(t, 30, "finalizers") {
		template.Finalizers = []string{"example.com/hold"}
	}
	template.Name = Pick(t, "template name", "", "ignored")
}
