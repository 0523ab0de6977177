// Package decimal reads decimal integers without allocating.
//
// strconv.ParseInt returns an error value that holds a copy of the input, so
// one malformed label would cost an allocation on every node that carries it.
package decimal

import "math"

// Parse reads what strconv.ParseInt(s, 10, 64) accepts: an optional sign and
// at least one digit, leading zeros included. It reports whether s is such a
// number and fits into 64 bits.
func Parse(s string) (int64, bool) {
	negative := false
	digits := s
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		digits = s[1:]
	}
	if len(digits) == 0 {
		return 0, false
	}
	// The magnitude is collected as a negative number, because the range of
	// int64 reaches one further below zero than above it.
	n := int64(0)
	for i := 0; i < len(digits); i++ {
		d := digits[i] - '0'
		if d > 9 || n < (math.MinInt64+int64(d))/10 {
			return 0, false
		}
		n = n*10 - int64(d)
	}
	if negative {
		return n, true
	}
	if n == math.MinInt64 {
		return 0, false
	}
	return -n, true
}

// ParseCanonical reads the one form in which Kubernetes accepts an integer in
// a taint or a toleration: "0", or an optional minus sign and digits of which
// the first is not zero. Two strings that it accepts are equal exactly when
// their numbers are.
func ParseCanonical(s string) (int64, bool) {
	if s == "0" {
		return 0, true
	}
	digits := s
	if len(s) > 0 && s[0] == '-' {
		digits = s[1:]
	}
	if len(digits) == 0 || digits[0] < '1' || digits[0] > '9' {
		return 0, false
	}
	return Parse(s)
}
