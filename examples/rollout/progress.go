package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
	"github.com/daemonplan/daemonplan/rollout/simulate"
)

// progress keeps one line on a terminal up to date while a long run goes on.
// Nothing appears within the first second. A nil one is none at all.
type progress struct {
	out          io.Writer
	now          func() time.Time
	begun, shown time.Time
	width        int // of the line on the screen
}

const (
	patience = time.Second
	interval = 200 * time.Millisecond
)

// progressOn is one when a person watches out, and nil otherwise.
func progressOn(out io.Writer, now func() time.Time) *progress {
	if input.ProgressOn(out, now) == nil {
		return nil
	}
	return &progress{out: out, now: now, begun: now()}
}

// show says how far a run is, unless something was said a moment ago.
func (p *progress) show(step simulate.Step) {
	if !p.due(interval) {
		return
	}
	p.write(fmt.Sprintf("playing: %s, %s of %s done",
		inWords(step.At), output.Thousands(step.Counts.Done), output.Plural(step.Counts.Eligible, "node", "nodes")))
}

// say says something that takes a while.
func (p *progress) say(what string) {
	if p.due(0) {
		p.write(what)
	}
}

// due reports whether it is time to say something.
func (p *progress) due(every time.Duration) bool {
	if p == nil {
		return false
	}
	now := p.now()
	if now.Sub(p.begun) < patience || now.Sub(p.shown) < every {
		return false
	}
	p.shown = now
	return true
}

// erase takes the line away.
func (p *progress) erase() {
	if p != nil && p.width > 0 {
		p.write("")
		fmt.Fprint(p.out, "\r")
	}
}

// write replaces the line on the screen; blanks cover what was longer.
func (p *progress) write(line string) {
	fmt.Fprint(p.out, "\r", line, strings.Repeat(" ", max(p.width-len(line), 0)))
	p.width = len(line)
}
