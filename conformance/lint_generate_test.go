package conformance_test

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"
)

// lintDraw draws DaemonSets from few words, so that names, ports and keys
// collide. Each field is mostly valid, sometimes missing, sometimes wrong in one
// of the ways that the rules know.
type lintDraw struct {
	*rapid.T
	// calm objects go wrong in one field or in none. There have to be some: a rule
	// that is too strict shows where everything else is right.
	calm bool
}

func newLintDraw(t *rapid.T) lintDraw {
	return lintDraw{T: t, calm: rapid.IntRange(0, 2).Draw(t, "calm") == 0}
}

// lintOneOf draws one of the values.
func lintOneOf[V any](d lintDraw, label string, values ...V) V {
	return values[rapid.IntRange(0, len(values)-1).Draw(d.T, label)]
}

// lintMostly draws the first value in seven draws of eight, or of a calm object in
// nearly all, else any of the rest.
func lintMostly[V any](d lintDraw, label string, usual V, others ...V) V {
	n := 8
	if d.calm {
		n = 64
	}
	if !d.seldom(label+"?", n) {
		return usual
	}
	return lintOneOf(d, label, others...)
}

func lintList[V any](d lintDraw, label string, atMost int, draw func() V) []V {
	var list []V
	for range rapid.IntRange(0, atMost).Draw(d.T, label) {
		list = append(list, draw())
	}
	return list
}

func lintPointer[V any](v V) *V { return &v }

// seldom holds in one draw of n.
func (d lintDraw) seldom(label string, n int) bool {
	return rapid.IntRange(0, n-1).Draw(d.T, label) == n-1
}

var (
	lintLong64  = strings.Repeat("a", 64)
	lintLong254 = strings.Repeat("a", 254)
)

func (d lintDraw) labelKey() string {
	return lintMostly(d, "key", lintOneOf(d, "key", "app", "zone", "example.com/role"),
		"", "a/b/c", "/x", "not ok", "example.com/", "Bad_Prefix/x", lintLong64)
}

func (d lintDraw) labelValue() string {
	return lintMostly(d, "value", lintOneOf(d, "value", "", "a", "b"), "not ok!", "-a", lintLong64)
}

func (d lintDraw) labels() map[string]string {
	m := map[string]string{"app": lintMostly(d, "app", "a", "b", "")}
	for range rapid.IntRange(0, 2).Draw(d.T, "labels") {
		m[d.labelKey()] = d.labelValue()
	}
	return lintMostly(d, "labels", m, nil, map[string]string{})
}

func (d lintDraw) subdomain(label, usual string) string {
	return lintMostly(d, label, usual, "", "Bad_Name", "a..b", "-a", "a-", lintLong254)
}

func (d lintDraw) meta() metav1.ObjectMeta {
	m := metav1.ObjectMeta{
		Name:         d.subdomain("name", "agent"),
		GenerateName: lintMostly(d, "generateName", "", "agent-", "Bad_"),
		Namespace:    lintMostly(d, "namespace", "default", "", "Not/A/Name"),
		Generation:   lintMostly(d, "generation", int64(1), 0, 3, -1),
		Labels:       d.labels(),
		Annotations:  lintMostly(d, "annotations", map[string]string{"note": "x"}, nil, map[string]string{"a/b/c": "", "UPPER/Case": "x"}),
		Finalizers: lintMostly(d, "finalizers", nil, []string{"example.com/x"}, []string{"kubernetes", "foregroundDeletion"}, []string{"orphan", "foregroundDeletion"},
			[]string{"plain"}, []string{"a/b/c"}),
		UID:             lintMostly[types.UID](d, "uid", "u1", "u2", ""),
		ResourceVersion: lintMostly(d, "resourceVersion", "1", ""),
	}
	if d.seldom("size", 200) {
		m.Annotations = map[string]string{"big": strings.Repeat("x", 1<<18+1)}
	}
	if d.seldom("templateGeneration", 8) && !d.calm {
		// Numbers below zero are left out: see lintLeftOut.
		m.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: lintOneOf(d, "templateGeneration",
			"1", "+03", "0", "", "one", "1.5", "99999999999999999999")}
	}
	if d.seldom("owners", 3) && !d.calm {
		m.OwnerReferences = lintList(d, "owners", 2, func() metav1.OwnerReference {
			return metav1.OwnerReference{
				APIVersion: lintMostly(d, "apiVersion", "apps/v1", "", "a/b/c", "apps/", "v1"),
				Kind:       lintMostly(d, "kind", "Fleet", "", "Event"),
				Name:       lintMostly(d, "owner", "f", ""),
				UID:        lintMostly[types.UID](d, "owner uid", "o1", ""),
				Controller: lintOneOf(d, "controller", nil, lintPointer(true), lintPointer(false)),
			}
		})
	}
	if d.seldom("managed", 3) && !d.calm {
		m.ManagedFields = lintList(d, "managed", 2, func() metav1.ManagedFieldsEntry {
			return metav1.ManagedFieldsEntry{
				Manager:     lintMostly(d, "manager", "kubectl", strings.Repeat("m", 129), "\x01"),
				Operation:   lintMostly(d, "operation", metav1.ManagedFieldsOperationApply, "Update", "", "Delete"),
				FieldsType:  lintMostly(d, "fieldsType", "FieldsV1", "", "FieldsV2"),
				Subresource: lintMostly(d, "subresource", "", "status", strings.Repeat("s", 257)),
			}
		})
	}
	if d.seldom("deleted", 8) {
		m.DeletionTimestamp = lintPointer(metav1.Unix(100, 0))
		m.DeletionGracePeriodSeconds = lintPointer(int64(30))
	}
	return m
}

