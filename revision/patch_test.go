package revision_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/revision"
)

func TestPatchBytes(t *testing.T) {
	template := &corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"b": "<&>", "a": "1"}},
		Spec: corev1.PodSpec{
			TerminationGracePeriodSeconds: new(int64),
			Volumes: []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
				VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{},
			}}}},
		},
	}
	patch, err := revision.Patch(template)
	assert.NoError(t, err)
	assert.Equal(t, `{"spec":{"template":{"$patch":"replace","metadata":{"annotations":{"a":"1","b":"\u003c\u0026\u003e"}},`+
		`"spec":{"containers":null,"terminationGracePeriodSeconds":0,"volumes":[{"ephemeral":{"volumeClaimTemplate":{"metadata":{},"spec":{"resources":{}}}},"name":"v"}]}}}}`,
		string(patch))

	// A creation timestamp that somebody set stays.
	at := metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	patch, err = revision.Patch(&corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: at}})
	assert.NoError(t, err)
	assert.Contains(t, string(patch), `"creationTimestamp":"2026-01-02T03:04:05Z"`)

	// Integers go through floating-point numbers, as in the controller.
	patch, err = revision.Patch(&corev1.PodTemplateSpec{Spec: corev1.PodSpec{ActiveDeadlineSeconds: ptr(int64(math.MaxInt64))}})
	assert.NoError(t, err)
	assert.Contains(t, string(patch), `"activeDeadlineSeconds":9223372036854775807`[:len(`"activeDeadlineSeconds":922337203685477`)])

	empty, err := revision.Patch(nil)
	assert.NoError(t, err)
	same, err := revision.Patch(&corev1.PodTemplateSpec{})
	assert.NoError(t, err)
	assert.Equal(t, same, empty)
}

func ptr[T any](v T) *T { return &v }

// A template that has no form in JSON is an error everywhere, and no panic.
func TestPatchOfTheImpossible(t *testing.T) {
	template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.IntOrString{Type: 7}}}},
	}}}}
	_, err := revision.Patch(template)
	assert.ErrorContains(t, err, "revision: template: ")
	ds := daemonSet(0)
	ds.Spec.Template = *template
	_, err = revision.Resolve(state(ds, nil), revision.Options{})
	assert.Error(t, err)
	_, err = revision.New(state(ds, nil).Owner, template, 1, nil)
	assert.Error(t, err)
	_, err = revision.Matches(template, stored(t, "a", 1, 0))
	assert.Error(t, err)
	_, err = revision.RollBack(template, []*appsv1.ControllerRevision{stored(t, "a", 1, 0)}, 1)
	assert.Error(t, err)
	_, err = revision.Diff(template, nil)
	assert.Error(t, err)
	_, err = revision.Diff(nil, template)
	assert.Error(t, err)
}

func TestTemplateIsWhatWasStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		template := gen.Template().Draw(t, "template")
		gen.Metadata(t, template)
		before := template.DeepCopy()
		r, err := revision.New(state(daemonSet(0), nil).Owner, template, 1, nil)
		assert.NoError(t, err)
		got, err := revision.Template(r)
		assert.NoError(t, err)
		assert.True(t, equality.Semantic.DeepEqual(template, got))
		for _, matches := range []func(*corev1.PodTemplateSpec, *appsv1.ControllerRevision) (bool, error){revision.Matches, revision.MatchesByMeaning} {
			same, err := matches(template, r)
			assert.NoError(t, err)
			assert.True(t, same)
		}
		assert.Equal(t, before, template)
		assert.True(t, json.Valid(r.Data.Raw))
	})
}

func TestTemplateOfForeignData(t *testing.T) {
	for data, want := range map[string]string{
		``:                         "revision: r: data: ",
		`nope`:                     "revision: r: data: ",
		`7`:                        "revision: r: data: ",
		`null`:                     "data.spec.template: not there",
		`{}`:                       "data.spec.template: not there",
		`{"spec":{}}`:              "data.spec.template: not there",
		`{"spec":{"template":[]}}`: "revision: r: data.spec.template: ",
		`{"spec":{"template":{}}}`: `data.spec.template.$patch: is "", must be "replace"`,
		`{"spec":{"template":{"$patch":"delete"}}}`:                            `is "delete"`,
		`{"spec":{"template":{"$patch":"replace","spec":{"containers":"x"}}}}`: "revision: r: data.spec.template: ",
	} {
		r := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "r"}, Data: runtime.RawExtension{Raw: []byte(data)}}
		got, err := revision.Template(r)
		assert.ErrorContains(t, err, want, data)
		assert.Nil(t, got, data)
		_, err = revision.MatchesByMeaning(nil, r)
		assert.Error(t, err, data)
		same, err := revision.Matches(nil, r)
		assert.NoError(t, err, data)
		assert.False(t, same, data)
	}
	_, err := revision.Template(nil)
	assert.ErrorContains(t, err, "no revision")
	same, err := revision.Matches(nil, nil)
	assert.NoError(t, err)
	assert.False(t, same)
}

