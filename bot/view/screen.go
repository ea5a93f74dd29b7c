// Package view turns what a reader may know of a table into screens that no
// platform has shaped yet. Its functions receive table.Public or
// table.Private and never the table, so a screen that shows another player's
// hand does not compile.
//
// A [Screen] is a small tree: blocks of spans, and rows of buttons. There is
// no markup in it, so a player whose name is full of asterisks forges nothing:
// escaping, cutting to length and the look of a name or a card belong to the
// adapter that sends it.
package view

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/game"
)

// Screen is one message as every platform can show it.
type Screen struct {
	Blocks []Block
	Menus  []Menu     // above Rows: at most 3
	Rows   [][]Button // at most 5 rows of at most 5 buttons
	Face   face.Face  // how its cards look

	// Places are rows of buttons for platforms where a player's hand may be out
	// of reach (Telegram): below Rows under a table, a press plays the presser's
	// own card of that number. Other platforms leave them out.
	Places [][]Button

	Notify []Person // whom the message calls; only a new message calls anybody

	Picture *Picture // stands above the words, where the platform can show one; nil: none

	File *File // comes with the message, or nil. Only a new private message brings one
}

// File is something to keep.
type File struct {
	Name string // of [A-Za-z0-9._-]
	Data []byte
}

// Look is how a block stands out from the text around it.
type Look uint8

// The looks of a block.
const (
	Plain Look = iota
	Title      // a heading of one line
	Small      // beside the point: a hint, a footnote
	Quote      // set apart: what happened, rules quoted
)

// Block is a paragraph of one or more lines.
type Block struct {
	Look  Look
	Spans []Span
}

// SpanKind says which field of a Span counts.
type SpanKind uint8

// The kinds of spans.
const (
	SpanText SpanKind = iota
	SpanBold
	SpanPerson // a person's name; never calls him
	SpanCard
	SpanBreak // a new line within the block
)

// Span is a piece of a line.
type Span struct {
	Kind   SpanKind
	Text   string // SpanText and SpanBold: plain text, never markup
	Person Person
	Card   game.Card
	Strong bool // SpanCard: this card is winning, or is the one that counts
}

// Person is somebody who can be named on a screen. ID is the platform's name, a
// colon and the platform's own id ("discord:4211"), or "" for an AI seat.
type Person struct {
	ID   string
	Name string
}

// Isolated is a name, set apart from the text around it if it is written from
// right to left: numbers beside it stay where they are
// (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates).
func Isolated(name string) string {
	turned := func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam)
	}
	if !strings.ContainsFunc(name, turned) {
		return name
	}
	return "\u2068" + name + "\u2069"
}

// Tone is what a button wants to be taken for. Colour never says it alone.
type Tone uint8

// The tones of a button.
const (
	Quiet Tone = iota
	Primary
	Success
	Danger
)

// Button is one button. Exactly one of Press and Private is set.
type Button struct {
	Label   string    // at most 34 characters; a card's label is made by face.Text
	Card    game.Card // the card that it plays, or zero
	Press   string    // what comes back when it is pressed: at most 64 bytes
	Private string    // a payload of [A-Za-z0-9_-]{1,64}: leads to the private chat with the bot. A platform without such links leaves the button out
	Tone    Tone
	Off     bool // cannot be pressed now: shown dimmed where the platform can, left out where it cannot
}

// Menu is a choice of one among many. A platform with select menus shows one,
// whose values are the options' Press; others show [Screen.MenuRows].
type Menu struct {
	Label   string   // what is chosen: at most 34 characters
	Options []Button // 2 to 25, each with a Press
	Chosen  int      // which one is in force; -1: none of them
}

// menuWidth is how many characters stand side by side in a row of a menu's
// buttons; a wider button has a row of its own.
const menuWidth = 30

// MenuRows are the menus as rows of buttons, for platforms that have no select
// menus: as many side by side as can be read on a telephone. The one in force
// has a tick.
func (s Screen) MenuRows() [][]Button {
	var rows [][]Button
	for _, m := range s.Menus {
		var row []Button
		width := 0
		for i, b := range m.Options {
			if i == m.Chosen {
				b.Label, b.Tone = "✓ "+b.Label, Primary
			}
			n := utf8.RuneCountInString(b.Label)
			if len(row) > 0 && (width+n > menuWidth || len(row) == rowLength) {
				rows = append(rows, row)
				row, width = nil, 0
			}
			row, width = append(row, b), width+n
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// Post is a message that should be standing somewhere now.
type Post struct {
	Key     string // the same key is the same message: a change is an edit
	Seq     int    // a higher Seq is sent anew and the older message goes away
	Chat    string // where it stands: a chat's id, or
	Player  string // the player who alone may see it
	OldOnly bool   // bring it right if it was ever sent, else leave it unsent
	First   bool   // with OldOnly: it tells how something ended, and goes before what came after
	Passing bool   // goes away again when it is no longer among the posts (a call to the one whose turn it is)
	Screen  Screen
}

// String is the screen in plain words: a line a block, buttons in brackets, those
// that are off in round ones within.
// Tests, the playground's tooltips and people who read goldens use it.
func (s Screen) String() string {
	var b strings.Builder
	for _, block := range s.Blocks {
		for _, span := range block.Spans {
			switch span.Kind {
			case SpanText, SpanBold:
				b.WriteString(span.Text)
			case SpanPerson:
				b.WriteString(span.Person.Name)
			case SpanCard:
				b.WriteString(face.Text(s.Face, span.Card))
			case SpanBreak:
				b.WriteByte('\n')
			}
		}
		b.WriteByte('\n')
	}
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		for i, button := range row {
			if i > 0 {
				b.WriteByte(' ')
			}
			if button.Off {
				b.WriteString("[(" + button.Label + ")]")
			} else {
				b.WriteString("[" + button.Label + "]")
			}
		}
		b.WriteByte('\n')
	}
	if s.Picture != nil {
		b.WriteString("<picture: " + s.Picture.Alt + ">\n")
	}
	if s.File != nil {
		b.WriteString("<" + s.File.Name + ">\n")
	}
	return b.String()
}
