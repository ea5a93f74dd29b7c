// Package screen is the neutral screen: what a message shows, in a form that depends on no
// platform. Rooms and the view build screens, and adapters show them.
//
// A [Screen] is a small tree: blocks of spans, and rows of buttons. It has no markup,
// so a player name full of asterisks cannot forge anything. The adapter that sends a
// screen escapes it, cuts it to length, and chooses how names and cards look.
package screen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/game"
)

// Screen is one message in a form that every platform can show.
type Screen struct {
	Blocks []Block
	Menus  []Menu     // shown above Rows; at most 3
	Rows   [][]Button // at most 5 rows of at most 5 buttons
	Face   face.Face  // how cards look in it

	// Places are rows of buttons for platforms where players may not reach their hand (Telegram). They are
	// shown below Rows under a table. A press plays the presser's own card with that number. Other
	// platforms leave them out.
	Places [][]Button

	Notify []Person // people to notify; only a new message notifies anyone
	About  bool     // the screen is about the first person whom it names: see Subject
	Won    bool     // the reader has just won; a new message of a private chat may celebrate that

	Picture *Picture // shown above the text, if the platform can show pictures; nil: none

	File *File // file sent with the message, or nil; only in a new private message
}

// Without returns the screen without the buttons whose press drop reports. A row that has no other goes, too.
func (s Screen) Without(drop func(press string) bool) Screen {
	dropped := func(b Button) bool { return drop(b.Press) }
	if !slices.ContainsFunc(s.Rows, func(row []Button) bool { return slices.ContainsFunc(row, dropped) }) {
		return s
	}
	var rows [][]Button
	for _, row := range s.Rows {
		if kept := slices.DeleteFunc(slices.Clone(row), dropped); len(kept) > 0 {
			rows = append(rows, kept)
		}
	}
	s.Rows = rows
	return s
}

// Subject returns the person whom the screen is about, if there is one. A platform that knows a picture of them may show it
// beside the text.
func (s Screen) Subject() (p Person, ok bool) {
	if !s.About {
		return p, false
	}
	for _, b := range s.Blocks {
		for _, span := range b.Spans {
			if span.Kind == SpanPerson {
				return span.Person, true
			}
		}
	}
	return p, false
}

// File is a file that a reader can keep.
type File struct {
	Name string // made of [A-Za-z0-9._-]
	Data []byte
}

// Look is how a block differs from the text around it.
type Look uint8

// These are the looks of a block.
const (
	Plain Look = iota
	Title      // a one-line heading
	Small      // side information: a hint, a footnote
	Quote      // set apart: events, quoted rules
	Code       // Text to copy as it is, without any markup: SpanText and SpanBreak only
)

// Block is a paragraph of one or more lines.
type Block struct {
	Look  Look
	Spans []Span
}

// SpanKind says which field of a Span is used.
type SpanKind uint8

// These are the kinds of spans.
const (
	SpanText SpanKind = iota
	SpanBold
	SpanPerson // a person's name; never notifies that person
	SpanCard
	SpanBreak // a new line within the block
	SpanTime  // a moment that is near; the reader's app counts down to it, where it can
	SpanDate  // a moment in the days to come; the reader's app shows it in the reader's own time zone, where it can
)

// Span is a piece of a line.
type Span struct {
	Kind   SpanKind
	Text   string // SpanText and SpanBold: plain text, never markup. SpanTime: for apps that don't count down, such as "in 30 s". SpanDate: for apps that know no zones, such as "Friday 2026-11-27 20:00 CET"
	At     int64  // SpanTime, SpanDate: seconds since 1970
	Person Person
	Card   game.Card
	Strong bool // SpanCard: this card is winning, or is the one that matters
}

// Person is someone who can be named on a screen. ID is the platform's name, a colon
// and the platform's own id ("discord:4211"). An AI seat has the ID "".
type Person struct {
	ID   string
	Name string
}

