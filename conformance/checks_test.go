package conformance_test

import (
	"flag"
	"strconv"
	"testing"
)

// checks sets how often rapid checks the properties of a test, unless the
// command line says so, and returns it. With -short it is a tenth.
func checks(t *testing.T, n int) int {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	if before != f.DefValue {
		n, _ = strconv.Atoi(before)
		return n
	}
	if testing.Short() {
		n /= 10
	}
	if err := f.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(before) })
	return n
}
