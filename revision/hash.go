package revision

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/dump"
	"k8s.io/apimachinery/pkg/util/rand"
)

// Hash returns the hash by which a template's revision and pods are named: FNV-1a
// of 32 bits over a dump of the template and, when there is one, the collision
// count, written in decimal with letters that make no words. A nil template has
// the hash of an empty one.
//
// The dump has every field of the types, set or not, so the hash is that of one
// version of k8s.io/api. The controller computes it for a new revision alone and
// never compares it.
func Hash(template *corev1.PodTemplateSpec, collisionCount *int32) string {
	var t corev1.PodTemplateSpec
	if template != nil {
		t = *template
	}
	hasher := fnv.New32a()
	// Writes to a hash do not fail.
	_, _ = hasher.Write([]byte(dump.ForHash(t)))
	if collisionCount != nil {
		var count [8]byte
		binary.LittleEndian.PutUint32(count[:], uint32(*collisionCount))
		_, _ = hasher.Write(count[:])
	}
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}
