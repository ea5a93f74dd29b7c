package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// The functions here walk through valid JSON without decoding all of it. So a record, which is mostly decks and
// actions, is scanned twice instead of four times. Values are passed on as raw text.

// errKind reports a value of the wrong JSON type.
var errKind = errors.New("not the right kind of value")

// eachField calls fn for every member of the object.
func eachField(b []byte, fn func(key, value []byte) error) error {
	b = bytes.TrimSpace(b)
	if b[0] != '{' {
		return errKind
	}
	for i := next(b, 1); b[i] != '}'; {
		end := valueEnd(b, i)
		key := b[i+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			var text string
			if err := json.Unmarshal(b[i:end], &text); err != nil {
				return err
			}
			key = []byte(text)
		}
		i = next(b, end)
		end = valueEnd(b, i)
		if err := fn(key, b[i:end]); err != nil {
			return err
		}
		i = next(b, end)
	}
	return nil
}

// eachElement calls fn for every element of the list; null is an empty list.
func eachElement(b []byte, fn func(value []byte) error) error {
	if string(b) == "null" {
		return nil
	}
	if b[0] != '[' {
		return errKind
	}
	for i := next(b, 1); b[i] != ']'; {
		end := valueEnd(b, i)
		if err := fn(b[i:end]); err != nil {
			return err
		}
		i = next(b, end)
	}
	return nil
}

// next returns the index of the next token at or after i, skipping spaces, commas and colons.
func next(b []byte, i int) int {
	for b[i] == ' ' || b[i] == ',' || b[i] == ':' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r' {
		i++
	}
	return i
}

// valueEnd returns the index after the value that begins at i.
func valueEnd(b []byte, i int) int {
	if b[i] != '"' && b[i] != '[' && b[i] != '{' {
		for i < len(b) && bytes.IndexByte([]byte(",]} \n\t\r:"), b[i]) < 0 {
			i++
		}
		return i
	}
	for depth := 0; ; i++ {
		switch b[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// eachText calls fn for every string in the list. Before that it calls begin with an estimate of their number, assuming
// that each takes size bytes.
func eachText(b []byte, size int, begin func(int), fn func([]byte) error) error {
	begin(len(b)/size + 1)
	escaped := bytes.IndexByte(b, '\\') >= 0
	return eachElement(b, func(value []byte) error {
		if value[0] != '"' {
			return fmt.Errorf("%.60s is no text", value)
		}
		text := value[1 : len(value)-1]
		if escaped {
			var s string
			if err := json.Unmarshal(value, &s); err != nil {
				return err
			}
			text = []byte(s)
		}
		return fn(text)
	})
}

// readInt reads a whole number into n. If the value is null, n stays unchanged.
func readInt(b []byte, n *int) error {
	if string(b) == "null" {
		return nil
	}
	x, err := strconv.Atoi(string(b))
	if err != nil {
		return errKind
	}
	*n = x
	return nil
}

// maybe reads a whole number; null sets nil.
func maybe(b []byte, n **int) error {
	if string(b) == "null" {
		*n = nil
		return nil
	}
	*n = new(int)
	return readInt(b, *n)
}

// decode reads any other value.
func decode(b []byte, to any) error {
	if json.Unmarshal(b, to) != nil {
		return errKind
	}
	return nil
}
