package output

import (
	"bufio"
	"fmt"
	"io"
)

// Report is what a program has found out, in its forms.
type Report[W fmt.Stringer] struct {
	Program string
	// Document has everything, the warnings too.
	Document any
	Warnings []W
	// Table prints it for a person.
	Table func(io.Writer)
	// Before and After stand around the table of a demonstration.
	Demo          bool
	Before, After string
}

// Show writes the report in a format: as a document, or, for "table", as
// warnings and a table. The error is the first of standard output.
func (r Report[W]) Show(stdout, stderr io.Writer, format string) error {
	w := bufio.NewWriter(stdout)
	if format != "table" {
		if err := Document(w, format, r.Document); err != nil {
			return err
		}
		return w.Flush()
	}
	Warn(stderr, r.Program, r.Warnings)
	if r.Demo {
		io.WriteString(w, r.Before)
	}
	r.Table(w)
	if r.Demo {
		io.WriteString(w, r.After)
	}
	return w.Flush() // has the first error of all that was written
}
