package conformance_test

import (
	"context"
	"reflect"
	"time"
	"unsafe"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/daemon"
	clocktesting "k8s.io/utils/clock/testing"
)

// reference is the real controller around a fake API server, with the caches
// filled by hand. Nothing runs in the background: a sync is one call.
type reference struct {
	client     *fake.Clientset
	controller *daemon.DaemonSetsController
}

// failer is what *testing.T and *rapid.T have in common here.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// newReference returns a controller that sees these objects. The caches and the
// API server hold copies.
func newReference(t failer, now time.Time, ds *appsv1.DaemonSet, nodes []*corev1.Node, pods []*corev1.Pod, revisions []*appsv1.ControllerRevision) *reference {
	t.Helper()
	objects := []runtime.Object{ds.DeepCopy()}
	for _, o := range nodes {
		objects = append(objects, o.DeepCopy())
	}
	for _, o := range pods {
		objects = append(objects, o.DeepCopy())
	}
	for _, o := range revisions {
		objects = append(objects, o.DeepCopy())
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	clock := clocktesting.NewFakeClock(now)
	controller, err := daemon.NewDaemonSetsController(
		context.Background(),
		factory.Apps().V1().DaemonSets(), factory.Apps().V1().ControllerRevisions(),
		factory.Core().V1().Pods(), factory.Core().V1().Nodes(),
		client, flowcontrol.NewFakeBackOff(time.Second, 15*time.Minute, clock),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		store := factory.Core().V1().Nodes().Informer().GetStore()
		switch object.(type) {
		case *appsv1.DaemonSet:
			store = factory.Apps().V1().DaemonSets().Informer().GetStore()
		case *appsv1.ControllerRevision:
			store = factory.Apps().V1().ControllerRevisions().Informer().GetStore()
		case *corev1.Pod:
			store = factory.Core().V1().Pods().Informer().GetStore()
		}
		if err := store.Add(object.DeepCopyObject()); err != nil {
			t.Fatal(err)
		}
	}
	client.ClearActions()
	// A created pod is answered for, not stored: the fake API server makes no
	// names, and two pods without one would collide.
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, action.(clienttesting.CreateAction).GetObject(), nil
	})
	return &reference{client: client, controller: controller}
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
	if r.queueLen("nodeUpdateQueue") == 0 {
		return false
	}
	if err := syncNodeUpdate(r.controller, context.Background(), cur.Name); err != nil {
		t.Fatal(err)
	}
	return r.queueLen("queue") > 0
}

// queueLen is the length of one of the controller's queues, which are not
// exported.
func (r *reference) queueLen(field string) int {
	f := reflect.ValueOf(r.controller).Elem().FieldByName(field)
	queue := reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface()
	return queue.(interface{ Len() int }).Len()
}

//go:linkname getNodesToDaemonPods k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).getNodesToDaemonPods
func getNodesToDaemonPods(dsc *daemon.DaemonSetsController, ctx context.Context, ds *appsv1.DaemonSet, includeDeletedTerminal bool) (map[string][]*corev1.Pod, error)

//go:linkname podByCreationTimestampAndPhaseLess k8s.io/kubernetes/pkg/controller/daemon.podByCreationTimestampAndPhase.Less
func podByCreationTimestampAndPhaseLess(pods []*corev1.Pod, i, j int) bool
