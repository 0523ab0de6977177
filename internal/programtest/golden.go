package programtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Golden compares a run with the file testdata/golden/NAME.txt, which it writes
// first when update is set. No line of standard output ends in white space;
// texts that are ignored may have some.
func Golden(t testing.TB, update bool, program, name, args string, got Ran, ignored ...string) {
	t.Helper()
	text := fmt.Sprintf("$ %s %s\nexit status %d\n--- standard error\n%s--- standard output\n%s",
		program, args, got.Status, got.Stderr, got.Stdout)
	file := filepath.Join("testdata", "golden", name+".txt")
	if update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	assert.Equal(t, Text(t, file), text)
	ours := got.Stdout
	for _, other := range ignored {
		ours = strings.ReplaceAll(ours, other, "")
	}
	assert.NotRegexp(t, `(?m)[ \t]$`, ours, "white space at the end of a line")
}
