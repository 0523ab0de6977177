package input

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// Progress keeps one line on a terminal up to date while a long read goes on.
// Nothing appears within the first second. A nil Progress is none at all.
type Progress struct {
	out   io.Writer
	now   func() time.Time
	begun time.Time
	shown time.Time
	file  string
	bytes int64
	nodes int
	width int // of the line on the screen
}

const (
	patience = time.Second
	interval = 200 * time.Millisecond
)

// newProgress returns one that is shown on out and looks at the clock now.
func newProgress(out io.Writer, now func() time.Time) *Progress {
	return &Progress{out: out, now: now, begun: now()}
}

// ProgressOn is [newProgress] when a person watches out, and nil otherwise.
func ProgressOn(out io.Writer, now func() time.Time) *Progress {
	if !isTerminal(out) {
		return nil
	}
	return newProgress(out, now)
}

// counting returns a reader that counts what is read from in.
func (p *Progress) counting(file string, in io.Reader) io.Reader {
	if p == nil {
		return in
	}
	p.file, p.bytes = file, 0
	return countingReader{p, in}
}

type countingReader struct {
	*Progress
	in io.Reader
}

func (c countingReader) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.bytes += int64(n)
	c.show(c.nodes)
	return n, err
}

// show says how far it is, unless it said so a moment ago.
func (p *Progress) show(nodes int) {
	if p == nil {
		return
	}
	p.nodes = nodes
	now := p.now()
	if now.Sub(p.begun) < patience || now.Sub(p.shown) < interval {
		return
	}
	p.shown = now
	p.write(fmt.Sprintf("reading %s: %d MB, %s nodes", p.file, p.bytes/1_000_000, output.Thousands(nodes)))
}

// erase takes the line away.
func (p *Progress) erase() {
	if p != nil && p.width > 0 {
		p.write("")
		fmt.Fprint(p.out, "\r")
	}
}

// write replaces the line on the screen; blanks cover what was longer.
func (p *Progress) write(line string) {
	fmt.Fprint(p.out, "\r", line, strings.Repeat(" ", max(p.width-len(line), 0)))
	p.width = len(line)
}

// isTerminal reports whether a person watches the writer. The null device is a
// character device too.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
