package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// input is everything that was read and that a plan is made from.
type input struct {
	daemonSets []manifest
	nodes      []*corev1.Node // by name, each name once
	pods       []*corev1.Pod
	revisions  []*appsv1.ControllerRevision
	// passedOver counts the objects of other kinds.
	passedOver map[string]int
	warnings   []warning
}

// manifest is a DaemonSet as it was written, without defaults.
type manifest struct {
	place
	path      string // of the DaemonSet in a list, such as "items[3]"
	daemonSet *appsv1.DaemonSet
}

// reader fills an input. Its place is that of the document it is in.
type reader struct {
	input
	place
	stdin     io.Reader
	stdinRead bool
	progress  *progress
}

func newReader(stdin io.Reader, p *progress) *reader {
	return &reader{input: input{passedOver: map[string]int{}}, stdin: stdin, progress: p}
}

// file reads one file, or standard input for "-".
func (r *reader) file(name string) error {
	r.place = placeOf(name)
	if name == "-" {
		if r.stdinRead {
			return r.errorf("", "can be read only once")
		}
		r.stdinRead = true
		return r.stream(r.stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return r.unreadable(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return r.errorf("", "is a directory: name the files in it, each with its own -f")
	}
	return r.stream(f)
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
	b := bufio.NewReaderSize(r.progress.counting(r.File, in), sniffed)
	head, err := b.Peek(sniffed)
	switch {
	case err != nil && err != io.EOF:
		return r.unreadable(err)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return r.errorf("", "is UTF-16: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)")
	case bytes.HasPrefix(head, []byte(byteOrderMark)):
		head = head[len(byteOrderMark):]
		b.Discard(len(byteOrderMark)) // it is in the buffer, so this cannot fail
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

const byteOrderMark = "\ufeff"

func (r *reader) warn(field, message string) {
	r.warnings = append(r.warnings, warning{r.place, field, message})
}

// finish puts the nodes in order. When one name was given more than once the
// last one counts, as everywhere in this library.
func (r *reader) finish() input {
	last := make(map[string]int, len(r.nodes))
	again := map[string]bool{}
	for i, node := range r.nodes {
		if _, known := last[node.Name]; known && node.Name != "" {
			again[node.Name] = true
		}
		last[node.Name] = i
	}
	kept := make([]*corev1.Node, 0, len(r.nodes))
	for i, node := range r.nodes {
		if node.Name == "" || last[node.Name] == i {
			kept = append(kept, node)
		}
	}
	slices.SortStableFunc(kept, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	r.nodes = kept
	if len(again) > 0 {
		r.warnings = append(r.warnings, warning{Message: plural(len(again), "node was", "nodes were") +
			" given more than once, the last one counts: " + few(sortedKeys(again))})
	}
	return r.input
}
