package tolerations

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Format writes a toleration as kubectl describe does:
// "dedicated=gpu:NoSchedule", "dedicated:NoExecute op=Exists for 30s". An
// operator other than Equal is always named.
func Format(t corev1.Toleration) string {
	var b strings.Builder
	b.WriteString(t.Key)
	if t.Value != "" {
		b.WriteString("=" + t.Value)
	}
	if t.Effect != "" {
		b.WriteString(":" + string(t.Effect))
	}
	if t.Operator != "" && t.Operator != corev1.TolerationOpEqual {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("op=" + string(t.Operator))
	}
	if t.TolerationSeconds != nil {
		b.WriteString(" for " + strconv.FormatInt(*t.TolerationSeconds, 10) + "s")
	}
	if b.Len() == 0 {
		return "(empty)"
	}
	return b.String()
}

// FormatTaint writes a taint as kubectl does: "dedicated=gpu:NoSchedule", and
// without value "dedicated:NoSchedule".
func FormatTaint(t corev1.Taint) string { return t.ToString() }
