package tournaments

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
)

// These presses stand on buttons in chats.
func TestOldPresses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]press{
		"cup:0123456789abc:join:0":         {word: "cup", id: "0123456789abc", what: "join", value: "0"},
		"cup:0123456789abc:partner:list":   {word: "cup", id: "0123456789abc", what: "partner", value: "list"},
		"evening:0123456789abc:length:1-8": {word: "evening", id: "0123456789abc", what: "length", value: "1-8"},
	} {
		if got, err := parsePress(data); err != nil || got != want || want.String() != data {
			t.Errorf("%q is read as %+v, %v, and %+v is written as %q", data, got, err, want, want.String())
		}
	}
}

// A press is read as it was written, and fits a button.
func TestPressRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := press{
			word: rapid.SampledFrom([]string{actCup, actEvening}).Draw(t, "word"), id: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "id"),
			what: rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,24}`).Draw(t, "value"),
		}
		if got, err := parsePress(p.String()); err != nil || got != p || len(p.String()) > screen.PressLimit {
			t.Fatalf("%q is read as %+v, %v", p, got, err)
		}
	})
}

// A text that is read as a press is exactly what the press is written as.
func FuzzParsePress(f *testing.F) {
	f.Fuzz(func(t *testing.T, data string) {
		if p, err := parsePress(data); err == nil && p.String() != data {
			t.Errorf("%q is read as %+v", data, p)
		}
	})
}
