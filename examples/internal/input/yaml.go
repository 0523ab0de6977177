package input

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// yaml reads documents, separated by lines with three dashes. Documents of
// nothing but comments are not counted.
func (r *reader) yaml(in *bufio.Reader) error { return r.documents(in, r.document) }

// documents calls read with each document and the line at which it begins.
func (r *reader) documents(in *bufio.Reader, read func(doc []byte, begin int) error) error {
	var doc []byte
	begin := 1 // the line at which doc begins
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return r.unreadable(err)
		}
		if err == io.EOF || isMark(text, "---") || isMark(text, "...") {
			if err == io.EOF {
				doc = append(doc, text...)
			}
			if problem := read(doc, begin); problem != nil || err == io.EOF {
				return problem
			}
			doc, begin = doc[:0], line
			if isMark(text, "...") {
				text = []byte("#\n") // keeps the count of lines
			}
		}
		doc = append(doc, text...)
	}
}

// isMark reports whether a line is a mark between documents: the mark alone, or
// followed by white space.
func isMark(line []byte, mark string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(mark))
	return ok && (len(rest) == 0 || strings.IndexByte(" \t\r\n", rest[0]) >= 0)
}

// document reads one document, which begins at the given line of the file.
func (r *reader) document(doc []byte, begin int) error {
	skipped, any := leadingLines(doc)
	if !any {
		return nil
	}
	r.Document++
	r.Line = begin + skipped
	if first, again := linesOf(doc, "kind:"); again > 0 {
		return r.errorf("kind", "stands in line %d and in line %d: is a line with --- missing between them?", begin+first, begin+again)
	}
	before := len(r.DaemonSets)
	if done, err := r.yamlItems(doc, begin); done || err != nil {
		return err
	}
	raw, err := yaml.YAMLToJSON(doc)
	if err != nil {
		return r.errorf("", "malformed YAML: %s%s", yamlProblem(err, begin), yamlAdvice(doc, begin))
	}
	if raw[0] != '{' {
		return r.errorf("", "is no object: %.40s", raw)
	}
	kind, err := r.kindOf(raw, "")
	if err != nil {
		return err
	}
	if err := r.add(kind, raw, ""); err != nil {
		return err
	}
	if len(r.DaemonSets) > before {
		r.writtenTwice(doc, begin)
	}
	return nil
}

// writtenTwice warns of keys that a document repeats, which its JSON does not
// show any more.
func (r *reader) writtenTwice(doc []byte, begin int) {
	if _, err := yaml.YAMLToJSONStrict(doc); err != nil {
		r.warn("", yamlProblem(err, begin)+"; the last one counts")
	}
}

// leadingLines counts the lines before a document's first content: blank ones,
// comments, directives and the mark. It also reports whether there is any.
func leadingLines(doc []byte) (int, bool) {
	skipped := 0
	for line := range bytes.Lines(doc) {
		content := line
		if isMark(line, "---") {
			content = line[len("---"):]
		}
		content = bytes.TrimSpace(content)
		if len(content) > 0 && content[0] != '#' && line[0] != '%' {
			return skipped, true
		}
		skipped++
	}
	return skipped, false
}

// linesOf finds the first two lines that begin with a key. The parser would
// take the last one, and say nothing of the object that is lost.
func linesOf(doc []byte, key string) (first, second int) {
	at, found := 0, 0
	for line := range bytes.Lines(doc) {
		if bytes.HasPrefix(line, []byte(key)) {
			if found++; found == 2 {
				return first, at
			}
			first = at
		}
		at++
	}
	return first, 0
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// yamlProblem returns the text of an error of the YAML library in one line and
// with the lines of the file instead of those of the document.
func yamlProblem(err error, begin int) string {
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	text = strings.TrimPrefix(text, "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n  ", "; ")
	return yamlLine.ReplaceAllStringFunc(text, func(match string) string {
		n, _ := strconv.Atoi(match[len("line "):])
		return fmt.Sprintf("line %d", begin+n-1)
	})
}

// yamlAdvice names the two mistakes behind most of what the YAML library says
// in words of its own.
func yamlAdvice(doc []byte, begin int) string {
	line := begin
	for text := range bytes.Lines(doc) {
		if bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("\t")) {
			return fmt.Sprintf(" (line %d is indented with a tab; YAML wants spaces)", line)
		}
		line++
	}
	if bytes.Contains(doc, []byte("{{")) {
		return " (it has {{ in it; a template has to be rendered first)"
	}
	return ""
}
