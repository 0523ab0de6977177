package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// element is one of a picture, with the text in it.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

func (e element) number(t testing.TB, name string) float64 {
	n, err := strconv.ParseFloat(e.attrs[name], 64)
	require.NoError(t, err)
	return n
}

// elements parses a picture as XML.
func elements(t testing.TB, svg string) (all []element) {
	d := xml.NewDecoder(strings.NewReader(svg))
	open := false // nothing in a picture has both text and elements in it
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), true
		case xml.EndElement:
			open = false
		case xml.CharData:
			if open && strings.TrimSpace(string(token)) != "" {
				all[len(all)-1].text += string(token)
			}
		}
	}
}

// TestSVG: what a picture must have.
func TestSVG(t *testing.T) {
	for _, test := range []struct {
		args   string
		panels int
		texts  []string
	}{
		{question, 1, []string{"3,000 nodes in 3 zones", "available", "nodes", "time", "2m", "1,000", "finished, 11m40s"}},
		{question + " -zone-down b", 1, []string{"blocked at once: 0 of 3,000 nodes, at most 1,000 unavailable", "zone b down; blocked"}},
		{demoCommand, 2, []string{"A: maxUnavailable 10%, minReadySeconds 30", "B: maxUnavailable 10%, minReadySeconds 30, exempt not-ready", "zone b down", "zone b back", "finished, 15m50s"}},
		{small + "-compare ready=1m", 2, []string{"B: ready=1m", "Two rollouts", "with the same scales"}},
		{"-scenario testdata/busy.yaml", 1, []string{"a busy day", "node-03 gone", "2 nodes new", "revision fixed", "policy strict", "blocked, 17m13s"}},
		{"-nodes 0", 1, []string{"0 nodes in 3 zones"}},
	} {
		got := runRollout("", append(strings.Fields(test.args), "-o", "svg")...)
		require.NotEqual(t, unusable, got.Status, got.Stderr)
		all := elements(t, got.Stdout)
		assert.Equal(t, "800", all[0].attrs["width"])
		height := all[0].number(t, "height")
		var texts []string
		classes := map[string]int{}
		for _, e := range all {
			for _, class := range strings.Fields(e.attrs["class"]) {
				classes[class]++
			}
			if e.name != "text" {
				continue
			}
			texts = append(texts, e.text)
			left, right := e.number(t, "x"), e.number(t, "x")
			switch w := 6.5 * float64(length(e.text)); e.attrs["text-anchor"] {
			case "end":
				left -= w
			case "middle":
				left, right = left-w/2, right+w/2
			default:
				right += w
			}
			assert.GreaterOrEqual(t, left, 0.0, e.text)
			assert.LessOrEqual(t, right, 800.0, e.text)
			assert.Less(t, e.number(t, "y"), height)
		}
		for _, text := range test.texts {
			assert.Contains(t, texts, text)
		}
		for _, class := range []string{"available", "updated", "budget"} {
			assert.Equal(t, test.panels+1, classes[class], "a line of each panel, and of the legend")
		}
		assert.Equal(t, test.panels, classes["area"])

		style := all[slices.IndexFunc(all, func(e element) bool { return e.name == "style" })].text
		assert.Contains(t, style, "@media (prefers-color-scheme:dark)")
		for _, size := range regexp.MustCompile(`(\d+)px [-a-z]|font-size:(\d+)px`).FindAllStringSubmatch(style, -1) {
			n, err := strconv.Atoi(size[1] + size[2])
			require.NoError(t, err)
			assert.GreaterOrEqual(t, n, 12)
		}
	}
}

// TestSVGEscapes: a name may be anything.
func TestSVGEscapes(t *testing.T) {
	const name = `</text><script>&"' ` + "\u0001"
	got := runRollout(`{"nodes": 2, "name": "</text><script>&\"' \u0001", "events": [{"at": "1s", "target": "<&>"}]}`, "-scenario", "-", "-o", "svg")
	require.Equal(t, finished, got.Status, got.Stderr)
	all := elements(t, got.Stdout)
	texts := ""
	for _, e := range all {
		assert.NotEqual(t, "script", e.name)
		texts += e.text + "\n"
	}
	assert.Contains(t, texts, strings.TrimSuffix(name, "\u0001"))
	assert.Contains(t, texts, "revision <&>")
}

// TestSVGOfManyMoments: its size does not grow with them.
func TestSVGOfManyMoments(t *testing.T) {
	got := runRollout("", strings.Fields("-nodes 300 -max-unavailable 2 -ready 20s-60s -o svg")...)
	require.Equal(t, finished, got.Status)
	assert.Less(t, len(got.Stdout), 40_000)
	long := asked(t, finished, "-nodes 300 -max-unavailable 2 -ready 20s-60s").Runs[0]
	assert.Greater(t, long.DurationSeconds, 3600.0)
}

// TestLabels: no label covers another, and none is lost while there is room.
func TestLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &played{}
		r.Duration = 1000 * time.Second
		times := rapid.SliceOfN(rapid.IntRange(0, 1000), 0, 8).Draw(t, "times")
		slices.Sort(times)
		for _, at := range times {
			r.marks = append(r.marks, mark{at: time.Duration(at) * time.Second, text: rapid.SampledFrom([]string{"zone b down", "x", "maxUnavailable 20%"}).Draw(t, "text")})
		}
		r.marks = append(r.marks, mark{at: r.Duration, text: "finished"})
		p := newPanel(scales{end: r.Duration, nodes: 10, top: 10, step: 5}, r, 0, false)
		for i, a := range p.labels {
			require.Less(t, a.lane, mostLanes)
			require.GreaterOrEqual(t, a.left, float64(leftEdge))
			for _, b := range p.labels[i+1:] {
				if a.lane >= 0 && a.lane == b.lane {
					require.True(t, a.right <= b.left || b.right <= a.left, "%+v %+v", a, b)
				}
			}
		}
		if len(p.labels) <= mostLanes {
			for _, l := range p.labels {
				require.GreaterOrEqual(t, l.lane, 0)
			}
		}
	})
}
