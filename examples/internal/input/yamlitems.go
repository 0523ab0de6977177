package input

import (
	"bytes"
	"fmt"
	"maps"
	"strings"

	"sigs.k8s.io/yaml"
)

// yamlItems reads a list as kubectl prints it item by item, which takes a
// fraction of the memory that the whole takes at once. It reports false, with
// nothing done, for a document of any other form, and for one that cannot be
// parsed: what is wrong there is better said of the whole.
func (r *reader) yamlItems(doc []byte, begin int) (done bool, err error) {
	header, items, skipped := splitItems(doc)
	if len(items) == 0 {
		return false, nil
	}
	raw, err := yaml.YAMLToJSON(header)
	if err != nil || bytes.Contains(raw, []byte(`"items"`)) {
		return false, nil
	}
	list, err := r.kindOf(raw, "")
	if err != nil || !strings.HasSuffix(list.Kind, "List") {
		return false, nil
	}
	list.Kind = strings.TrimSuffix(list.Kind, "List")

	before := r.Objects
	before.PassedOver = maps.Clone(r.PassedOver)
	line := begin + skipped
	var item []byte
	for i, text := range items {
		item = append(item[:0], text...)
		item[0] = ' ' // instead of the dash
		raw, err := yaml.YAMLToJSON(item)
		if err != nil {
			r.Objects = before
			return false, nil
		}
		found := len(r.DaemonSets)
		if err := r.item(list, raw, fmt.Sprintf("items[%d]", i)); err != nil {
			return true, err
		}
		if len(r.DaemonSets) > found {
			r.writtenTwice(item, line)
		}
		line += bytes.Count(text, []byte("\n"))
	}
	return true, nil
}

// splitItems takes a document apart that has its items in block style, each
// with its dash at the beginning of a line. The header is what stands before
// and after them; skipped are the lines before the first item.
//
// Within an item nothing else begins like that, as its lines are indented. The
// exception is a string in quotes that goes on there, and then the item before
// ends within quotes, which no parser takes.
func splitItems(doc []byte) (header []byte, items [][]byte, skipped int) {
	at := 0
	for line := range bytes.Lines(doc) {
		at += len(line)
		skipped++
		if string(bytes.TrimRight(line, " \t\r\n")) == "items:" {
			break
		}
		header = append(header, line...)
	}
	rest := doc[at:]
	begin, end := 0, 0 // of the item at hand
	for line := range bytes.Lines(rest) {
		switch {
		case isMark(line, "-"):
			if end > begin {
				items = append(items, rest[begin:end])
			}
			begin = end
		case end == 0: // no item after all
			return nil, nil, 0
		case !indented(line):
			items = append(items, rest[begin:end])
			return append(header, rest[end:]...), items, skipped
		}
		end += len(line)
	}
	if end > begin {
		items = append(items, rest[begin:end])
	}
	return header, items, skipped
}

// indented reports whether a line belongs to the block above it.
func indented(line []byte) bool {
	return strings.IndexByte(" \t\r\n#", line[0]) >= 0
}
