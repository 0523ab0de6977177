package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	kubeappsv1 "k8s.io/kubernetes/pkg/apis/apps/v1"
	"k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	kubecorev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/lint"
)

// lintScheme knows the defaults and the conversions of the API server.
var lintScheme = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		core.AddToScheme, kubecorev1.AddToScheme, apps.AddToScheme, kubeappsv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return scheme
}()

// lintLeftOut matches the paths of errors that lint does not judge, each with the
// reason. An error of the reference at any other path must be one of ours too, and
// a path that the reference never reports is not listed.
//
// One text is left out besides: what the tolerations annotation gets for JSON that
// is no list of tolerations names a Go type, so lintDraw draws only broken JSON.
var lintLeftOut = []struct{ path, why string }{
	{`spec\.templateGeneration$`, "apps/v1 has no such field; the API server numbers templates itself before it validates"},
	{`spec\.template\.spec\.ephemeralContainers\[`, "the list as a whole is forbidden, and that error is compared"},
	{`spec\.template\.spec\.affinity\.pod(Anti)?Affinity`, "not judged yet; drawn for its effect on the rules of an update"},
	{`spec\.template\.spec\.dnsConfig`, "only that it is there when dnsPolicy is None; see lintCovers"},
	{`spec\.template\.spec$`, "the rules about Windows host processes, which are part of the security contexts"},
	{`spec\.template\.spec\.(initC|c)ontainers\[\d+\]\.(volumeMounts|volumeDevices|env|envFrom|resources|resizePolicy|` +
		`securityContext|lifecycle|livenessProbe|readinessProbe|startupProbe|restartPolicy|restartPolicyRules)(\W|$)`, "not judged yet"},
	{`spec\.template\.spec\.(volumes|securityContext|resources|overhead|topologySpreadConstraints|readinessGates|schedulingGates|` +
		`hostAliases|hostname|subdomain|hostnameOverride|hostNetwork|HostPID|HostIPC|shareProcessNamespace|serviceAccountName|` +
		`priorityClassName|preemptionPolicy|runtimeClassName|os|resourceClaims|schedulingGroup)(\W|$)`, "not judged yet"},
}

var lintLeftOutForm = func() []*regexp.Regexp {
	var forms []*regexp.Regexp
	for _, entry := range lintLeftOut {
		forms = append(forms, regexp.MustCompile(`^`+entry.path))
	}
	return forms
}()

func lintCovers(err *field.Error) bool {
	if strings.Contains(err.Detail, "when `dnsPolicy` is None") {
		return true
	}
	return !slices.ContainsFunc(lintLeftOutForm, func(form *regexp.Regexp) bool { return form.MatchString(err.Field) })
}

// lintFacts writes down type, path, detail and bad value of each error, sorted.
// Values are compared as JSON, which hides the difference between the internal
// types of the reference and ours, but for the update strategy, whose internal
// type has other JSON names.
func lintFacts(errs field.ErrorList) []string {
	facts := make([]string, 0, len(errs))
	for _, err := range errs {
		value := "-"
		if err.Field != "spec.updateStrategy" {
			if text, failed := json.Marshal(err.BadValue); failed == nil {
				value = string(text)
			} else {
				value = fmt.Sprintf("%#v", err.BadValue)
			}
		}
		facts = append(facts, fmt.Sprintf("%s | %s | %s | %s", err.Field, err.Type, err.Detail, value))
	}
	slices.Sort(facts)
	return facts
}

// lintKinds counts errors by path without indices, type and detail.
type lintKinds map[string]int

var (
	lintIndex  = regexp.MustCompile(`\[[^\]]*\]`)
	lintQuoted = regexp.MustCompile(`"[^"]*"`)
)

func (k lintKinds) count(errs field.ErrorList) {
	if len(errs) == 0 {
		k["valid"]++
	}
	for _, err := range errs {
		detail := lintQuoted.ReplaceAllString(err.Detail, `""`)
		detail, _, _ = strings.Cut(detail, " (e.g.")
		k[fmt.Sprintf("%s | %s | %.60s", lintIndex.ReplaceAllString(err.Field, "[]"), err.Type, detail)]++
	}
}

// require prints the distribution and fails for each kind that was never seen in
// a run of the usual length. A kind is the beginning of a printed line.
func (k lintKinds) require(t *testing.T, draws int, kinds string) {
	seen := slices.Sorted(maps.Keys(k))
	for _, kind := range seen {
		t.Logf("%6d %s", k[kind], kind)
	}
	if draws < 5000 {
		t.Logf("too few draws to ask for each kind: %d", draws)
		return
	}
	for _, kind := range strings.Split(strings.TrimSpace(kinds), "\n") {
		if kind = strings.TrimSpace(kind); !slices.ContainsFunc(seen, func(s string) bool { return strings.HasPrefix(s, kind) }) {
			t.Errorf("never seen: %s", kind)
		}
	}
}

// lintInternal brings a DaemonSet to the point where the API server validates it:
// decoded, defaulted, converted. What the decoder refuses is returned as an error
// in the words of lint, and the object as it were without the offending
// annotation.
func lintInternal(t lintFailer, ds *appsv1.DaemonSet) (*apps.DaemonSet, field.ErrorList) {
	ds = ds.DeepCopy()
	lintScheme.Default(ds)
	internal := &apps.DaemonSet{}
	err := lintScheme.Convert(ds, internal, nil)
	if err == nil {
		return internal, nil
	}
	path := field.NewPath("metadata", "annotations").Key(appsv1.DeprecatedTemplateGeneration)
	errs := field.ErrorList{field.Invalid(path, ds.Annotations[appsv1.DeprecatedTemplateGeneration], err.Error())}
	delete(ds.Annotations, appsv1.DeprecatedTemplateGeneration)
	internal = &apps.DaemonSet{}
	if err := lintScheme.Convert(ds, internal, nil); err != nil {
		t.Fatalf("conversion: %v", err)
	}
	return internal, errs
}

