package placement

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// AdoptPatch returns the strategic merge patch with which the controller adopts a
// pod or a revision of this UID: it adds the controller reference, and fails where
// the object has been replaced or has another controller. It is nil for an owner
// without object.
func AdoptPatch(owner Owner, uid types.UID) []byte {
	ref := owner.ControllerRef()
	if ref == nil {
		return nil
	}
	var patch struct {
		Metadata struct {
			OwnerReferences []metav1.OwnerReference `json:"ownerReferences"`
			UID             types.UID               `json:"uid"`
		} `json:"metadata"`
	}
	patch.Metadata.OwnerReferences = []metav1.OwnerReference{*ref}
	patch.Metadata.UID = uid
	// Strings and booleans always have a form in JSON.
	data, _ := json.Marshal(patch)
	return data
}

// ReleasePatch returns the strategic merge patch with which the controller
// releases a pod or a revision of this UID: it removes the owner's reference. An
// answer of the API server that the patch is invalid means that the reference is
// gone already, or the object replaced. It is nil for an owner without object.
func ReleasePatch(owner Owner, uid types.UID) []byte {
	object := owner.object()
	if object == nil {
		return nil
	}
	type reference struct {
		Directive string    `json:"$patch"`
		UID       types.UID `json:"uid"`
	}
	var patch struct {
		Metadata struct {
			UID             types.UID   `json:"uid"`
			OwnerReferences []reference `json:"ownerReferences"`
		} `json:"metadata"`
	}
	patch.Metadata.UID = uid
	patch.Metadata.OwnerReferences = []reference{{"delete", object.GetUID()}}
	data, _ := json.Marshal(patch)
	return data
}
