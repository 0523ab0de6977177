package programtest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// AnyBytes is a program that takes whatever its standard input is.
type AnyBytes struct {
	Program string
	Run     func(stdin string, args ...string) Ran
	// Args are the command lines; with -o json, that comes last.
	Args [][]string
	// Seeds are good inputs, to be mutated, and Texts other inputs to draw.
	Seeds []string
	Texts []*rapid.Generator[string]
	// Reported are the exit statuses of runs with a report, and Unusable is
	// that of runs without.
	Reported []int
	Unusable int
}

// Check runs the program on any bytes, on mutated seeds and on the texts. It
// ends with a status of its own, says something on the output that counts, and
// every line of standard error begins with its name. All statuses are reached:
// seeds are drawn as they are too, and often enough that none is missed by chance.
func (a AnyBytes) Check(t *testing.T) {
	texts := append([]*rapid.Generator[string]{
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.Custom(func(t *rapid.T) string { return Mutated(t, a.Seeds) }),
		rapid.SampledFrom(a.Seeds),
	}, a.Texts...)
	statuses := map[int]int{}
	check := func(t *rapid.T) {
		text := rapid.OneOf(texts...).Draw(t, "text")
		args := rapid.SampledFrom(a.Args).Draw(t, "args")
		got := a.Run(text, args...)
		statuses[got.Status]++
		switch {
		case slices.Contains(a.Reported, got.Status):
			require.NotEmpty(t, got.Stdout)
			if args[len(args)-1] == "json" {
				require.True(t, json.Valid([]byte(got.Stdout)))
				require.Empty(t, got.Stderr)
			}
		case got.Status == a.Unusable:
			require.Empty(t, got.Stdout)
			require.NotEmpty(t, got.Stderr)
		default:
			t.Fatalf("exit status %d", got.Status)
		}
		for line := range strings.Lines(got.Stderr) {
			require.True(t, strings.HasPrefix(line, a.Program+": "), line)
		}
	}
	for range 3 {
		rapid.Check(t, check)
	}
	t.Log("runs by exit status:", statuses)
	for _, status := range a.Reported {
		assert.Positive(t, statuses[status], status)
	}
	assert.Positive(t, statuses[a.Unusable], a.Unusable)
}

// Mutated is a good input with a few places overwritten, cut out or repeated.
func Mutated(t *rapid.T, seeds []string) string {
	text := []byte(rapid.SampledFrom(seeds).Draw(t, "seed"))
	for range rapid.IntRange(0, 3).Draw(t, "mutations") {
		if len(text) == 0 {
			break
		}
		from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		to := min(from+rapid.IntRange(0, 40).Draw(t, "length"), len(text))
		switch rapid.IntRange(0, 2).Draw(t, "what") {
		case 0:
			text = append(text[:from:from], text[to:]...)
		case 1:
			text = append(text[:to:to], text[from:]...)
		default:
			patch := rapid.SampledFrom([]string{"\x00", "\n", " ", "'", "{", "]", "null", "1", "- ", ": ", "é", "\n---\n"}).Draw(t, "patch")
			text = append(append(text[:from:from], patch...), text[to:]...)
		}
	}
	return string(text)
}
