package placement

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

// removal says of taints that mark a node as leaving that nobody should tolerate
// them for the sake of an agent.
var removal = map[string]string{
	"ToBeDeletedByClusterAutoscaler":            "the cluster autoscaler is removing the node",
	"karpenter.sh/disrupted":                    "Karpenter is removing the node",
	"node.kubernetes.io/out-of-service":         "the node is out of service, and its pods are to be moved",
	"node.cloudprovider.kubernetes.io/shutdown": "the node is shut down",
}

// tolerationHints are the tolerations of a list that nearly admit a taint, in
// their order and each with all its faults.
func (m *Matcher) tolerationHints(taint *corev1.Taint, list []corev1.Toleration) []Hint {
	var hints []Hint
	for i := range list {
		for _, code := range m.faults(&list[i], taint) {
			hint := Hint{Code: code, Key: taint.Key, Toleration: list[i].DeepCopy()}
			switch {
			case i < m.own:
				hint.Field = m.spec.Child("tolerations").Index(i).String()
			case code != HintTolerationEffect:
				// Nobody wrote it, so nobody misspelled it.
				continue
			}
			hints = append(hints, hint)
		}
	}
	return hints
}

// faults says what is wrong with a toleration that was meant for the taint. It is
// empty for one that admits the taint and for one that was meant for another.
func (m *Matcher) faults(t *corev1.Toleration, taint *corev1.Taint) []HintCode {
	admits := func(mend func(*corev1.Toleration)) bool {
		mended := *t
		mend(&mended)
		return tolerations.Tolerates(&mended, taint, m.matching)
	}
	if admits(func(*corev1.Toleration) {}) {
		return nil
	}
	if t.Key != "" && t.Key != taint.Key {
		_, near := nearKey(t.Key, taint.Key)
		near = near || t.Key == "*"
		// With the value written into the key, it is missing elsewhere.
		mends := admits(func(t *corev1.Toleration) { t.Key = taint.Key })
		if near && (mends || strings.ContainsAny(t.Key, "=:*")) {
			return []HintCode{HintTolerationKey}
		}
		return nil
	}
	var codes []HintCode
	if t.Effect != "" && t.Effect != taint.Effect {
		codes = append(codes, HintTolerationEffect)
	}
	if !admits(func(t *corev1.Toleration) { t.Effect = taint.Effect }) {
		if t.Key == "" && len(codes) > 0 {
			return nil // two faults and no key: meant for anything
		}
		codes = append(codes, m.valueFault(t, taint))
	}
	return codes
}

// valueFault says whether the operator or the value of a toleration is wrong.
func (m *Matcher) valueFault(t *corev1.Toleration, taint *corev1.Taint) HintCode {
	switch t.Operator {
	case "":
		if t.Key == "" || t.Value == "" && taint.Value != "" {
			return HintTolerationOperator
		}
	case corev1.TolerationOpEqual:
		if t.Key == "" {
			return HintTolerationOperator
		}
	case tolerations.OpLt, tolerations.OpGt:
		if !m.matching.ComparisonOperators {
			return HintTolerationOperator
		}
	default:
		return HintTolerationOperator
	}
	return HintTolerationValue
}

// tolerationText names the toleration, where it comes from and its fault.
func (h Hint) tolerationText() string {
	var t corev1.Toleration
	if h.Toleration != nil {
		t = *h.Toleration
	}
	subject := h.Field
	if subject == "" {
		subject = "a toleration that is added"
		for _, d := range tolerations.DefaultTolerations(&corev1.PodSpec{HostNetwork: true}) {
			if t.Key == d.Key && t.Effect == d.Effect {
				subject = "a default toleration"
			}
		}
	}
	subject += " (" + tolerations.Format(t) + ")"
	switch h.Code {
	case HintTolerationKey:
		switch {
		case t.Key == "*":
			return subject + " is for the key \"*\": leave the key out for every key"
		case strings.ContainsAny(t.Key, "=:"):
			return subject + " has more than a key in its key"
		}
		return subject + " is for another key"
	case HintTolerationEffect:
		return subject + " is for another effect"
	case HintTolerationValue:
		if t.Operator == tolerations.OpLt || t.Operator == tolerations.OpGt {
			return subject + " compares integers, and the taint's value does not pass"
		}
		return subject + " is for another value"
	}
	switch t.Operator {
	case tolerations.OpLt, tolerations.OpGt:
		return fmt.Sprintf("%s uses %s, which is switched off", subject, t.Operator)
	case "", corev1.TolerationOpEqual:
		if t.Key == "" {
			return subject + " has no key, so its operator has to be Exists"
		}
		return subject + " has no operator, so it wants the empty value: operator Exists admits any"
	}
	return fmt.Sprintf("%s has an operator that does not exist: %q", subject, string(t.Operator))
}