func (d lintDraw) selector() *metav1.LabelSelector {
	s := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}
	if d.seldom("matchLabels", 4) && !d.calm {
		s.MatchLabels = lintOneOf(d, "matchLabels", nil, map[string]string{}, d.labels(), d.labels())
	}
	if d.seldom("matchExpressions", 3) && !d.calm {
		s.MatchExpressions = lintList(d, "matchExpressions", 2, func() metav1.LabelSelectorRequirement {
			return metav1.LabelSelectorRequirement{
				Key:      d.labelKey(),
				Operator: lintMostly(d, "operator", lintOneOf(d, "operator", metav1.LabelSelectorOpIn, "NotIn", "Exists", "DoesNotExist"), "", "Gt"),
				Values:   lintList(d, "values", 2, d.labelValue),
			}
		})
	}
	return lintMostly(d, "selector", s, nil, &metav1.LabelSelector{})
}

func (d lintDraw) intOrPercent(label string) *intstr.IntOrString {
	n := func(v int32) *intstr.IntOrString { return lintPointer(intstr.FromInt32(v)) }
	s := func(v string) *intstr.IntOrString { return lintPointer(intstr.FromString(v)) }
	if d.calm {
		return map[string]*intstr.IntOrString{"maxUnavailable": nil, "maxSurge": n(0)}[label]
	}
	return lintOneOf(d, label, nil, n(0), n(0), n(0), n(1), n(5000), n(-1), s("0%"), s("05%"), s("10%"), s("100%"), s("101%"), s("1.5%"),
		s("ten"), s("5"), s("%"), s(""), s("+5%"), s(" 5%"), s("99999999999999999999%"),
		&intstr.IntOrString{Type: 7, IntVal: 2, StrVal: "x"}, &intstr.IntOrString{Type: intstr.Int, StrVal: "3"})
}

func (d lintDraw) strategy() appsv1.DaemonSetUpdateStrategy {
	s := appsv1.DaemonSetUpdateStrategy{Type: lintMostly(d, "strategy", lintOneOf(d, "strategy", "", appsv1.RollingUpdateDaemonSetStrategyType),
		appsv1.OnDeleteDaemonSetStrategyType, "Recreate")}
	if !d.seldom("rollingUpdate", 5) {
		s.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: d.intOrPercent("maxUnavailable"), MaxSurge: d.intOrPercent("maxSurge")}
	}
	return s
}

func (d lintDraw) toleration() corev1.Toleration {
	t := corev1.Toleration{
		Key: d.labelKey(),
		Operator: lintMostly(d, "operator", lintOneOf(d, "operator", "", corev1.TolerationOpEqual, corev1.TolerationOpExists),
			"Lt", "Gt", "Lt", "Gt", "In"),
		Effect:            lintMostly(d, "effect", lintOneOf(d, "effect", "", corev1.TaintEffectNoExecute), "NoSchedule", "PreferNoSchedule", "Never"),
		TolerationSeconds: lintMostly(d, "seconds", nil, lintPointer(int64(5))),
	}
	if t.Value = lintMostly(d, "taint value", "", "5", "not ok!", lintLong64); t.Operator == "Lt" || t.Operator == "Gt" {
		t.Value = lintOneOf(d, "number", "", "5", "0", "-3", "-0", "-", "+5", "007", "1.5", "9223372036854775808", "-9223372036854775808", "x")
	}
	return t
}

