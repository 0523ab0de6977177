package input

import (
	"fmt"
	"io"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// counted is a file of which is counted how much was read.
type counted struct {
	*reader
	in io.Reader
}

// counting returns a reader that counts what is read from in, when somebody wants
// to know.
func (r *reader) counting(in io.Reader) io.Reader {
	if r.source.Progress == nil {
		return in
	}
	r.bytes = 0
	return counted{r, in}
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.bytes += int64(n)
	c.show()
	return n, err
}

// show says how far reading is.
func (r *reader) show() {
	r.source.Progress.Show(func() string {
		return fmt.Sprintf("reading %s: %d MB, %s nodes", r.File, r.bytes/1_000_000, output.Thousands(len(r.Nodes)))
	})
}
