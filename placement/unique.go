package placement

import (
	"iter"
	"reflect"
)

// lastByUID yields the objects of a list in its order, with their indexes and
// without nil entries and those whose UID comes again later on. Objects
// without a UID are all different from each other.
func lastByUID[T Claimable](objects []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		uid := func(i int) string {
			if isNil(objects[i]) {
				return ""
			}
			return string(objects[i].GetUID())
		}
		var last map[string]int
		if repeats(len(objects), uid) { // as no informer's list does
			last = make(map[string]int, len(objects))
			for i := range objects {
				last[uid(i)] = i
			}
		}
		for i, object := range objects {
			if isNil(object) {
				continue
			}
			if last != nil {
				if uid := uid(i); uid != "" && last[uid] != i {
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
