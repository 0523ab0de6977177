package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// jsonStream reads JSON values one after the other, and the items of a list
// one by one: of a list of 10,000 nodes no more than one is held as text.
type jsonStream struct {
	*reader
	dec    *json.Decoder
	window *window
}

// json reads a stream of objects, lists of them as kubectl prints, or plain
// arrays as jq does.
func (r *reader) json(in io.Reader) error {
	w := &window{in: in, line: 1}
	s := jsonStream{r, json.NewDecoder(w), w}
	for {
		token, err := s.dec.Token()
		if err == io.EOF {
			return nil
		}
		s.Document++
		s.Line = w.lineAt(s.dec.InputOffset())
		switch {
		case err != nil:
			return s.malformed("", err)
		case token == json.Delim('{'):
			err = s.object()
		case token == json.Delim('['):
			_, err = s.items("", nil)
		default:
			err = s.errorf("", "is the JSON value %.40q: an object is wanted", fmt.Sprint(token))
		}
		if err != nil {
			return err
		}
		w.mark(s.dec.InputOffset())
	}
}

// object reads the object whose brace was just read. It is put together again
// for [reader.add], unless it turns out to be a list: kubectl writes the
// kind of a list after its items.
func (s *jsonStream) object() error {
	whole := []byte{'{'}
	var orphans []json.RawMessage // items that do not say what they are
	listed := false
	for s.dec.More() {
		name, err := s.dec.Token()
		if err != nil {
			return s.malformed("", err)
		}
		if name == "items" {
			first, err := s.dec.Token()
			switch {
			case err != nil:
				return s.malformed("items", err)
			case first == json.Delim('['):
				listed = true
				orphans, err = s.items("items", orphans)
			default: // null, or no list at all
				err = s.skip(first)
			}
			if err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := s.dec.Decode(&value); err != nil {
			return s.malformed(fmt.Sprint(name), err)
		}
		if len(whole) > 1 {
			whole = append(whole, ',')
		}
		quoted, _ := json.Marshal(name) // a string
		whole = append(append(append(whole, quoted...), ':'), value...)
	}
	if _, err := s.dec.Token(); err != nil {
		return s.malformed("", err)
	}
	whole = append(whole, '}')
	kind, err := s.kindOf(whole, "")
	switch {
	case err != nil:
		return err
	case listed && strings.HasSuffix(kind.Kind, "List"):
		return s.list(kind, orphans, "items")
	}
	return s.add(kind, whole, "")
}

// skip reads the rest of a value of which token is the first.
func (s *jsonStream) skip(token json.Token) error {
	for depth := 0; ; {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
		var err error
		if token, err = s.dec.Token(); err != nil {
			return s.malformed("items", err)
		}
	}
}

// items reads the items of the array whose bracket was just read. Those that
// do not say what they are it adds to orphans.
func (s *jsonStream) items(path string, orphans []json.RawMessage) ([]json.RawMessage, error) {
	var item json.RawMessage // used again for every item
	for i := 0; s.dec.More(); i++ {
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := s.dec.Decode(&item); err != nil {
			return nil, s.malformed(at, err)
		}
		kind, err := s.kindOf(item, at)
		switch {
		case err != nil:
		case kind == (metav1.TypeMeta{}) && path != "":
			orphans = append(orphans, bytes.Clone(item))
		default:
			err = s.add(kind, item, at)
		}
		if err != nil {
			return nil, err
		}
		s.window.mark(s.dec.InputOffset())
	}
	if _, err := s.dec.Token(); err != nil {
		return nil, s.malformed(path, err)
	}
	return orphans, nil
}

// malformed says where the JSON is broken. The decoder's own offsets do not
// count what it read token by token, so the value is read once more by a
// decoder that starts there.
func (s *jsonStream) malformed(path string, err error) error {
	begin := s.dec.InputOffset()
	line := s.window.lineAt(begin)
	rest := s.window.from(begin)
	value := bytes.TrimLeft(rest, " \t\r\n,:")
	var syntax *json.SyntaxError
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return s.errorf(path, "ends before it is complete: was it cut off?")
	case !errors.As(err, &syntax):
		return s.unreadable(err) // the system, not the text
	}
	again := json.NewDecoder(bytes.NewReader(value)).Decode(new(json.RawMessage))
	var there *json.SyntaxError
	if errors.As(again, &there) {
		line += bytes.Count(rest[:len(rest)-len(value)+int(there.Offset)-1], []byte("\n"))
	}
	return s.errorf(path, "malformed JSON in line %d: %v", line, err)
}
