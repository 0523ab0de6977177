package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Aligned prints rows with their columns aligned.
func Aligned(w io.Writer, indent string, rows [][]string) {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(t, "%s%s\n", indent, strings.Join(row, "\t"))
	}
	t.Flush() // a buffer takes everything
	w.Write(b.Bytes())
}
