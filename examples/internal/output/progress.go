package output

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Progress keeps one line on a terminal up to date while something long goes on.
// Nothing appears within the first second. A nil Progress is none at all.
type Progress struct {
	out          io.Writer
	now          func() time.Time
	begun, shown time.Time
	width        int // of the line on the screen
}

const (
	patience = time.Second
	interval = 200 * time.Millisecond
)

// NewProgress returns one that is shown on out and looks at the clock now.
func NewProgress(out io.Writer, now func() time.Time) *Progress {
	return &Progress{out: out, now: now, begun: now()}
}

// ProgressOn is [NewProgress] when a person watches out, and nil otherwise.
func ProgressOn(out io.Writer, now func() time.Time) *Progress {
	if !isTerminal(out) {
		return nil
	}
	return NewProgress(out, now)
}

// Show says how far it is, unless it said so a moment ago.
func (p *Progress) Show(line func() string) {
	if p == nil {
		return
	}
	now := p.now()
	if now.Sub(p.begun) < patience || now.Sub(p.shown) < interval {
		return
	}
	p.shown = now
	p.write(line())
}

// Erase takes the line away.
func (p *Progress) Erase() {
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