func (d lintDraw) nodeTerm() corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{
		MatchExpressions: lintList(d, "expressions", 2, func() corev1.NodeSelectorRequirement {
			r := corev1.NodeSelectorRequirement{
				Key: d.labelKey(),
				Operator: lintMostly(d, "operator", lintOneOf(d, "operator",
					corev1.NodeSelectorOpIn, "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"), "", "Near"),
			}
			switch {
			case !d.calm:
				r.Values = lintList(d, "values", 2, d.labelValue)
			case !strings.HasSuffix(string(r.Operator), "Exist") && !strings.HasSuffix(string(r.Operator), "Exists"):
				r.Values = []string{d.labelValue()}
			}
			return r
		}),
		MatchFields: lintList(d, "fields", 1, func() corev1.NodeSelectorRequirement {
			if d.calm {
				return corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: "In", Values: []string{"n1"}}
			}
			return corev1.NodeSelectorRequirement{
				Key:      lintMostly(d, "field", "metadata.name", "", "spec.podCIDR"),
				Operator: lintMostly(d, "operator", lintOneOf(d, "operator", corev1.NodeSelectorOpIn, "NotIn"), "Exists", ""),
				Values:   lintList(d, "names", 2, func() string { return d.subdomain("node", "n1") }),
			}
		}),
	}
}

func (d lintDraw) podTerm() corev1.PodAffinityTerm {
	term := corev1.PodAffinityTerm{TopologyKey: "kubernetes.io/hostname", LabelSelector: d.selector()}
	if d.seldom("namespaceSelector", 3) {
		term.NamespaceSelector = d.selector()
	}
	return term
}

func (d lintDraw) affinity() *corev1.Affinity {
	a := &corev1.Affinity{}
	if !d.seldom("no node affinity", 5) {
		a.NodeAffinity = &corev1.NodeAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: lintList(d, "preferred", 2, func() corev1.PreferredSchedulingTerm {
				return corev1.PreferredSchedulingTerm{
					Weight:     lintMostly(d, "weight", int32(1), 100, 0, 101, -1),
					Preference: d.nodeTerm(),
				}
			}),
		}
		if !d.seldom("not required", 5) {
			a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{
				NodeSelectorTerms: lintList(d, "terms", 2, d.nodeTerm),
			}
			if d.calm {
				a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms = []corev1.NodeSelectorTerm{d.nodeTerm()}
			}
		}
	}
	if d.seldom("pod affinity", 6) {
		a.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: lintList(d, "pods", 1, d.podTerm)}
		a.PodAntiAffinity = &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: lintList(d, "anti", 1, d.podTerm),
			PreferredDuringSchedulingIgnoredDuringExecution: lintList(d, "weighted", 1, func() corev1.WeightedPodAffinityTerm {
				return corev1.WeightedPodAffinityTerm{Weight: 1, PodAffinityTerm: d.podTerm()}
			}),
		}
		a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution = a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	return lintMostly(d, "affinity", a, nil)
}

func (d lintDraw) port() corev1.ContainerPort {
	if d.calm {
		return corev1.ContainerPort{ContainerPort: 80, HostIP: d.subdomain("hostIP", "")}
	}
	return corev1.ContainerPort{
		Name:          lintMostly(d, "port", lintOneOf(d, "port", "", "http", "p1"), "Http", "no_t", "123", "sixteen-chars-xy", "a--b", "-a", "way-too-long-a-name"),
		ContainerPort: lintMostly(d, "containerPort", lintOneOf[int32](d, "containerPort", 80, 81), 0, -1, 65536),
		HostPort:      lintMostly(d, "hostPort", lintOneOf[int32](d, "hostPort", 0, 80, 81), -1, 65536),
		Protocol:      lintMostly(d, "protocol", lintOneOf(d, "protocol", "", corev1.ProtocolTCP, "UDP", "SCTP"), "tcp", "ICMP"),
		HostIP:        lintMostly(d, "hostIP", "", "127.0.0.1"),
	}
}

func (d lintDraw) container() corev1.Container {
	return corev1.Container{
		Name:                     lintMostly(d, "container", lintOneOf(d, "container", "a", "b", "c"), "", "Bad_Name", "a.b", lintLong64),
		Image:                    lintMostly(d, "image", lintOneOf(d, "image", "x", "x:1", "x:latest"), "", " x ", "UPPER"),
		ImagePullPolicy:          lintMostly(d, "pull", "", corev1.PullAlways, "Sometimes"),
		TerminationMessagePolicy: lintMostly(d, "message", "", corev1.TerminationMessageFallbackToLogsOnError, "Shout"),
		Ports:                    lintList(d, "ports", 3, d.port),
	}
}

func (d lintDraw) annotations() map[string]string {
	m := map[string]string{}
	add := func(key string, values ...string) {
		if d.seldom(key, 6) && !d.calm {
			m[key] = lintOneOf(d, key, values...)
		}
	}
	profiles := []string{"", "runtime/default", "docker/default", "unconfined", "localhost/p", "localhost//etc/p", "localhost/../p", "localhost//../p", "other"}
	add("note", "x")
	add("a/b/c", "x")
	add(corev1.MirrorPodAnnotationKey, "x", "")
	// JSON of another shape than a list of tolerations is left out: the text of
	// that error names a Go type, which differs.
	add(corev1.TolerationsAnnotationKey, "", "null", "[]", "{", "[{}]", `[{"key":"a","operator":"Exists"}]`,
		`[{"key":"a/b/c","operator":"Lt","value":"x","effect":"Never","tolerationSeconds":3}]`)
	add(corev1.PodDeletionCost, "0", "-5", "10", "", "+1", "01", "-01", "x", "2147483648", "-")
	add(corev1.SeccompPodAnnotationKey, profiles...)
	add(corev1.SeccompContainerAnnotationKeyPrefix+"a", profiles...)
	add(corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix+"a", profiles...)
	add(corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix+"z", profiles...)
	return lintMostly(d, "annotations", m, nil)
}

