package input

import (
	"bytes"
	"io"
)

// window passes on what it reads and remembers the end of it, from the last
// mark on. The JSON decoder knows offsets; people want lines, and the newlines
// before an offset can only be counted while they are at hand.
type window struct {
	in   io.Reader
	held []byte
	// begin is the offset of held in the stream, and line the line there.
	begin int64
	line  int
}

func (w *window) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	w.held = append(w.held, p[:n]...)
	return n, err
}

// from returns what was read from the offset on, which must not be before the
// last mark.
func (w *window) from(offset int64) []byte {
	return w.held[min(max(offset-w.begin, 0), int64(len(w.held))):]
}

// lineAt returns the line of an offset, from 1.
func (w *window) lineAt(offset int64) int {
	return w.line + bytes.Count(w.held[:len(w.held)-len(w.from(offset))], []byte("\n"))
}

// mark says that nothing before the offset will be asked for. It moves the
// rest only once that is the smaller part, so that the cost stays linear.
func (w *window) mark(offset int64) {
	rest := w.from(offset)
	if len(rest) > len(w.held)/2 {
		return
	}
	w.line = w.lineAt(offset)
	w.begin += int64(len(w.held) - len(rest))
	w.held = append(w.held[:0], rest...)
}
