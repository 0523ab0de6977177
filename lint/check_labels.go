package lint

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/daemonplan/daemonplan/placement"
)

// labelMaps are the labels that the author of a manifest writes.
func (s *subject) labelMaps() map[string]map[string]string {
	all := map[string]map[string]string{
		"metadata.labels":               s.ds.Labels,
		"spec.template.metadata.labels": s.ds.Spec.Template.Labels,
		nodeSelector:                    s.spec.NodeSelector,
	}
	if s.ds.Spec.Selector != nil {
		all["spec.selector.matchLabels"] = s.ds.Spec.Selector.MatchLabels
	}
	return all
}

func checkNumbers(s *subject, found report) {
	for of, list := range s.labelMaps() {
		for k, value := range list {
			if k != placement.TemplateGenerationLabel && isNumber(value) {
				found(key(of, k), fmt.Sprintf("the value %s is a number in YAML, which is refused where a template engine drops its quotes", value),
					"keep it in quotes, or write it with a letter in front")
			}
		}
	}
}

// isNumber reports whether YAML reads the word as a number. That of a commit, such
// as 123e456, may be one.
func isNumber(word string) bool {
	if word == "" || !digit(word[len(word)-1]) && !strings.HasPrefix(word, "0x") || strings.ContainsAny(word, "_pP") {
		return false
	}
	if _, err := strconv.ParseInt(word, 0, 64); err == nil {
		return true
	}
	_, err := strconv.ParseFloat(word, 64)
	// What is beyond 64 bits is a number all the same.
	return err == nil || strings.HasSuffix(err.Error(), strconv.ErrRange.Error())
}

func checkLength(s *subject, found report) {
	for of, list := range s.labelMaps() {
		for k, value := range list {
			if n := len(value); n > validation.LabelValueMaxLength {
				found(key(of, k), fmt.Sprintf("the value has %d characters, and a label has at most %d", n, validation.LabelValueMaxLength), "shorten it")
			}
		}
	}
}

func checkAffinity(s *subject, found report) {
	const dead = "; the term matches no node, and nothing says so"
	for _, problem := range s.matcher.Problems() {
		found(problem.Field, problem.ErrorBody()+dead, "correct the term")
	}
	terms, set := s.terms()
	if set && len(terms) == 0 {
		found(requiredTerms, "a list without terms matches no node", "add a term, or remove the required node affinity")
	}
	for i := range terms {
		if len(terms[i].MatchExpressions)+len(terms[i].MatchFields) == 0 {
			found(at(requiredTerms, i), "an empty term matches no node", "remove the term, or fill it in")
		}
	}
	if s.spec.Affinity == nil || s.spec.Affinity.NodeAffinity == nil {
		return
	}
	for i, p := range s.spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		// A preference parses as a required term does.
		alone := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{p.Preference}},
		}}}}
		for _, problem := range placement.Compile(alone, placement.Options{Path: templatePath}).Problems() {
			found(strings.Replace(problem.Field, at(requiredTerms, 0), at(preferredAt, i)+".preference", 1), problem.ErrorBody(), "correct the preference")
		}
	}
}

func checkSelector(s *subject, found report) {
	matches := func(selector *metav1.LabelSelector, of map[string]string) bool {
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		return err == nil && parsed.Matches(labels.Set(of))
	}
	for _, other := range s.Others {
		if other == nil || other.Namespace != s.ds.Namespace || other.Name == s.ds.Name {
			continue
		}
		name := other.Namespace + "/" + other.Name
		switch {
		case matches(s.ds.Spec.Selector, other.Spec.Template.Labels):
			found("spec.selector", "the pods of DaemonSet "+name+" match the selector too", "add a label that only these pods have")
		case matches(other.Spec.Selector, s.ds.Spec.Template.Labels):
			found("spec.template.metadata.labels", "the selector of DaemonSet "+name+" matches these pods too", "add a label to the selector of "+name)
		}
	}
}