type lintFailer interface {
	Fatalf(format string, args ...any)
}

// lintCreate is what the API server says of a new DaemonSet.
func lintCreate(t lintFailer, ds *appsv1.DaemonSet, o lint.Options) field.ErrorList {
	internal, errs := lintInternal(t, ds)
	options := pod.GetValidationOptionsFromPodTemplate(&internal.Spec.Template, nil)
	options.AllowTaintTolerationComparisonOperators = o.ComparisonOperators
	return append(errs, validation.ValidateDaemonSet(internal, options)...)
}

// lintUpdate is what the API server says of a changed DaemonSet, once it has
// carried over what a client may leave out.
func lintUpdate(t lintFailer, updated, old *appsv1.DaemonSet, o lint.Options) field.ErrorList {
	internal, errs := lintInternal(t, updated)
	before, _ := lintInternal(t, old)
	options := pod.GetValidationOptionsFromPodTemplate(&internal.Spec.Template, &before.Spec.Template)
	options.AllowInvalidLabelValueInSelector = options.AllowInvalidLabelValueInSelector ||
		metav1validation.LabelSelectorHasInvalidLabelValue(before.Spec.Selector)
	options.AllowTaintTolerationComparisonOperators = options.AllowTaintTolerationComparisonOperators || o.ComparisonOperators
	return append(errs, validation.ValidateDaemonSetUpdate(internal, before, options)...)
}

func lintCompare(t lintFailer, got, want field.ErrorList) field.ErrorList {
	var covered field.ErrorList
	for _, err := range want {
		if lintCovers(err) {
			covered = append(covered, err)
		}
	}
	ours, theirs := lintFacts(got), lintFacts(covered)
	if !slices.Equal(ours, theirs) {
		t.Fatalf("errors differ\nonly ours:\n\t%s\nonly the reference's:\n\t%s",
			strings.Join(lintWithout(ours, theirs), "\n\t"), strings.Join(lintWithout(theirs, ours), "\n\t"))
	}
	return covered
}

// lintWithout returns what is in a more often than in b.
func lintWithout(a, b []string) []string {
	a = slices.Clone(a)
	for _, fact := range b {
		if i := slices.Index(a, fact); i >= 0 {
			a = slices.Delete(a, i, i+1)
		}
	}
	return a
}

func TestLintValidate(t *testing.T) {
	draws := checks(t, 8000)
	kinds := lintKinds{}
	rapid.Check(t, func(t *rapid.T) {
		ds := newLintDraw(t).daemonSet()
		o := lint.Options{ComparisonOperators: rapid.Bool().Draw(t, "comparison operators")}
		before := ds.DeepCopy()
		kinds.count(lintCompare(t, lint.Validate(ds, o), lintCreate(t, ds, o)))
		if !equality.Semantic.DeepEqual(before, ds) {
			t.Fatalf("the input was changed")
		}
	})
	kinds.require(t, draws, lintCreateKinds)
}

func TestLintValidateUpdate(t *testing.T) {
	draws := checks(t, 8000)
	kinds := lintKinds{}
	rapid.Check(t, func(t *rapid.T) {
		d := newLintDraw(t)
		updated := d.daemonSet()
		old := d.older(updated)
		o := lint.Options{ComparisonOperators: rapid.IntRange(0, 3).Draw(t, "comparison operators") == 0}
		errs := lintCompare(t, lint.ValidateUpdate(updated, old, o), lintUpdate(t, updated, old, o))
		kinds.count(errs)
		for _, fact := range lintWithout(lintFacts(lint.Validate(updated, o)), lintFacts(errs)) {
			path, _, _ := strings.Cut(fact, " ")
			kinds["passes only an update: "+lintIndex.ReplaceAllString(path, "[]")]++
		}
	})
	kinds.require(t, draws, lintUpdateKinds)
}

// Objects in which every field of the API is filled at random: fields that lint
// does not judge must not sway those it does.
func TestLintValidateAnything(t *testing.T) {
	leftOut := make([]int, len(lintLeftOut))
	draws := checks(t, 5000)
	for seed := range draws {
		ds, old := newLintFill(uint64(seed)).daemonSet(), newLintFill(uint64(seed)+1).daemonSet()
		create, update := lintCreate(t, ds, lint.Options{}), lintUpdate(t, ds, old, lint.Options{})
		lintCompare(lintSeed{t, seed}, lint.Validate(ds, lint.Options{}), create)
		lintCompare(lintSeed{t, seed}, lint.ValidateUpdate(ds, old, lint.Options{}), update)
		for i, form := range lintLeftOutForm {
			for _, err := range slices.Concat(create, update) {
				if form.MatchString(err.Field) {
					leftOut[i]++
				}
			}
		}
	}
	for i, n := range leftOut {
		t.Logf("%6d left out: %s", n, lintLeftOut[i].path)
		if n == 0 && draws >= 1000 {
			t.Errorf("never left out: %s", lintLeftOut[i].path)
		}
	}
}

// lintSeed names the seed of an object in a failure.
type lintSeed struct {
	lintFailer
	seed int
}

func (s lintSeed) Fatalf(format string, args ...any) {
	s.lintFailer.Fatalf("seed %d: "+format, append([]any{s.seed}, args...)...)
}
