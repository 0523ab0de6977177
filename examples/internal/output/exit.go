package output

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// The exit statuses that mean the same in every program.
const (
	Done     = 0
	Unusable = 2
)

// NoFlags ends a program whose command line gave an error, and returns its exit
// status. The error flag.ErrHelp is a wish, not a fault.
func NoFlags(stdout, stderr io.Writer, program, usage string, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return Done
	}
	Complain(stderr, program, err)
	fmt.Fprintf(stderr, "%s: -h tells about the flags\n", program)
	return Unusable
}

// NoInput ends a program whose input gave an error, and returns its exit status.
// The warnings come first: they often explain the error, as a kind that was
// passed over does.
func NoInput[W fmt.Stringer](stderr io.Writer, program string, warnings []W, err error) int {
	Warn(stderr, program, warnings)
	Complain(stderr, program, err)
	return Unusable
}
