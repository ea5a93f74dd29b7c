package telegramtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of rich messages (https://core.telegram.org/bots/api#rich-message-formatting-options).
const (
	richLetters = 32768
	richParts   = 500 // blocks and rows of tables
	richDepth   = 16
	richColumns = 20
)

// richNode is an InputRichBlock, a cell or a RichText of a message as the bot sends it.
type richNode map[string]any

// rich reads a rich message into m.
func (s *Server) rich(method string, p map[string]string, m *Message) *refusal {
	var content struct {
		Blocks []richNode
	}
	if err := json.Unmarshal([]byte(p["rich_message"]), &content); err != nil || len(content.Blocks) == 0 {
		s.problem("%s: rich message: %v", method, err)
		return bad("can't parse rich message")
	}
	r := richReader{problem: func(format string, args ...any) { s.problem(method+": "+format, args...) }}
	for _, b := range content.Blocks {
		r.block(b, 1)
	}
	m.Text = strings.TrimSuffix(r.text.String(), "\n")
	m.HTML, m.Entities, m.Tables, m.Closed = p["rich_message"], r.entities, r.tables, r.closed
	if n := utf8.RuneCountInString(m.Text); n > richLetters || r.parts > richParts {
		s.problem("%s: %d characters, %d blocks", method, n, r.parts)
		return bad("RICH_MESSAGE_TOO_LONG")
	}
	return nil
}

// richReader reads what people see of a rich message.
type richReader struct {
	text     strings.Builder
	entities []Entity
	tables   [][]string
	closed   []string
	parts    int
	problem  func(format string, args ...any)
}

func (r *richReader) block(b richNode, depth int) {
	if r.parts++; depth > richDepth {
		r.problem("blocks are nested %d deep", depth)
		return
	}
	inside, _ := b["blocks"].([]any)
	switch b["type"] {
	case "paragraph", "heading", "pre", "footer":
		r.line(b["text"])
	case "divider":
	case "details":
		from := r.text.Len()
		r.line(b["summary"])
		if b["is_open"] != true {
			r.closed = append(r.closed, strings.TrimSuffix(r.text.String()[from:], "\n"))
		}
		fallthrough
	case "blockquote":
		if len(inside) == 0 {
			r.problem("a block without content")
		}
		for _, in := range inside {
			b, _ := in.(map[string]any)
			r.block(b, depth+1)
		}
	case "table":
		rows, _ := b["cells"].([]any)
		r.table(rows)
	default:
		r.problem("a block of type %v", b["type"])
	}
}

// table reads a table. Each row is a line, whose cells are separated by bars.
func (r *richReader) table(rows []any) {
	var lines []string
	width := 0
	for i, row := range rows {
		r.parts++
		cells, _ := row.([]any)
		var texts []string
		wide := 0
		for _, c := range cells {
			cell, _ := c.(map[string]any)
			span, ok := cell["colspan"].(float64)
			if !ok {
				span = 1
			}
			wide += int(span)
			texts = append(texts, r.spans(cell["text"], 0))
		}
		if i == 0 {
			width = wide
		}
		if wide != width || wide > richColumns || wide == 0 {
			r.problem("row %d of a table has %d columns, and the first %d", i, wide, width)
		}
		lines = append(lines, strings.Join(texts, "|"))
	}
	r.tables = append(r.tables, lines)
	r.text.WriteString(strings.Join(lines, "\n") + "\n")
}

func (r *richReader) line(text any) {
	words := r.spans(text, 0)
	if strings.TrimSpace(words) == "" {
		r.problem("an empty block")
	}
	r.text.WriteString(words + "\n")
}

// spans returns the words of a RichText. https://core.telegram.org/bots/api#richtext
func (r *richReader) spans(text any, depth int) string {
	switch text := text.(type) {
	case nil:
		return ""
	case string:
		return text
	case []any:
		var words strings.Builder
		for _, part := range text {
			words.WriteString(r.spans(part, depth))
		}
		return words.String()
	case map[string]any:
		if depth > richDepth {
			r.problem("text is nested too deep")
			return ""
		}
		words := r.spans(text["text"], depth+1)
		r.entities = append(r.entities, Entity{Tag: fmt.Sprint(text["type"]), Text: words})
		return words
	}
	r.problem("a text of type %T", text)
	return ""
}
