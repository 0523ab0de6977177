package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestAnyBytes: whatever the input is, the program ends with a status of its own
// and says something on the output that counts.
func TestAnyBytes(t *testing.T) {
	seeds := []string{
		textOf(t, "demo/agent.yaml"), textOf(t, "demo/revisions.yaml"), textOf(t, "testdata/back.yaml"), textOf(t, "testdata/pods.json"),
		textOf(t, "demo/agent.yaml") + "---\n" + textOf(t, "demo/revisions.yaml"),
	}
	statuses := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Custom(func(t *rapid.T) string { return mutated(t, seeds) }),
		).Draw(t, "text")
		args := rapid.SampledFrom([][]string{
			{"-f", "-"}, {"-f", "-", "-f", "demo/revisions.yaml", "-undo", "1", "-diff", "1,2", "-limit", "-o", "json"},
			{"-f", "demo/agent.yaml", "-f", "-", "-undo", "0", "-diff", "3,2", "-limit=0"},
		}).Draw(t, "args")
		got := runHistory(text, args...)
		statuses[got.status]++
		switch got.status {
		case done, refused:
			require.NotEmpty(t, got.stdout)
			if args[len(args)-1] == "json" {
				require.True(t, json.Valid([]byte(got.stdout)))
				require.Empty(t, got.stderr)
			}
		case unusable:
			require.Empty(t, got.stdout)
			require.NotEmpty(t, got.stderr)
		default:
			t.Fatalf("exit status %d", got.status)
		}
		for line := range strings.Lines(got.stderr) {
			require.True(t, strings.HasPrefix(line, "history: "), line)
		}
	})
	t.Log("runs by exit status:", statuses)
	for _, status := range []int{done, refused, unusable} {
		assert.Positive(t, statuses[status], status)
	}
}

// mutated is a good input with a few places overwritten, cut out or repeated.
func mutated(t *rapid.T, seeds []string) string {
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
