package placement

import (
	"cmp"
	"slices"
	"strings"
)

// renamed holds the keys that Kubernetes has replaced, each with its
// successor (https://kubernetes.io/docs/reference/labels-annotations-taints/).
var renamed = map[string]string{
	"node-role.kubernetes.io/master":           "node-role.kubernetes.io/control-plane",
	"beta.kubernetes.io/os":                    "kubernetes.io/os",
	"beta.kubernetes.io/arch":                  "kubernetes.io/arch",
	"beta.kubernetes.io/instance-type":         "node.kubernetes.io/instance-type",
	"failure-domain.beta.kubernetes.io/zone":   "topology.kubernetes.io/zone",
	"failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
}

// mostSimilar is how many words a hint names.
const mostSimilar = 3

// similarTo returns the candidates that a person may have meant by word, the
// likeliest first and equally likely ones by name, at most three of them. The
// word itself is never among them.
func similarTo(word string, candidates []string) []string {
	type scored struct {
		word     string
		distance int
	}
	var found []scored
	for _, c := range candidates {
		if c == word {
			continue
		}
		if d, ok := distance(word, c); ok {
			found = append(found, scored{c, d})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.word, b.word))
	})
	var words []string
	for i := 0; i < len(found) && i < mostSimilar; i++ {
		words = append(words, found[i].word)
	}
	return words
}

// distance grades how far apart two words are, and reports whether they are
// near enough to be worth a hint. From near to far: one was renamed to the
// other; they differ in case and punctuation only; by a typing error or two;
// the same name under another prefix; the one's name is a part of the other,
// as role is of node-role.kubernetes.io/worker.
func distance(a, b string) (int, bool) {
	switch {
	case a == "" || b == "":
		return 0, false
	case renamed[a] == b || renamed[b] == a:
		return 0, true
	case fold(a) == fold(b):
		return 1, true
	}
	if limit := typingErrors(a, b); limit > 0 {
		if n := edits(a, b, limit); n <= limit {
			return 1 + n, true
		}
	}
	nameA, nameB := nameOf(a), nameOf(b)
	switch {
	case nameA == nameB && len(nameA) > 1:
		return 4, true
	case partOf(a, b) || partOf(b, a):
		return 5, true
	}
	return 0, false
}

// fold drops what people get wrong without noticing: case and separators.
func fold(s string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "", "/", "").Replace(strings.ToLower(s))
}

// typingErrors is how many of them may lie between two words: none in short
// ones, where every other word is near, and two from eight letters on.
func typingErrors(a, b string) int {
	switch n := min(len(a), len(b)); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// nameOf is a label key without its prefix.
func nameOf(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// partOf reports whether every word of the short key's name is a word of the
// long key. Words that are in nearly every key do not count.
func partOf(short, long string) bool {
	words := wordsOf(nameOf(short))
	if len(words) == 0 {
		return false
	}
	all := wordsOf(long)
	for _, w := range words {
		if !slices.Contains(all, w) {
			return false
		}
	}
	return true
}

// wordsOf splits a key into its telling words, in lower case.
func wordsOf(key string) []string {
	words := strings.FieldsFunc(strings.ToLower(key), func(r rune) bool {
		return strings.ContainsRune("-_./", r)
	})
	return slices.DeleteFunc(words, func(w string) bool {
		switch w {
		case "kubernetes", "k8s", "beta", "node", "com", "org":
			return true
		}
		return len(w) < 3
	})
}

// edits is the number of inserted, deleted, changed and swapped neighbouring
// bytes that lie between two words, or limit + 1 if there are more than limit.
func edits(a, b string, limit int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > limit {
		return limit + 1
	}
	// Rows of the optimal string alignment table: two back, one back, this.
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := last[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			row[j] = min(changed, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
