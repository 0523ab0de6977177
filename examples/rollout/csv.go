package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// writeCSV writes a line for every moment of every run: how many nodes there are of
// each sort then, and what was done.
func writeCSV(w io.Writer, runs []*played) error {
	out := csv.NewWriter(w)
	line := func(cells ...string) { out.Write(cells) } // Error has what goes wrong
	line("run", "seconds", "eligible", "updated", "available", "unavailable", "done", "surging", "max_unavailable", "creates", "deletes", "events")
	for _, r := range runs {
		ahead := r.marks
		for _, p := range r.points {
			var events []string
			for len(ahead) > 0 && ahead[0].at <= p.at {
				events = append(events, ahead[0].text)
				ahead = ahead[1:]
			}
			cells := []string{r.name, strconv.FormatFloat(p.at.Seconds(), 'f', -1, 64)}
			for _, n := range []int{p.Eligible, p.Updated, p.Available, p.Unavailable(), p.Done, p.Surging, p.budget, p.creates, p.deletes} {
				cells = append(cells, fmt.Sprint(n))
			}
			line(append(cells, strings.Join(events, "; "))...)
		}
	}
	out.Flush()
	return out.Error()
}
