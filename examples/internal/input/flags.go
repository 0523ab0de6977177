package input

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Flags are a command line with the flags that every program has: -f and -o.
type Flags struct {
	*flag.FlagSet
	// Files are the names given with -f, and Format is that given with -o:
	// "table", "json" or "yaml".
	Files  []string
	Format string
}

// NewFlags returns the flags of a program, to which it adds its own.
func NewFlags(program string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(program, flag.ContinueOnError)}
	f.SetOutput(io.Discard) // errors are printed in the style of the others
	f.Func("f", "", func(name string) error {
		if name == "" {
			return errors.New("is no name of a file")
		}
		f.Files = append(f.Files, name)
		return nil
	})
	f.StringVar(&f.Format, "o", "table", "")
	return f
}

// Parse reads the command line. The error flag.ErrHelp is a wish, not a fault.
func (f *Flags) Parse(args []string) error {
	if err := f.FlagSet.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: every file has its own -f, as in -f %[1]s", f.Arg(0))
	}
	if formats := []string{"table", "json", "yaml"}; !slices.Contains(formats, f.Format) {
		return fmt.Errorf("-o %s: must be one of %s", f.Format, strings.Join(formats, ", "))
	}
	return nil
}
