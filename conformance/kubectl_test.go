package conformance_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"pgregory.net/rapid"
	kstatus "sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/revision"
	"github.com/daemonplan/daemonplan/status"
)

var daemonSetKind = schema.GroupKind{Group: "apps", Kind: "DaemonSet"}

// unstructuredOf is the object as a client reads it.
func unstructuredOf(t failer, ds *appsv1.DaemonSet) *unstructured.Unstructured {
	t.Helper()
	ds = ds.DeepCopy()
	ds.APIVersion, ds.Kind = "apps/v1", "DaemonSet"
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(ds)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: object}
}

// everyStatus yields every combination of small counters, generations and
// strategies.
func everyStatus(yield func(*appsv1.DaemonSet)) {
	value := func(v intstr.IntOrString) *intstr.IntOrString { return &v }
	strategies := []appsv1.DaemonSetUpdateStrategy{
		{Type: appsv1.OnDeleteDaemonSetStrategyType},
		{},
		{Type: "Other"},
		{Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{}},
	}
	for _, v := range []*intstr.IntOrString{
		value(intstr.FromInt32(0)), value(intstr.FromInt32(1)), value(intstr.FromInt32(9)), value(intstr.FromInt32(-1)),
		value(intstr.FromString("30%")), value(intstr.FromString("100%")), value(intstr.FromString("x")),
	} {
		strategies = append(strategies, appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: v},
		})
	}
	const counters, n = 5, 3
	for code := range int(math.Pow(n, counters)) {
		var c [counters]int32
		for i := range c {
			c[i] = int32(code % n)
			code /= n
		}
		for _, generations := range [][2]int64{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {1, 2}} {
			for i, strategy := range strategies {
				ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "probe", Generation: generations[0]}}
				ds.Spec.UpdateStrategy = strategy
				ds.Status = appsv1.DaemonSetStatus{
					ObservedGeneration: generations[1], DesiredNumberScheduled: c[0], CurrentNumberScheduled: c[1],
					UpdatedNumberScheduled: c[2], NumberReady: c[3], NumberAvailable: c[4], NumberUnavailable: c[0] - c[4],
				}
				switch {
				case i == 0 && c[1] == 0:
					ds.DeletionTimestamp = &metav1.Time{Time: gen.Epoch}
				case i == 1 && c[1] == 0:
					ds.Status.Conditions = []appsv1.DaemonSetCondition{{Type: "Reconciling", Status: corev1.ConditionTrue, Message: "r"}}
				case i == 1 && c[1] == 1:
					ds.Status.Conditions = []appsv1.DaemonSetCondition{{Type: "Stalled", Status: corev1.ConditionTrue, Message: "s"}, {Type: "Reconciling", Status: corev1.ConditionFalse}}
				}
				yield(ds)
			}
		}
	}
}

// TestJudge compares kubectl's and kstatus's verdicts and texts with their own
// code, and helm's and Argo CD's with their rules, written once more.
func TestJudge(t *testing.T) {
	viewer, err := polymorphichelpers.StatusViewerFor(daemonSetKind)
	assert.NoError(t, err)
	var reached tally.Tally
	everyStatus(func(ds *appsv1.DaemonSet) {
		object := unstructuredOf(t, ds)

		message, done, err := viewer.Status(object, 0)
		got := status.Judge(ds, status.Kubectl)
		want := status.Verdict{Rule: status.Kubectl, Done: done, Message: message}
		if err != nil {
			want.Error = err.Error()
		}
		if got != want {
			assert.Equal(t, want, got, "%+v", ds.Status)
		}

		result, err := kstatus.Compute(object)
		assert.NoError(t, err)
		got = status.Judge(ds, status.Kstatus)
		want = status.Verdict{
			Rule: status.Kstatus, Done: result.Status == kstatus.CurrentStatus, Phase: string(result.Status), Message: result.Message,
		}
		if got != want {
			assert.Equal(t, want, got, "%+v", ds.Status)
		}
		reached.Add("kstatus: " + string(result.Status))

		if want, got := helmReady(ds), status.Judge(ds, status.Helm).Done; want != got {
			assert.Equal(t, want, got, "helm: %+v", ds)
		}
		if want, got := argoHealthy(ds), status.Judge(ds, status.ArgoCD).Done; want != got {
			assert.Equal(t, want, got, "argo: %+v", ds)
		}
		for _, rule := range status.Rules() {
			reached.Add(fmt.Sprintf("%s: done=%t", rule, status.Judge(ds, rule).Done))
		}
	})
	reached.Require(t, "kubectl: done=true", "kubectl: done=false", "helm: done=true", "helm: done=false", "argocd: done=true", "argocd: done=false",
		"kstatus: Current", "kstatus: InProgress", "kstatus: Terminating", "kstatus: Failed")
}

func helmReady(ds *appsv1.DaemonSet) bool {
	s := ds.Status
	if s.ObservedGeneration != ds.Generation {
		return false
	}
	if ds.Spec.UpdateStrategy.Type != "RollingUpdate" {
		return true
	}
	if s.UpdatedNumberScheduled != s.DesiredNumberScheduled {
		return false
	}
	missing := int(s.DesiredNumberScheduled)
	if v := ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable; v != nil {
		if n, err := intstr.GetScaledValueFromIntOrPercent(v, missing, true); err == nil {
			missing = n
		}
	}
	return int(s.NumberReady) >= int(s.DesiredNumberScheduled)-missing
}

