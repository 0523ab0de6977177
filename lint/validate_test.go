package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/daemonplan/daemonplan/lint"
)

func TestNil(t *testing.T) {
	assert.Equal(t, []string{"daemonSet: Required value: must not be nil"}, lines(lint.Validate(nil, lint.Options{})))
	assert.Equal(t, []string{"daemonSet: Required value: must not be nil"}, lines(lint.ValidateUpdate(nil, valid(), lint.Options{})))
	assert.Equal(t, []string{"oldDaemonSet: Required value: must not be nil"}, lines(lint.ValidateUpdate(valid(), nil, lint.Options{})))
}

func TestEmpty(t *testing.T) {
	assert.Equal(t, []string{
		"metadata.name: Required value: name or generateName is required",
		"metadata.namespace: Required value: ",
		"spec.template.metadata.labels: Invalid value: `selector` does not match template `labels`",
		"spec.template.spec.containers: Required value: ",
	}, lines(lint.Validate(&appsv1.DaemonSet{}, lint.Options{})))
}

func TestMetadata(t *testing.T) {
	runRefusals(t, lint.Options{}, []refusal{
		{"valid", func(*appsv1.DaemonSet) {}, nil},
		{"name with dots", func(ds *appsv1.DaemonSet) { ds.Name = "agent.v1" }, nil},
		{"name", func(ds *appsv1.DaemonSet) { ds.Name = "Agent" }, []string{"metadata.name: Invalid value: " + badSubdomain}},
		{"long name", func(ds *appsv1.DaemonSet) { ds.Name = strings.Repeat("a", 254) },
			[]string{"metadata.name: Invalid value: must be no more than 253 characters"}},
		{"generateName alone", func(ds *appsv1.DaemonSet) { ds.Name, ds.GenerateName = "", "agent-" },
			[]string{"metadata.name: Required value: name or generateName is required"}},
		{"namespace", func(ds *appsv1.DaemonSet) { ds.Namespace = "" }, []string{"metadata.namespace: Required value: "}},
		{"namespace with dots", func(ds *appsv1.DaemonSet) { ds.Namespace = "a.b" }, []string{"metadata.namespace: Invalid value: must not contain dots"}},
		{"generation", func(ds *appsv1.DaemonSet) { ds.Generation = -1 },
			[]string{"metadata.generation: Invalid value: must be greater than or equal to 0"}},
		{"labels in order", func(ds *appsv1.DaemonSet) { ds.Labels = map[string]string{"z": "-", "y": "-", "x": "-", "w": "-"} },
			[]string{"metadata.labels: Invalid value: " + badLabelValue, "metadata.labels: Invalid value: " + badLabelValue,
				"metadata.labels: Invalid value: " + badLabelValue, "metadata.labels: Invalid value: " + badLabelValue}},
		{"finalizer without a domain", func(ds *appsv1.DaemonSet) { ds.Finalizers = []string{"orphan", "example.com/x", "mine", "kubernetes"} },
			[]string{"metadata.finalizers[2]: Invalid value: name is neither a standard finalizer name nor is it fully qualified"}},
		{"template generation", func(ds *appsv1.DaemonSet) {
			ds.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "+03"}
		}, nil},
		{"template generation that is no number", func(ds *appsv1.DaemonSet) {
			ds.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "one"}
		}, []string{`metadata.annotations[deprecated.daemonset.template.generation]: Invalid value: strconv.ParseInt: parsing "one": invalid syntax`}},
	})
}

func TestSelector(t *testing.T) {
	runRefusals(t, lint.Options{}, []refusal{
		{"nil", func(ds *appsv1.DaemonSet) { ds.Spec.Selector = nil },
			[]string{"spec.template.metadata.labels: Invalid value: `selector` does not match template `labels`"}},
		{"empty", func(ds *appsv1.DaemonSet) { ds.Spec.Selector = &metav1.LabelSelector{} },
			[]string{"spec.selector: Invalid value: empty selector is invalid for daemonset"}},
		{"other labels", func(ds *appsv1.DaemonSet) { ds.Spec.Template.Labels = nil },
			[]string{"spec.template.metadata.labels: Invalid value: `selector` does not match template `labels`"}},
		{"expression alone", func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Exists"}}}
		}, nil},
		// A selector that cannot be read is not compared with the labels.
		{"operator", func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: "Near"}}
		}, []string{"spec.selector.matchExpressions[0].operator: Invalid value: not a valid selector operator"}},
		{"no values", func(ds *appsv1.DaemonSet) {
			ds.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: "In"}}
		}, []string{"spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"}},
	})
}

func TestSpecNumbers(t *testing.T) {
	runRefusals(t, lint.Options{}, []refusal{
		{"zero", func(ds *appsv1.DaemonSet) { ds.Spec.RevisionHistoryLimit = to(int32(0)) }, nil},
		{"negative", func(ds *appsv1.DaemonSet) {
			ds.Spec.MinReadySeconds, ds.Spec.RevisionHistoryLimit = -1, to(int32(-1))
		}, []string{
			"spec.minReadySeconds: Invalid value: must be greater than or equal to 0",
			"spec.revisionHistoryLimit: Invalid value: must be greater than or equal to 0",
		}},
	})
}

