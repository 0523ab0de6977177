package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/placement"
)

func checkNoNode(s *subject, found report) {
	switch {
	case s.deadAffinity():
		found(requiredTerms, "no term of the required node affinity can match a node", "correct a term, or remove the required node affinity")
		return
	case len(s.nodes) == 0 || len(s.eligible) > 0:
		return
	}
	vocabulary := placement.NewVocabulary(s.nodes)
	summary := placement.Summarize(s.matcher, s.nodes)
	first := summary.Groups[0]
	node := s.nodes[slices.IndexFunc(s.nodes, func(n *corev1.Node) bool { return n.Name == first.Nodes[0] })]
	field, suggestion := podSpec, "correct the template, or change the nodes"
	switch first.Cause.Code {
	case placement.CauseNodeName:
		field = podSpec + ".nodeName"
	case placement.CauseNodeSelector:
		field = key(nodeSelector, first.Cause.Key)
	case placement.CauseNodeAffinity:
		field = requiredTerms
	case placement.CauseTaint:
		field, suggestion = tolerationsAt, "add a toleration for "+first.Cause.String()
	}
	for _, reason := range s.matcher.Explain(node, vocabulary).Reasons {
		if hint := firstHint(reason); hint != "" {
			suggestion += ": " + hint
			break
		}
	}
	found(field, summary.String(), suggestion)
}

// firstHint is the first near miss of a reason that says something about the fleet.
func firstHint(r placement.Reason) string {
	hints := slices.Clone(r.Hints)
	if r.Requirement != nil {
		hints = append(hints, r.Requirement.Hints...)
	}
	for _, term := range r.Terms {
		for _, failed := range term.Failed {
			hints = append(hints, failed.Hints...)
		}
	}
	for _, h := range hints {
		if h.Code != placement.HintValueDiffers || h.Meant != "" {
			return h.String()
		}
	}
	return ""
}

// deadAffinity reports whether the required node affinity matches nothing,
// whatever the node.
func (s *subject) deadAffinity() bool {
	terms, set := s.terms()
	for i := range terms {
		if len(terms[i].MatchExpressions)+len(terms[i].MatchFields) == 0 {
			continue
		}
		// One term alone, judged by itself.
		alone := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms[i : i+1]},
		}}}}
		if len(placement.Compile(alone, placement.Options{}).Problems()) == 0 {
			return false
		}
	}
	return set
}

// Labels by which nodes tell what they are.
const (
	osLabel       = corev1.LabelOSStable
	archLabel     = corev1.LabelArchStable
	betaOSLabel   = "beta.kubernetes.io/os"
	betaArchLabel = "beta.kubernetes.io/arch"
)

func checkWindows(s *subject, found report) {
	if s.restricts(osLabel, betaOSLabel) || s.meantForWindows() {
		return
	}
	var names []string
	for _, node := range s.eligible {
		if cmp.Or(node.Labels[osLabel], node.Labels[betaOSLabel]) == "windows" {
			names = append(names, node.Name)
		}
	}
	if len(names) > 0 {
		found(podSpec, fmt.Sprintf("lands on %s: %s", count(len(names), "Windows node"), some(names)), "add nodeSelector kubernetes.io/os: linux")
	}
}

// meantForWindows reports whether the pods can only be meant for Windows.
func (s *subject) meantForWindows() bool {
	if s.spec.OS != nil && s.spec.OS.Name == corev1.Windows {
		return true
	}
	if c := s.spec.SecurityContext; c != nil && c.WindowsOptions != nil {
		return true
	}
	return slices.ContainsFunc(s.containers(), func(c placed) bool {
		return c.SecurityContext != nil && c.SecurityContext.WindowsOptions != nil
	})
}

func checkArchitectures(s *subject, found report) {
	if s.restricts(archLabel, betaArchLabel) {
		return
	}
	counts := make(map[string]int)
	for _, node := range s.eligible {
		if arch := cmp.Or(node.Labels[archLabel], node.Labels[betaArchLabel]); arch != "" {
			counts[arch]++
		}
	}
	if len(counts) < 2 {
		return
	}
	var parts []string
	for _, arch := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s (%s)", arch, count(counts[arch], "node")))
	}
	found(podSpec, "lands on several architectures: "+some(parts),
		"make sure that every image is built for each of them, or add an affinity for kubernetes.io/arch")
}

// virtualMarks are labels and taints of nodes behind which there is no kubelet of
// the usual kind: it runs no daemon pods, and those stay Pending.
var virtualMarks = []struct{ key, value string }{
	{"type", "virtual-kubelet"},
	{"eks.amazonaws.com/compute-type", "fargate"},
	{"liqo.io/type", "virtual-node"},
	{"virtual-kubelet.io/provider", ""}, // a taint, with any value
}

func checkVirtual(s *subject, found report) {
	for _, mark := range virtualMarks {
		// What asks for such nodes by name means them.
		if s.restricts(mark.key) || slices.ContainsFunc(s.spec.Tolerations, func(t corev1.Toleration) bool { return t.Key == mark.key }) {
			continue
		}
		var names []string
		for _, node := range s.eligible {
			value, labelled := node.Labels[mark.key]
			if labelled && value == mark.value && value != "" || slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool {
				return t.Key == mark.key && (mark.value == "" || t.Value == mark.value)
			}) {
				names = append(names, node.Name)
			}
		}
		if len(names) > 0 {
			found(podSpec, fmt.Sprintf("lands on %s, marked %s: %s", count(len(names), "virtual node"), mark.key, some(names)),
				fmt.Sprintf("add a node affinity that excludes %s", mark.key))
		}
	}
}

func checkNodeName(s *subject, found report) {
	if name := s.spec.NodeName; name != "" {
		found(podSpec+".nodeName", fmt.Sprintf("pods run on node %s alone", name), "remove nodeName, and select nodes by labels")
	}
}
