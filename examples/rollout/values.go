package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// amount is a number or a percentage.
type amount struct{ intstr.IntOrString }

func parseAmount(text string) (amount, error) {
	a := amount{intstr.Parse(text)}
	if a.Type == intstr.String && !strings.HasSuffix(text, "%") {
		return a, errAmount
	}
	if n, err := intstr.GetScaledValueFromIntOrPercent(&a.IntOrString, 100, true); err != nil || n < 0 {
		return a, errAmount
	}
	return a, nil
}

var errAmount = errors.New("must be a number or a percentage, as in 2 or 10%")

// UnmarshalJSON takes a number, or a string.
func (a *amount) UnmarshalJSON(raw []byte) (err error) {
	text := string(raw)
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	}
	if *a, err = parseAmount(text); err != nil {
		return fmt.Errorf("%w, not %.40s", err, raw)
	}
	return nil
}

// amountOf is what the library has; nil for nil.
func amountOf(n *intstr.IntOrString) *amount {
	if n == nil {
		return nil
	}
	return &amount{*n}
}

// none reports whether it is 0, or 0%, or nil.
func (a *amount) none() bool {
	if a == nil {
		return true
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(&a.IntOrString, 100, true)
	return err == nil && n == 0
}

// of is what the library takes; nil for nil.
func (a *amount) of() *intstr.IntOrString {
	if a == nil {
		return nil
	}
	return &a.IntOrString
}

// word is the amount as it is written; nothing for nil.
func (a *amount) word() string {
	if a == nil {
		return ""
	}
	return a.String()
}

// moment is a time as RFC 3339 writes it.
type moment struct{ time.Time }

func parseMoment(text string) (moment, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return moment{}, errors.New("must be a time such as 2026-03-04T11:02:00Z")
	}
	return moment{at.UTC()}, nil
}

func (m *moment) UnmarshalJSON(raw []byte) error { return fromText(raw, m, parseMoment) }

// span is a time that something takes, as Go writes it.
type span struct{ time.Duration }

// longest is the longest span that is taken, so that none of their sums overflows.
const longest = 10 * 366 * 24 * time.Hour

func parseSpan(text string) (span, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return span{}, errors.New("must be a duration such as 90s or 10m")
	case d < 0:
		return span{}, errors.New("must not be negative")
	case d > longest:
		return span{}, errors.New("must be at most ten years")
	}
	return span{d}, nil
}

func (s *span) UnmarshalJSON(raw []byte) error { return fromText(raw, s, parseSpan) }

// lasting is a span, or a range from which spans are drawn.
type lasting struct{ simulate.Duration }

func parseLasting(text string) (lasting, error) {
	from, to, ranges := strings.Cut(text, "-")
	if !ranges {
		to = from
	}
	least, err := parseSpan(from)
	most, err2 := parseSpan(to)
	if err != nil || err2 != nil || most.Duration < least.Duration {
		return lasting{}, errors.New("must be a duration such as 40s, or a range such as 20s-60s")
	}
	return lasting{simulate.Between(least.Duration, most.Duration)}, nil
}

func (l *lasting) UnmarshalJSON(raw []byte) error { return fromText(raw, l, parseLasting) }

// fromText parses a string of JSON. Null is nothing, as everywhere in a document.
func fromText[T any](raw []byte, into *T, parse func(string) (T, error)) error {
	if string(raw) == "null" {
		return nil
	}
	var text string
	err := json.Unmarshal(raw, &text)
	if err != nil {
		_, err = parse("")
	} else {
		*into, err = parse(text)
	}
	if err != nil {
		return fmt.Errorf("%w, not %.40s", err, raw)
	}
	return nil
}

// inWords is a time for a person: 1h30m, 70s is 1m10s, and days for long ones.
func inWords(d time.Duration) string {
	if d == 0 {
		return "0s"
	}
	if d < 0 {
		return "-" + inWords(-d)
	}
	var b strings.Builder
	if d >= 24*time.Hour {
		fmt.Fprintf(&b, "%dd", d/(24*time.Hour))
		d %= 24 * time.Hour
	}
	if h := d / time.Hour; h > 0 {
		fmt.Fprintf(&b, "%dh", h)
	}
	if m := d % time.Hour / time.Minute; m > 0 {
		fmt.Fprintf(&b, "%dm", m)
	}
	if s := d % time.Minute; s > 0 {
		b.WriteString(s.String())
	}
	return b.String()
}

func (l lasting) String() string {
	if l.Min == l.Max {
		return inWords(l.Min)
	}
	return inWords(l.Min) + "-" + inWords(l.Max)
}