func TestUpdate(t *testing.T) {
	cases := []struct {
		name         string
		change       func(updated, old *appsv1.DaemonSet)
		want, create []string
	}{
		{name: "nothing changed", change: func(*appsv1.DaemonSet, *appsv1.DaemonSet) {}},
		{name: "template changed", change: func(updated, _ *appsv1.DaemonSet) { updated.Spec.Template.Spec.Containers[0].Image = "x" }},
		{
			name: "selector changed",
			change: func(updated, _ *appsv1.DaemonSet) {
				updated.Spec.Selector.MatchLabels = map[string]string{"app": "agent", "tier": "node"}
				updated.Spec.Template.Labels = updated.Spec.Selector.MatchLabels
			},
			want: []string{"spec.selector: Invalid value: field is immutable"},
		},
		{
			name: "identity changed",
			change: func(updated, old *appsv1.DaemonSet) {
				updated.Name, updated.Namespace, updated.UID, updated.ResourceVersion = "b", "b", "b", ""
				old.Generation = 2
			},
			want: []string{
				"metadata.generation: Invalid value: must not be decremented",
				"metadata.name: Invalid value: field is immutable",
				"metadata.namespace: Invalid value: field is immutable",
				"metadata.resourceVersion: Invalid value: must be specified for an update",
				"metadata.uid: Invalid value: field is immutable",
			},
		},
		{
			name:   "a name that would not pass today",
			change: func(updated, old *appsv1.DaemonSet) { updated.Name, old.Name = "A", "A" },
			create: []string{"metadata.name: Invalid value: " + badSubdomain},
		},
		{
			name: "finalizer added while being deleted",
			change: func(updated, old *appsv1.DaemonSet) {
				at := metav1.Unix(1, 0)
				updated.DeletionTimestamp, old.DeletionTimestamp = &at, &at
				updated.Finalizers = []string{"example.com/x"}
			},
			want: []string{`metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/x"}`},
		},
		{
			name: "comparison operator in use",
			change: func(updated, old *appsv1.DaemonSet) {
				old.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "sla", Operator: "Gt", Value: "5"}}
				updated.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "sla", Operator: "Lt", Value: "7"}}
			},
			create: []string{`spec.template.spec.tolerations[0].operator: Unsupported value: supported values: "Equal", "Exists", "Lt", "Gt"`},
		},
		{
			name: "bad deletion cost before",
			change: func(updated, old *appsv1.DaemonSet) {
				old.Spec.Template.Annotations = map[string]string{corev1.PodDeletionCost: "x"}
				updated.Spec.Template.Annotations = map[string]string{corev1.PodDeletionCost: "y"}
			},
			create: []string{"spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: must be a 32bit integer"},
		},
		{
			name: "bad selector value before",
			change: func(updated, old *appsv1.DaemonSet) {
				e := []metav1.LabelSelectorRequirement{{Key: "app", Operator: "NotIn", Values: []string{"-"}}}
				updated.Spec.Selector.MatchExpressions, old.Spec.Selector.MatchExpressions = e, e
			},
			create: []string{"spec.selector.matchExpressions[0].values[0]: Invalid value: " + badLabelValue},
		},
		{
			name: "bad selector of pods before",
			change: func(updated, old *appsv1.DaemonSet) {
				updated.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "NotIn", Values: []string{"-"}}}
				term := corev1.PodAffinityTerm{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "-"}}}
				old.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
					PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{PodAffinityTerm: term}}}}
			},
			want:   []string{"spec.selector: Invalid value: field is immutable"},
			create: []string{"spec.selector.matchExpressions[0].values[0]: Invalid value: " + badLabelValue},
		},
		{
			name: "bad node value before",
			change: func(updated, old *appsv1.DaemonSet) {
				updated.Spec.Template.Spec.Affinity = requiring(expression("zone", "In", "-a"))
				old.Spec.Template.Spec.Affinity = requiring(expression("zone", "In", "-b"))
			},
			create: []string{required + "nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: " + badLabelValue},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			updated, old := valid(), valid()
			c.change(updated, old)
			assert.Equal(t, c.want, lines(lint.ValidateUpdate(updated, old, lint.Options{})))
			assert.Equal(t, c.create, lines(lint.Validate(updated, lint.Options{})))
		})
	}
}

// Bad values are of the copy that was judged, so that a caller who holds on to
// errors does not hold on to, or change, the object.
func TestErrorsShareNothing(t *testing.T) {
	ds := valid()
	ds.Spec.Selector = &metav1.LabelSelector{}
	ds.Spec.Template.Labels = map[string]string{"a": "b"}
	errs := lint.Validate(ds, lint.Options{})
	require.Len(t, errs, 1)
	assert.NotSame(t, ds.Spec.Selector, errs[0].BadValue)
	assert.Equal(t, ds.Spec.Selector, errs[0].BadValue)
}
