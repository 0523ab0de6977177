package output

import "time"

// Time is a time as a document shows it: in UTC, and the zero time for one that
// JSON has no form for.
func Time(t time.Time) time.Time {
	t = t.UTC()
	if year := t.Year(); year < 1 || year > 9999 {
		return time.Time{}
	}
	return t
}
