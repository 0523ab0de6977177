package input

import (
	"errors"
	"fmt"
	"strings"
)

// Place is where something stands in the input. Documents are counted from 1
// in every file, empty ones left out; the line is the one that the document
// begins at.
type Place struct {
	File     string `json:"file,omitempty"`
	Document int    `json:"document,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// placeOf is the beginning of a file that -f names.
func placeOf(name string) Place {
	if name == "-" {
		name = "standard input"
	}
	return Place{File: name}
}

func (p Place) String() string {
	if p.Document == 0 {
		return p.File
	}
	return fmt.Sprintf("%s: document %d (line %d)", p.File, p.Document, p.Line)
}

// fault is one thing that makes input unusable: where, in which field, what.
type fault struct {
	Place
	field   string
	message string
}

func (f fault) Error() string { return located(f.Place, f.field, f.message) }

// located joins what there is of place, field and message with colons.
func located(p Place, field, message string) string {
	var parts []string
	for _, part := range []string{p.String(), field, message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

func (p Place) errorf(field, format string, args ...any) error {
	return fault{p, field, fmt.Sprintf(format, args...)}
}

// join makes one error of several faults, and nil of none.
func join(faults []fault) error {
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = f
	}
	return errors.Join(errs...)
}

// Warning is something to tell that does not stop a program.
type Warning struct {
	Place
	// Field is the path of the field that it is about, where there is one.
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

func (w Warning) String() string { return located(w.Place, w.Field, w.Message) }

// below is the path of a field below another; either may be empty.
func below(path, field string) string {
	if path == "" || field == "" || field[0] == '[' {
		return path + field
	}
	return path + "." + field
}
