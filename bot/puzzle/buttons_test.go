package puzzle

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
)

// These presses stand on buttons in chats.
func TestOldPresses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]press{
		"puzzle:abcdefghij:2:":              {what: "abcdefghij", value: "2"},
		"puzzle:abcdefghij:2:discord:4211":  {what: "abcdefghij", value: "2", home: "discord:4211"},
		"puzzle:day:2026-11-21:telegram:-4": {what: askDay, value: "2026-11-21", home: "telegram:-4"},
		"puzzle:next:now:":                  {what: askNext, value: "now"},
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
		p := press{what: rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,10}`).Draw(t, "value")}
		if rapid.Bool().Draw(t, "a home") {
			p.home = rapid.StringMatching(`[a-z]{1,8}:-?[0-9a-z]{1,20}`).Draw(t, "home")
		}
		if got, err := parsePress(p.String()); err != nil || got != p || len(p.String()) > screen.PressLimit {
			t.Fatalf("%q is read as %+v, %v", p, got, err)
		}
	})
}

// A text that is read as a press is exactly what the press is written as.
func FuzzParsePress(f *testing.F) {
	f.Fuzz(func(t *testing.T, data string) {
		if p, err := parsePress(data); err == nil && screen.PressWord(data) == actPuzzle && p.String() != data {
			t.Errorf("%q is read as %+v", data, p)
		}
	})
}
