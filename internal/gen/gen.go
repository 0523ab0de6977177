// Package gen draws the objects that the properties of this module are checked
// on. Its vocabulary is small, so that keys and values collide, and a good
// part of it is malformed, since nothing in this module may panic on an
// object that the API server would refuse.
package gen

import (
	"flag"
	"math/bits"
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

// coin is fair, which the integers of rapid are not: they prefer small ones, so
// that a property fails on a small case, and a branch behind a large one is
// hardly ever reached.
var coin = rapid.Bool()

// below draws an integer from 0 up to n, without n, all about equally likely.
// It shrinks towards 0.
func below(t *rapid.T, n int, label string) int {
	drawn := 0
	for range bits.Len(uint(n-1)) + 3 {
		drawn <<= 1
		if coin.Draw(t, label) {
			drawn |= 1
		}
	}
	return drawn % n
}

// Chance is true in about percent of 100 draws. It shrinks towards false.
func Chance(t *rapid.T, percent int, label string) bool {
	return below(t, 100, label) >= 100-percent
}

// Pick draws one of the values, all about equally likely.
func Pick[T any](t *rapid.T, label string, values ...T) T {
	return values[below(t, len(values), label)]
}

// Shuffled is the list in a drawn order, in a new slice.
func Shuffled[T any](t *rapid.T, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return rapid.Permutation(list).Draw(t, "order")
}
