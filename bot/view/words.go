package view

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// writer builds a screen in one language and one face.
type writer struct {
	*lang.Catalogue
	screen      Screen
	blocks      [6]Block // room for the first blocks
	nameLetters int      // maximum number of letters in a name; 0: no limit
	names       []seated // by seat: the names that were written already
}

// seated is the name of the player or AI that has a seat.
type seated struct {
	of       *table.Seat // nil: the name isn't known yet
	name     [1]Span
	pictured string // see pictured; "": not known
}

// seated returns where the name of a seat is kept.
func (w *writer) seated(p table.Public, seat int) *seated {
	if len(w.names) < len(p.Seats) {
		w.names = make([]seated, len(p.Seats))
	}
	return &w.names[seat]
}

func newWriter(c *lang.Catalogue, f face.Face) *writer {
	w := &writer{Catalogue: c, screen: Screen{Face: f}}
	w.screen.Blocks = w.blocks[:0]
	return w
}

// spans returns the text under key as spans. An argument that is a Span or []Span
// replaces its placeholder; all other arguments are inserted as plain text.
func (w *writer) spans(key string, args ...any) []Span {
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

// say adds a block with one text.
func (w *writer) say(look Look, key string, args ...any) {
	w.block(look, w.spans(key, args...))
}

// block adds a block with these lines, if there are any.
func (w *writer) block(look Look, lines ...[]Span) {
	if spans := joinSpans(Span{Kind: SpanBreak}, lines); len(spans) > 0 {
		owned := false
		for i, s := range spans {
			if s.Kind != SpanPerson {
				continue
			}
			if called := w.called(s.Person); called != s.Person {
				if !owned {
					spans, owned = slices.Clone(spans), true
				}
				spans[i].Person = called
			}
		}
		w.screen.Blocks = append(w.screen.Blocks, Block{Look: look, Spans: spans})
	}
}

// called returns the person with a name in the reader's language. A deleted person is
// named by a number.
func (w *writer) called(p Person) Person {
	if strings.HasPrefix(p.ID, table.Gone) {
		p.Name = w.Text("person.gone", "n", strings.TrimFunc(p.Name, func(r rune) bool { return r < '0' || r > '9' }))
	}
	if table.Masked(p.ID) && p.Name == "" {
		p.Name = w.Text("person.outside", "n", strings.TrimFunc(p.ID, func(r rune) bool { return r < '0' || r > '9' }))
	}
	if p.ID == Unnamed {
		p.Name = w.Text("person.unnamed")
	}
	if w.nameLetters > 0 {
		p.Name = cut(p.Name, w.nameLetters)
	}
	return p
}

// row adds a row of buttons, if there are any.
func (w *writer) row(buttons ...Button) {
	if len(buttons) > 0 {
		w.screen.Rows = append(w.screen.Rows, buttons)
	}
}

// button returns a button with the label of its action.
func (w *writer) button(p Press, tone Tone) Button {
	return Button{Label: w.Text("button." + string(p.Action)), Press: p.String(), Tone: tone}
}

// joinSpans joins the pieces that are not empty, with sep between them. The caller must
// not change the result, which may be one of the pieces.
func joinSpans(sep Span, pieces [][]Span) []Span {
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

// dots joins the pieces of one line with dots.
func dots(pieces ...[]Span) []Span { return joinSpans(Span{Text: " · "}, pieces) }

// dayText returns a day as people write it in the reader's language.
func dayText(c *lang.Catalogue, t time.Time) string { return t.Format(c.Text("date")) }

// keptDay returns a day as people write it, from the store's format ("2026-03-01").
func keptDay(c *lang.Catalogue, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return dayText(c, t)
}

// capital returns a line with a capital first letter, for text written for the middle
// of a sentence.
func capital(line []Span) []Span {
	if len(line) > 0 && line[0].Kind == SpanText {
		r, size := utf8.DecodeRuneInString(line[0].Text)
		line[0].Text = string(unicode.ToUpper(r)) + line[0].Text[size:]
	}
	return line
}

func text(s string) []Span { return []Span{{Text: s}} }

func bold(s string) []Span { return []Span{{Kind: SpanBold, Text: s}} }

func card(c game.Card) Span { return Span{Kind: SpanCard, Card: c} }

// signed returns a number with its sign, for payments.
func signed(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	}
	return "0"
}

// families maps each preset to its name without the number of players.
var families = sync.OnceValue(func() map[string]string {
	players := regexp.MustCompile(`-[2346]p\b`)
	all := map[string]string{}
	for _, preset := range game.Presets() {
		all[preset] = players.ReplaceAllString(preset, "")
	}
	return all
})

// GameName returns the name of the game with these rules, with the number of players:
// "Sedma, 4 players". If the rules differ from their preset, the name says that there
// are house rules. The length of the match doesn't count as a difference.
func GameName(c *lang.Catalogue, r game.Rules) string {
	name := c.Text("game.own")
	if base, err := game.Preset(r.Preset); err == nil {
		name = PresetName(c, r.Preset)
		base.Target, base.Hands = r.Target, r.Hands
		if r.NextDeal == game.Rotate && r.Target == 0 { // like tournaments: this is still the same game
			base.NextDeal, base.HalfTime = r.NextDeal, r.HalfTime
		}
		if r != base && len(r.Changed(base)) > 0 {
			name = c.Text("game.house", "game", name)
		}
	}
	return name + ", " + c.Text("players", "n", r.Players)
}

// FamilyName returns the name of a family of games, or of a game with any number of
// players.
func FamilyName(c *lang.Catalogue, family string) string {
	if key := "game." + family; c.Has(key) {
		return c.Text(key)
	}
	return family
}

// PresetName returns the name of a preset's game, without the number of players.
func PresetName(c *lang.Catalogue, preset string) string {
	return FamilyName(c, families()[preset])
}

// list returns "a", "a and b", or "a, b and c".
func list(c *lang.Catalogue, words []string) string { return listed(c, "list.and", words) }

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

// ranks returns the names of ranks in the plural, as on the writer's cards: "sevens and
// eights".
func (w *writer) ranks(rs ...game.Rank) string {
	words := make([]string, len(rs))
	for i, r := range rs {
		words[i] = w.Text("ranks." + face.ShownRank(w.screen.Face, r).String())
	}
	return list(w.Catalogue, words)
}
