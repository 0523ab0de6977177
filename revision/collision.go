package revision

import (
	"bytes"
	"math"

	appsv1 "k8s.io/api/apps/v1"
)

// Collision says that the name of a revision is taken by another template.
type Collision struct {
	// Taken is the revision that has the name.
	Taken *appsv1.ControllerRevision
	// Used is the collision count that the name was made with; nil when the
	// owner had none.
	Used *int32
}

// Conflict says what becomes of a revision that could not be created because its
// name was taken. When the data are equal, the existing one is used, whoever owns
// it; else it is a collision, and the first result is nil.
func Conflict(wanted, existing *appsv1.ControllerRevision, used *int32) (*appsv1.ControllerRevision, *Collision) {
	if bytes.Equal(wanted.Data.Raw, existing.Data.Raw) {
		return existing, nil
	}
	c := &Collision{Taken: existing}
	if used != nil {
		n := *used
		c.Used = &n
	}
	return nil, c
}

// Raise returns the count to write to status.collisionCount of the owner, which
// the next sync hashes with. live is the count that the API server has now: when
// it is not the one that was used, the cache was behind, nothing is to be written,
// and the sync is to be tried again; then ok is false.
func (c Collision) Raise(live *int32) (count int32, ok bool) {
	if (live == nil) != (c.Used == nil) || live != nil && *live != *c.Used {
		return 0, false
	}
	if live == nil {
		return 1, true
	}
	if *live == math.MaxInt32 {
		// The controller wraps around.
		return math.MinInt32, true
	}
	return *live + 1, true
}
