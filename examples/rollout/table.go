package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// write prints the report for a person: the answer, a timeline, and what stands in
// the way.
func (r *report) write(w io.Writer, width int) {
	for i, one := range r.runs {
		if len(r.runs) > 1 {
			hang(w, r.letter(i), one.name+":", width)
		}
		hang(w, strings.Repeat(" ", len(r.letter(i))), one.sentence(), width)
	}
	fmt.Fprintln(w)
	settings := ""
	for i, one := range r.runs {
		if text := one.setting(r.letter(i) != ""); text != settings {
			hang(w, strings.Repeat(" ", len(r.letter(i))), text, width)
			settings = text
		}
	}
	fmt.Fprintln(w)
	if len(r.runs) == 1 {
		r.runs[0].timeline(w, width)
	} else {
		sideBySide(w, r.runs, width)
	}
	hang(w, "", "█ available and updated, ▒ available, · unavailable; UNAVAILABLE is the most since the row above", width)
	if r.Comparison != nil {
		fmt.Fprintln(w)
		r.compare(w)
	} else {
		fmt.Fprintln(w)
		hang(w, "", r.runs[0].effort(), width)
	}
	for i, one := range r.runs {
		if one.Diagnosis != nil {
			fmt.Fprintln(w)
			writeDiagnosis(w, r.letter(i), one, width)
		}
	}
	if len(r.PassedOver) > 0 {
		fmt.Fprintf(w, "\nPassed over: %s\n", output.Counts(r.PassedOver))
	}
}

// letter is how a run is called among several.
func (r *report) letter(i int) string {
	if len(r.runs) == 1 {
		return ""
	}
	return string(rune('A'+i)) + "  "
}

// setting is what was played and how, without what the name says.
func (r *played) setting(named bool) string {
	text := r.what
	if !named || r.name != output.Clean(r.rules) {
		text += ": " + r.rules
	}
	return output.Clean(text + "; " + r.pods + ".")
}

// hang prints words behind a lead, and in the lines after that below them.
func hang(w io.Writer, lead, text string, width int) {
	line := lead
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case length(line)+1+length(word) > width:
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", length(lead))
		default:
			line += " "
		}
		line += word
	}
	fmt.Fprintln(w, line)
}

