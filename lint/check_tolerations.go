package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

func checkEverything(s *subject, found report) {
	field, blanket := "", tolerations.Effects(0)
	for i, t := range s.spec.Tolerations {
		if t.Key != "" || t.Operator != corev1.TolerationOpExists {
			continue
		}
		switch t.Effect {
		case "":
			field, blanket = cmp.Or(field, at(tolerationsAt, i)), tolerations.Blocking
		case corev1.TaintEffectNoSchedule:
			blanket |= tolerations.NoSchedule
		case corev1.TaintEffectNoExecute:
			blanket |= tolerations.NoExecute
		}
	}
	if blanket == tolerations.Blocking {
		found(cmp.Or(field, tolerationsAt),
			"every taint is tolerated, also those of nodes that are virtual, out of service or being removed",
			"tolerate the taints that are meant, or keep off other nodes by affinity")
	}
}

// valueless reports whether a well-known taint never has a value, so that a
// toleration of the empty value is right.
func valueless(key string) bool {
	switch key {
	case corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable, corev1.TaintNodeMemoryPressure,
		corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeNetworkUnavailable:
		return true
	}
	return strings.HasPrefix(key, "node-role.kubernetes.io/")
}

func checkOperator(s *subject, found report) {
	taints := make(map[string]bool) // by key: whether every value is empty
	for _, node := range s.nodes {
		for _, t := range node.Spec.Taints {
			empty, known := taints[t.Key]
			taints[t.Key] = t.Value == "" && (empty || !known)
		}
	}
	for i, t := range s.spec.Tolerations {
		if t.Operator != "" || t.Value != "" || t.Key != "" && valueless(t.Key) || taints[t.Key] {
			continue
		}
		message := fmt.Sprintf("without operator and value, only a taint %s with an empty value is tolerated", t.Key)
		if t.Key == "" {
			message = "without key, the operator has to be Exists"
		}
		found(at(tolerationsAt, i), message, "set operator: Exists, or the value")
	}
}

const (
	masterKey       = "node-role.kubernetes.io/master"
	controlPlaneKey = "node-role.kubernetes.io/control-plane"
)

func checkMaster(s *subject, found report) {
	for i, t := range s.spec.Tolerations {
		if t.Key != masterKey {
			continue
		}
		taint := corev1.Taint{Key: controlPlaneKey, Effect: cmp.Or(t.Effect, corev1.TaintEffectNoSchedule)}
		if !slices.ContainsFunc(s.spec.Tolerations, func(t corev1.Toleration) bool {
			return tolerations.Tolerates(&t, &taint, tolerations.Options{})
		}) {
			found(at(tolerationsAt, i), "tolerates the master taint and not "+tolerations.FormatTaint(taint)+", which replaced it in 1.25",
				"add a toleration for "+controlPlaneKey)
		}
	}
}
