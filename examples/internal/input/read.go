package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/daemonplan/daemonplan/examples/internal/output"
)

// Objects are everything that was read.
type Objects struct {
	DaemonSets []Manifest
	Nodes      []*corev1.Node // by name, each name once
	Pods       []*corev1.Pod
	Revisions  []*appsv1.ControllerRevision
	// PassedOver counts the objects of other kinds.
	PassedOver map[string]int
	Warnings   []Warning
}

// Manifest is a DaemonSet as it was written, without defaults.
type Manifest struct {
	Place
	Path      string // of the DaemonSet in a list, such as "items[3]"
	DaemonSet *appsv1.DaemonSet
}

// Warning is a warning about a field of the DaemonSet.
func (m Manifest) Warning(field, format string, args ...any) Warning {
	return Warning{m.Place, below(m.Path, field), fmt.Sprintf(format, args...)}
}

// Errorf is the error that a field of the DaemonSet cannot be used.
func (m Manifest) Errorf(field, format string, args ...any) error {
	return m.errorf(below(m.Path, field), format, args...)
}

// Source is where objects are read from, and what of them is read beside what
// every program needs.
type Source struct {
	// Files are names of files; "-" is Stdin.
	Files []string
	Stdin io.Reader
	// Demo is read when there are no Files: the files of DemoNames, in this
	// order, in the directory "demo".
	Demo      fs.FS
	DemoNames []string
	// Progress is shown; nil for none.
	Progress *output.Progress
	// NodeHealth has the conditions of nodes read, and whether they are cordoned.
	NodeHealth bool
	// NodeAllocatable has what pods may use of nodes read.
	NodeAllocatable bool
	// PodContainers has the host ports of pods read, and what their containers
	// wait for.
	PodContainers bool
	// WholePods has the spec and the status of pods read whole, for what they
	// request.
	WholePods bool
	// RevisionContents has the annotations and the data of revisions read.
	RevisionContents bool
}

// Read reads all files. With an error it also returns what was read before: the
// warnings often explain the error.
func Read(s Source) (Objects, error) {
	r := newReader(s)
	defer s.Progress.Erase()
	if len(s.Files) == 0 {
		for _, name := range s.DemoNames {
			text, err := fs.ReadFile(s.Demo, "demo/"+name)
			if err != nil {
				return r.Objects, fmt.Errorf("embedded files: %w", err)
			}
			r.Place = Place{File: name}
			if err := r.stream(bytes.NewReader(text)); err != nil {
				return r.Objects, err
			}
		}
	}
	for _, name := range s.Files {
		if err := r.file(name); err != nil {
			return r.Objects, err
		}
	}
	return r.finish(), nil
}

// reader fills Objects. Its place is that of the document it is in.
type reader struct {
	Objects
	Place
	source    Source
	stdinRead bool
	bytes     int64 // of the file that were read, for progress
}

func newReader(s Source) *reader {
	return &reader{Objects: Objects{PassedOver: map[string]int{}}, source: s}
}

// file reads one file, or standard input for "-".
func (r *reader) file(name string) error {
	if name == "-" {
		r.Place = placeOf(name)
		if r.stdinRead {
			return r.errorf("", "can be read only once")
		}
		r.stdinRead = true
	}
	return r.open(name, ": name the files in it, each with its own -f", r.stream)
}

// open reads a file, or standard input for "-". To one who names a directory it
// gives an advice.
func (r *reader) open(name, advice string, read func(io.Reader) error) error {
	r.Place = placeOf(name)
	if name == "-" {
		return read(r.source.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return r.unreadable(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return r.errorf("", "is a directory%s", advice)
	}
	return read(f)
}

// unreadable says why the system did not read a file. The name is in the place
// already, so only the innermost error is wanted.
func (r *reader) unreadable(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return r.errorf("", "%v", err)
}

// sniffed is how much is looked at to tell what a stream is.
const sniffed = 64 << 10

// stream reads JSON or YAML: JSON when the first character that is not white
// space opens an object or a list.
func (r *reader) stream(in io.Reader) error {
	b := bufio.NewReaderSize(r.counting(in), sniffed)
	head, err := r.head(b)
	if err != nil {
		return err
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	// A template begins with two braces and is neither; the YAML side says so.
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') && !bytes.HasPrefix(head, []byte("{{")) {
		err = r.json(b)
	} else {
		err = r.yaml(b)
	}
	if err == nil && r.Document == 0 {
		r.warn("", "is empty")
	}
	return err
}

// head returns the beginning of a text, after the mark that some editors put there.
func (r *reader) head(b *bufio.Reader) ([]byte, error) {
	head, err := b.Peek(sniffed)
	switch {
	case err != nil && err != io.EOF:
		return nil, r.unreadable(err)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, r.errorf("", "is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)")
	case bytes.HasPrefix(head, []byte(byteOrderMark)):
		head = head[len(byteOrderMark):]
		b.Discard(len(byteOrderMark)) // it is in the buffer, so this cannot fail
	}
	return head, nil
}

const byteOrderMark = "\ufeff"

func (r *reader) warn(field, message string) {
	r.Warnings = append(r.Warnings, Warning{r.Place, field, message})
}

// finish puts the nodes in order. When one name was given more than once the
// last one counts, as everywhere in this library.
func (r *reader) finish() Objects {
	last := make(map[string]int, len(r.Nodes))
	again := map[string]bool{}
	for i, node := range r.Nodes {
		if _, known := last[node.Name]; known && node.Name != "" {
			again[node.Name] = true
		}
		last[node.Name] = i
	}
	kept := make([]*corev1.Node, 0, len(r.Nodes))
	for i, node := range r.Nodes {
		if node.Name == "" || last[node.Name] == i {
			kept = append(kept, node)
		}
	}
	slices.SortStableFunc(kept, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	r.Nodes = kept
	if len(again) > 0 {
		r.Warnings = append(r.Warnings, Warning{Message: output.Plural(len(again), "node was", "nodes were") +
			" given more than once, the last one counts: " + output.Few(output.SortedKeys(again))})
	}
	return r.Objects
}
