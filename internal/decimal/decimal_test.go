package decimal_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/internal/decimal"
)

// numerals yields strings that are, nearly are and are not numbers, with the
// limits of int64 among them.
func numerals() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "-", "+", "0", "-0", "+0", "00", "007", "-007", "+5", "5", "-3", "5.5", "0x10", "1_000", " 1", "1 ", "１",
			"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
			"92233720368547758070", "00000000000000000000000000000001", "99999999999999999999999",
		}),
		rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
		rapid.StringMatching(`[-+]?[0-9]{0,21}`),
		rapid.String(),
	)
}

func TestParseIsParseInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numerals().Draw(t, "s")
		want, err := strconv.ParseInt(s, 10, 64)
		got, ok := decimal.Parse(s)
		assert.Equal(t, err == nil, ok, "%q", s)
		if err == nil {
			assert.Equal(t, want, got, "%q", s)
		}
	})
}

func TestParseCanonicalHasOneFormForEachNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := numerals().Draw(t, "s")
		n, err := strconv.ParseInt(s, 10, 64)
		want := err == nil && strconv.FormatInt(n, 10) == s
		got, ok := decimal.ParseCanonical(s)
		assert.Equal(t, want, ok, "%q", s)
		if want {
			assert.Equal(t, n, got)
		}
	})
}

func TestParseLimits(t *testing.T) {
	n, ok := decimal.Parse("-9223372036854775808")
	assert.True(t, ok)
	assert.Equal(t, int64(math.MinInt64), n)
	_, ok = decimal.Parse("9223372036854775808")
	assert.False(t, ok)
}

func TestParseAllocatesNothing(t *testing.T) {
	for _, s := range []string{"500", "500.5", "9223372036854775808", "", "-x"} {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			_, _ = decimal.Parse(s)
			_, _ = decimal.ParseCanonical(s)
		}), "%q", s)
	}
}