// Line turns a text into one line. It replaces each space character with a plain space,
// and removes other invisible characters, including those that change the text's direction.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case ' ' <= r && r <= '~': // fast path for most of a text
			return r
		case unicode.IsSpace(r), r == '\u2800': // a braille cell without dots
			return ' '
		case r == '\u200c', r == '\u200d', r == '\ufe0f': // they join letters and emojis
			return r
		case r == unicode.ReplacementChar, r == '\U0001d159', // a note without a head
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return -1
		}
		return r
	}, s)
}

// Isolated returns the name, in directional isolate marks if it has right-to-left
// letters. Numbers next to it then keep their positions
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

// Tone is the emphasis of a button. Colour never carries a meaning alone.
type Tone uint8

// These are the tones of a button.
const (
	Quiet Tone = iota
	Primary
	Success
	Danger
)

// Button is one button. Exactly one of Press, Private, Link, Page and Copy is set, but Link
// and Page may be set together, and Copy may have a Private beside it.
type Button struct {
	Label   string    // at most 34 characters; face.Text makes the label of a card
	Card    game.Card // the card that the button plays, or zero
	Press   string    // data that a press returns: at most 64 bytes
	Private string    // a payload of [A-Za-z0-9_-]{1,64} for a link to the private chat with the bot. A platform without such links leaves the button out
	Link    string    // an address that the button opens, such as https://example.org/#t=x; only on private screens
	Copy    string    // Text that the button copies, to be pasted elsewhere: see CopyText and WithCopies
	Page    string    // id of the table whose page opens in the platform's own app. A platform that can't do that here opens Link, or leaves the button out
	Share   string    // With Press: what a person asks for in another chat to show this screen there. Platforms where a button leads there use it in place of Press
	Tone    Tone
	Off     bool // cannot be pressed now: dimmed if the platform can do that, otherwise left out
}

// TakesMark and a space stand before a card's label if the card, played now, takes the open trick.
const TakesMark = "★"

// CopyLimit is the maximum length of a text that a button copies, in characters
// (https://core.telegram.org/bots/api#copytextbutton).
const CopyLimit = 256

// CopyText returns the text that the button copies. Its last line says where to go: link is
// the address that leads to Private, or a command. Without Private, or if it makes the text too long, it is
// left out.
func (b Button) CopyText(link string) string {
	if text := b.Copy + "\n" + link; link != "" && b.Private != "" && utf8.RuneCountInString(text) <= CopyLimit {
		return text
	}
	return b.Copy
}

// WithCopies returns the screen for a platform whose buttons can't copy a text. Each such
// text is a block of look Code, unless there is that block already, and its button is left out. link is as in CopyText.
func (s Screen) WithCopies(link string) Screen {
	rows, blocks := s.Rows, s.Blocks
	s.Rows, s.Blocks = nil, slices.Clone(blocks)
	for _, row := range rows {
		var kept []Button
		for _, b := range row {
			if b.Copy == "" {
				kept = append(kept, b)
				continue
			}
			if block := CodeBlock(b.CopyText(link)); !slices.ContainsFunc(blocks, block.equal) {
				s.Blocks = append(s.Blocks, block)
			}
		}
		if len(kept) > 0 {
			s.Rows = append(s.Rows, kept)
		}
	}
	return s
}

// CodeBlock returns a text of several lines to copy.
func CodeBlock(text string) Block {
	var lines [][]Span
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, Text(line))
	}
	return Block{Look: Code, Spans: Join(Span{Kind: SpanBreak}, lines)}
}

func (b Block) equal(other Block) bool {
	return b.Look == other.Look && slices.Equal(b.Spans, other.Spans)
}

// Menu is a choice of one option among many. A platform with select menus shows one,
// whose values are the options' Press. Other platforms show [Screen.MenuRows].
type Menu struct {
	Label   string   // name of what is chosen: at most 34 characters
	Options []Button // 2 to 25, each with a Press
	Chosen  int      // index of the current option; -1: none of them

	// Part has the buttons of platforms without select menus, if all Options would be too many: some of them, and one that
	// shows the next. nil: all Options.
	Part []Button
}

