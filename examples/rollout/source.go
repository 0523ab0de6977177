package main

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/daemonplan/daemonplan/examples/internal/input"
	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// source is what runs are made from.
type source struct {
	documents []written // of each run
	objects   input.Objects
	manifest  *input.Manifest // nil without files
	clock     time.Time
}

// written is a scenario, and where it was written.
type written struct {
	document
	input.Document
}

// open reads all that the command line names.
func open(o options, stdin io.Reader, stderr io.Writer, clock func() time.Time) (s source, odd []input.Warning, err error) {
	s.clock = clock()
	first, second := written{}, written{}
	if o.scenario != "" {
		if first, err = readScenario(o.scenario, stdin); err != nil {
			return s, nil, err
		}
	}
	other, file := &layer{}, false
	if o.compare != "" {
		if file = slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(o.compare)); file {
			second, err = readScenario(o.compare, nil)
		} else {
			other, err = variant(o.compare)
			second = first
			second.Some, second.Events = slices.Clone(first.Some), slices.Clone(first.Events)
		}
		if err != nil {
			return s, nil, err
		}
	}
	o.given.apply(&first.document)
	s.documents = append(s.documents, first)
	if o.compare != "" {
		o.given.apply(&second.document)
		other.apply(&second.document)
		s.documents = append(s.documents, second)
	}
	if len(o.files) == 0 {
		return s, nil, nil
	}
	s.objects, err = input.Read(input.Source{
		Files: o.files, Stdin: stdin, Progress: output.ProgressOn(stderr, clock), NodeHealth: true, PodContainers: true,
	})
	odd = s.objects.Warnings
	if err != nil {
		return s, odd, err
	}
	m, err := choose(s.objects, o)
	s.manifest = &m
	return s, odd, err
}

// readScenario reads a file.
func readScenario(file string, stdin io.Reader) (w written, err error) {
	if w.Document, err = input.ReadDocument(file, stdin); err != nil {
		return w, err
	}
	if err := w.Decode(&w.document); err != nil {
		return w, err
	}
	w.limits.settle(w.MaxUnavailable != nil, w.MaxSurge != nil)
	return w, nil
}

// start is when a run starts, and whether somebody has said so.
func (s *source) start(d *document) (at time.Time, given bool) {
	switch {
	case !d.Start.IsZero():
		return d.Start.Time, true
	case s.manifest != nil:
		return s.clock.UTC(), true
	}
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), false
}

// cluster is that of a run.
func (s *source) cluster(d *written) (cluster, []input.Warning, error) {
	at, _ := s.start(&d.document)
	if s.manifest != nil {
		if d.Nodes != nil || d.Zones != nil {
			return cluster{}, nil, d.Errorf("nodes", "and zones are those of the files that -f names")
		}
		return read(s.objects, *s.manifest, at)
	}
	n, zones := 100, d.Zones
	if d.Nodes != nil {
		n = *d.Nodes
	}
	if d.Zones == nil {
		zones = []string{"a", "b", "c"}
	}
	if n < 0 || n > mostNodes {
		return cluster{}, nil, d.Errorf("nodes", "must be a number from 0 to %d", mostNodes)
	}
	return uniform(n, zones, longAgo(at)), nil, nil
}
