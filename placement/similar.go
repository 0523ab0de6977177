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

const (
	// mostSimilar is how many words a hint names.
	mostSimilar = 3
	// longestWord is the length of the longest label key: a prefix of 253, a
	// slash and a name of 63. What is longer is like nothing.
	longestWord = 253 + 1 + 63
)

// nearness grades how likely a person who wrote the first word meant the second,
// from 0 for surely, and reports whether it is likely enough for a hint.
type nearness func(wrote, meant string) (int, bool)

// similarTo returns the candidates that a person may have meant by word, the
// likeliest first and equally likely ones by name, at most three of them. The
// word itself is never among them.
func similarTo(word string, candidates []string, near nearness) []string {
	type graded struct {
		word  string
		grade int
	}
	var found []graded
	for _, c := range candidates {
		if c == word || c == "" || word == "" || max(len(c), len(word)) > longestWord {
			continue
		}
		if grade, ok := near(word, c); ok {
			found = append(found, graded{c, grade})
		}
	}
	slices.SortFunc(found, func(a, b graded) int {
		return cmp.Or(cmp.Compare(a.grade, b.grade), cmp.Compare(a.word, b.word))
	})
	var words []string
	for i := 0; i < len(found) && i < mostSimilar; i++ {
		words = append(words, found[i].word)
	}
	return words
}

// nearKey is for keys of labels and taints. From near to far: one was renamed to
// the other; they differ in case and separators only, or the value was written
// into the key; by a typing error or two; the same name, one without a prefix or
// both with prefixes of one domain; what was written, without a prefix, is made of
// words of the other, as role is of node-role.kubernetes.io/worker.
func nearKey(wrote, meant string) (int, bool) {
	switch {
	case renamed[wrote] == meant || renamed[meant] == wrote:
		return 0, true
	case foldEqual(wrote, meant), keyOf(wrote) == meant:
		return 1, true
	}
	if grade, ok := typedWrong(wrote, meant); ok {
		return grade, true
	}
	wrotePrefix, wroteName := splitKey(wrote)
	meantPrefix, meantName := splitKey(meant)
	switch {
	case len(wroteName) > 1 && foldEqual(wroteName, meantName) &&
		(wrotePrefix == "" || meantPrefix == "" || domainOf(wrotePrefix) == domainOf(meantPrefix)):
		return 4, true
	case wrotePrefix == "" && madeOf(wrote, meant):
		return 5, true
	}
	return 0, false
}

// nearWord is for label values and node names. From near to far: they differ in
// case and separators only; by a typing error or two; the one is the short form
// of the other, as a host name is of its full name.
func nearWord(wrote, meant string) (int, bool) {
	if foldEqual(wrote, meant) {
		return 1, true
	}
	if grade, ok := typedWrong(wrote, meant); ok {
		return grade, true
	}
	if strings.HasPrefix(wrote, meant+".") || strings.HasPrefix(meant, wrote+".") {
		return 4, true
	}
	return 0, false
}

// typedWrong grades words by the typing errors between them, 2 or 3. There are
// none in short ones, where every other word is near, and two from eight letters
// on.
func typedWrong(a, b string) (int, bool) {
	limit := 2
	switch n := min(len(a), len(b)); {
	case n < 4:
		return 0, false
	case n < 8:
		limit = 1
	}
	n := edits(a, b, limit)
	return 1 + n, n <= limit
}

// keyOf is the key of what may be a key and a value, and an effect: "dedicated"
// of "dedicated=gpu:NoSchedule".
func keyOf(s string) string {
	if at := strings.IndexAny(s, "=:"); at >= 0 {
		return s[:at]
	}
	return s
}

// splitKey splits a key into prefix and name.
func splitKey(key string) (prefix, name string) {
	at := strings.LastIndexByte(key, '/')
	if at < 0 {
		return "", key
	}
	return key[:at], key[at+1:]
}

// domainOf is the last two labels of a domain name.
func domainOf(prefix string) string {
	at := strings.LastIndexByte(prefix, '.')
	if at < 0 {
		return prefix
	}
	return prefix[strings.LastIndexByte(prefix[:at], '.')+1:]
}

// foldEqual reports whether two words are equal but for what people get wrong
// without noticing: case and separators.
func foldEqual(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && isSeparator(a[i]) {
			i++
		}
		for j < len(b) && isSeparator(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if lower(a[i]) != lower(b[j]) {
			return false
		}
		i++
		j++
	}
}

func isSeparator(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c == '/' || c == ' ' || c == '\t' || c == '\n'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// madeOf reports whether every telling word of the one is a word of the other.
func madeOf(short, long string) bool {
	words := wordsOf(short)
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

// wordsOf splits a key into its words, in lower case, without those that are in
// nearly every key.
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
	// Rows of the optimal string alignment table: two back, one back, this. Most
	// words fit on the stack.
	var small [3 * 64]int
	space, width := small[:], len(b)+1
	if 3*width > len(space) {
		space = make([]int, 3*width)
	}
	before, last, row := space[:width], space[width:2*width], space[2*width:3*width]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			changed := last[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			row[j] = min(changed, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		// A swap looks two rows back, at what is at most one better.
		if least > limit+1 {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
