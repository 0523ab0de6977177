package lint

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/daemonplan/daemonplan/tolerations"
)

// rules says which rules are off. An update turns off each rule that was
// tightened after objects that break it had been stored, so that such an object
// can still be changed elsewhere.
type rules struct {
	comparisonOperators   bool // Lt and Gt are operators of a toleration
	invalidSelectorValues bool // expressions of spec.selector may hold any value
	invalidNodeValues     bool // required node affinity may ask for any label value
	invalidDeletionCost   bool // the deletion cost need not be a number
}

func rulesForCreate(o Options) rules {
	return rules{comparisonOperators: o.ComparisonOperators}
}

func rulesForUpdate(o Options, old *appsv1.DaemonSet) rules {
	pod := &old.Spec.Template.Spec
	return rules{
		comparisonOperators: o.ComparisonOperators || comparesNumbers(pod.Tolerations),
		// The API server keeps one switch for all selectors: a malformed one in
		// the old pod affinity loosens spec.selector too.
		invalidSelectorValues: metav1validation.LabelSelectorHasInvalidLabelValue(old.Spec.Selector) ||
			hasInvalidPodSelector(pod.Affinity),
		invalidNodeValues:   hasInvalidNodeValue(pod.Affinity),
		invalidDeletionCost: !validDeletionCost(old.Spec.Template.Annotations),
	}
}

func comparesNumbers(list []corev1.Toleration) bool {
	for i := range list {
		if op := list[i].Operator; op == tolerations.OpLt || op == tolerations.OpGt {
			return true
		}
	}
	return false
}

func hasInvalidNodeValue(affinity *corev1.Affinity) bool {
	if affinity == nil || affinity.NodeAffinity == nil {
		return false
	}
	required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return false
	}
	for i := range required.NodeSelectorTerms {
		for _, requirement := range required.NodeSelectorTerms[i].MatchExpressions {
			for _, value := range requirement.Values {
				if len(validation.IsValidLabelValue(value)) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// hasInvalidPodSelector reports whether a selector of pods or namespaces in the
// affinity is malformed in any way, not only in its values.
func hasInvalidPodSelector(affinity *corev1.Affinity) bool {
	if affinity == nil {
		return false
	}
	if pods := affinity.PodAffinity; pods != nil && (hasInvalidTerm(pods.RequiredDuringSchedulingIgnoredDuringExecution) ||
		hasInvalidWeightedTerm(pods.PreferredDuringSchedulingIgnoredDuringExecution)) {
		return true
	}
	pods := affinity.PodAntiAffinity
	return pods != nil && (hasInvalidTerm(pods.RequiredDuringSchedulingIgnoredDuringExecution) ||
		hasInvalidWeightedTerm(pods.PreferredDuringSchedulingIgnoredDuringExecution))
}

func hasInvalidTerm(terms []corev1.PodAffinityTerm) bool {
	for i := range terms {
		if malformed(terms[i].LabelSelector) || malformed(terms[i].NamespaceSelector) {
			return true
		}
	}
	return false
}

func hasInvalidWeightedTerm(terms []corev1.WeightedPodAffinityTerm) bool {
	for i := range terms {
		term := &terms[i].PodAffinityTerm
		if malformed(term.LabelSelector) || malformed(term.NamespaceSelector) {
			return true
		}
	}
	return false
}

func malformed(selector *metav1.LabelSelector) bool {
	return len(metav1validation.ValidateLabelSelector(selector, metav1validation.LabelSelectorValidationOptions{}, nil)) > 0
}
