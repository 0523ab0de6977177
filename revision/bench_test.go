package revision_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/daemonplan/daemonplan/revision"
)

// longHistory is n revisions, of which the last is current.
func longHistory(tb testing.TB, n int) revision.State {
	ds := daemonSet(0)
	var revisions []*appsv1.ControllerRevision
	for i := range n {
		template := 1
		if i == n-1 {
			template = 0
		}
		revisions = append(revisions, stored(tb, fmt.Sprintf("h%d", i), int64(i+1), template))
	}
	return state(ds, revisions)
}

// The template is marshalled once, however many revisions it is compared with.
func TestResolveMarshalsOnce(t *testing.T) {
	resolve := func(s revision.State) float64 {
		return testing.AllocsPerRun(20, func() {
			if _, err := revision.Resolve(s, revision.Options{}); err != nil {
				t.Fatal(err)
			}
		})
	}
	template := daemonSet(0).Spec.Template
	patch := testing.AllocsPerRun(20, func() {
		if _, err := revision.Patch(&template); err != nil {
			t.Fatal(err)
		}
	})
	one, ten := resolve(longHistory(t, 1)), resolve(longHistory(t, 10))
	t.Logf("allocations: %.0f for a patch, %.0f with one revision, %.0f with ten", patch, one, ten)
	assert.Less(t, ten, one+patch/2)
}

func BenchmarkResolve(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		s := longHistory(b, n)
		for name, o := range map[string]revision.Options{"bytes": {}, "meaning": {ByMeaning: true}} {
			b.Run(fmt.Sprintf("revisions=%d/by=%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := revision.Resolve(s, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
