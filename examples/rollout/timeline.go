package main

import (
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// mostRows is how many a timeline has at most, the ends of runs not counted.
const mostRows = 28

// row is how things stand at a time of a timeline.
type row struct {
	at time.Duration
	point
	// most is the largest number of unavailable nodes since the row above.
	most   int
	events []string
	// over says that the run has come to its end before.
	over bool
}

// moments are the times of the rows for some runs: every moment at which something
// happens to one of them, or, when these are many, equal times and the ends.
func moments(runs []*played) []time.Duration {
	var all []time.Duration
	var end time.Duration
	for _, r := range runs {
		for _, p := range r.points {
			all = append(all, p.at)
		}
		end = max(end, r.Duration)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) <= mostRows+len(runs) {
		return all
	}
	slot := nice(end, mostRows)
	all = all[:0]
	for at := time.Duration(0); at <= end; at += slot {
		all = append(all, at)
	}
	for _, r := range runs {
		all = append(all, r.Duration)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rounds are times that people count in.
var rounds = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// nice is a round time that fits into another at most so many times.
func nice(whole time.Duration, most int) time.Duration {
	for _, r := range rounds {
		if whole/r < time.Duration(most) {
			return r
		}
	}
	day := 24 * time.Hour
	return (whole/time.Duration(most)/day + 1) * day
}

// rows are those of a run at some times.
func (r *played) rows(at []time.Duration) []row {
	all := make([]row, 0, len(at))
	next, mark := 0, 0
	var now point
	for _, at := range at {
		one := row{at: at, most: now.Unavailable(), over: at > r.Duration}
		for next < len(r.points) && r.points[next].at <= at {
			now = r.points[next]
			one.most = max(one.most, now.worst)
			next++
		}
		for mark < len(r.marks) && r.marks[mark].at <= at {
			text := r.marks[mark].text
			if r.marks[mark].at < at {
				text += " (" + inWords(r.marks[mark].at) + ")"
			}
			one.events = append(one.events, text)
			mark++
		}
		one.point = now
		all = append(all, one)
	}
	return all
}

// fewEvents are those of a row in one line.
func fewEvents(events []string) []string {
	if more := len(events) - 3; more > 0 {
		return append(events[:2:2], output.Thousands(more+1)+" more")
	}
	return events
}

// bar fills so many cells: with nodes that are done, available in another way, and
// unavailable. A part that is there has a cell, if there are enough.
func (p point) bar(width int) string {
	shares := share(width, p.Done, p.Available-p.Done, p.Unavailable())
	var text []rune
	for i, n := range shares {
		for range n {
			text = append(text, []rune("█▒·")[i])
		}
	}
	return string(text)
}

// share divides a width in the ratio of the parts: the shares add up to it, when
// there is anything at all.
func share(width int, parts ...int) []int {
	shares, whole := make([]int, len(parts)), 0
	for _, n := range parts {
		whole += n
	}
	if whole == 0 {
		return shares
	}
	used, so := 0, 0
	for i, n := range parts {
		so += n
		shares[i] = (so*width+whole/2)/whole - used
		used += shares[i]
	}
	for i, n := range parts {
		if largest := slices.Max(shares); n > 0 && shares[i] == 0 && largest > 1 {
			shares[slices.Index(shares, largest)]--
			shares[i]++
		}
	}
	return shares
}
