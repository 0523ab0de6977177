package simulate

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/daemonplan/daemonplan/placement"
	"github.com/daemonplan/daemonplan/rollout"
)

// inOrder are the indexes of events in the order in which they happen.
func inOrder(events []Event) []int {
	all := make([]int, len(events))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(events[a].At, events[b].At) })
	return all
}

// happen makes an event happen.
func (w *world) happen(e *Event) {
	w.dirty = true
	switch {
	case e.Join != nil:
		n := *e.Join
		n.Name = e.Node
		n.Pods = slices.Clone(n.Pods)
		w.judge(&n)
		i := w.add(n)
		w.touch(i)
	case e.Change != nil:
		w.change(w.index[e.Node], e.Change)
	case e.Leave:
		i := w.index[e.Node]
		n := &w.nodes()[i]
		n.Verdict, n.Stable, n.Ref = placement.Unevaluated, placement.Unevaluated, nil
		w.more[i].era++
		w.collects(i)
		w.touch(i)
	case e.Health == GoesNotReady:
		w.goDown(w.index[e.Node])
	case e.Health == ComesBack:
		w.comeBack(w.index[e.Node])
	case e.Target != "":
		w.retarget(e)
	case e.Spec != nil:
		w.state.Spec = *e.Spec
		w.recount()
	case e.Policy != nil:
		w.policy = *e.Policy
		for i := range w.nodes() {
			n := &w.nodes()[i]
			*n = w.policy.Mark(*n)
			w.touch(i) // some pods may need no restart any more
		}
	}
}

// judge gives a node that comes with an object its verdict.
func (w *world) judge(n *placement.Node) {
	if n.Ref != nil && w.scenario.Matcher != nil {
		ref := n.Ref.DeepCopy()
		ref.Name = n.Name
		n.Ref, n.Verdict = ref, w.scenario.Matcher.Match(ref)
	}
	if n.Stable == placement.Unevaluated {
		n.Stable = n.Verdict
	}
}

// change makes a node what it becomes, and evicts its pods if a taint says so.
func (w *world) change(i int, to *placement.Node) {
	n := *to
	n.Name, n.Pods = w.nodes()[i].Name, w.nodes()[i].Pods
	w.judge(&n)
	w.nodes()[i] = w.policy.Mark(n)
	if n.Ref != nil && w.more[i].down {
		w.setCondition(i, corev1.ConditionUnknown)
	}
	if !w.scenario.Model.KeepEvicted && n.Verdict == placement.Excluded && n.Ref != nil && w.scenario.Matcher != nil &&
		w.scenario.Matcher.Cause(n.Ref).Code == placement.CauseTaint {
		for _, p := range slices.Clone(n.Pods) {
			w.remove(i, p.UID)
		}
	}
	w.touch(i)
}

// goDown makes a kubelet not answer: its pods are not ready any more.
func (w *world) goDown(i int) {
	m := &w.more[i]
	w.setCondition(i, corev1.ConditionUnknown)
	if m.down || w.scenario.Model.IgnoreKubelets {
		return
	}
	m.down = true
	for j := range w.nodes()[i].Pods {
		if p := &w.nodes()[i].Pods[j]; p.Flags.Has(placement.Ready) {
			p.Flags &^= placement.Ready
			p.ReadyChanged = w.state.Now
			m.lost = append(m.lost, p.UID)
		}
	}
	w.touch(i)
}

// comeBack makes it answer again: what was ready is so again, and what had to wait
// happens.
func (w *world) comeBack(i int) {
	m := &w.more[i]
	w.setCondition(i, corev1.ConditionTrue)
	if m.down {
		w.resume(i)
	}
}

// resume lets a kubelet go on with what it knows of.
func (w *world) resume(i int) {
	m := &w.more[i]
	m.down = false
	for _, uid := range m.lost {
		if p := w.find(i, uid); p != nil {
			w.ready(i, p)
		}
	}
	waiting := m.waiting
	m.waiting, m.lost = nil, nil
	for _, t := range waiting {
		w.fire(t)
	}
	w.touch(i)
}

// setCondition sets the Ready condition of a node in a copy of its object.
func (w *world) setCondition(i int, status corev1.ConditionStatus) {
	n := &w.nodes()[i]
	ref := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}}
	if n.Ref != nil {
		ref = n.Ref.DeepCopy()
	}
	ref.Status.Conditions = slices.DeleteFunc(ref.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == corev1.NodeReady })
	ref.Status.Conditions = append(ref.Status.Conditions, corev1.NodeCondition{
		Type: corev1.NodeReady, Status: status, LastTransitionTime: metav1.NewTime(w.state.Now),
	})
	n.Ref = ref
}

// retarget rolls out another revision.
func (w *world) retarget(e *Event) {
	before := w.state.Target
	w.state.Target = e.Target
	w.state.ObservedGeneration++
	switch _, known := w.behaviours[e.Target]; {
	case e.Pods != nil:
		w.behaviours[e.Target] = *e.Pods
	case !known:
		w.behaviours[e.Target] = w.behaviours[before]
	}
	for i := range w.nodes() {
		for j := range w.nodes()[i].Pods {
			w.revise(&w.nodes()[i].Pods[j])
		}
		w.more[i].doneAt = -1
		w.touch(i)
	}
}

// recount counts all nodes, after minReadySeconds may have changed.
func (w *world) recount() {
	for i := range w.nodes() {
		for j := range w.nodes()[i].Pods {
			w.ripens(i, &w.nodes()[i].Pods[j])
		}
		w.touch(i)
	}
}

// carryOut does what a plan says.
func (w *world) carryOut(plan rollout.Plan) {
	for _, c := range plan.Create {
		if i, ok := w.index[c.Node]; ok {
			w.create(i, c.Revision)
		}
	}
	for _, d := range plan.Delete {
		if i, ok := w.index[d.Node]; ok {
			w.remove(i, w.uidOf(i, d))
		}
	}
	w.state.Backoff = w.state.Backoff.With(w.state.ObservedGeneration, plan.Backoff, w.state.Now)
}

// uidOf is the UID of a pod to delete; pods that are only facts may have none, and
// then it is found by its name.
func (w *world) uidOf(i int, d rollout.Delete) types.UID {
	if d.UID != "" {
		return d.UID
	}
	for _, p := range w.nodes()[i].Pods {
		if p.Name == d.Pod {
			return p.UID
		}
	}
	return ""
}
