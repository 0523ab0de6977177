package tolerations_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

func TestFormat(t *testing.T) {
	thirty := int64(30)
	for want, tol := range map[string]corev1.Toleration{
		"dedicated=gpu:NoSchedule":              {Key: "dedicated", Operator: "Equal", Value: "gpu", Effect: "NoSchedule"},
		"dedicated=gpu":                         {Key: "dedicated", Value: "gpu"},
		"dedicated:NoExecute op=Exists for 30s": {Key: "dedicated", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: &thirty},
		"op=Exists":                             {Operator: "Exists"},
		":NoSchedule":                           {Effect: "NoSchedule"},
		"sla=900 op=Lt":                         {Key: "sla", Operator: "Lt", Value: "900"},
		"(empty)":                               {},
		"node-role.kubernetes.io/x=y op=Unlikely": {Key: "node-role.kubernetes.io/x", Operator: "Unlikely", Value: "y"},
	} {
		assert.Equal(t, want, tolerations.Format(tol))
	}
	assert.Equal(t, "a=b:NoSchedule", tolerations.FormatTaint(corev1.Taint{Key: "a", Value: "b", Effect: "NoSchedule"}))
	assert.Equal(t, "a:NoExecute", tolerations.FormatTaint(corev1.Taint{Key: "a", Effect: "NoExecute"}))
}
