package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	v1helper "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"k8s.io/kubernetes/pkg/features"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/gen"
	"github.com/daemonplan/daemonplan/internal/tally"
	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/tolerations"
)

// quiet drops what the reference logs about malformed values.
var quiet = klog.Logger{}

// bothGates runs a test with the gate of Lt and Gt off and on.
func bothGates(t *testing.T, test func(t *testing.T, comparison bool)) {
	for name, on := range map[string]bool{"comparison=off": false, "comparison=on": true} {
		t.Run(name, func(t *testing.T) {
			featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.TaintTolerationComparisonOperators, on)
			test(t, on)
		})
	}
}

// nodesPerTemplate times the number of checks is the number of verdicts that
// are compared in one run of a test.
const nodesPerTemplate = 25

func TestVerdicts(t *testing.T) {
	checks(t, 2500)
	var reached tally.Tally
	bothGates(t, func(t *testing.T, comparison bool) {
		rapid.Check(t, func(t *rapid.T) {
			ds := gen.DaemonSet().Draw(t, "daemonset")
			before := ds.DeepCopy()
			m := placement.Compile(&ds.Spec.Template, placement.Options{ComparisonOperators: comparison})
			reached.AddIf(len(m.Problems()) > 0, "template: unparsable term")
			for range nodesPerTemplate {
				node := gen.AnyNode().Draw(t, "node")
				run, keep := daemon.NodeShouldRunDaemonPod(quiet, node, ds)
				verdict := m.Match(node)
				cause := m.Cause(node)
				assert.Equal(t, run, verdict.ShouldRun())
				assert.Equal(t, keep, verdict.ShouldContinue())
				assert.Equal(t, verdict, m.Explain(node, nil).Verdict)
				reached.Add("verdicts", "verdict: "+verdict.String(), "cause: "+string(cause.Code))
				reached.AddIf(cause.Code == placement.CauseTaint, "taint: "+string(cause.Effect)+", "+verdict.String())
				countRequirements(&reached, m.Explain(node, nil))
			}
			assert.Equal(t, before, ds)
		})
	})
	reached.Require(t,
		"verdict: eligible", "verdict: keep-only", "verdict: excluded",
		"cause: ", "cause: node-name", "cause: node-selector", "cause: node-affinity", "cause: taint",
		"taint: NoSchedule, keep-only", "taint: NoSchedule, excluded", "taint: NoExecute, excluded",
		"template: unparsable term", "term: unparsable", "term: empty",
		"failed: In", "failed: NotIn", "failed: Exists", "failed: DoesNotExist", "failed: Gt", "failed: Lt",
		"failed field: In", "failed field: NotIn", "failed: another field")
	if n := reached.Count("verdicts"); n < 100_000 {
		t.Errorf("compared %d verdicts, want 100,000", n)
	}
}

// countRequirements counts what failed on a node, by operator.
func countRequirements(reached *tally.Tally, e placement.Explanation) {
	for _, r := range e.Reasons {
		for _, term := range r.Terms {
			reached.AddIf(len(term.Problems) > 0, "term: unparsable")
			reached.AddIf(len(term.Problems)+len(term.Failed) == 0, "term: empty")
			for _, f := range term.Failed {
				kind := "failed: "
				if f.Key == "metadata.name" {
					kind = "failed field: "
				}
				reached.Add(kind + string(f.Operator))
				reached.AddIf(f.Key == "metadata.namespace", "failed: another field")
			}
		}
	}
}

