package screen_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// A press is read only if every field is as its reader says, and nothing is left.
func TestFieldsOfAPress(t *testing.T) {
	t.Parallel()
	read := func(press string) (string, error) {
		word, f := screen.FieldsOf(press)
		said := fmt.Sprint(word, " ", f.Name(), " ", f.Number(), " ", f.Day(), " ", f.Ticket(), " ", f.Home())
		return said, f.End()
	}
	if got, err := read("look:k3:12:2026-11-21::telegram:-4"); got != "look k3 12 2026-11-21  telegram:-4" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, wrong := range []string{
		"", "look", "look:", "look:k3:12:2026-11-21:", "look:K3:12:2026-11-21::telegram:-4", "look:k3:012:2026-11-21::telegram:-4",
		"look:k3:-1:2026-11-21::telegram:-4", "look:k3:1234567890:2026-11-21::telegram:-4", "look:k3:12:21.11.2026::telegram:-4",
		"look:k3:12:2026-11-21:abcdefghijkl:telegram:-4", "look:k3:12:2026-11-21::telegram", "look:k3:12:2026-11-21::telegram:-4:5",
	} {
		if got, err := read(wrong); !errors.Is(err, screen.ErrPress) {
			t.Errorf("%q is read as %q, %v", wrong, got, err)
		}
	}
}

// No press at all makes the reader fail in another way than by ErrPress, and what it accepts is written back as it was.
func FuzzFields(f *testing.F) {
	f.Add("play:k3:1:2:9h")
	f.Add("cfg:page:list:telegram:-4")
	f.Fuzz(func(t *testing.T, press string) {
		word, f := screen.FieldsOf(press)
		name, n, words := f.Name(), f.Number(), f.Words()
		switch err := f.End(); {
		case err == nil && screen.PressOf(word, name, fmt.Sprint(n), words) != press:
			t.Errorf("%q is read as %q, %q, %d, %q", press, word, name, n, words)
		case err != nil && !errors.Is(err, screen.ErrPress):
			t.Error(err)
		}
		if word != screen.PressWord(press) {
			t.Errorf("the first word of %q is %q and %q", press, word, screen.PressWord(press))
		}
	})
}

func buttons(t *rapid.T) (out []screen.Button) {
	for i := range rapid.IntRange(0, 25).Draw(t, "buttons") {
		out = append(out, screen.Button{Label: strings.Repeat("w", rapid.IntRange(1, screen.LabelLength).Draw(t, "label")), Press: fmt.Sprint("p:", i)})
	}
	return out
}

// Buttons that are put in rows stay in their order, none is lost, and no row is longer than platforms take.
func TestRowsOfButtons(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := buttons(t)
		for name, rows := range map[string][][]screen.Button{"packed": screen.Packed(all), "even": screen.InRows(all), "a menu's": screen.Screen{Menus: []screen.Menu{{Options: all, Chosen: -1}}}.MenuRows()} {
			var got, want []string
			for _, row := range rows {
				width := 0
				for _, b := range row {
					got, width = append(got, b.Press), width+utf8.RuneCountInString(b.Label)
				}
				if len(row) == 0 || len(row) > screen.RowLength || name != "even" && len(row) > 1 && width > 30 {
					t.Errorf("%s: a row of %d buttons with %d letters", name, len(row), width)
				}
			}
			for _, b := range all {
				want = append(want, b.Press)
			}
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	})
}

// A menu marks the option that is chosen, also on a page that shows only some of the options.
func TestAMenuMarksItsChoice(t *testing.T) {
	t.Parallel()
	options := []screen.Button{{Label: "One", Press: "a:1"}, {Label: "Two", Press: "a:2"}, {Label: "Three", Press: "a:3"}}
	for _, m := range []screen.Menu{{Options: options, Chosen: 1}, {Options: options, Part: options[1:], Chosen: 1}} {
		marked := 0
		for _, row := range (screen.Screen{Menus: []screen.Menu{m}}).MenuRows() {
			for _, b := range row {
				if strings.HasPrefix(b.Label, "✓ ") {
					marked++
					if b.Press != "a:2" {
						t.Errorf("%q is marked", b.Label)
					}
				}
			}
		}
		if marked != 1 || options[1].Label != "Two" {
			t.Errorf("%d marks; the option is called %q now", marked, options[1].Label)
		}
	}
}

// Without buttons that copy, a screen shows what they would copy, with the link as its last line if that fits.
func TestTextsToCopy(t *testing.T) {
	t.Parallel()
	s := screen.Screen{
		Blocks: []screen.Block{{Spans: screen.Text("Result")}},
		Rows:   [][]screen.Button{{{Label: "Copy", Copy: "🟩🟥", Private: "d"}}, {{Label: "Copy", Copy: strings.Repeat("x", 250), Private: "d"}, {Label: "Back", Press: "b:"}}},
	}
	shown := s.WithCopies("https://example.org/")
	if got := shown.String(); !strings.Contains(got, "🟩🟥\nhttps://example.org/") || strings.Count(got, "https") != 1 || len(shown.Rows) != 1 || len(shown.Rows[0]) != 1 {
		t.Errorf("%s\nrows %v", got, shown.Rows)
	}
	if len(s.Blocks) != 1 || len(s.Rows) != 2 {
		t.Error("the screen itself was changed")
	}
}

// A list of words reads as a sentence, and nothing is added to one word or none.
func TestLists(t *testing.T) {
	t.Parallel()
	c := lang.For("en")
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := screen.ListOf(c, words); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := screen.EitherOf(c, []int{2, 3, 4}); got != "2, 3 or 4" {
		t.Error(got)
	}
}

// A text is cut by characters, and never grows.
func TestCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.IntRange(1, 20).Draw(t, "length")
		got := screen.Cut(s, n)
		if utf8.RuneCountInString(got) > n || utf8.RuneCountInString(s) <= n && got != s || !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Errorf("%q at %d is %q", s, n, got)
		}
	})
}

// A name in a text is the reader's: a deleted person is a number, and one whom the reader may not know has no name.
func TestNamesInATextAreTheReaders(t *testing.T) {
	t.Parallel()
	w := screen.NewWriter(lang.For("en"), face.French)
	for _, p := range []screen.Person{{ID: screen.Gone + "1", Name: "Player 7"}, {ID: screen.Outside + "3"}, {ID: screen.Unnamed, Name: "Zoe"}} {
		got := w.Called(p).Name
		if got == "" || strings.Contains(got, "Zoe") {
			t.Errorf("%v is called %q", p, got)
		}
		w.Block(screen.Plain, []screen.Span{{Kind: screen.SpanPerson, Person: p}})
		if said := w.Screen.Blocks[len(w.Screen.Blocks)-1].Spans[0].Person.Name; said != got {
			t.Errorf("the text calls %v %q", p, said)
		}
	}
}
