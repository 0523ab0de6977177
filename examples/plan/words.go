package main

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

// few lists the first names, and the number of the others.
func few(names []string) string {
	shown := make([]string, 0, most)
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, clean(orNoName(name)))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += ", and " + thousands(more) + " more"
	}
	return text
}

// plural is a number with the word that goes with it.
func plural(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + several
}

// thousands writes a number with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// clean keeps what came from a file from breaking the line it is printed in.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// counts lists how many there are of each, by name: "3 ConfigMap, 1 Service".
func counts(of map[string]int) string {
	var parts []string
	for _, name := range sortedKeys(of) {
		parts = append(parts, fmt.Sprintf("%s %s", thousands(of[name]), clean(name)))
	}
	return strings.Join(parts, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, cmp.Compare)
	return keys
}
