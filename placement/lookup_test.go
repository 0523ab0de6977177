package placement

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestLookup: it finds what a map finds, and misses no string that comes twice.
func TestLookup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.OneOf(rapid.StringN(0, 3, 4), rapid.StringN(0, 20, 20))).Draw(t, "words")
		l, want := newLookup(len(words)), map[string]int{}
		twice := false
		for i, s := range words {
			at, free := l.find(s, func(i int) bool { return words[i] == s })
			if have, ok := want[s]; ok {
				assert.Equal(t, have, at)
				twice = twice || s != ""
				continue
			}
			assert.Equal(t, -1, at)
			l.put(free, i)
			want[s] = i
		}
		if twice {
			assert.True(t, repeats(len(words), func(i int) string { return words[i] }))
		}
		missing := rapid.StringN(0, 3, 4).Draw(t, "missing")
		if _, ok := want[missing]; !ok {
			at, _ := l.find(missing, func(i int) bool { return words[i] == missing })
			assert.Equal(t, -1, at)
		}
	})
}

// TestHashCollisions: strings whose hashes are equal in the part that is kept are
// told apart by themselves.
func TestHashCollisions(t *testing.T) {
	words := []string{"a", "b", "c"}
	l := newLookup(3)
	for i := range words {
		// All in the slot of the first, as if their hashes were one.
		_, free := l.find(words[0], func(int) bool { return false })
		l.put(free, i)
	}
	at, _ := l.find(words[0], func(i int) bool { return words[i] == "c" })
	assert.Equal(t, 2, at)
}
