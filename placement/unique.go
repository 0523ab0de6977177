package placement

import (
	"iter"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
)

// lastByUID yields the objects of a list in its order, with their indexes and
// without nil entries and those whose UID comes again later on. Objects
// without a UID are all different from each other.
func lastByUID[T Claimable](objects []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		last := make(map[types.UID]int32, len(objects))
		known := 0
		for i, object := range objects {
			if isNil(object) {
				continue
			}
			if uid := object.GetUID(); uid != "" {
				last[uid] = int32(i)
				known++
			}
		}
		repeated := len(last) < known // as no informer's list is; else nothing is looked up again
		for i, object := range objects {
			if isNil(object) {
				continue
			}
			if repeated {
				if uid := object.GetUID(); uid != "" && last[uid] != int32(i) {
					continue
				}
			}
			if !yield(i, object) {
				return
			}
		}
	}
}

// isNil reports whether a value is no object: nil, or a nil pointer behind an
// interface.
func isNil(object any) bool {
	v := reflect.ValueOf(object)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
