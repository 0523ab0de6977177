package lint

import corev1 "k8s.io/api/core/v1"

// successors holds the label keys that Kubernetes has replaced
// (https://kubernetes.io/docs/reference/labels-annotations-taints/).
var successors = map[string]string{
	"node-role.kubernetes.io/master":           "node-role.kubernetes.io/control-plane",
	betaOSLabel:                                osLabel,
	betaArchLabel:                              archLabel,
	"beta.kubernetes.io/instance-type":         corev1.LabelInstanceTypeStable,
	"failure-domain.beta.kubernetes.io/zone":   corev1.LabelTopologyZone,
	"failure-domain.beta.kubernetes.io/region": corev1.LabelTopologyRegion,
}

// checkDeprecated looks at every key of a node label in the template. One whose
// successor is used beside it serves old clusters on purpose.
func checkDeprecated(s *subject, found report) {
	type use struct{ field, key string }
	var uses []use
	for k := range s.spec.NodeSelector {
		uses = append(uses, use{key(nodeSelector, k), k})
	}
	expressions := func(list []corev1.NodeSelectorRequirement, field string) {
		for i, r := range list {
			uses = append(uses, use{at(field+".matchExpressions", i), r.Key})
		}
	}
	terms, _ := s.terms()
	for i := range terms {
		expressions(terms[i].MatchExpressions, at(requiredTerms, i))
	}
	if a := s.spec.Affinity; a != nil && a.NodeAffinity != nil {
		for i, p := range a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
			expressions(p.Preference.MatchExpressions, at(preferredAt, i)+".preference")
		}
	}
	used := make(map[string]bool)
	for _, u := range uses {
		used[u.key] = true
	}
	for _, u := range uses {
		if successor, deprecated := successors[u.key]; deprecated && !used[successor] {
			found(u.field, "the label "+u.key+" is deprecated, and newer nodes may lack it", "use "+successor)
		}
	}
}
