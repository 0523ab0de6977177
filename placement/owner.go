package placement

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Owner is the object whose pods and revisions are meant: a DaemonSet, or a
// custom resource that works like one.
type Owner struct {
	Object metav1.Object
	Kind   schema.GroupVersionKind
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
// revisions carry; nil for the zero Owner.
func (o Owner) ControllerRef() *metav1.OwnerReference {
	if o.Object == nil {
		return nil
	}
	return metav1.NewControllerRef(o.Object, o.Kind)
}

// TemplateGeneration returns the number in the annotation
// deprecated.daemonset.template.generation, or nil when there is none or it is
// not a 64-bit integer. The API server counts it for every DaemonSet, and a
// pod that is labelled with it passes as up to date whatever its hash says.
func (o Owner) TemplateGeneration() *int64 {
	if o.Object == nil {
		return nil
	}
	n, err := strconv.ParseInt(o.Object.GetAnnotations()[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
