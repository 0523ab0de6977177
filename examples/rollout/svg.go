package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// draw draws runs: available and updated nodes over time, one panel below the other
// with the same scales, so that times can be compared.
func draw(runs []*played) []byte {
	s := scales{end: time.Second}
	same, ends := true, true
	for _, r := range runs {
		s.end = max(s.end, r.Duration)
		for _, p := range r.points {
			s.nodes = max(s.nodes, p.Eligible)
		}
		same = same && r.what == runs[0].what && r.pods == runs[0].pods
		ends = ends && r.finished()
	}
	switch {
	case s.end == time.Second: // blocked at once: that is how it stays
		s.end = 10 * time.Minute
	case !ends:
		s.end += s.end / 12
	}
	s.step = tick(s.nodes)
	s.top = max((s.nodes+s.step-1)/s.step*s.step, s.step)

	const head = 92 // title, pods and legend
	panels := make([]panel, len(runs))
	height := float64(head)
	for i, r := range runs {
		panels[i] = newPanel(s, r, height, !same)
		height = panels[i].bottom() + 14
	}
	var p picture
	sentences := make([]string, len(runs))
	for i, r := range runs {
		sentences[i] = r.sentence()
	}
	title, below := runs[0].what, runs[0].pods
	if !same {
		title, below = "Two rollouts", "with the same scales"
	}
	p.open(height, title+": "+strings.Join(sentences, "; "))
	p.text(16, 28, "title ink", "start", fitting(title, pictureWidth-32, 9.5))
	p.text(16, 49, "muted", "start", fitting(below, pictureWidth-32, 6.8))
	p.legend(74)
	for i := range panels {
		letter := ""
		if len(runs) > 1 {
			letter = string(rune('A'+i)) + ": "
		}
		panels[i].draw(&p, letter)
	}
	p.close()
	return p.Bytes()
}

// legend says what the lines are.
func (p *picture) legend(y float64) {
	x := 16.0
	for _, one := range []struct{ class, text string }{
		{"available", "available"}, {"updated", "updated and available"}, {"budget", "eligible − maxUnavailable"}, {"event", "event"},
	} {
		if one.class == "event" {
			p.line(x+13, y-8, x+13, y+8, one.class)
		} else {
			p.line(x, y, x+26, y, one.class)
		}
		p.text(x+33, y+4, "ink", "start", one.text)
		x += 33 + widthOf(one.text) + 22
	}
}

// scales turn times and numbers of nodes into pixels.
type scales struct {
	end       time.Duration
	nodes     int
	top, step int // of the axis
}

func (s scales) x(at time.Duration) float64 {
	return leftEdge + float64(rightEdge-leftEdge)*float64(at)/float64(s.end)
}

// tick is a round number of nodes, of which there are about four.
func tick(nodes int) int {
	for step := 1; ; step *= 10 {
		for _, n := range []int{1, 2, 5} {
			if nodes <= 5*n*step {
				return n * step
			}
		}
	}
}

// panel is the plot of a run.
type panel struct {
	scales
	run    *played
	y0     float64 // of the panel
	labels []label
	lanes  int  // of labels
	more   bool // says how the pods behave
}

// label is the text of a mark, above the plot.
type label struct {
	x           float64 // of the mark
	left, right float64 // of the text
	text        string
	lane        int // from the plot upwards; -1 where there is no room
}

func newPanel(s scales, r *played, y0 float64, more bool) panel {
	p := panel{scales: s, run: r, y0: y0, more: more}
	for i := 0; i < len(r.marks); {
		at, texts := r.marks[i].at, []string(nil)
		for ; i < len(r.marks) && r.marks[i].at == at; i++ {
			texts = append(texts, r.marks[i].text)
		}
		last := len(texts) - 1
		if at == r.Duration && at > 0 {
			texts[last] += ", " + inWords(at)
		}
		l := label{x: s.x(at), text: fitting(strings.Join(fewEvents(texts), "; "), 300, 7)}
		if l.left, l.right = l.x+4, l.x+4+widthOf(l.text); l.right > rightEdge+8 {
			l.left, l.right = l.x-4-widthOf(l.text), l.x-4
		}
		p.labels = append(p.labels, l)
	}
	p.arrange()
	return p
}

// mostLanes is how many labels may be above one another.
const mostLanes = 4

