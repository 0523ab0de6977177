// Package gen draws the objects that the properties of this module are checked
// on. Its vocabulary is small, so that keys and values collide, and a good
// part of it is malformed, since nothing in this module may panic on an
// object that the API server would refuse.
package gen

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// Main runs a package's tests with at least the given number of rapid checks,
// unless -rapid.checks was given. It is the body of a TestMain.
func Main(m *testing.M, checks string) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", checks); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// chance is true in about percent of 100 draws.
func chance(t *rapid.T, percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(t, label) < percent
}

// pick draws one of the values.
func pick[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

// Shuffled is the list in a drawn order, in a new slice.
func Shuffled[T any](t *rapid.T, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return rapid.Permutation(list).Draw(t, "order")
}
