package telegram

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// A screen with a table is a rich message, which shows it as a table, and closes what only some readers want. Servers have
// rich messages since Bot API 10.1, and take them as blocks since 10.2. Where the server refuses one, the screen is a text or
// a picture, as on other platforms, and the next screens as well for absentFor. A message with a photo stays one.
// https://core.telegram.org/bots/api#sendrichmessage

// richSupport remembers whether the server knows rich messages. It does, until it has refused one.
type richSupport struct {
	absent atomic.Int64 // when to try again, in Unix seconds
}

func (k *richSupport) known() bool { return time.Now().Unix() >= k.absent.Load() }

// refused reports whether a call failed because the server doesn't know rich messages, and remembers that. Older servers
// don't know the method. For an edit they miss the text.
func (k *richSupport) refused(p tgbotapi.Params, err error) bool {
	if p["rich_message"] == "" {
		return false
	}
	var refused *tgbotapi.Error
	if !errors.As(err, &refused) {
		return false
	}
	why := strings.ToLower(refused.Message)
	if refused.Code != http.StatusNotFound && !strings.Contains(why, "message text is empty") && !strings.Contains(why, "rich") {
		return false
	}
	k.absent.Store(time.Now().Add(absentFor).Unix())
	return true
}

// rich reports whether a new or edited message shows the screen as a rich message.
func (o *outbox) rich(s screen.Screen) bool {
	return s.HasTable() && s.File == nil && s.Poll == nil && len(s.Notify) == 0 && o.richness.known()
}

// renderRich converts a screen to the parameters of sendRichMessage and editMessageText.
func renderRich(s screen.Screen, board keyboard) (tgbotapi.Params, error) {
	s.Picture = nil // its tables show the same
	p, err := render(s, false, board)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"text", "parse_mode", "link_preview_options"} {
		delete(p, name)
	}
	data, err := json.Marshal(map[string]any{"blocks": richBlocks(s), "skip_entity_detection": true})
	if err != nil {
		return nil, fmt.Errorf("encode rich message: %w", err)
	}
	p["rich_message"] = string(data)
	return p, nil
}

// richBlock is an InputRichBlock. Type says which of the other fields it has.
// https://core.telegram.org/bots/api#inputrichblock
type richBlock struct {
	Type    string       `json:"type"`
	Text    any          `json:"text,omitempty"`    // paragraph, heading, pre
	Size    int          `json:"size,omitempty"`    // heading
	Blocks  []richBlock  `json:"blocks,omitempty"`  // blockquote, details
	Summary any          `json:"summary,omitempty"` // details
	Cells   [][]richCell `json:"cells,omitempty"`   // table
	Striped bool         `json:"is_striped,omitempty"`
	Compact bool         `json:"is_compact,omitempty"`
}

// richCell is a RichBlockTableCell. https://core.telegram.org/bots/api#richblocktablecell
type richCell struct {
	Text   any    `json:"text,omitempty"` // missing: the cell is invisible
	Header bool   `json:"is_header,omitempty"`
	Wide   int    `json:"colspan,omitempty"`
	Align  string `json:"align"`
	Valign string `json:"valign"`
}

// richBlocks returns the blocks of a screen's message.
func richBlocks(s screen.Screen) []richBlock {
	var out []richBlock
	for _, b := range s.Blocks {
		text := richText(s.Face, b.Spans)
		switch {
		case b.Table != nil:
			out = tabled(out, s.Face, *b.Table, text)
		case b.Look == screen.Title:
			out = append(out, richBlock{Type: "heading", Text: text, Size: 3})
		case b.Look == screen.Small:
			out = append(out, richBlock{Type: "paragraph", Text: styled("italic", text)})
		case b.Look == screen.Quote:
			out = append(out, richBlock{Type: "blockquote", Blocks: []richBlock{{Type: "paragraph", Text: text}}})
		case b.Look == screen.Code:
			out = append(out, richBlock{Type: "pre", Text: text})
		default:
			out = append(out, richBlock{Type: "paragraph", Text: text})
		}
	}
	return out
}

