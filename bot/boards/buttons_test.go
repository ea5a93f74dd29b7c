package boards

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/chat"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
)

// These presses stand on buttons in chats.
func TestOldPresses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]Press{
		"ladder:season:all:0:0":    {word: "ladder", Period: "season", Family: "all"},
		"ladder:week:sedma:10:1":   {word: "ladder", Period: "week", Family: "sedma", From: 10, Where: 1},
		"hall:season:sedma-4p:0:0": {word: "hall", Period: "season", Family: "sedma-4p"},
		"seen:month:all:20:1":      {word: "seen", Period: "month", Family: "all", From: 20, Where: 1},
		"unseen:all:hola:0:1":      {word: "unseen", Period: "all", Family: "hola", Where: 1},
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
		p := Press{
			word: rapid.SampledFrom([]string{actLadder, actHall, actSeen, actUnseen}).Draw(t, "word"), Period: rapid.SampledFrom(chat.Periods).Draw(t, "period"),
			Family: rapid.SampledFrom(league.BoardFamilies()).Draw(t, "family"), From: rapid.IntRange(0, 999_999_999).Draw(t, "from"), Where: rapid.IntRange(0, 1).Draw(t, "where"),
		}
		if got, err := parsePress(p.String()); err != nil || got != p || len(p.String()) > screen.PressLimit {
			t.Fatalf("%q is read as %+v, %v", p, got, err)
		}
	})
}

// A text that is read as a press is exactly what the press is written as.
func FuzzParsePress(f *testing.F) {
	f.Fuzz(func(t *testing.T, data string) {
		if p, err := parsePress(data); err == nil && p.word != "" && p.String() != data {
			t.Errorf("%q is read as %+v", data, p)
		}
	})
}
