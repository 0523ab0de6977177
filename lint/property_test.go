package lint_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/lint"
)

// assertSemantic compares as the API does: quantities by value, and an absent
// list like an empty one.
func assertSemantic(t *testing.T, want, got any) {
	t.Helper()
	if !equality.Semantic.DeepEqual(want, got) {
		assert.Equal(t, want, got)
		t.Fail()
	}
}

// malformed draws a valid DaemonSet and breaks it in up to six places, each of
// which may be anywhere and get any value that Go allows.
func malformed(t *rapid.T) *appsv1.DaemonSet {
	ds := valid()
	for range uniform(t, 7, "places") {
		// Some roots more than once, or most damage would be to the status.
		roots := []any{ds, &ds.ObjectMeta, &ds.Spec, &ds.Spec.UpdateStrategy, &ds.Spec.Selector, &ds.Spec.Template,
			&ds.Spec.Template.Spec, &ds.Spec.Template.Spec.Containers, &ds.Spec.Template.Spec.Tolerations}
		damage(t, reflect.ValueOf(roots[uniform(t, len(roots), "root")]).Elem())
	}
	return ds
}

// uniform draws a number below n. The numbers of rapid lean towards small ones,
// which would leave the last fields of a struct alone.
func uniform(t *rapid.T, n int, label string) int {
	drawn := 0
	for bits := n * 8; bits > 0; bits /= 2 {
		drawn *= 2
		if rapid.Bool().Draw(t, label) {
			drawn++
		}
	}
	return drawn % n
}

var (
	words = []string{"", "a", "agent", "A", "-", "not ok", "a/b/c", "é\x00\xff", "latest", "5%", "ten%", "metadata.name", "In", "Lt", "Exists", "RollingUpdate",
		"OnDelete", "Always", "None", "TCP", "NoExecute", strings.Repeat("x", 300)}
	integers   = []int64{0, 1, -1, 80, 65536, math.MaxInt32, math.MinInt32}
	quantities = []resource.Quantity{{}, {Format: "x"}, resource.MustParse("1n"), resource.MustParse("-1Gi"), resource.MustParse("99999999999999999999999999"),
		*resource.NewScaledQuantity(math.MaxInt64, 100), *resource.NewScaledQuantity(math.MinInt64, -100)}
)

// damage walks to a random place below v and puts something there.
func damage(t *rapid.T, v reflect.Value) {
	if scalar(t, v) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		damage(t, v.Field(uniform(t, v.NumField(), v.Type().Name())))
	case reflect.Pointer:
		switch {
		case v.IsNil():
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		case uniform(t, 4, "nil") == 0:
			v.SetZero()
		default:
			damage(t, v.Elem())
		}
	case reflect.Slice:
		i := uniform(t, v.Len()+2, "index") - 1
		switch {
		case i < 0:
			v.SetZero()
		case i < v.Len():
			damage(t, v.Index(i))
		default:
			added := reflect.New(v.Type().Elem()).Elem()
			fill(t, added)
			v.Set(reflect.Append(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()+1), v), added))
		}
	default:
		fill(t, v)
	}
}

// fill sets about a third of the fields below v.
func fill(t *rapid.T, v reflect.Value) {
	if scalar(t, v) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if uniform(t, 3, v.Type().Field(i).Name) == 0 {
				fill(t, v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "size") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key)
			fill(t, value)
			v.SetMapIndex(key, value)
		}
	default:
		panic(fmt.Sprintf("no way to fill a %s", v.Type()))
	}
}

// scalar sets a value that has no parts of its own, and reports whether v is one.
func scalar(t *rapid.T, v reflect.Value) bool {
	switch target := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*target = rapid.SampledFrom(quantities).Draw(t, "quantity").DeepCopy()
		return true
	case *intstr.IntOrString:
		*target = intstr.IntOrString{Type: rapid.SampledFrom([]intstr.Type{intstr.Int, intstr.String, 9, -1}).Draw(t, "type"),
			IntVal: int32(rapid.SampledFrom(integers).Draw(t, "int")), StrVal: rapid.SampledFrom(words).Draw(t, "string")}
		return true
	case *metav1.Time:
		*target = metav1.Unix(rapid.SampledFrom(integers).Draw(t, "time"), 0)
		return true
	case *metav1.MicroTime:
		return true
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.SampledFrom(words).Draw(t, "word"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int32, reflect.Int64:
		v.SetInt(rapid.SampledFrom(integers).Draw(t, "integer"))
	case reflect.Uint8:
		v.SetUint(rapid.Uint64Range(0, 255).Draw(t, "byte"))
	default:
		return false
	}
	return true
}

// holds checks what is true of any two objects: nothing panics, the inputs stay
// as they were, defaults are filled in once and change no verdict, and a second
// look sees the same errors in the same order.
func holds(t *rapid.T) *appsv1.DaemonSet {
	ds, other := malformed(t), malformed(t)
	before, otherBefore := ds.DeepCopy(), other.DeepCopy()
	o := lint.Options{ComparisonOperators: rapid.Bool().Draw(t, "comparison operators")}

	filled := lint.Default(ds)
	if !reflect.DeepEqual(filled, lint.Default(filled)) {
		t.Fatalf("defaulting twice differs from once")
	}
	if !reflect.DeepEqual(&filled.Spec.Template, lint.DefaultTemplate(&ds.Spec.Template)) {
		t.Fatalf("DefaultTemplate differs from the template of Default")
	}
	errs := lines(lint.Validate(ds, o))
	if again := lines(lint.Validate(filled, o)); !slices.Equal(errs, again) {
		t.Fatalf("defaults change the verdict:\n%q\n%q", errs, again)
	}
	update := lines(lint.ValidateUpdate(ds, other, o))
	if again := lines(lint.ValidateUpdate(ds, lint.Default(other), o)); !slices.Equal(update, again) {
		t.Fatalf("defaults of the old object change the verdict:\n%q\n%q", update, again)
	}
	for _, err := range lint.Validate(ds, o) {
		_ = err.Error() // prints the bad value, whatever it is
	}
	if !reflect.DeepEqual(before, ds) || !reflect.DeepEqual(otherBefore, other) {
		t.Fatalf("an input was changed")
	}
	return ds
}

func TestProperties(t *testing.T) {
	seen, draws := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		draws++
		errs := lint.Validate(holds(t), lint.Options{})
		if len(errs) == 0 {
			seen["valid"]++
		}
		for _, err := range errs {
			for _, part := range []string{"metadata", "spec.selector", "spec.template.spec", "spec.updateStrategy"} {
				if strings.HasPrefix(err.Field, part) {
					seen[part]++
				}
			}
		}
	})
	t.Log(seen)
	if draws >= 100 {
		for _, part := range []string{"valid", "metadata", "spec.selector", "spec.template.spec", "spec.updateStrategy"} {
			assert.NotZero(t, seen[part], part)
		}
	}
}

// What comes back shares no memory with what went in: wrecking a result leaves
// the input alone.
func TestDefaultSharesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := malformed(t)
		before := ds.DeepCopy()
		for range 10 {
			damage(t, reflect.ValueOf(lint.Default(ds)).Elem())
			damage(t, reflect.ValueOf(lint.DefaultTemplate(&ds.Spec.Template)).Elem())
		}
		if !reflect.DeepEqual(before, ds) {
			t.Fatalf("the input was changed")
		}
	})
}

func FuzzProperties(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { holds(t) }))
}
