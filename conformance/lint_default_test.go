package conformance_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gopkg.in/inf.v0"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/util/parsers"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/lint"
)

// lintFill fills objects of the API by reflection. Half of the fields stay empty,
// so that there is something to default.
type lintFill struct{ *rand.Rand }

func newLintFill(seed uint64) lintFill { return lintFill{rand.New(rand.NewPCG(seed, seed))} }

var lintImages = []string{"", "a", "a:1", "a:latest", "a@sha256:" + strings.Repeat("0", 64), "example.com/a", "example.com:80/a:latest", "A:latest", "a:latest@x"}

func (f lintFill) daemonSet() *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{}
	f.value(reflect.ValueOf(ds).Elem(), "")
	// Only a number can be there, see lintInternal, and only one that no error
	// about spec.templateGeneration follows from.
	delete(ds.Annotations, appsv1.DeprecatedTemplateGeneration)
	return ds
}

func (f lintFill) value(v reflect.Value, name string) {
	switch target := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*target = f.quantity()
		return
	case *intstr.IntOrString:
		*target = []intstr.IntOrString{{}, intstr.FromInt32(2), intstr.FromString("5%"), intstr.FromString("x"), {Type: 9}}[f.IntN(5)]
		return
	case *metav1.Time:
		*target = metav1.NewTime(time.Unix(f.Int64N(1000), 0))
		return
	case *metav1.MicroTime, *metav1.FieldsV1:
		return
	case *corev1.VolumeSource:
		// No source, which is an emptyDir, or one, or several, which is not allowed.
		for range f.IntN(6) {
			i := f.IntN(v.NumField())
			v.Field(i).Set(reflect.New(v.Field(i).Type().Elem()))
			f.value(v.Field(i).Elem(), v.Type().Field(i).Name)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if f.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.value(v.Elem(), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.value(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Slice:
		if n := f.IntN(4) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.value(v.Index(i), name)
			}
		}
	case reflect.Map:
		if n := f.IntN(4) - 1; n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.value(key, name)
				f.value(elem, name)
				v.SetMapIndex(key, elem)
			}
		}
	case reflect.String:
		switch {
		case name == "Image" || name == "Reference":
			v.SetString(lintImages[f.IntN(len(lintImages))])
		case f.IntN(2) == 0:
			v.SetString([]string{"a", "b", "cpu", "RollingUpdate", "TCP", "not ok"}[f.IntN(6)])
		}
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.IntN(4)))
	case reflect.Uint8:
		v.SetUint(uint64(f.IntN(4)))
	default:
		panic(fmt.Sprintf("%s: no way to fill a %s", name, v.Type()))
	}
}

// quantity makes numbers with and without a part finer than a thousandth, in both
// of the forms in which a Quantity keeps them.
func (f lintFill) quantity() resource.Quantity {
	texts := []string{"0", "1", "1500m", "1Gi", "100u", "1n", "1500001u", "-1500001u", "9223372036854775807", "12345678901234567890123456789", "0.00000001"}
	if n := f.IntN(len(texts) + 2); n < len(texts) {
		return resource.MustParse(texts[n])
	} else if n == len(texts) {
		return *resource.NewDecimalQuantity(*inf.NewDec(f.Int64N(1000000), 5), resource.DecimalSI)
	}
	return resource.Quantity{}
}

// lintChanged counts by field path what differs between two values of one type.
func lintChanged(kinds lintKinds, before, after reflect.Value, path string) {
	switch after.Kind() {
	case reflect.Pointer:
		if before.IsNil() != after.IsNil() {
			kinds[path]++
		} else if !after.IsNil() {
			lintChanged(kinds, before.Elem(), after.Elem(), path)
		}
	case reflect.Struct:
		if quantity, ok := after.Interface().(resource.Quantity); ok {
			if quantity.Cmp(before.Interface().(resource.Quantity)) != 0 {
				kinds[path]++
			}
			return
		}
		if _, ok := after.Interface().(metav1.Time); ok {
			return
		}
		for i := range after.NumField() {
			name := after.Type().Field(i).Name
			if after.Type().Field(i).Anonymous {
				lintChanged(kinds, before.Field(i), after.Field(i), path)
			} else {
				lintChanged(kinds, before.Field(i), after.Field(i), path+"."+name)
			}
		}
	case reflect.Slice:
		for i := range after.Len() {
			lintChanged(kinds, before.Index(i), after.Index(i), path)
		}
	case reflect.Map:
		for _, key := range after.MapKeys() {
			lintChanged(kinds, before.MapIndex(key), after.MapIndex(key), path)
		}
	default:
		if !reflect.DeepEqual(before.Interface(), after.Interface()) {
			kinds[path]++
		}
	}
}

