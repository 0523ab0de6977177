package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestAnyBytes: whatever the input is, the program ends with 0 or 2, and says
// something on exactly one of its outputs that counts.
func TestAnyBytes(t *testing.T) {
	seeds := []string{minimalSet + "---\n" + minimalNode, manyNodes(3), "---\n" + minimalNode}
	for _, file := range []string{"testdata/nodes.json", "testdata/network.yaml", "testdata/mistakes.yaml", "testdata/pods.json", "demo/kind-nodes.yaml"} {
		seeds = append(seeds, read1(t, file))
	}
	statuses := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.SliceOf(rapid.SampledFrom(strings.SplitAfter("kind: |Node\n|List\n|items:\n|- |apiVersion: v1\n|---\n|  |{|}|[|]|\"|,|:|null|&a |*a |\t|# ", "|"))),
				func(parts []string) string { return strings.ReplaceAll(strings.Join(parts, ""), "|", "") }),
			rapid.Custom(func(t *rapid.T) string { return mutated(t, seeds) }),
		).Draw(t, "text")
		args := rapid.SampledFrom([][]string{
			{"-f", "-"}, {"-f", "-", "-f", "testdata/nodes.json"}, {"-f", "testdata/network.yaml", "-f", "-", "-f", "testdata/nodes.json", "-o", "json"},
			{"-f", "demo/agent.yaml", "-f", "-", "-f", "testdata/nodes.json", "-node", "gpu-a"},
		}).Draw(t, "args")
		got := runPlan(text, args...)
		statuses[got.status]++
		switch got.status {
		case done:
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
			require.True(t, strings.HasPrefix(line, "plan: "), line)
		}
	})
	t.Log("runs by exit status:", statuses)
	assert.Positive(t, statuses[done])
	assert.Positive(t, statuses[unusable])
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
