package message

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
)

// Any text is shown unchanged: without the escapes, it is the original text, and every
// character with a meaning in markdown is escaped.
func TestTextIsShownAsItIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			"*", "_", "~", "`", "|", "<", ">", "#", "-", "+", "1", "23", ".", ")", "[", "]", "(", ":", "/", "@", "\\", " ", "a", "é", "♥",
			"everyone", "<@42>", "https://evil.example", ":smile:", "\n# ", "\u202e", "\u200b", "-# ", "> ", "🍃",
		})
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "text"), "")
		m := &markup{left: 1 << 20, prefix: rapid.SampledFrom([]string{"", "> ", "-# "}).Draw(t, "prefix")}
		m.text(text, false)
		out := strings.TrimPrefix(m.end(), m.prefix)

		var plain strings.Builder
		lineStart, digits := true, false
		for i := 0; i < len(out); i++ {
			c := out[i]
			escaped := c == '\\' && i+1 < len(out)
			if escaped {
				i++
				c = out[i]
			}
			plain.WriteByte(c)
			if escaped {
				lineStart, digits = false, false
				continue
			}
			switch {
			case strings.IndexByte("\\*_~`|<[]@\n", c) >= 0:
				t.Fatalf("%q means something in %q", c, out)
			case lineStart && strings.IndexByte("#>-+", c) >= 0, digits && (c == '.' || c == ')'):
				t.Fatalf("a line of %q begins with markup", out)
			case c == ':' && i+1 < len(out) && out[i+1] != ' ':
				t.Fatalf("a colon may begin something in %q", out)
			}
			isDigit := c >= '0' && c <= '9'
			digits = isDigit && (digits || lineStart)
			lineStart = lineStart && c == ' '
		}
		if want := screen.Line(text); plain.String() != want {
			t.Fatalf("%q became %q, which shows %q", want, out, plain.String())
		}
	})
}

// TestNamesFromRightToLeftKeepTheirPlace checks that such a name doesn't change the
// direction of the text after it.
func TestNamesFromRightToLeftKeepTheirPlace(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"שלום": "\u2068שלום\u2069: 7", "\u202eعلي_": "\u2068علي\\_\u2069: 7", "Zoë 🎉": "Zoë 🎉: 7"} {
		m := &markup{left: 100}
		m.name(screen.Person{Name: name})
		m.text(": 7", false)
		if got := m.end(); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
}

func TestOnlyLinksToMessagesAreLinks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"at https://discord.com/channels/1/2/3.", "at https://discord.com/channels/1/2/3."},
		{"at https://discord.com/channels/@me/2/3", "at https://discord.com/channels/@me/2/3"},
		{"at https://discord.com/invite/x", `at https\://discord.com/invite/x`},
		{"at https://discord.com/channels/1/2/", `at https\://discord.com/channels/1/2/`},
		{"at https://evil.example/discord.com/channels/1/2/3", `at https\://evil.example/discord.com/channels/1/2/3`},
	} {
		m := &markup{left: 1000}
		m.text(test.text, false)
		if got := m.end(); got != test.want {
			t.Errorf("%q became %q, wanted %q", test.text, got, test.want)
		}
	}
}

func TestMarkupKeepsItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(reserve+1, 60).Draw(t, "limit")
		m := &markup{left: limit, prefix: "> "}
		length := 0
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			switch rapid.IntRange(0, 2).Draw(t, "piece") {
			case 0:
				text := rapid.SampledFrom([]string{"abc", "***", "🍃🍃", "\\", "1."}).Draw(t, "text")
				length += len(text)
				m.text(text, rapid.Bool().Draw(t, "bold"))
			case 1:
				m.newline()
			case 2:
				m.mention("123456")
			}
		}
		out := m.end()
		if units(out) > limit {
			t.Fatalf("%q has %d characters, more than %d", out, units(out), limit)
		}
		if n := strings.Count(strings.ReplaceAll(strings.ReplaceAll(out, `\\`, ""), `\*`, ""), "**"); n%2 != 0 {
			t.Fatalf("%q leaves bold open", out)
		}
		if strings.Count(out, "<@") != strings.Count(out, "6>") {
			t.Fatalf("%q has half a mention", out)
		}
	})
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		limit int
		want  string
	}{{"short", 5, "short"}, {"longer", 5, "long…"}, {"🍃🍃🍃", 6, "🍃🍃🍃"}, {"🍃🍃🍃", 5, "🍃🍃…"}, {"🍃🍃🍃", 4, "🍃…"}} {
		if got := Cut(test.text, test.limit); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, wanted %q", test.text, test.limit, got, test.want)
		}
	}
}

// A block of code that is cut ends, wherever the limit is.
func TestACutBlockOfCodeEnds(t *testing.T) {
	t.Parallel()
	spans := []screen.Span{{Text: "seven of hearts"}, {Kind: screen.SpanBreak}, {Text: "eight 🍃🍃 of spades"}}
	for limit := reserve + 2; limit < 60; limit++ {
		m := &markup{left: limit}
		m.code(spans)
		m.newline()
		m.text("after", false)
		out := m.end()
		if n := strings.Count(out, "```"); n != 0 && n != 2 || units(out) > limit {
			t.Errorf("limit %d: %d characters: %q", limit, units(out), out)
		}
	}
}

// A text that is cut still mentions everybody whom it calls, whether it names them or not.
func TestACutTextStillMentionsPeople(t *testing.T) {
	t.Parallel()
	ann, ben := screen.Person{ID: "discord:4211", Name: "Ann"}, screen.Person{ID: "discord:4212", Name: "Ben"}
	named := func(p screen.Person) screen.Span { return screen.Span{Kind: screen.SpanPerson, Person: p} }
	long := screen.Span{Text: strings.Repeat("long ", 1000)}
	for name, blocks := range map[string][]screen.Block{
		"named after the cut":  {{Spans: []screen.Span{named(ann), long, named(ben)}}},
		"named in a later one": {{Spans: []screen.Span{long}}, {Spans: []screen.Span{named(ben)}}},
		"not named":            {{Spans: []screen.Span{long}}},
		"code":                 {{Look: screen.Code, Spans: []screen.Span{long}}},
	} {
		text := ""
		for _, c := range Draft(screen.Screen{Blocks: blocks, Notify: []screen.Person{ann, ben}}, true, nil).Components[0].Components {
			text += c.Content
		}
		if !strings.Contains(text, "<@4211>") || !strings.Contains(text, "<@4212>") || units(text) > maxText || strings.Count(text, "```")%2 != 0 {
			t.Errorf("%s: %d characters: %.80q", name, units(text), text)
		}
	}
}
