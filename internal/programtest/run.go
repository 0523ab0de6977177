// Package programtest runs the programs under examples in tests.
package programtest

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ran is all that a run leaves behind.
type Ran struct {
	Status         int
	Stdout, Stderr string
}

// Run runs a program with a text as its standard input.
func Run(run func(args []string, stdin io.Reader, stdout, stderr io.Writer) int, stdin string, args ...string) Ran {
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return Ran{status, stdout.String(), stderr.String()}
}

// RunAt is [Run] for a program that looks at the clock, at a time.
func RunAt(run func(args []string, stdin io.Reader, stdout, stderr io.Writer, clock func() time.Time) int, now time.Time, stdin string, args ...string) Ran {
	return Run(func(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return run(args, stdin, stdout, stderr, func() time.Time { return now })
	}, stdin, args...)
}

// Document decodes what a run with -o json printed into the program's report.
// Nothing else was said, and a program that reads the document with these
// structs loses nothing.
func (r Ran) Document(t testing.TB, report any) {
	t.Helper()
	require.Empty(t, r.Stderr)
	decoder := json.NewDecoder(strings.NewReader(r.Stdout))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(report))
	again, err := json.Marshal(report)
	require.NoError(t, err)
	assert.JSONEq(t, r.Stdout, string(again))
}

// Text is what a file has in it.
func Text(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
