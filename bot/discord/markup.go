package discord

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sedmabot/bot/view"
)

// always are the characters that mean something wherever they stand, and
// atStart those that mean something at the start of a line
// (https://support.discord.com/hc/en-us/articles/210298617).
const (
	always  = "\\*_~`|<[]@"
	atStart = "#>-+"
)

// messageLink is a link to a message, as Adapter.Link makes it: the one thing
// in a text that leads somewhere, and never out of Discord.
var messageLink = regexp.MustCompile(`^https://discord\.com/channels/(@me|\d{1,20})/\d{1,20}/\d{1,20}`)

// markup writes Discord's markdown from plain pieces. Whatever it is given as
// text is shown as it is, calls nobody and leads nowhere but to a message. It
// stops, with an ellipsis, before it becomes longer than its limit.
type markup struct {
	b      strings.Builder
	left   int    // how many characters may still be written
	prefix string // of every line
	begun  bool   // the line has its prefix
	inLine bool   // the line has more than its prefix and spaces
	digits bool   // the line has only digits so far: a full stop would make a list of it
	bold   bool
	full   bool
}

// reserve is what closing may take: an ellipsis and the end of bold.
const reserve = 1 + 2

// units is the length of a text as it is counted here: in UTF-16 code units,
// which is never less than any other way to count characters.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// raw writes markup. It reports whether it did.
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

// begin writes what stands before the first text of a line.
func (m *markup) begin() {
	if !m.begun {
		m.begun = true
		m.raw(m.prefix)
	}
}

// setBold starts or ends bold text.
func (m *markup) setBold(on bool) {
	if on == m.bold {
		return
	}
	if !on { // there is room for it in the reserve
		m.bold = false
		m.b.WriteString("**")
		m.left -= 2
		return
	}
	m.begin()
	m.bold = m.raw("**")
}

// newline ends a line. Bold text does not go on after it.
func (m *markup) newline() {
	m.setBold(false)
	if m.raw("\n") {
		m.begun, m.inLine, m.digits = false, false, false
	}
}

// mention writes markup that stands for a person.
func (m *markup) mention(id string) {
	m.begin()
	if m.raw("<@" + id + ">") {
		m.inLine, m.digits = true, false
	}
}

// emoji writes markup that stands for an emoji.
func (m *markup) emoji(e emoji) {
	m.setBold(false)
	m.begin()
	if m.raw("<:" + e.Name + ":" + e.ID + ">") {
		m.inLine, m.digits = true, false
	}
}

// name writes what a person is called.
func (m *markup) name(p view.Person) { m.write(view.Isolated(clean(p.Name)), false) }

// text writes plain text.
func (m *markup) text(s string, bold bool) { m.write(clean(s), bold) }

// write writes plain text that is clean.
func (m *markup) write(s string, bold bool) {
	if s == "" {
		return
	}
	m.setBold(bold)
	m.begin()
	for s != "" {
		if n := letters(s); n > 0 && !m.full && n+reserve <= m.left { // most of a text
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

// letters is how many bytes of the text's beginning are letters without accents,
// none of which begins a link.
func letters(s string) int {
	for n := range len(s) {
		if lower := s[n] | 0x20; lower < 'a' || lower > 'z' || s[n] == 'h' && strings.HasPrefix(s[n:], "https:") {
			return n
		}
	}
	return len(s)
}

// special reports whether r means something to Discord where it stands. rest
// is the text after it.
func (m *markup) special(r rune, rest string) bool {
	switch {
	case strings.ContainsRune(always, r):
		return true
	case strings.ContainsRune(atStart, r):
		return !m.inLine
	case r == '.' || r == ')':
		return m.digits
	case r == ':': // it may begin the name of an emoji, or the rest of a link
		return rest != "" && rest[0] != ' '
	}
	return false
}

// end closes what is open and returns the whole.
func (m *markup) end() string {
	m.setBold(false)
	return m.b.String()
}

// clean makes one line of text: what is neither seen nor space goes away, among
// it the marks that would turn the direction of the text around.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case ' ' <= r && r <= '~': // most of a text
			return r
		case unicode.IsSpace(r):
			return ' '
		case r == '\u200d' || r == '\ufe0f': // they join emojis
			return r
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// cut shortens a text to so many characters, the last of them an ellipsis.
func cut(s string, limit int) string {
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