func argoHealthy(ds *appsv1.DaemonSet) bool {
	s := ds.Status
	switch {
	case ds.Generation > s.ObservedGeneration:
		return false
	case ds.Spec.UpdateStrategy.Type == "OnDelete":
		return true
	}
	return s.UpdatedNumberScheduled >= s.DesiredNumberScheduled && s.NumberAvailable >= s.DesiredNumberScheduled
}

// historyClient answers what kubectl asks about a DaemonSet and its revisions.
func historyClient(ds *appsv1.DaemonSet, revisions []*appsv1.ControllerRevision) *fake.Clientset {
	client := &fake.Clientset{}
	client.AddReactor("get", "daemonsets", func(clienttesting.Action) (bool, runtime.Object, error) { return true, ds.DeepCopy(), nil })
	client.AddReactor("list", "controllerrevisions", func(clienttesting.Action) (bool, runtime.Object, error) {
		list := &appsv1.ControllerRevisionList{}
		for _, r := range revisions {
			list.Items = append(list.Items, *r.DeepCopy())
		}
		return true, list, nil
	})
	client.AddReactor("patch", "daemonsets", func(clienttesting.Action) (bool, runtime.Object, error) { return true, ds.DeepCopy(), nil })
	return client
}

// TestKubectlHistory compares the table and the rollback, its texts and its patch
// with kubectl's own code.
func TestKubectlHistory(t *testing.T) {
	checks(t, 5000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		ds.Spec.Template = *gen.Pick(t, "template", gen.HistoryTemplates()...)
		var patches [][]byte
		for _, template := range gen.HistoryTemplates()[:3] {
			patch, err := revision.Patch(template)
			assert.NoError(t, err)
			patches = append(patches, patch)
		}
		drawn := gen.History(ds, 6, patches, []string{"a", "b", "c"}).Draw(t, "revisions")
		// The API server lists by name. Numbers do not repeat: kubectl leaves it
		// to the order of a list and of a sort which of two it takes.
		var revisions []*appsv1.ControllerRevision
		seen := map[int64]bool{}
		for _, r := range drawn {
			if !seen[r.Revision] {
				seen[r.Revision] = true
				revisions = append(revisions, r)
			}
		}
		selector, err := metav1.LabelSelectorAsSelector(ds.Spec.Selector)
		assert.NoError(t, err)
		visible := revision.Visible(placement.OwnerOf(ds), selector, revisions)
		client := historyClient(ds, revisions)

		viewer, err := polymorphichelpers.HistoryViewerFor(daemonSetKind, client)
		assert.NoError(t, err)
		table, err := viewer.ViewHistory("ns", "probe", 0)
		assert.NoError(t, err)
		// What follows the name of the resource is the operation that the
		// printer of kubectl appends, with a newline.
		assert.Equal(t, "daemonset.apps/probe \n"+table+"\n", revision.Table("daemonset.apps/probe", visible))
		reached.AddIf(len(visible) == 0, "no history")

		to := gen.Pick[int64](t, "to", -1, 0, 0, 1, 2, 3, 5, 100)
		rollbacker, err := polymorphichelpers.RollbackerFor(daemonSetKind, client)
		assert.NoError(t, err)
		text, wantErr := rollbacker.Rollback(ds, nil, to, cmdutil.DryRunNone)
		got, err := revision.RollBack(&ds.Spec.Template, visible, to)
		switch {
		case wantErr != nil:
			assert.EqualError(t, err, wantErr.Error())
			reached.Add(strings.Fields(wantErr.Error())[0])
			return
		case err != nil:
			// kubectl sends whatever bytes a revision stores; where those are no
			// template, ours is an error, and the API server's would be one too.
			assert.ErrorContains(t, err, "data")
			reached.Add("no template")
			return
		}
		assert.Equal(t, text, got.String())
		var sent []byte
		for _, action := range client.Actions() {
			if patch, ok := action.(clienttesting.PatchAction); ok {
				assert.Equal(t, types.StrategicMergePatchType, patch.GetPatchType())
				sent = patch.GetPatch()
			}
		}
		if got.Matches {
			assert.Nil(t, sent)
			reached.Add("skipped")
			return
		}
		assert.Equal(t, sent, got.Patch)
		reached.Add("rolled back")

		// The template is what kubectl shows of the revision. It shows all or
		// none, so ask for this one.
		viewer, err = polymorphichelpers.HistoryViewerFor(daemonSetKind, historyClient(ds, []*appsv1.ControllerRevision{got.Target}))
		assert.NoError(t, err)
		shown, err := viewer.GetHistory("ns", "probe")
		assert.NoError(t, err)
		if template := shown[got.Target.Revision].(*appsv1.DaemonSet).Spec.Template; !equality.Semantic.DeepEqual(template, *got.Template) {
			assert.Equal(t, template, *got.Template)
		}
	})
	reached.Require(t, "no history", "no", "unable", "skipped", "rolled back", "no template")
}
