package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// The picture is made of these, in pixels.
const (
	pictureWidth = 800
	leftEdge     = 64 // of the plots
	rightEdge    = pictureWidth - 22
	plotHeight   = 190
	lineHeight   = 17 // of text of 12 pixels
)

// colours are those on a light page and on a dark one.
var colours = []struct{ name, light, dark string }{
	{"paper", "#ffffff", "#0d1117"},
	{"ink", "#1f2328", "#f0f6fc"},
	{"muted", "#59636e", "#9198a1"},
	{"grid", "#d1d9e0", "#30363d"},
	{"available", "#0969da", "#4493f8"},
	{"updated", "#1a7f37", "#3fb950"},
	{"budget", "#bc4c00", "#f0883e"},
}

// picture is SVG that is written.
type picture struct{ bytes.Buffer }

// open begins a picture of a height. Programs that do not know variables, as there
// are some, take the first of two declarations: they show it for a light page.
func (p *picture) open(height float64, title string) {
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s" role="img" aria-labelledby="title">`+"\n",
		pictureWidth, number(height), pictureWidth, number(height))
	fmt.Fprintf(p, "<title id=\"title\">%s</title>\n<style>\n", escaped(title))
	variables := func(of func(int) string) string {
		var b strings.Builder
		for i := range colours {
			fmt.Fprintf(&b, "--%s:%s;", colours[i].name, of(i))
		}
		return b.String()
	}
	fmt.Fprintf(p, "svg{%s}\n", variables(func(i int) string { return colours[i].light }))
	fmt.Fprintf(p, "@media (prefers-color-scheme:dark){svg{%s}}\n", variables(func(i int) string { return colours[i].dark }))
	p.WriteString("text{font:12px -apple-system,\"Segoe UI\",\"Noto Sans\",Helvetica,Arial,sans-serif}\n" +
		".title{font-size:16px;font-weight:600}\n.name{font-size:14px;font-weight:600}\n.answer{font-size:14px}\n" +
		".halo{stroke-width:4px;stroke-linejoin:round;paint-order:stroke}\n")
	paint := func(selector, property, colour, more string) {
		for _, c := range colours {
			if c.name == colour {
				fmt.Fprintf(p, "%s{%s:%s;%s:var(--%s)%s}\n", selector, property, c.light, property, colour, more)
			}
		}
	}
	paint(".paper", "fill", "paper", "")
	paint(".ink", "fill", "ink", "")
	paint(".muted", "fill", "muted", "")
	paint(".halo", "stroke", "paper", "")
	paint(".grid", "stroke", "grid", ";stroke-width:1px")
	paint(".available", "stroke", "available", ";stroke-width:2.5px;fill:none")
	paint(".updated", "stroke", "updated", ";stroke-width:2.5px;fill:none")
	paint(".area", "fill", "updated", ";fill-opacity:.18;stroke:none")
	paint(".budget", "stroke", "budget", ";stroke-width:1.5px;stroke-dasharray:7 5;fill:none")
	paint(".event", "stroke", "muted", ";stroke-width:1px;stroke-dasharray:2 3")
	p.WriteString("</style>\n")
	fmt.Fprintf(p, "<rect class=\"paper\" width=\"%d\" height=\"%s\"/>\n", pictureWidth, number(height))
}

func (p *picture) close() { p.WriteString("</svg>\n") }

// text writes text at a place; the anchor is start, middle or end.
func (p *picture) text(x, y float64, class, anchor, text string) {
	if anchor != "start" {
		anchor = fmt.Sprintf(" text-anchor=%q", anchor)
	} else {
		anchor = ""
	}
	fmt.Fprintf(p, "<text x=\"%s\" y=\"%s\" class=%q%s>%s</text>\n", number(x), number(y), class, anchor, escaped(text))
}

func (p *picture) line(x1, y1, x2, y2 float64, class string) {
	fmt.Fprintf(p, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" class=%q/>\n", number(x1), number(y1), number(x2), number(y2), class)
}

func (p *picture) path(class, d string) {
	if d != "" {
		fmt.Fprintf(p, "<path class=%q d=%q/>\n", class, d)
	}
}

// number is one of pixels, to a tenth.
func number(n float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0")
}

// escaped is text that XML takes.
func escaped(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// widthOf is about how wide a text of 12 pixels is, rather too much.
func widthOf(text string) float64 { return 7 * float64(length(text)) }

// fitting cuts a text to a width, at so many pixels for a letter.
func fitting(text string, width, letter float64) string {
	most := int(width / letter)
	if length(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ") + "…"
}
