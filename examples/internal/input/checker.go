package input

import (
	"errors"
	"slices"
	"strings"
)

// Checker collects what cannot be used in a document.
type Checker struct {
	Document
	// Path is that of the part whose fields are checked, such as "policy.".
	Path     string
	problems []error
}

// Problem files that a field cannot be used.
func (c *Checker) Problem(field, format string, args ...any) {
	c.problems = append(c.problems, c.Errorf(c.Path+field, format, args...))
}

// Err is all that was filed; nil for nothing.
func (c *Checker) Err() error { return errors.Join(c.problems...) }

// OneOf is [Named], and nothing may be written too.
func OneOf[T ~string](c *Checker, field string, value T, names ...T) T {
	if value == "" {
		return ""
	}
	return Named(c, field, value, names...)
}

// Named returns a value that must be one of some names.
func Named[T ~string](c *Checker, field string, value T, names ...T) T {
	if !slices.Contains(names, value) {
		c.Problem(field, "must be %s, not %q", orList(names), value)
	}
	return value
}

// orList lists names: a, b or c.
func orList[T ~string](names []T) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(name))
	}
	return b.String()
}