func TestHash(t *testing.T) {
	templates := gen.HistoryTemplates()
	seen := map[string]bool{}
	for _, template := range templates {
		for _, count := range []*int32{nil, ptr(int32(0)), ptr(int32(1)), ptr(int32(-1)), ptr(int32(math.MaxInt32))} {
			hash := revision.Hash(template, count)
			assert.False(t, seen[hash], "templates and counts all make different hashes here")
			seen[hash] = true
			assert.Equal(t, hash, revision.Hash(template.DeepCopy(), count))
			assert.Regexp(t, `^[bcdfghjklmnpqrstvwxz2456789]{1,10}$`, hash)
		}
	}
	assert.Equal(t, revision.Hash(&corev1.PodTemplateSpec{}, nil), revision.Hash(nil, nil))
}

// What means the same, and what does not, after kubernetes/kubernetes#78633,
// #134773, #70458 and openshift/origin#23032.
func TestMatchesByMeaning(t *testing.T) {
	base := func() *corev1.PodTemplateSpec { return gen.HistoryTemplates()[3].DeepCopy() }
	storedBase, err := revision.New(state(daemonSet(0), nil).Owner, base(), 1, nil)
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		change func(*corev1.PodTemplateSpec)
		same   bool
	}{
		"nothing":               {func(*corev1.PodTemplateSpec) {}, true},
		"a default spelled out": {func(p *corev1.PodTemplateSpec) { p.Spec.RestartPolicy = corev1.RestartPolicyAlways }, true},
		"a default of a list":   {func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].ImagePullPolicy = corev1.PullIfNotPresent }, true},
		"an empty list":         {func(p *corev1.PodTemplateSpec) { p.Spec.Tolerations = []corev1.Toleration{} }, true},
		"values in another order": {func(p *corev1.PodTemplateSpec) {
			p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchExpressions[0].Values = []string{"b", "a"}
		}, true},
		"another value": {func(p *corev1.PodTemplateSpec) {
			p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchExpressions[0].Values = []string{"b", "c"}
		}, false},
		"another image":      {func(p *corev1.PodTemplateSpec) { p.Spec.Containers[0].Image = "x" }, false},
		"another default":    {func(p *corev1.PodTemplateSpec) { p.Spec.DNSPolicy = corev1.DNSDefault }, false},
		"another label":      {func(p *corev1.PodTemplateSpec) { p.Labels["x"] = "y" }, false},
		"another annotation": {func(p *corev1.PodTemplateSpec) { p.Annotations = map[string]string{"x": "y"} }, false},
	} {
		template := base()
		c.change(template)
		same, err := revision.MatchesByMeaning(template, storedBase)
		assert.NoError(t, err)
		assert.Equal(t, c.same, same, name)
	}

	// The serialization of Kubernetes 1.33 and before.
	legacy := storedBase.DeepCopy()
	legacy.Data.Raw = []byte(`{"spec":{"template":{"$patch":"replace","metadata":{"creationTimestamp":null,` + string(legacy.Data.Raw[len(`{"spec":{"template":{"$patch":"replace","metadata":{`):]))
	assert.True(t, json.Valid(legacy.Data.Raw))
	bytes, err := revision.Matches(base(), legacy)
	assert.NoError(t, err)
	assert.False(t, bytes, "the controller has no semantic fallback")
	meaning, err := revision.MatchesByMeaning(base(), legacy)
	assert.NoError(t, err)
	assert.True(t, meaning)
}

// Normalizing finds one form for all orders of what has no order, and leaves the
// rest as it is.
func TestNormalize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		template := gen.Template().Draw(t, "template")
		template.Spec.Volumes = []corev1.Volume{{Name: "b"}, {Name: "a"}, {Name: "c"}}
		template.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "y"}, {Name: "x"}}
		template.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 2}, {ContainerPort: 1}}
		template.Spec.Containers[0].Command = []string{"b", "a"}
		before := template.DeepCopy()
		normal := revision.Normalize(template)
		assert.Equal(t, before, template)
		assert.Equal(t, normal, revision.Normalize(normal))
		assert.Equal(t, []string{"b", "a"}, normal.Spec.Containers[0].Command)

		shuffled := template.DeepCopy()
		spec := &shuffled.Spec
		spec.Volumes = gen.Shuffled(t, spec.Volumes)
		spec.Tolerations = gen.Shuffled(t, spec.Tolerations)
		spec.ImagePullSecrets = gen.Shuffled(t, spec.ImagePullSecrets)
		spec.Containers[0].Ports = gen.Shuffled(t, spec.Containers[0].Ports)
		if a := spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
			required.NodeSelectorTerms = gen.Shuffled(t, required.NodeSelectorTerms)
			for i := range required.NodeSelectorTerms {
				term := &required.NodeSelectorTerms[i]
				term.MatchExpressions = gen.Shuffled(t, term.MatchExpressions)
				for j := range term.MatchExpressions {
					term.MatchExpressions[j].Values = gen.Shuffled(t, term.MatchExpressions[j].Values)
				}
			}
		}
		assert.True(t, equality.Semantic.DeepEqual(normal, revision.Normalize(shuffled)))
	})
}
