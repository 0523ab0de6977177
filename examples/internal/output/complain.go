package output

import (
	"fmt"
	"io"
)

// Complain prints an error of a program, and each of several on its own line.
func Complain(w io.Writer, program string, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			Complain(w, program, one)
		}
		return
	}
	fmt.Fprintf(w, "%s: %s\n", program, Clean(err.Error()))
}

// Warn prints the warnings of a program, each on its own line.
func Warn[W fmt.Stringer](w io.Writer, program string, warnings []W) {
	for _, one := range warnings {
		fmt.Fprintf(w, "%s: warning: %s\n", program, Clean(one.String()))
	}
}