// menuWidth is the maximum number of characters in a row of a menu's buttons. A wider
// button gets its own row.
const menuWidth = 30

// MenuRows returns the menus as rows of buttons, for platforms without select menus.
// Each row has as many buttons as are readable on a phone. The current option has a
// tick.
func (s Screen) MenuRows() [][]Button {
	var rows [][]Button
	for _, m := range s.Menus {
		shown := slices.Clone(m.Options)
		if m.Part != nil {
			shown = slices.Clone(m.Part)
		}
		for i, b := range shown {
			if m.Chosen >= 0 && b.Press == m.Options[m.Chosen].Press {
				shown[i].Label, shown[i].Tone = "✓ "+b.Label, Primary
			}
		}
		rows = append(rows, Packed(shown)...)
	}
	return rows
}

// Packed returns buttons in rows, each with as many as are readable on a phone.
func Packed(buttons []Button) (rows [][]Button) {
	var row []Button
	width := 0
	for _, b := range buttons {
		n := utf8.RuneCountInString(b.Label)
		if len(row) > 0 && (width+n > menuWidth || len(row) == RowLength) {
			rows = append(rows, row)
			row, width = nil, 0
		}
		row, width = append(row, b), width+n
	}
	if len(row) > 0 {
		rows = append(rows, row)
	}
	return rows
}

// Post is a message that a chat or a player should see now.
type Post struct {
	Key     string // Posts with the same key are the same message: a change is an edit
	Seq     int    // with a higher Seq, the message is sent again and the older one is deleted
	Chat    string // id of the chat that gets the post; "": the private chat of Player
	Player  string // the only player who may see the post; "": everyone in the chat
	OldOnly bool   // edit the message if it was ever sent; otherwise don't send it
	First   bool   // with OldOnly: it reports how something ended, so it is edited before later posts are sent
	Brief   bool   // another change follows within seconds, so a place that allows few edits needn't show this one
	Passing bool   // deleted when it is no longer among the posts, such as a call to the player whose turn it is
	Screen  Screen
}

// WithoutPicture returns the screen for a place that shows no pictures. The picture's
// words take its place, below the first block.
func (s Screen) WithoutPicture() Screen {
	if s.Picture != nil {
		s.Blocks = slices.Insert(slices.Clone(s.Blocks), min(1, len(s.Blocks)), s.Picture.Words...)
		s.Picture = nil
	}
	return s
}

// AppendWords appends blocks in plain words, each with a line break.
func AppendWords(to []byte, f face.Face, blocks []Block) []byte {
	for _, block := range blocks {
		to = append(appendSpans(to, f, block.Spans), '\n')
	}
	return to
}

// appendSpans appends spans in plain words.
func appendSpans(to []byte, f face.Face, spans []Span) []byte {
	for _, span := range spans {
		if span.Kind == SpanBreak {
			to = append(to, '\n')
		}
		to = append(to, span.Words(f)...)
	}
	return to
}

// Words returns the text that a span shows.
func (s Span) Words(f face.Face) string {
	switch s.Kind {
	case SpanPerson:
		return s.Person.Name
	case SpanCard:
		return face.Text(f, s.Card)
	case SpanText, SpanBold, SpanBreak, SpanTime, SpanDate: // need only Text
	}
	return s.Text
}

// String returns the screen in plain words. Each block is a line, and buttons are in
// brackets: [(Label)] if they are off. Tests, the playground's tooltips and readers of
// golden files use it.
func (s Screen) String() string {
	var b strings.Builder
	b.Write(AppendWords(nil, s.Face, s.WithCopies("").Blocks))
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

// Letters returns the number of characters in the screen's text.
func (s Screen) Letters() int {
	var some [1024]byte
	return utf8.RuneCount(AppendWords(some[:0], s.Face, s.Blocks))
}

// RowLength is the maximum number of buttons in a row.
const RowLength = 5
