package placement

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Owner is the object whose pods and revisions are meant: a DaemonSet, or a
// custom resource that works like one. Both fields are needed. A nil pointer in
// Object is as good as none.
type Owner struct {
	Object metav1.Object
	Kind   schema.GroupVersionKind
}

// object is the owner's object, or nil when there is none.
func (o Owner) object() metav1.Object {
	if isNil(o.Object) {
		return nil
	}
	return o.Object
}

// known reports whether the owner can be told from others: by UID, and for pods
// also by kind and name.
func (o Owner) known() bool {
	object := o.object()
	return object != nil && object.GetUID() != "" && object.GetName() != "" && o.Kind.Kind != ""
}

// OwnerOf returns a DaemonSet as an Owner; the zero Owner for nil. Kind and
// version are those of apps/v1, whatever the object's TypeMeta says.
func OwnerOf(ds *appsv1.DaemonSet) Owner {
	if ds == nil {
		return Owner{}
	}
	return Owner{Object: ds, Kind: appsv1.SchemeGroupVersion.WithKind("DaemonSet")}
}

// ControllerRef returns the controller reference that the owner's pods and
// revisions carry; nil without an object.
func (o Owner) ControllerRef() *metav1.OwnerReference {
	object := o.object()
	if object == nil {
		return nil
	}
	return metav1.NewControllerRef(object, o.Kind)
}

// TemplateGeneration returns the number in the annotation
// deprecated.daemonset.template.generation, or nil when there is none or it is
// not a 64-bit integer. The API server counts it for every DaemonSet, and a
// pod that is labelled with it passes as up to date whatever its hash says.
func (o Owner) TemplateGeneration() *int64 {
	object := o.object()
	if object == nil {
		return nil
	}
	n, err := strconv.ParseInt(object.GetAnnotations()[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