func (d lintDraw) template() corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      d.labels(),
			Annotations: d.annotations(),
			// Nothing judges these in a template.
			Name:       lintMostly(d, "template name", "", "Bad_Name"),
			Namespace:  lintMostly(d, "template namespace", "", "Not/A/Name"),
			Finalizers: lintMostly(d, "template finalizers", nil, []string{"plain"}),
		},
		Spec: corev1.PodSpec{
			Containers:                    []corev1.Container{d.container()},
			InitContainers:                lintList(d, "init", 2, d.container),
			NodeName:                      d.subdomain("nodeName", lintOneOf(d, "nodeName", "", "n1")),
			NodeSelector:                  d.labels(),
			Affinity:                      d.affinity(),
			Tolerations:                   lintList(d, "tolerations", 3, d.toleration),
			RestartPolicy:                 lintMostly(d, "restart", lintOneOf(d, "restart", "", corev1.RestartPolicyAlways), "OnFailure", "Never", "Sometimes"),
			DNSPolicy:                     lintMostly(d, "dns", lintOneOf(d, "dns", "", corev1.DNSClusterFirst, "ClusterFirstWithHostNet", "Default"), "None", "None", "Other"),
			DNSConfig:                     lintOneOf(d, "dnsConfig", nil, &corev1.PodDNSConfig{}, &corev1.PodDNSConfig{Nameservers: []string{"10.0.0.1"}}),
			ActiveDeadlineSeconds:         lintMostly(d, "deadline", nil, lintPointer(int64(1)), lintPointer(int64(0)), lintPointer(int64(1)<<31)),
			TerminationGracePeriodSeconds: lintMostly(d, "grace", nil, lintPointer(int64(0)), lintPointer(int64(-1))),
			HostNetwork:                   d.seldom("hostNetwork", 3),
		},
	}
	if d.calm {
		t.Spec.InitContainers = nil
	} else {
		t.Spec.Containers = append(t.Spec.Containers, lintList(d, "containers", 2, d.container)...)
	}
	if d.seldom("no containers", 12) && !d.calm {
		t.Spec.Containers = nil
	}
	if d.seldom("ephemeral", 12) && !d.calm {
		t.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: lintOneOf(d, "debugger", "a", "z", ""), Image: "debug"}}}
	}
	return t
}

func (d lintDraw) daemonSet() *appsv1.DaemonSet {
	return &appsv1.DaemonSet{
		ObjectMeta: d.meta(),
		Spec: appsv1.DaemonSetSpec{
			Selector:             d.selector(),
			Template:             d.template(),
			UpdateStrategy:       d.strategy(),
			MinReadySeconds:      lintMostly(d, "minReadySeconds", int32(0), 5, -1),
			RevisionHistoryLimit: lintMostly(d, "revisionHistoryLimit", nil, lintPointer(int32(0)), lintPointer(int32(-1))),
		},
	}
}

// older draws what the DaemonSet may have looked like before an update: mostly
// the same object, else with the selector, the template or pieces of the metadata
// of another one.
func (d lintDraw) older(ds *appsv1.DaemonSet) *appsv1.DaemonSet {
	old := ds.DeepCopy()
	if d.seldom("other metadata", 2) {
		before := d.meta()
		old.Name = lintMostly(d, "old name", ds.Name, before.Name)
		old.Namespace = lintMostly(d, "old namespace", ds.Namespace, before.Namespace)
		old.UID = lintMostly(d, "old uid", ds.UID, "u9")
		old.Generation = lintMostly(d, "old generation", ds.Generation, 9)
		old.Finalizers, old.Annotations = before.Finalizers, before.Annotations
		old.CreationTimestamp = lintMostly(d, "old creation", ds.CreationTimestamp, metav1.Unix(7, 0))
		old.DeletionTimestamp = before.DeletionTimestamp
		old.DeletionGracePeriodSeconds = before.DeletionGracePeriodSeconds
	}
	delete(old.Annotations, appsv1.DeprecatedTemplateGeneration)
	if d.seldom("other selector", 3) {
		old.Spec.Selector = d.selector()
	}
	if d.seldom("other template", 2) {
		old.Spec.Template = d.template()
	}
	return old
}
