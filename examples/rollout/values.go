package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/policies"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// lasting is a span, or a range from which spans are drawn.
type lasting struct{ simulate.Duration }

func parseLasting(text string) (lasting, error) {
	from, to, ranges := strings.Cut(text, "-")
	if !ranges {
		to = from
	}
	least, err := policies.ParseSpan(from)
	most, err2 := policies.ParseSpan(to)
	if err != nil || err2 != nil || most.Duration < least.Duration {
		return lasting{}, errors.New("must be a duration such as 40s, or a range such as 20s-60s")
	}
	return lasting{simulate.Between(least.Duration, most.Duration)}, nil
}

func (l *lasting) UnmarshalJSON(raw []byte) error { return policies.FromText(raw, l, parseLasting) }

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