// tabled adds a table to the blocks. lines are the same in words.
func tabled(out []richBlock, f face.Face, t screen.Table, lines any) []richBlock {
	grid := richBlock{Type: "table", Cells: richCells(f, t), Striped: true, Compact: true}
	if n := len(out) - 1; t.Closed && n >= 0 && out[n].Type == "paragraph" {
		out[n] = richBlock{Type: "details", Summary: out[n].Text, Blocks: []richBlock{grid}}
	} else {
		out = append(out, grid)
	}
	if t.More != "" {
		out = append(out, richBlock{Type: "details", Summary: t.More, Blocks: []richBlock{{Type: "paragraph", Text: lines}}})
	}
	return out
}

// richCells returns the rows of a table. The place and the name are the first two columns.
func richCells(f face.Face, t screen.Table) [][]richCell {
	columns := len(t.Labels)
	for _, row := range t.Rows {
		columns = max(columns, len(row.Cells))
	}
	cell := func(text any, align string) richCell { return richCell{Text: text, Align: align, Valign: "middle"} }
	var out [][]richCell
	if len(t.Labels) > 0 {
		head := []richCell{cell(nil, "right"), cell(nil, "left")}
		for i := range columns {
			label := cell(nil, "right")
			if i < len(t.Labels) {
				label.Text, label.Header = t.Labels[i], true
			}
			head = append(head, label)
		}
		out = append(out, head)
	}
	for _, r := range t.Rows {
		if r.Place == 0 && len(r.Cells) == 0 { // a heading or a gap
			whole := cell("⋯", "left")
			if len(r.Name) > 0 {
				whole.Text, whole.Header = richText(f, r.Name), true
			}
			whole.Wide = columns + 2
			out = append(out, []richCell{whole})
			continue
		}
		mine := func(text any) any {
			if r.Mine {
				return styled("bold", text)
			}
			return text
		}
		row := []richCell{cell(nil, "right"), cell(mine(richText(f, append(r.Name[:len(r.Name):len(r.Name)], screen.Span{Text: r.Mark}))), "left")}
		if r.Place > 0 {
			row[0].Text = mine(strconv.Itoa(r.Place) + ".")
		}
		for i := range columns {
			value := cell(nil, "right")
			if i < len(r.Cells) {
				value.Text = mine(r.Cells[i])
			}
			row = append(row, value)
		}
		out = append(out, row)
	}
	return out
}

// styled returns a RichText in a style, such as RichTextBold. https://core.telegram.org/bots/api#richtext
func styled(style string, text any) any { return map[string]any{"type": style, "text": text} }

// richText converts spans to a RichText: a text, or a list.
func richText(f face.Face, spans []screen.Span) any {
	var out []any
	var plain strings.Builder
	end := func() {
		if plain.Len() > 0 {
			out = append(out, plain.String())
			plain.Reset()
		}
	}
	add := func(part any) { end(); out = append(out, part) }
	for _, span := range spans {
		switch span.Kind {
		case screen.SpanText:
			plain.WriteString(plainLines(span.Text))
		case screen.SpanBold:
			add(styled("bold", plainLines(span.Text)))
		case screen.SpanPerson:
			plain.WriteString(personName(span.Person))
		case screen.SpanCard:
			if text := face.Text(f, span.Card); span.Strong {
				add(styled("bold", text))
			} else {
				plain.WriteString(text)
			}
		case screen.SpanBreak:
			plain.WriteByte('\n')
		case screen.SpanTime:
			add(richMoment(span, "r"))
		case screen.SpanDate:
			add(richMoment(span, "wDt"))
		}
	}
	end()
	if len(out) == 1 {
		return out[0]
	}
	return out
}

// richMoment returns a RichTextDateTime. https://core.telegram.org/bots/api#richtextdatetime
func richMoment(span screen.Span, format string) any {
	return map[string]any{"type": "date_time", "text": span.Text, "unix_time": span.At, "date_time_format": format}
}

// plainLines returns each line of a text without control characters.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if r < ' ' || r == '\u007f' {
				return ' '
			}
			return r
		}, line)
	}
	return strings.Join(lines, "\n")
}