// arrange finds lanes for the labels so that none covers another, and that no line
// of a mark goes through one: from the right to the left, as a text stands to the
// right of its line, and those that do not last.
func (p *panel) arrange() {
	order := make([]*label, len(p.labels))
	for i := range order {
		order[i] = &p.labels[i]
	}
	slices.SortStableFunc(order, func(a, b *label) int {
		aLast, bLast := a.left < a.x, b.left < b.x
		switch {
		case aLast != bLast && aLast:
			return 1
		case aLast != bLast:
			return -1
		case aLast:
			return cmp.Compare(a.x, b.x)
		}
		return cmp.Compare(b.x, a.x)
	})
	for i, l := range order {
		l.lane = 0
		for _, other := range order[:i] {
			covers := l.left < other.right+10 && other.left < l.right+10
			if covers || other.x > l.left && other.x < l.right {
				l.lane = max(l.lane, other.lane+1)
			}
		}
		if l.lane >= mostLanes {
			l.lane = -1
		}
		p.lanes = max(p.lanes, l.lane+1)
	}
}

func (p *panel) top() float64 {
	y := p.y0 + 54 + float64(p.lanes*lineHeight)
	if p.more {
		y += lineHeight
	}
	return y
}

func (p *panel) floor() float64  { return p.top() + plotHeight }
func (p *panel) bottom() float64 { return p.floor() + 26 }

func (p *panel) y(nodes int) float64 {
	return p.floor() - plotHeight*float64(nodes)/float64(p.scales.top)
}

// draw draws the panel.
func (p *panel) draw(to *picture, letter string) {
	to.text(16, p.y0+20, "name ink", "start", fitting(letter+p.run.name, pictureWidth-32, 8.2))
	to.text(16, p.y0+39, "answer ink", "start", fitting(p.run.sentence(), pictureWidth-32, 7.8))
	if p.more {
		to.text(16, p.y0+57, "muted", "start", fitting(p.run.what+"; "+p.run.pods, pictureWidth-32, 6.8))
	}
	for n := 0; n <= p.scales.top; n += p.step {
		to.line(leftEdge, p.y(n), rightEdge, p.y(n), "grid")
		to.text(leftEdge-8, p.y(n)+4, "muted", "end", output.Thousands(n))
	}
	to.text(leftEdge-8, p.top()-12, "muted", "end", "nodes")
	step := nice(p.end, 8)
	for at := time.Duration(0); at <= p.end; at += step {
		to.line(p.x(at), p.floor(), p.x(at), p.floor()+5, "grid")
		if at == 0 || p.x(at) < rightEdge-50 {
			to.text(p.x(at), p.floor()+19, "muted", "middle", inWords(at))
		}
	}
	to.text(rightEdge, p.floor()+19, "muted", "end", "time")

	done, all := p.curve(func(q point) int { return q.Done }), func(q point) int { return q.Available }
	if done != "" {
		to.path("area", done+"V"+number(p.floor())+"H"+number(leftEdge)+"Z")
	}
	to.path("updated", done)
	to.path("available", p.curve(all))
	to.path("budget", p.curve(point.floor))
	for _, l := range p.labels {
		to.line(l.x, p.top()-4-float64(max(l.lane, 0)*lineHeight), l.x, p.floor(), "event")
	}
	for _, l := range p.labels {
		if l.lane >= 0 {
			to.text(l.left, p.top()-8-float64(l.lane*lineHeight), "ink halo", "start", l.text)
		}
	}
}

// curve is the path of a number over time, which stays the same until the next
// moment. Of many moments, those at one pixel have the first, the extremes and the
// last. A run that does not finish stays as it is to the right edge.
func (p *panel) curve(of func(point) int) string {
	points := p.run.points
	place := func(i int) string {
		x := p.x(points[i].at)
		if len(points) > 200 {
			x = math.Round(x)
		}
		return number(x)
	}
	var b strings.Builder
	drawn := 0 // the number that the path is at
	for i := 0; i < len(points); {
		x, numbers := place(i), []int(nil)
		for ; i < len(points) && place(i) == x; i++ {
			numbers = append(numbers, of(points[i]))
		}
		last := len(numbers) - 1
		if b.Len() == 0 {
			b.WriteString("M" + x + " " + number(p.y(numbers[0])))
			drawn = numbers[0]
		}
		least, most := slices.Min(numbers), slices.Max(numbers)
		if least == drawn && most == drawn && i < len(points) {
			continue
		}
		b.WriteString("H" + x)
		for _, n := range []int{numbers[0], least, most, numbers[last]} {
			if n != drawn {
				b.WriteString("V" + number(p.y(n)))
				drawn = n
			}
		}
	}
	if b.Len() > 0 && !p.run.finished() {
		b.WriteString("H" + number(rightEdge))
	}
	return b.String()
}
