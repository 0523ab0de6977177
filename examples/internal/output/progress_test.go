package output

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProgress: what takes long says how far it is, on one line that goes away, and
// what is over soon says nothing.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		look time.Duration // that goes by with every look at the clock
		want string
	}{
		{50 * time.Millisecond, ""},
		{150 * time.Millisecond, "\r7 of 10\r9 of 10\r       \r"},
		{600 * time.Millisecond, "\r2 of 10\r3 of 10\r4 of 10\r5 of 10\r6 of 10\r7 of 10\r8 of 10\r9 of 10\r10 of 10\r        \r"},
	} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		p := NewProgress(&out, func() time.Time { now = now.Add(c.look); return now })
		for i := range 10 {
			p.Show(func() string { return fmt.Sprint(i+1, " of 10") })
		}
		p.Erase()
		p.Erase()
		assert.Equal(t, c.want, out.String())
	}
	assert.Nil(t, ProgressOn(&bytes.Buffer{}, time.Now), "nobody watches")
	var none *Progress
	none.Show(func() string { panic("nobody asks") })
	none.Erase()
}

// TestIsTerminal: what is no terminal gets no progress.
func TestIsTerminal(t *testing.T) {
	assert.False(t, isTerminal(&bytes.Buffer{}))
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, isTerminal(file))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	assert.False(t, isTerminal(null))
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	defer writer.Close()
	assert.False(t, isTerminal(writer))
	assert.False(t, isTerminal((*bytes.Buffer)(nil)))
}
