package output

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// most is how many names a line has before it says how many more there are.
const most = 5

// Few lists the first names, and the number of the others.
func Few(names []string) string {
	shown := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, Clean(OrNoName(name)))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += ", and " + Thousands(more) + " more"
	}
	return text
}

// Plural is a number with the word that goes with it.
func Plural(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + several
}

// Thousands writes a number with commas.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Clean keeps what came from a file from breaking the line it is printed in.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Counts lists how many there are of each, by name: "3 ConfigMap, 1 Service".
func Counts(of map[string]int) string {
	var parts []string
	for _, name := range SortedKeys(of) {
		parts = append(parts, fmt.Sprintf("%s %s", Thousands(of[name]), Clean(name)))
	}
	return strings.Join(parts, ", ")
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, cmp.Compare)
	return keys
}

// OrNoName stands in for a name that is missing.
func OrNoName(name string) string { return cmp.Or(name, "(no name)") }
