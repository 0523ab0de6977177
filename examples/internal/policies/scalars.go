package policies

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Amount is a number or a percentage.
type Amount struct{ intstr.IntOrString }

var errAmount = errors.New("must be a number or a percentage, as in 2 or 10%")

// ParseAmount reads one from the command line.
func ParseAmount(text string) (Amount, error) {
	a := Amount{intstr.FromString(text)}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		a.IntOrString = intstr.FromInt32(int32(n))
	}
	return a, a.check()
}

// UnmarshalJSON takes a number, or the string of a percentage.
func (a *Amount) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &a.IntOrString) != nil {
		return instead(errAmount, raw)
	}
	return instead(a.check(), raw)
}

func (a *Amount) check() error {
	switch n, err := a.of100(); {
	case err != nil:
		return errAmount
	case n < 0:
		return negative(a.String())
	}
	return nil
}

func (a *Amount) of100() (int, error) {
	return intstr.GetScaledValueFromIntOrPercent(&a.IntOrString, 100, true)
}

// AmountOf is what the library has; nil for nil.
func AmountOf(n *intstr.IntOrString) *Amount {
	if n == nil {
		return nil
	}
	return &Amount{*n}
}

// Of is what the library takes; nil for nil.
func (a *Amount) Of() *intstr.IntOrString {
	if a == nil {
		return nil
	}
	return &a.IntOrString
}

// None reports whether it is 0, or 0%, or nil.
func (a *Amount) None() bool {
	if a == nil {
		return true
	}
	n, err := a.of100()
	return err == nil && n == 0
}

// String is the amount as it is written; nothing for nil.
func (a *Amount) String() string {
	if a == nil {
		return ""
	}
	return a.IntOrString.String()
}

// Moment is a time as RFC 3339 writes it.
type Moment struct{ time.Time }

// ParseMoment reads one, and has it in UTC.
func ParseMoment(text string) (Moment, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return Moment{}, errors.New("must be a time such as 2026-03-04T11:02:00Z")
	}
	return Moment{at.UTC()}, nil
}

// UnmarshalJSON takes a string.
func (m *Moment) UnmarshalJSON(raw []byte) error { return FromText(raw, m, ParseMoment) }

// Span is a time that something takes, as Go writes it.
type Span struct{ time.Duration }

// longest is the longest span that is taken, so that none of their sums overflows.
const longest = 10 * 366 * 24 * time.Hour

// ParseSpan reads one.
func ParseSpan(text string) (Span, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return Span{}, errors.New("must be a duration such as 90s or 10m")
	case d < 0:
		return Span{}, negative(d.String())
	case d > longest:
		return Span{}, errors.New("must be at most ten years")
	}
	return Span{d}, nil
}

// UnmarshalJSON takes a string.
func (s *Span) UnmarshalJSON(raw []byte) error { return FromText(raw, s, ParseSpan) }

// FromText parses a string of JSON, which must not be empty. Null is nothing, as
// everywhere in a document.
func FromText[T any](raw []byte, into *T, parse func(string) (T, error)) error {
	if string(raw) == "null" {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = "" // so that the error says what is wanted
	}
	value, err := parse(text)
	if err == nil {
		*into = value
	}
	return instead(err, raw)
}

// negative is the error that a value is less than nothing.
type negative string

func (n negative) Error() string { return string(n) + " is negative" }

// instead adds to an error what there is instead, unless it says so.
func instead(err error, raw []byte) error {
	if err == nil || errors.As(err, new(negative)) {
		return err
	}
	return fmt.Errorf("%w, not %.40s", err, raw)
}
