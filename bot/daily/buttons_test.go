package daily

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
)

// These presses stand on buttons in chats.
func TestOldPresses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]press{
		"daily:now:":                      {word: "daily"},
		"daily:2026-11-21:telegram:-1009": {word: "daily", date: "2026-11-21", home: "telegram:-1009"},
		"day:2026-11-20:discord:4211":     {word: "day", date: "2026-11-20", home: "discord:4211"},
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
		p := press{word: actDaily}
		if rapid.Bool().Draw(t, "a day") {
			p.word = rapid.SampledFrom([]string{actDaily, actDay}).Draw(t, "word")
			p.date, p.home = rapid.StringMatching(`[0-9]{4}-[0-9]{2}-[0-9]{2}`).Draw(t, "day"), rapid.StringMatching(`[a-z]{1,8}:-?[0-9a-z]{1,18}`).Draw(t, "home")
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
