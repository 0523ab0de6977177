package current

import (
	"cmp"
	"fmt"
	"io"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// Report is the revision in a program's report.
type Report struct {
	Hash   string `json:"hash,omitempty"`
	Origin Origin `json:"origin"`
	Note   string `json:"note,omitempty"`
}

// Report returns the revision for a report.
func (c *Revision) Report() Report { return Report{c.Reading.Revision, c.Origin, c.Note} }

// Write says in words which pods are updated.
func (r Report) Write(w io.Writer) {
	hash := output.Clean(r.Hash)
	switch r.Origin {
	case ByFlag:
		fmt.Fprintf(w, "Updated pods have the hash %s, of -hash.\n", hash)
	case ByTemplate:
		fmt.Fprintf(w, "Updated pods have the hash %s, that of the template.\n", hash)
	case ByGeneration:
		fmt.Fprintf(w, "All pods that count are of the template generation, and so updated.\n")
	case ByNothing:
		fmt.Fprintf(w, "Which pods are updated is unknown.\n")
	default:
		fmt.Fprintf(w, "Updated pods have the hash %s, of the revisions.\n", cmp.Or(hash, "-"))
	}
	if r.Note != "" {
		fmt.Fprintf(w, "  (%s)\n", r.Note)
	}
}