func TestTolerations(t *testing.T) {
	checks(t, 10_000)
	var reached tally.Tally
	bothGates(t, func(t *testing.T, comparison bool) {
		o := tolerations.Options{ComparisonOperators: comparison}
		rapid.Check(t, func(t *rapid.T) {
			spec := gen.Template().Draw(t, "template").Spec
			if rapid.Bool().Draw(t, "has a default") {
				spec.Tolerations = append(spec.Tolerations, rapid.SampledFrom(tolerations.DefaultTolerations(&spec)).Draw(t, "default"))
				if rapid.Bool().Draw(t, "with seconds") {
					spec.Tolerations[len(spec.Tolerations)-1].TolerationSeconds = new(int64)
				}
			}
			effective := tolerations.Effective(&spec)
			changed := len(effective) - len(spec.Tolerations)
			want := *spec.DeepCopy()
			daemonutil.AddOrUpdateDaemonPodTolerations(&want)
			assert.Equal(t, want.Tolerations, effective)
			reached.AddIf(changed < len(tolerations.DefaultTolerations(&spec)), "a default was there already")

			taints := gen.Taints().Draw(t, "taints")
			for i := range taints {
				for j := range effective {
					want := effective[j].ToleratesTaint(quiet, &taints[i], comparison)
					assert.Equal(t, want, tolerations.Tolerates(&effective[j], &taints[i], o))
					reached.AddIf(want, "tolerated by "+string(effective[j].Operator))
				}
			}
			for _, effects := range []tolerations.Effects{tolerations.Blocking, tolerations.NoExecute, 7} {
				taint, found := v1helper.FindMatchingUntoleratedTaint(quiet, taints, effective, func(t *corev1.Taint) bool {
					return effects.Has(t.Effect)
				}, comparison)
				i, ours := tolerations.FirstUntolerated(taints, effective, effects, o)
				assert.Equal(t, found, ours)
				if found {
					assert.Equal(t, taint, taints[i])
				}
				reached.AddIf(found, "untolerated among "+effects.String())
			}
		})
	})
	reached.Require(t, "a default was there already", "tolerated by ", "tolerated by Equal", "tolerated by Exists",
		"tolerated by Lt", "tolerated by Gt", "untolerated among NoExecute", "untolerated among NoSchedule|NoExecute")
}

func TestTargetNode(t *testing.T) {
	checks(t, 10_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		pod := gen.Pod(gen.DaemonSet().Draw(t, "daemonset"), "p", []string{"n0", "n1"}).Draw(t, "pod")
		want, wantErr := daemonutil.GetTargetNodeName(pod)
		got, err := placement.TargetNode(pod)
		assert.Equal(t, want, got)
		assert.Equal(t, wantErr == nil, err == nil)
		reached.AddIf(err != nil, "no target")
		reached.AddIf(err == nil && pod.Spec.NodeName == "", "from affinity")
		reached.AddIf(pod.Spec.NodeName != "", "from nodeName")
	})
	reached.Require(t, "no target", "from affinity", "from nodeName")
}

// The event handlers and the worker for nodes, as the controller runs them.
func TestTrigger(t *testing.T) {
	checks(t, 4000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		ds.Status.NumberMisscheduled = int32(rapid.IntRange(0, 1).Draw(t, "misscheduled"))
		event := placement.NodeEvent{
			New:                gen.Node("n0").Draw(t, "new"),
			NumberMisscheduled: ds.Status.NumberMisscheduled,
		}
		switch rapid.IntRange(0, 3).Draw(t, "old") {
		case 0:
			event.Old = gen.Node("n0").Draw(t, "old")
		case 1:
			event.Old = event.New.DeepCopy()
			event.Old.Spec.Unschedulable = !event.Old.Spec.Unschedulable
		case 2:
			event.Old = event.New.DeepCopy()
			if len(event.Old.Spec.Taints) > 0 {
				event.Old.Spec.Taints[0].TimeAdded = nil
			}
			event.Old.Labels = map[string]string{}
		}
		var pods []*corev1.Pod
		if rapid.Bool().Draw(t, "has a pod") {
			// The worker tells pods by the name of their controller, in its
			// namespace, and by the kind; it does not look at the UID.
			pod := placement.NewPod(placement.OwnerOf(ds), &ds.Spec.Template, "n0", placement.PodOptions{})
			pod.Name, pod.Spec.NodeName = "p", "n0"
			pods = append(pods, pod)
			event.Pods = 1
		}
		r := newReference(t, gen.Epoch, ds, []*corev1.Node{event.New}, pods, nil)
		got := placement.Compile(&ds.Spec.Template, placement.Options{}).Trigger(event)
		assert.Equal(t, r.nodeEvent(t, event.Old, event.New), got != placement.TriggerNone)
		reached.Add("trigger: " + string(got))
	})
	reached.Require(t, "trigger: ", "trigger: pod-missing", "trigger: pod-must-go", "trigger: misscheduled")
}

