package review

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// These presses stand on buttons in chats.
func TestOldPresses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]press{
		"replay:k3:2:1:0:":                {word: "replay", table: "k3", match: 2, deal: 1},
		"replay:k3:2:1:99999:abcDEF-_012": {word: "replay", table: "k3", match: 2, deal: 1, step: 99_999, ticket: "abcDEF-_012"},
		"deals:k3:2:3:0:abcDEF-_012":      {word: "deals", table: "k3", match: 2, deal: 3, ticket: "abcDEF-_012"},
		"record:k3:2:0:0:abcDEF-_012":     {word: "record", table: "k3", match: 2, ticket: "abcDEF-_012"},
		"coach:k3:2:0:0:abcDEF-_012":      {word: "coach", table: "k3", match: 2, ticket: "abcDEF-_012"},
	} {
		if got, err := parsePress(data); err != nil || got != want || want.String() != data {
			t.Errorf("%q is read as %+v, %v, and %+v is written as %q", data, got, err, want, want.String())
		}
	}
}

// The press on a result begins at the first deal.
func TestReplayPress(t *testing.T) {
	t.Parallel()
	want := press{word: actReplay, table: "k3", match: 2, deal: 1}
	if got, err := parsePress(view.ReplayPress("k3", 2)); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}

// A press is read as it was written, and fits a button.
func TestPressRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.IntRange(0, 99_999)
		p := press{
			word: rapid.SampledFrom([]string{actReplay, actDeals, actRecord, actCoach}).Draw(t, "word"), table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"),
			match: number.Draw(t, "match"), deal: number.Draw(t, "deal"), step: number.Draw(t, "step"), ticket: rapid.StringMatching(`[A-Za-z0-9_-]{0,11}`).Draw(t, "ticket"),
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