// timeline prints the rows of one run.
func (r *played) timeline(w io.Writer, width int) {
	rows := r.rows(moments([]*played{r}))
	cells := [][]string{{"TIME", "UPDATED", "AVAILABLE", "UNAVAILABLE"}}
	longest := 0
	for _, one := range rows {
		cells = append(cells, []string{inWords(one.at), output.Thousands(one.Updated), output.Thousands(one.Available), output.Thousands(one.most)})
		longest = max(longest, length(strings.Join(fewEvents(one.events), "; ")))
	}
	lines := columns(cells)
	bar := max(width-length(lines[0])-2-2-longest, 16)
	fmt.Fprintln(w, lines[0])
	for i, one := range rows {
		line := lines[i+1] + "  " + one.bar(bar)
		if len(one.events) > 0 {
			line += "  " + strings.Join(fewEvents(one.events), "; ")
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// sideBySide prints the rows of two runs at the same times. What happens to either
// has lines of its own.
func sideBySide(w io.Writer, runs []*played, width int) {
	at := moments(runs)
	first, second := runs[0].rows(at), runs[1].rows(at)
	cells := [][]string{{"TIME", "UPDATED", "UNAVAILABLE"}}
	others := [][]string{{"UPDATED", "UNAVAILABLE"}}
	for i := range at {
		cells = append(cells, []string{inWords(at[i]), output.Thousands(first[i].Updated), output.Thousands(first[i].most)})
		others = append(others, []string{output.Thousands(second[i].Updated), output.Thousands(second[i].most)})
	}
	left, right := columns(cells), columns(others)
	bar := max((width-length(left[0])-length(right[0])-6)/2, 8)
	blank := strings.Repeat(" ", length(left[0])-length(strings.TrimLeft(left[0], " "))+4)
	fmt.Fprintf(w, "%s  A%s  B\n", blank, strings.Repeat(" ", length(left[0])-length(blank)+bar+1))
	fmt.Fprintf(w, "%s  %s  %s\n", left[0], strings.Repeat(" ", bar), right[0])
	for i := range at {
		for _, text := range together(first[i].events, second[i].events) {
			fmt.Fprintf(w, "%s  %s\n", blank, text)
		}
		fmt.Fprintf(w, "%s  %s  %s  %s\n", left[i+1], first[i].bar(bar), right[i+1], second[i].bar(bar))
	}
}

// together are the events of two runs as lines; what happens to both is one.
func together(first, second []string) (lines []string) {
	for _, one := range []struct {
		letters string
		events  []string
	}{{"A", first}, {"B", second}} {
		if len(one.events) == 0 {
			continue
		}
		if one.letters == "A" && slices.Equal(first, second) {
			return []string{"A and B: " + strings.Join(fewEvents(first), "; ")}
		}
		lines = append(lines, one.letters+": "+strings.Join(fewEvents(one.events), "; "))
	}
	return lines
}

// columns are rows of numbers as lines, aligned to the right.
func columns(rows [][]string) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], length(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for j, cell := range row {
			if j > 0 {
				lines[i] += "  "
			}
			lines[i] += strings.Repeat(" ", widths[j]-length(cell)) + cell
		}
	}
	return lines
}

func length(text string) int { return utf8.RuneCountInString(text) }

// effort is what a run costs.
func (r *played) effort() string {
	text := fmt.Sprintf("%s, %s, %s, %s to the API server",
		output.Plural(r.Waves, "wave", "waves"), output.Plural(r.Creates, "create", "creates"),
		output.Plural(r.Deletes, "delete", "deletes"), output.Plural(r.Writes, "write", "writes"))
	if r.PeakSurging > 0 {
		text += "; at most " + output.Plural(r.PeakSurging, "node", "nodes") + " with two pods"
		if extra := extraInWords(r.Extra); extra != "" {
			text += ", which takes " + extra
		}
	}
	return text
}

// compare prints two runs in numbers.
func (r *report) compare(w io.Writer) {
	a, b, d := r.runs[0], r.runs[1], r.difference
	rows := [][]string{{"", "A", "B", "B - A"}}
	number := func(what string, a, b, d int) {
		rows = append(rows, []string{what, output.Thousands(a), output.Thousands(b), signed(d, output.Thousands(max(d, -d)))})
	}
	rows = append(rows, []string{"end", endInWords(a.End), endInWords(b.End), ""})
	rows = append(rows, []string{"duration", inWords(a.Duration), inWords(b.Duration), signed(int(d.Duration), inWords(max(d.Duration, -d.Duration)))})
	number("nodes done", a.Done, b.Done, d.Done)
	number("most unavailable", a.PeakUnavailable, b.PeakUnavailable, d.PeakUnavailable)
	number("fewest available", a.LowestAvailable, b.LowestAvailable, d.LowestAvailable)
	number("most with two pods", a.PeakSurging, b.PeakSurging, d.PeakSurging)
	rows = append(rows, []string{"node time unavailable", inWords(a.without()), inWords(b.without()), signed(int(d.Without), inWords(max(d.Without, -d.Without)))})
	number("waves", a.Waves, b.Waves, b.Waves-a.Waves)
	number("creates", a.Creates, b.Creates, d.Creates)
	number("deletes", a.Deletes, b.Deletes, d.Deletes)
	number("writes", a.Writes, b.Writes, d.Writes)
	widest := 0
	names := make([]string, len(rows))
	for i := range rows {
		names[i], rows[i] = rows[i][0], rows[i][1:]
		widest = max(widest, length(names[i]))
	}
	for i, line := range columns(rows) {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-*s  %s", widest, names[i], line), " "))
	}
}

// signed puts a sign to a number that is written without.
func signed(n int, text string) string {
	switch {
	case n > 0:
		return "+" + text
	case n < 0:
		return "-" + text
	}
	return text
}
