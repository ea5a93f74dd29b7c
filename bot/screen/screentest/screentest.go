// Package screentest checks screens in the tests of the packages that make them: that each fits every platform, and that
// it reads as its golden file says. With -update, a test writes its golden files again; with -language, it prints each
// screen in that language and compares none.
package screentest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// TB is a test, or a run of a property.
type TB = rapid.TB

var (
	Update = flag.Bool("update", false, "write the golden screens again")
	only   = flag.String("language", "", "print each screen in this language; compare none")
)

// reviewed are the languages with golden screens. In other languages, the tests check
// everything that needs no reading: see check, and the tests of bot/lang.
var reviewed = []string{"en", "cs"}

// Golden compares text with testdata/<name>.<language>.txt.
func Golden(t *testing.T, language, name, got string) {
	t.Helper()
	if *only != "" {
		t.Logf("%s\n%s", name, got)
		return
	}
	if slices.Contains(reviewed, language) {
		InEveryLanguage(t, language, name, got)
	}
}

// InEveryLanguage is like Golden, but all languages have golden files.
func InEveryLanguage(t *testing.T, language, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+"."+language+".txt")
	if *Update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-golden +now; -update writes it):\n%s", file, diff)
	}
}

// Each runs a test in every language, or only in the language of the -language
// flag.
func Each(t *testing.T, f func(t *testing.T, language string)) {
	t.Parallel()
	languages := lang.Languages()
	if *only != "" {
		if !slices.Contains(languages, *only) {
			t.Fatalf("-language %s is not one of %v", *only, languages)
		}
		languages = []string{*only}
	}
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			f(t, language)
		})
	}
}

// These limits fit every platform: Discord's 4,000 characters and five rows of five,
// and Telegram's 4,096 characters and 64 bytes, with room for markup.
const (
	TextLimit  = 3500
	LabelLimit = 34
	RowsLimit  = 5
	menuLimit  = 25 // https://discord.com/developers/docs/components/reference#string-select
	menusLimit = 3
)

// Check fails if a screen exceeds what a platform can show, or has text that is not
// meant for people.
func Check(t TB, where string, s screen.Screen) {
	t.Helper()
	body := screen.Screen{Blocks: s.Blocks, Face: s.Face}.String()
	if n := utf8.RuneCountInString(body); n == 0 || n > TextLimit {
		t.Fatalf("%s: %d characters:\n%s", where, n, body)
	}
	for _, b := range s.Blocks {
		if len(b.Spans) == 0 {
			t.Fatalf("%s: an empty block in:\n%s", where, body)
		}
	}
	if text := s.String(); strings.ContainsAny(text, "{}") {
		t.Fatalf("%s: an open placeholder in:\n%s", where, text)
	}
	if s.Picture != nil {
		if n := utf8.RuneCountInString(s.Picture.Alt); n == 0 || n > screen.AltLimit {
			t.Fatalf("%s: a picture is described by %d characters: %s", where, n, s.Picture.Alt)
		}
	}
	if len(s.Rows)+len(s.Places) > RowsLimit {
		t.Fatalf("%s: %d rows and %d of places", where, len(s.Rows), len(s.Places))
	}
	if len(s.Menus) > menusLimit {
		t.Fatalf("%s: %d menus", where, len(s.Menus))
	}
	var rows [][]screen.Button // each option of a menu becomes a row
	for _, m := range s.Menus {
		if n := utf8.RuneCountInString(m.Label); n == 0 || n > LabelLimit {
			t.Fatalf("%s: a menu called %q", where, m.Label)
		}
		if n := len(m.Options); n < 2 || n > menuLimit || m.Chosen < -1 || m.Chosen >= n {
			t.Fatalf("%s: the menu %q has %d options, of which no. %d is in force", where, m.Label, n, m.Chosen)
		}
		labels := map[string]bool{}
		for option := range slices.Chunk(m.Options, 1) {
			rows = append(rows, option)
			if labels[option[0].Label] {
				t.Fatalf("%s: two options of %q are called %q", where, m.Label, option[0].Label)
			}
			labels[option[0].Label] = true
		}
	}
	checkButtons(t, where, slices.Concat(rows, s.Rows, s.Places))
}

// checkButtons fails if a button cannot be shown, or if two buttons do the same.
func checkButtons(t TB, where string, rows [][]screen.Button) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range rows {
		if len(row) == 0 || len(row) > screen.RowLength {
			t.Fatalf("%s: a row of %d buttons", where, len(row))
		}
		for _, b := range row {
			if n := utf8.RuneCountInString(b.Label); n == 0 || n > LabelLimit {
				t.Fatalf("%s: the label %q has %d characters", where, b.Label, n)
			}
			if i := strings.IndexFunc(b.Label, func(r rune) bool { return !onEveryPhone(r) }); i >= 0 && b.Card == 0 {
				t.Fatalf("%s: the label %q has a glyph that old phones lack: %q", where, b.Label, b.Label[i:])
			}
			if (b.Press == "") == (b.Private == "") {
				t.Fatalf("%s: the button %q leads to %q and %q", where, b.Label, b.Press, b.Private)
			}
			if b.Press != "" {
				if word, _, ok := strings.Cut(b.Press, ":"); !ok || word == "" || len(b.Press) > screen.PressLimit {
					t.Fatalf("%s: the button %q carries %q", where, b.Label, b.Press)
				}
				if seen[b.Press] && b.Card == 0 {
					t.Fatalf("%s: two buttons do %q", where, b.Press)
				}
				seen[b.Press] = true
			}
		}
	}
}

// onEveryPhone reports whether a button may use a character: a letter, ASCII, or one of
// the signs that the fonts of old phones have too. Buttons
// for cards have the suits of their face besides.
func onEveryPhone(r rune) bool {
	return r <= unicode.MaxASCII || unicode.In(r, unicode.L, unicode.M) || strings.ContainsRune("«»‹›↔▲▼●✓♠♥♦♣×−–…·’“”„\u00a0", r)
}

// Words returns screens as text, after a check that each fits every platform.
func Words(t testing.TB, screens ...screen.Screen) string {
	t.Helper()
	var b strings.Builder
	for _, s := range screens {
		Check(t, t.Name(), s)
		b.WriteString(s.String())
	}
	return b.String()
}
