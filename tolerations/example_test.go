package tolerations_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/tolerations"
)

func ExampleDefaultTolerations() {
	for _, t := range tolerations.DefaultTolerations(&corev1.PodSpec{HostNetwork: true}) {
		fmt.Println(tolerations.Format(t))
	}
	// Output:
	// node.kubernetes.io/not-ready:NoExecute op=Exists
	// node.kubernetes.io/unreachable:NoExecute op=Exists
	// node.kubernetes.io/disk-pressure:NoSchedule op=Exists
	// node.kubernetes.io/memory-pressure:NoSchedule op=Exists
	// node.kubernetes.io/pid-pressure:NoSchedule op=Exists
	// node.kubernetes.io/unschedulable:NoSchedule op=Exists
	// node.kubernetes.io/network-unavailable:NoSchedule op=Exists
}

func ExampleEffective() {
	spec := &corev1.PodSpec{Tolerations: []corev1.Toleration{
		{Key: "dedicated", Operator: corev1.TolerationOpExists},
	}}
	all := tolerations.Effective(spec)
	fmt.Println(len(all), tolerations.Format(all[0]))
	// Output: 7 dedicated op=Exists
}

func ExampleMerge() {
	base := []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists}}
	add := []corev1.Toleration{
		{Key: "b", Value: "1"},
		{Key: "a", Operator: corev1.TolerationOpExists},
	}
	for _, t := range tolerations.Merge(base, add) {
		fmt.Println(tolerations.Format(t))
	}
	// Output:
	// a op=Exists
	// b=1
}

// The author wanted the agent to leave an unreachable node after a minute.
// The controller overwrites that with a toleration without limit.
func ExampleChanges() {
	minute := int64(60)
	spec := &corev1.PodSpec{Tolerations: []corev1.Toleration{{
		Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists,
		Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &minute,
	}}}
	for _, c := range tolerations.Changes(spec.Tolerations, tolerations.DefaultTolerations(spec)) {
		if c.Code == tolerations.SecondsReplaced {
			fmt.Println(c)
		}
	}
	// Output:
	// tolerations[0]: node.kubernetes.io/unreachable:NoExecute op=Exists for 60s became node.kubernetes.io/unreachable:NoExecute op=Exists
}

func ExampleTolerates() {
	toleration := &corev1.Toleration{Key: "sla", Operator: tolerations.OpLt, Value: "900"}
	taint := &corev1.Taint{Key: "sla", Value: "850", Effect: corev1.TaintEffectNoSchedule}
	fmt.Println(tolerations.Tolerates(toleration, taint, tolerations.Options{}))
	fmt.Println(tolerations.Tolerates(toleration, taint, tolerations.Options{ComparisonOperators: true}))
	// Output:
	// false
	// true
}

func ExampleFirstUntolerated() {
	taints := []corev1.Taint{
		{Key: "outdated", Effect: corev1.TaintEffectPreferNoSchedule},
		{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
		{Key: "dedicated", Value: "gpu", Effect: corev1.TaintEffectNoSchedule},
	}
	all := tolerations.Effective(&corev1.PodSpec{})
	if i, found := tolerations.FirstUntolerated(taints, all, tolerations.Blocking, tolerations.Options{}); found {
		fmt.Println(i, tolerations.FormatTaint(taints[i]))
	}
	// Output: 2 dedicated=gpu:NoSchedule
}

func ExampleCovers() {
	everything := &corev1.Toleration{Operator: corev1.TolerationOpExists}
	gpu := &corev1.Toleration{Key: "dedicated", Value: "gpu", Effect: corev1.TaintEffectNoSchedule}
	fmt.Println(tolerations.Covers(everything, gpu, tolerations.Options{}))
	fmt.Println(tolerations.Covers(gpu, everything, tolerations.Options{}))
	// Output:
	// true
	// false
}

func ExampleFor() {
	taint := corev1.Taint{Key: "dedicated", Value: "gpu", Effect: corev1.TaintEffectNoExecute}
	fmt.Println(tolerations.Format(tolerations.For(taint)))
	// Output: dedicated=gpu:NoExecute
}

func ExampleEffects() {
	fmt.Println(tolerations.Blocking)
	fmt.Println(tolerations.Blocking.Has(corev1.TaintEffectPreferNoSchedule))
	// Output:
	// NoSchedule|NoExecute
	// false
}

func ExampleFormatTaint() {
	fmt.Println(tolerations.FormatTaint(corev1.Taint{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}))
	// Output: node-role.kubernetes.io/control-plane:NoSchedule
}

func ExampleFormat() {
	fmt.Println(tolerations.Format(corev1.Toleration{Key: "gpu", Operator: corev1.TolerationOpExists}))
	// Output: gpu op=Exists
}

// The codes of changes are stable.
func ExampleChange() {
	own := []corev1.Toleration{{Key: "sla", Operator: tolerations.OpGt, Value: "900"}}
	var changes []tolerations.Change = tolerations.Changes(own, tolerations.DefaultTolerations(nil)[:1])
	var code tolerations.ChangeCode = changes[0].Code
	fmt.Println(code == tolerations.Added, changes[0].String())
	// Output: true added node.kubernetes.io/not-ready:NoExecute op=Exists
}

func ExampleEffects_Has() {
	var soft tolerations.Effects = tolerations.PreferNoSchedule
	fmt.Println(soft.Has(corev1.TaintEffectPreferNoSchedule), soft.Has(corev1.TaintEffectNoExecute))
	// Output: true false
}

func ExampleFirstTolerating() {
	all := tolerations.Effective(&corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}}})
	cordon := &corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	if i, found := tolerations.FirstTolerating(all, cordon, tolerations.Options{}); found {
		fmt.Println(i, tolerations.Format(all[i]))
	}
	// Output: 6 node.kubernetes.io/unschedulable:NoSchedule op=Exists
}
