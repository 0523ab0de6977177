package input

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/internal/programtest"
)

// TestProgress runs with a clock that goes on with every look at it.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name  string
		step  time.Duration
		shown bool
	}{
		{"a quick read shows nothing", time.Millisecond, false},
		{"a slow one does", 300 * time.Millisecond, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := time.Unix(0, 0)
			clock := func() time.Time { now = now.Add(test.step); return now }
			var stderr bytes.Buffer
			in, err := Read(Source{
				Files: []string{"-", "../../plan/demo/agent.yaml"}, Stdin: strings.NewReader(strings.Repeat(programtest.MinimalNode+"---\n", 30)),
				Progress: output.NewProgress(&stderr, clock),
			})
			require.NoError(t, err)
			require.Len(t, in.DaemonSets, 1)
			if !test.shown {
				assert.Empty(t, stderr.String())
				return
			}
			assert.Contains(t, stderr.String(), "\rreading standard input: 0 MB, 12 nodes\r")
			assert.Equal(t, "", onScreen(stderr.String()), "the line is erased")
			assert.NotContains(t, stderr.String(), "\n")
		})
	}
}

// onScreen is what a terminal shows of one line in the end.
func onScreen(text string) string {
	var line []byte
	at := 0
	for _, c := range []byte(text) {
		if c == '\r' {
			at = 0
			continue
		}
		line = append(line[:at], append([]byte{c}, line[min(at+1, len(line)):]...)...)
		at++
	}
	return strings.TrimRight(string(line), " ")
}
