package lint_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/lint"
)

// A manifest that asks for a surge and says nothing of maxUnavailable, which
// then defaults to 1.
func ExampleValidate() {
	labels := map[string]string{"app": "agent"}
	surge := intstr.FromInt32(1)
	ds := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: "agent", Namespace: "kube-system"},
		Spec: appsv1.DaemonSetSpec{
			Selector:       &metav1.LabelSelector{MatchLabels: labels},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: &surge}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers:  []corev1.Container{{Name: "agent", Image: "example.com/agent:1"}},
					Tolerations: []corev1.Toleration{{Effect: corev1.TaintEffectNoSchedule}},
				},
			},
		},
	}
	for _, err := range lint.Validate(ds, lint.Options{}) {
		fmt.Println(err.Field)
		fmt.Println("  ", err.Detail)
	}
	// Output:
	// spec.template.spec.tolerations[0].operator
	//    operator must be Exists when `key` is empty, which means "match all values and all keys"
	// spec.updateStrategy.rollingUpdate.maxSurge
	//    may not be set when maxUnavailable is non-zero
}

// A manifest meets the object that is in the cluster. It first gets what the API
// server would carry over.
func ExampleValidateUpdate() {
	labels := map[string]string{"app": "agent"}
	live := &appsv1.DaemonSet{
		ObjectMeta: metav1.ObjectMeta{Name: "agent", Namespace: "kube-system", UID: "4d1", ResourceVersion: "17", Generation: 3},
		Spec: appsv1.DaemonSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "agent", Image: "example.com/agent:1"}}},
			},
		},
	}
	manifest := live.DeepCopy()
	manifest.ObjectMeta = metav1.ObjectMeta{Name: "agent", Namespace: "kube-system"}
	manifest.Spec.Selector.MatchLabels = map[string]string{"app": "agent", "tier": "node"}
	manifest.Spec.Template.Labels = manifest.Spec.Selector.MatchLabels

	manifest.UID, manifest.ResourceVersion = live.UID, live.ResourceVersion
	manifest.Generation, manifest.CreationTimestamp = live.Generation, live.CreationTimestamp
	for _, err := range lint.ValidateUpdate(manifest, live, lint.Options{}) {
		fmt.Println(err.Field+":", err.Detail)
	}
	// Output:
	// spec.selector: field is immutable
}

func ExampleDefault() {
	ds := lint.Default(&appsv1.DaemonSet{})
	fmt.Println(ds.Spec.UpdateStrategy.Type, ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable, ds.Spec.UpdateStrategy.RollingUpdate.MaxSurge)
	fmt.Println(*ds.Spec.RevisionHistoryLimit)
	fmt.Println(ds.Spec.Template.Spec.RestartPolicy)
	// Output:
	// RollingUpdate 1 0
	// 10
	// Always
}

// Is what is in the file what is in the cluster?
func ExampleDefaultTemplate() {
	file := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "agent", Image: "example.com/agent:1", Ports: []corev1.ContainerPort{{ContainerPort: 9100}}}},
	}}
	grace := int64(30)
	live := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{
			Name: "agent", Image: "example.com/agent:1", ImagePullPolicy: corev1.PullIfNotPresent,
			Ports:                  []corev1.ContainerPort{{ContainerPort: 9100, Protocol: corev1.ProtocolTCP}},
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}},
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, SchedulerName: "default-scheduler",
		SecurityContext: &corev1.PodSecurityContext{}, TerminationGracePeriodSeconds: &grace,
	}}
	fmt.Println(equality.Semantic.DeepEqual(file, live))
	fmt.Println(equality.Semantic.DeepEqual(lint.DefaultTemplate(file), live))
	// Output:
	// false
	// true
}