// podFor is the pod that the reference's own helpers make for a node.
func podFor(t *rapid.T, ds *appsv1.DaemonSet, hash, node string) *corev1.Pod {
	generation, err := daemonutil.GetTemplateGeneration(ds)
	if err != nil {
		generation = nil
	}
	template := daemonutil.CreatePodTemplate(ds.Spec.Template, generation, hash)
	template.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(template.Spec.Affinity, node)
	pod, err := kubecontroller.GetPodFromTemplate(&template, ds, placement.OwnerOf(ds).ControllerRef())
	assert.NoError(t, err)
	// The API server sets it from the path that the pod is created at.
	pod.Namespace = ds.Namespace
	return pod
}

func TestNewPod(t *testing.T) {
	checks(t, 10_000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		gen.Metadata(t, &ds.Spec.Template)
		ds.Name = rapid.SampledFrom([]string{"probe", "Probe", "probe.x"}).Draw(t, "name")
		hash := rapid.SampledFrom([]string{"", "abc"}).Draw(t, "hash")
		owner := placement.OwnerOf(ds)
		got := placement.NewPod(owner, &ds.Spec.Template, "n1", placement.PodOptions{Hash: hash})
		want := podFor(t, ds, hash, "n1")
		if !equality.Semantic.DeepEqual(want, got) {
			assert.Equal(t, want, got)
		}
		reached.AddIf(owner.TemplateGeneration() != nil, "generation")
		reached.AddIf(got.GenerateName == ds.Name, "no dash")
		reached.AddIf(len(got.Finalizers) > 0, "finalizers")
	})
	reached.Require(t, "generation", "no dash", "finalizers")
}

// What a whole sync creates: on which nodes, and each pod as it reaches the
// API server.
func TestCreatedPods(t *testing.T) {
	checks(t, 1000)
	var reached tally.Tally
	rapid.Check(t, func(t *rapid.T) {
		ds := gen.DaemonSet().Draw(t, "daemonset")
		gen.Metadata(t, &ds.Spec.Template)
		// The reference panics without one.
		ds.Spec.RevisionHistoryLimit = new(int32)
		// Without any label the controller refuses to create pods at all.
		if ds.Spec.Template.Labels == nil {
			ds.Spec.Template.Labels = map[string]string{"app": "probe"}
		}
		nodes := gen.Nodes(5).Draw(t, "nodes")
		r := newReference(t, gen.Epoch, ds, nodes, nil, nil)
		assert.NoError(t, r.sync())

		want := map[string]*corev1.Pod{}
		hash := ""
		for _, pod := range created[*corev1.Pod](r, "pods") {
			name, err := daemonutil.GetTargetNodeName(pinned(pod))
			assert.NoError(t, err)
			hash = pod.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
			pod.Namespace = ds.Namespace
			want[name] = pod
		}
		owner := placement.OwnerOf(ds)
		eligible := placement.EligibleNodes(ds, nodes)
		assert.Len(t, eligible, len(want))
		for _, node := range eligible {
			got := placement.NewPod(owner, &ds.Spec.Template, node.Name, placement.PodOptions{Hash: hash})
			if !equality.Semantic.DeepEqual(want[node.Name], got) {
				assert.Equal(t, want[node.Name], got)
			}
			reached.Add("pods")
		}
	})
	reached.Require(t, "pods")
}

// pinned is the pod without spec.nodeName, which a template may set.
func pinned(pod *corev1.Pod) *corev1.Pod {
	p := pod.DeepCopy()
	p.Spec.NodeName = ""
	return p
}
