package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// TestBarsAddUp: a bar is as wide as it should be, its parts are as long as they are
// large, and none that is there is missing.
func TestBarsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(3, 100).Draw(t, "width")
		parts := rapid.SliceOfN(rapid.IntRange(0, 5000), 3, 3).Draw(t, "parts")
		shares := share(width, parts...)
		whole, used := parts[0]+parts[1]+parts[2], shares[0]+shares[1]+shares[2]
		if whole == 0 {
			require.Zero(t, used)
			return
		}
		require.Equal(t, width, used)
		for i, n := range parts {
			require.Equal(t, n > 0, shares[i] > 0)
			require.InDelta(t, float64(n)*float64(width)/float64(whole), float64(shares[i]), 2.5)
		}
		c := simulate.Counts{Eligible: whole, Available: parts[0] + parts[1], Done: parts[0]}
		bar := point{Counts: c}.bar(width)
		require.Equal(t, width, length(bar))
		require.Equal(t, shares[0], strings.Count(bar, "█"))
		require.Equal(t, shares[1], strings.Count(bar, "▒"))
		require.Equal(t, shares[2], strings.Count(bar, "·"))
	})
}

// drawRun is a run in which something happens at any moments.
func drawRun(t *rapid.T, label string) *played {
	n := rapid.IntRange(1, 80).Draw(t, label)
	r := &played{}
	at := time.Duration(0)
	for i := range n {
		if i > 0 {
			at += time.Duration(rapid.IntRange(1, 7200).Draw(t, "seconds")) * time.Second
		}
		c := simulate.Counts{Eligible: 100, Available: rapid.IntRange(0, 100).Draw(t, "available")}
		r.points = append(r.points, point{at: at, Counts: c, worst: c.Unavailable()})
		r.PeakUnavailable = max(r.PeakUnavailable, c.Unavailable())
		if rapid.IntRange(0, 9).Draw(t, "event") == 0 {
			r.marks = append(r.marks, mark{at: at, text: fmt.Sprint("event ", i)})
		}
	}
	r.Duration = at
	r.marks = append(r.marks, mark{at: at, text: "finished"})
	return r
}

// TestRows: some thirty at most, the last at the end, no event is missing, and
// neither is the most that were unavailable.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := []*played{drawRun(t, "moments")}
		if rapid.Bool().Draw(t, "compare") {
			runs = append(runs, drawRun(t, "moments of the other"))
		}
		at := moments(runs)
		require.LessOrEqual(t, len(at), 30)
		require.True(t, slices.IsSorted(at))
		for _, r := range runs {
			require.Contains(t, at, r.Duration)
			rows := r.rows(at)
			require.Len(t, rows, len(at))
			events, most := 0, 0
			for _, one := range rows {
				events += len(one.events)
				most = max(most, one.most)
				require.Equal(t, one.at > r.Duration, one.over)
			}
			require.Equal(t, len(r.marks), events)
			require.Equal(t, r.PeakUnavailable, most)
		}
	})
}

// TestTimelinesAgree: of any run, the timeline, the lines of csv and the summary.
func TestTimelinesAgree(t *testing.T) {
	for _, args := range []string{question, small, "-scenario testdata/busy.yaml", "-scenario testdata/careful.yaml", "-f testdata/cluster.yaml", question + " -zone-down c@2m-9m"} {
		got := runRollout("", append(strings.Fields(args), "-o", "json")...)
		var r report
		got.Document(t, &r)
		one := r.Runs[0]
		most := 0
		for _, row := range one.Timeline {
			assert.Equal(t, row.Eligible, row.Available+row.Unavailable)
			assert.LessOrEqual(t, row.Done, row.Updated)
			most = max(most, row.MostUnavailable)
		}
		assert.Equal(t, one.PeakUnavailable, most)
		last := one.Timeline[len(one.Timeline)-1]
		assert.Equal(t, one.Done, last.Done)
		assert.Equal(t, one.DurationSeconds, last.Seconds)

		lines, err := csv.NewReader(strings.NewReader(runRollout("", append(strings.Fields(args), "-o", "csv")...).Stdout)).ReadAll()
		require.NoError(t, err)
		creates, number := 0, func(line []string, column string) int {
			n, err := strconv.Atoi(line[slices.Index(lines[0], column)])
			require.NoError(t, err)
			return n
		}
		for _, line := range lines[1:] {
			assert.Equal(t, number(line, "eligible"), number(line, "available")+number(line, "unavailable"))
			creates += number(line, "creates")
		}
		assert.Equal(t, one.Creates, creates)
		assert.Equal(t, one.Done, number(lines[len(lines)-1], "done"))
	}
}

// TestWidth: a table is no wider than asked for, where bars have room.
func TestWidth(t *testing.T) {
	for _, width := range []int{80, 100, 133} {
		for _, args := range []string{question, small, small + "-compare strict", "", "-scenario testdata/careful.yaml -compare testdata/busy.yaml"} {
			got := runRollout("", append(strings.Fields(args), "-width", fmt.Sprint(width))...)
			for line := range strings.Lines(got.Stdout) {
				assert.LessOrEqual(t, length(strings.TrimSuffix(line, "\n")), width, line)
			}
		}
	}
}

func TestInWords(t *testing.T) {
	for text, d := range map[string]time.Duration{
		"0s": 0, "45s": 45 * time.Second, "1m10s": 70 * time.Second, "5m": 5 * time.Minute, "1h": time.Hour, "1h0.5s": time.Hour + time.Second/2,
		"2d4h29m52s": 52*time.Hour + 29*time.Minute + 52*time.Second, "-2m": -2 * time.Minute, "1d": 24 * time.Hour,
	} {
		want := text
		if text == "1h0.5s" {
			want = "1h500ms"
		}
		assert.Equal(t, want, inWords(d))
	}
	assert.Equal(t, 20*time.Minute, nice(7*time.Hour, 28))
	assert.Equal(t, 2*24*time.Hour, nice(50*24*time.Hour, 28))
}
