package tables

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
)

// FuzzWords checks that any words after a command give valid rules, or an error message
// that can be shown.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"4", "sedma 4", "osmova 170", "křížek", "hola 6", "sedma-4p", "hard 3 solo", "5 hola 7", "ristikontra easy"} {
		f.Add(s, "en")
		f.Add(s, "cs")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		c := lang.For(language)
		var home doc.Home
		begin, err := home.Beginning()
		if err != nil {
			t.Fatal(err)
		}
		begin, err = asked(strings.Fields(text), begin, c)
		if err != nil {
			if toast := (chat.Input{Player: chat.Player{Lang: language}}).Refuse(err).Toast; toast == "" || !utf8.ValidString(toast) && utf8.ValidString(text) {
				t.Errorf("%q is refused with %q", text, toast)
			}
			return
		}
		if err := begin.Rules.Validate(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