func TestLintDefault(t *testing.T) {
	changed, sources := lintKinds{}, lintKinds{}
	draws := checks(t, 6000)
	for seed := range draws {
		ds := newLintFill(uint64(seed)).daemonSet()
		before := ds.DeepCopy()
		want := ds.DeepCopy()
		lintScheme.Default(want)

		got := lint.Default(ds)
		lintSame(t, seed, "Default", got, want)
		lintSame(t, seed, "DefaultTemplate", lint.DefaultTemplate(&ds.Spec.Template), &want.Spec.Template)
		lintSame(t, seed, "Default twice", lint.Default(got), want)
		lintSame(t, seed, "the input", ds, before)
		lintRoundTrip(t, seed, got)

		lintChanged(changed, reflect.ValueOf(before).Elem(), reflect.ValueOf(want).Elem(), "")
		for i := range ds.Spec.Template.Spec.Volumes {
			source := reflect.ValueOf(ds.Spec.Template.Spec.Volumes[i].VolumeSource)
			for j := range source.NumField() {
				if !source.Field(j).IsNil() {
					sources[source.Type().Field(j).Name]++
				}
			}
		}
	}
	changed.require(t, draws, lintDefaultKinds())
	for i := range reflect.TypeFor[corev1.VolumeSource]().NumField() {
		if name := reflect.TypeFor[corev1.VolumeSource]().Field(i).Name; sources[name] == 0 && draws >= 1000 {
			t.Errorf("no volume had the source %s", name)
		}
	}
}

func lintSame(t *testing.T, seed int, what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		kinds := lintKinds{}
		lintChanged(kinds, reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem(), "")
		t.Fatalf("seed %d: %s differs at %v", seed, what, kinds)
	}
}

// lintRoundTrip checks that the conversion to the internal type and back, which
// every object of the API server goes through, changes nothing in the spec.
func lintRoundTrip(t *testing.T, seed int, ds *appsv1.DaemonSet) {
	ds = ds.DeepCopy()
	delete(ds.Annotations, appsv1.DeprecatedTemplateGeneration)
	internal, back := &apps.DaemonSet{}, &appsv1.DaemonSet{}
	if err := lintScheme.Convert(ds, internal, nil); err != nil {
		t.Fatalf("seed %d: to internal: %v", seed, err)
	}
	if err := lintScheme.Convert(internal, back, nil); err != nil {
		t.Fatalf("seed %d: to v1: %v", seed, err)
	}
	// An absent count of an OnDelete strategy comes back as 0, which nobody reads.
	if back.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
		back.Spec.UpdateStrategy.RollingUpdate = ds.Spec.UpdateStrategy.RollingUpdate
	}
	if !equality.Semantic.DeepEqual(ds.Spec, back.Spec) {
		kinds := lintKinds{}
		lintChanged(kinds, reflect.ValueOf(ds.Spec), reflect.ValueOf(back.Spec), "spec")
		t.Fatalf("seed %d: the round trip differs at %v", seed, kinds)
	}
}

// The pull policy of an image is the only use that defaults make of its name.
func TestLintPullPolicy(t *testing.T) {
	draws := checks(t, 30000)
	kinds := lintKinds{}
	hex := strings.Repeat("0a", 32)
	pieces := []string{"a", "b", "A", "0", "latest", "library", "localhost", "docker.io", "index.docker.io", "example.com", "a_b.c", "[::1]", "[", "]", ":5000",
		"/", "/", "/", ":", ":", ":latest", ":latest", "@", "@sha256:" + hex, "@sha384:" + hex + hex[:32], "@sha512:" + hex + hex, "@sha256:" + hex[1:],
		"@SHA256:" + hex, "@sha256:" + strings.ToUpper(hex), "@md5:" + hex[:32], ".", "_", "__", "___", "-", "--", " ", "\n", "é", "K", hex, strings.Repeat("a", 246), strings.Repeat("a", 255)}
	rapid.Check(t, func(t *rapid.T) {
		image := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 7).Draw(t, "image"), "")
		want := corev1.PullIfNotPresent
		_, tag, _, err := parsers.ParseImageName(image)
		if tag == "latest" {
			want = corev1.PullAlways
		}
		template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: image}}}}
		if got := lint.DefaultTemplate(template).Spec.Containers[0].ImagePullPolicy; got != want {
			t.Fatalf("%q: got %s, want %s (tag %q, %v)", image, got, want, tag, err)
		}
		kinds[fmt.Sprintf("%s, parses: %t, digest: %t", want, err == nil, strings.Contains(image, "@"))]++
	})
	kinds.require(t, draws, `
		Always, parses: true, digest: false
		Always, parses: true, digest: true
		IfNotPresent, parses: true, digest: false
		IfNotPresent, parses: true, digest: true
		IfNotPresent, parses: false, digest: false
		IfNotPresent, parses: false, digest: true`)
}
