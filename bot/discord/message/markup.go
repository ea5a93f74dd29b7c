package message

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sedmabot/bot/screen"
)

// always are the characters with a meaning in markdown anywhere in a line. atStart are
// those with a meaning at the start of a line
// (https://support.discord.com/hc/en-us/articles/210298617).
const (
	always  = "\\*_~`|<[]@"
	atStart = "#>-+"
)

// messageLink matches a link to a message, as discord.Adapter.Link returns it. These are the
// only links that work in a text, and they never lead out of Discord.
var messageLink = regexp.MustCompile(`^https://discord\.com/channels/(@me|\d{1,20})/\d{1,20}/\d{1,20}`)

// markup builds Discord's markdown from pieces of plain text. It escapes the text, so that
// the text shows unchanged, notifies nobody, and links only to messages. If the limit is
// reached, the text is cut and ends with an ellipsis.
type markup struct {
	b      strings.Builder
	left   int    // number of characters that may still be written
	prefix string // written at the start of every line
	begun  bool   // the line's prefix has been written
	inLine bool   // the line has more than its prefix and spaces
	digits bool   // the line has only digits so far: a full stop would turn it into a list
	bold   bool
	full   bool
}

// reserve is the number of characters kept free for an ellipsis and the end of bold.
const reserve = 1 + 2

// units returns the length of a text in UTF-16 code units. Discord may count characters
// in another way, but then it counts no more than that.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// raw writes markup. It reports false if there is no room: the text then ends with an ellipsis.
func (m *markup) raw(s string) bool {
	n := units(s)
	if m.full || n+reserve > m.left {
		if !m.full {
			m.full = true
			m.b.WriteString("…")
		}
		return false
	}
	m.b.WriteString(s)
	m.left -= n
	return true
}

// begin writes the line's prefix, unless it has been written.
func (m *markup) begin() {
	if !m.begun {
		m.begun = true
		m.raw(m.prefix)
	}
}

// setBold turns bold text on or off.
func (m *markup) setBold(on bool) {
	if on == m.bold {
		return
	}
	if !on { // the reserve has room for it
		m.bold = false
		m.b.WriteString("**")
		m.left -= 2
		return
	}
	m.begin()
	m.bold = m.raw("**")
}

// newline ends a line, and bold text with it.
func (m *markup) newline() {
	m.setBold(false)
	if m.raw("\n") {
		m.begun, m.inLine, m.digits = false, false, false
	}
}

// mention writes a mention of a person, which may notify them.
func (m *markup) mention(id string) {
	m.begin()
	if m.raw("<@" + id + ">") {
		m.inLine, m.digits = true, false
	}
}

// time writes a moment, in seconds since 1970. Discord's apps count down to it
// (https://discord.com/developers/docs/reference#message-formatting-timestamp-styles).
func (m *markup) time(at int64, style string) {
	m.setBold(false)
	m.begin()
	if m.raw("<t:" + strconv.FormatInt(at, 10) + ":" + style + ">") {
		m.inLine, m.digits = true, false
	}
}

// emoji writes an emoji.
func (m *markup) emoji(e Emoji) {
	m.setBold(false)
	m.begin()
	if m.raw("<:" + e.Name + ":" + e.ID + ">") {
		m.inLine, m.digits = true, false
	}
}

// name writes a person's name.
func (m *markup) name(p screen.Person) { m.write(screen.Isolated(screen.Line(p.Name)), false) }

// text cleans and writes plain text.
func (m *markup) text(s string, bold bool) { m.write(screen.Line(s), bold) }

// write writes clean plain text, and escapes it.
func (m *markup) write(s string, bold bool) {
	if s == "" {
		return
	}
	m.setBold(bold)
	m.begin()
	for s != "" {
		if n := letters(s); n > 0 && !m.full && n+reserve <= m.left { // fast path for most of a text
			m.b.WriteString(s[:n])
			m.left -= n
			m.digits, m.inLine = false, true
			s = s[n:]
			continue
		}
		if strings.HasPrefix(s, "https:") {
			if link := messageLink.FindString(s); link != "" && m.raw(link) {
				s = s[len(link):]
				m.digits, m.inLine = false, true
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		piece := string(r)
		if m.special(r, s) {
			piece = `\` + piece
		}
		if !m.raw(piece) {
			return
		}
		switch {
		case unicode.IsDigit(r) && (m.digits || !m.inLine):
			m.digits, m.inLine = true, true
		case !unicode.IsSpace(r):
			m.digits, m.inLine = false, true
		}
	}
}

// letters returns the number of bytes at the start of a text that are letters without
// accents, up to the start of a link.
func letters(s string) int {
	for n := range len(s) {
		if lower := s[n] | 0x20; lower < 'a' || lower > 'z' || s[n] == 'h' && strings.HasPrefix(s[n:], "https:") {
			return n
		}
	}
	return len(s)
}

// special reports whether r has a meaning in markdown at this place. rest is the text
// after it.
func (m *markup) special(r rune, rest string) bool {
	switch {
	case strings.ContainsRune(always, r):
		return true
	case strings.ContainsRune(atStart, r):
		return !m.inLine
	case r == '.' || r == ')':
		return m.digits
	case r == ':': // it may be the start of an emoji's name, or part of a link
		return rest != "" && rest[0] != ' '
	}
	return false
}

// code writes text as a block of code, which apps copy as it is. A block that is cut ends, too.
func (m *markup) code(spans []screen.Span) {
	const end = "\n```"
	m.left -= len(end)
	if !m.raw("```\n") {
		return
	}
	for _, span := range spans {
		text := strings.ReplaceAll(screen.Line(span.Text), "`", "'")
		if span.Kind == screen.SpanBreak {
			text = "\n"
		}
		for _, r := range text {
			m.raw(string(r))
		}
	}
	m.b.WriteString(end)
}

// end ends bold text and returns the result.
func (m *markup) end() string {
	m.setBold(false)
	return m.b.String()
}

// Cut shortens a text to at most limit characters. If it was longer, it ends with an ellipsis.
func Cut(s string, limit int) string {
	if units(s) <= limit {
		return s
	}
	var b strings.Builder
	left := limit - 1
	for _, r := range s {
		if left -= utf16.RuneLen(r); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}
