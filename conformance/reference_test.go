package conformance_test

import (
	"context"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	kubecontroller "k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/daemonplan/daemonplan/rollout"
)

// reference is the real controller around a fake API server, with the caches
// filled by hand. Nothing runs in the background: a sync is one call.
//
// The API server records what is asked of it and changes nothing: every step of
// a sync reads the same cache anyway, in which its own writes do not show, and a
// pod that is deleted stays for its grace period. Only the names of revisions are
// known to it, so that creating one whose name is taken is an error.
type reference struct {
	client     *fake.Clientset
	controller *daemon.DaemonSetsController
	// live is the DaemonSet as the API server has it.
	live *appsv1.DaemonSet
	// backoff is that of failed pods, by the clock.
	backoff *flowcontrol.Backoff
	clock   *clocktesting.FakeClock
}

// failer is what *testing.T and *rapid.T have in common here.
type failer interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// newReference returns a controller that sees these objects. The caches and the
// API server hold copies.
func newReference(t failer, now time.Time, ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, revisions []*appsv1.ControllerRevision) *reference {
	t.Helper()
	r := &reference{client: &fake.Clientset{}, live: ds.DeepCopy()}
	factory := informers.NewSharedInformerFactory(r.client, 0)
	r.clock = clocktesting.NewFakeClock(now)
	r.backoff = flowcontrol.NewFakeBackOff(time.Second, 15*time.Minute, r.clock)
	var err error
	r.controller, err = daemon.NewDaemonSetsController(
		context.Background(),
		factory.Apps().V1().DaemonSets(), factory.Apps().V1().ControllerRevisions(),
		factory.Core().V1().Pods(), factory.Core().V1().Nodes(),
		r.client, r.backoff,
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	add := func(store cache.Store, object runtime.Object) {
		if err := store.Add(object.DeepCopyObject()); err != nil {
			t.Fatal(err)
		}
	}
	add(factory.Apps().V1().DaemonSets().Informer().GetStore(), ds)
	for _, o := range nodes {
		add(factory.Core().V1().Nodes().Informer().GetStore(), o)
	}
	for _, o := range pods {
		add(factory.Core().V1().Pods().Informer().GetStore(), o)
	}
	taken := map[string]*appsv1.ControllerRevision{}
	for _, o := range revisions {
		add(factory.Apps().V1().ControllerRevisions().Informer().GetStore(), o)
		taken[o.Name] = o.DeepCopy()
	}
	r.answer("get", "daemonsets", func(clienttesting.Action) (runtime.Object, error) { return r.live.DeepCopy(), nil })
	r.answer("get", "controllerrevisions", func(action clienttesting.Action) (runtime.Object, error) {
		return taken[action.(clienttesting.GetAction).GetName()], nil
	})
	r.answer("create", "controllerrevisions", func(action clienttesting.Action) (runtime.Object, error) {
		o := action.(clienttesting.CreateAction).GetObject().(*appsv1.ControllerRevision)
		if taken[o.Name] != nil {
			return nil, apierrors.NewAlreadyExists(appsv1.Resource("controllerrevisions"), o.Name)
		}
		return o, nil
	})
	for _, verb := range []string{"create", "update"} {
		r.answer(verb, "*", func(action clienttesting.Action) (runtime.Object, error) {
			return action.(clienttesting.CreateAction).GetObject(), nil
		})
	}
	return r
}

// answer says what the API server answers; the first answer that fits counts.
func (r *reference) answer(verb, resource string, object func(clienttesting.Action) (runtime.Object, error)) {
	r.client.AddReactor(verb, resource, func(action clienttesting.Action) (bool, runtime.Object, error) {
		o, err := object(action)
		return true, o, err
	})
}

// syncDaemonSet is what the controller calls for a key of its queue. It is not
// exported.
//
//go:linkname syncDaemonSet k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncDaemonSet
func syncDaemonSet(dsc *daemon.DaemonSetsController, ctx context.Context, key string) error

// sync runs one sync of the DaemonSet ns/probe.
func (r *reference) sync() error {
	return syncDaemonSet(r.controller, context.Background(), "ns/probe")
}

// created returns what the sync created of a resource, in the order of the
// calls.
func created[T runtime.Object](r *reference, resource string) []T {
	var all []T
	for _, action := range r.client.Actions() {
		if create, ok := action.(clienttesting.CreateAction); ok && action.GetResource().Resource == resource {
			all = append(all, create.GetObject().(T))
		}
	}
	return all
}

//go:linkname addNode k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).addNode
func addNode(dsc *daemon.DaemonSetsController, logger klog.Logger, obj any)

//go:linkname updateNode k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).updateNode
func updateNode(dsc *daemon.DaemonSetsController, logger klog.Logger, old, cur any)

//go:linkname syncNodeUpdate k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncNodeUpdate
func syncNodeUpdate(dsc *daemon.DaemonSetsController, ctx context.Context, nodeName string) error

// nodeEvent hands a node event to the controller and reports whether it queues
// the DaemonSet. Old is nil for a node that was added.
func (r *reference) nodeEvent(t failer, old, cur *corev1.Node) bool {
	t.Helper()
	if old == nil {
		addNode(r.controller, klog.Logger{}, cur)
	} else {
		updateNode(r.controller, klog.Logger{}, old, cur)
	}
	if r.queue("nodeUpdateQueue").Len() == 0 {
		return false
	}
	if err := syncNodeUpdate(r.controller, context.Background(), cur.Name); err != nil {
		t.Fatal(err)
	}
	return r.queue("queue").Len() > 0
}

// field is one of the controller's fields, which are not exported.
func (r *reference) field(name string) any {
	f := reflect.ValueOf(r.controller).Elem().FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface()
}

func (r *reference) queue(name string) workqueue.TypedRateLimitingInterface[string] {
	return r.field(name).(workqueue.TypedRateLimitingInterface[string])
}

// close ends the goroutines of the queues and of the events, which would keep the
// controller and its caches in memory.
func (r *reference) close() {
	r.queue("queue").ShutDown()
	r.queue("nodeUpdateQueue").ShutDown()
	r.field("eventBroadcaster").(record.EventBroadcaster).Shutdown()
}

// expect makes the controller expect all of these writes, and then see some.
func (r *reference) expect(t failer, unseen, seen rollout.InFlight) {
	t.Helper()
	e := r.field("expectations").(kubecontroller.ControllerExpectationsInterface)
	creates, deletes := writesOf(seen)
	moreCreates, moreDeletes := writesOf(unseen)
	if creates+deletes+moreCreates+moreDeletes == 0 {
		return
	}
	if err := e.SetExpectations(klog.Logger{}, "ns/probe", creates+moreCreates, deletes+moreDeletes); err != nil {
		t.Fatal(err)
	}
	for range creates {
		e.CreationObserved(klog.Logger{}, "ns/probe")
	}
	for range deletes {
		e.DeletionObserved(klog.Logger{}, "ns/probe")
	}
}

// writesOf counts the creates and the deletes.
func writesOf(f rollout.InFlight) (creates, deletes int) {
	for _, n := range f.Creates {
		creates += n
	}
	return creates, len(f.Deletes)
}

// backoffKey is the name of a node's back-off.
func backoffKey(ds *appsv1.DaemonSet, generation int64, node string) string {
	return fmt.Sprintf("%s/%d/%s", ds.UID, generation, node)
}

// arm gives the controller the back-off, by as many failures as it takes.
func (r *reference) arm(ds *appsv1.DaemonSet, b rollout.Backoff, now time.Time) {
	for node, delay := range b.Nodes {
		key := backoffKey(ds, b.Generation, node)
		r.clock.SetTime(delay.Since)
		for r.backoff.Get(key) < delay.For {
			r.backoff.Next(key, delay.Since)
		}
	}
	r.clock.SetTime(now)
}

//go:linkname getNodesToDaemonPods k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).getNodesToDaemonPods
func getNodesToDaemonPods(dsc *daemon.DaemonSetsController, ctx context.Context, ds *appsv1.DaemonSet, includeDeletedTerminal bool) (map[string][]*corev1.Pod, error)

//go:linkname podByCreationTimestampAndPhaseLess k8s.io/kubernetes/pkg/controller/daemon.podByCreationTimestampAndPhase.Less
func podByCreationTimestampAndPhaseLess(pods []*corev1.Pod, i, j int) bool

//go:linkname getPatch k8s.io/kubernetes/pkg/controller/daemon.getPatch
func getPatch(ds *appsv1.DaemonSet) ([]byte, error)
