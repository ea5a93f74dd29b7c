package screen

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
)

// Writer builds a screen in one language and one face.
type Writer struct {
	*lang.Catalogue
	Screen      Screen
	NameLetters int // maximum number of letters in a name; 0: no limit
}

// NewWriter returns a Writer of an empty screen.
func NewWriter(c *lang.Catalogue, f face.Face) *Writer {
	return &Writer{Catalogue: c, Screen: Screen{Face: f}}
}

// These are ids and prefixes of ids of people who are shown without their names. Gone and Outside are those of package
// table: a deleted person, and a person of another chat.
const (
	Gone    = "gone:"
	Outside = "seat:"
	Unnamed = "unnamed" // a person whose name the reader may not know
)

// Spans returns the text under key as spans. An argument that is a Span or []Span
// replaces its placeholder; all other arguments are inserted as plain text.
func (w *Writer) Spans(key string, args ...any) []Span {
	parts := w.Parts(key, args...)
	n := 0
	for _, p := range parts {
		n += max(1, len(spansOf(args, p.Arg)))
	}
	out := make([]Span, 0, n)
	for _, p := range parts {
		if p.Arg == "" {
			out = append(out, Span{Text: p.Text})
			continue
		}
		for i := 0; i+1 < len(args); i += 2 {
			if name, _ := args[i].(string); name != p.Arg {
				continue
			}
			switch v := args[i+1].(type) {
			case Span:
				out = append(out, v)
			case []Span:
				out = append(out, v...)
			}
		}
	}
	return out
}

// spansOf returns the []Span that replaces a placeholder, or nil.
func spansOf(args []any, placeholder string) []Span {
	for i := 0; i+1 < len(args); i += 2 {
		if name, _ := args[i].(string); name == placeholder {
			v, _ := args[i+1].([]Span)
			return v
		}
	}
	return nil
}

// Say adds a block with one text.
func (w *Writer) Say(look Look, key string, args ...any) {
	w.Block(look, w.Spans(key, args...))
}

// Block adds a block with these lines, if there are any.
func (w *Writer) Block(look Look, lines ...[]Span) {
	if spans := Join(Span{Kind: SpanBreak}, lines); len(spans) > 0 {
		owned := false
		for i, s := range spans {
			if s.Kind != SpanPerson {
				continue
			}
			if called := w.Called(s.Person); called != s.Person {
				if !owned {
					spans, owned = slices.Clone(spans), true
				}
				spans[i].Person = called
			}
		}
		w.Screen.Blocks = append(w.Screen.Blocks, Block{Look: look, Spans: spans})
	}
}

// Called returns the person with a name in the reader's language. A deleted person is
// named by a number.
func (w *Writer) Called(p Person) Person {
	if strings.HasPrefix(p.ID, Gone) {
		p.Name = w.Text("person.gone", "n", strings.TrimFunc(p.Name, func(r rune) bool { return r < '0' || r > '9' }))
	}
	if strings.HasPrefix(p.ID, Outside) && p.Name == "" {
		p.Name = w.Text("person.outside", "n", strings.TrimFunc(p.ID, func(r rune) bool { return r < '0' || r > '9' }))
	}
	if p.ID == Unnamed {
		p.Name = w.Text("person.unnamed")
	}
	if w.NameLetters > 0 {
		p.Name = Cut(p.Name, w.NameLetters)
	}
	return p
}

// Row adds a row of buttons, if there are any.
func (w *Writer) Row(buttons ...Button) {
	if len(buttons) > 0 {
		w.Screen.Rows = append(w.Screen.Rows, buttons)
	}
}

// Join joins the pieces that are not empty, with sep between them. The caller must
// not change the result, which may be one of the pieces.
func Join(sep Span, pieces [][]Span) []Span {
	n, filled, only := 0, 0, []Span(nil)
	for _, p := range pieces {
		if len(p) > 0 {
			n, filled, only = n+len(p)+1, filled+1, p
		}
	}
	if filled <= 1 {
		return only[:len(only):len(only)]
	}
	out := make([]Span, 0, n-1)
	for _, p := range pieces {
		if len(p) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, sep)
		}
		out = append(out, p...)
	}
	return out
}

// Dots joins the pieces of one line with dots.
func Dots(pieces ...[]Span) []Span { return Join(Span{Text: " · "}, pieces) }

// Capital returns a line with a capital first letter, for text written for the middle
// of a sentence.
func Capital(line []Span) []Span {
	if len(line) > 0 && line[0].Kind == SpanText {
		r, size := utf8.DecodeRuneInString(line[0].Text)
		line[0].Text = string(unicode.ToUpper(r)) + line[0].Text[size:]
	}
	return line
}

// Text returns plain text as a line.
func Text(s string) []Span { return []Span{{Text: s}} }

// Bold returns bold text as a line.
func Bold(s string) []Span { return []Span{{Kind: SpanBold, Text: s}} }

// CardSpan returns a card as a span.
func CardSpan(c game.Card) Span { return Span{Kind: SpanCard, Card: c} }

// Ranks returns the names of ranks in the plural, as on the writer's cards: "sevens and
// eights".
func (w *Writer) Ranks(rs ...game.Rank) string {
	words := make([]string, len(rs))
	for i, r := range rs {
		words[i] = w.Text("ranks." + face.ShownRank(w.Screen.Face, r).String())
	}
	return ListOf(w.Catalogue, words)
}

// ListOf returns "a", "a and b", or "a, b and c".
func ListOf(c *lang.Catalogue, words []string) string { return listed(c, "list.and", words) }

// EitherOf returns "2", "2 or 4", or "2, 3 or 4".
func EitherOf(c *lang.Catalogue, numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return listed(c, "list.or", words)
}

func listed(c *lang.Catalogue, key string, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return c.Text(key, "some", strings.Join(words[:last], ", "), "last", words[last])
}
