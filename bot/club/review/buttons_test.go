package review

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"replay:k3:2:1:0:":                {word: "replay", table: "k3", match: 2, deal: 1},
		"replay:k3:2:1:99999:abcDEF-_012": {word: "replay", table: "k3", match: 2, deal: 1, step: 99_999, ticket: "abcDEF-_012"},
		"deals:k3:2:3:0:abcDEF-_012":      {word: "deals", table: "k3", match: 2, deal: 3, ticket: "abcDEF-_012"},
		"record:k3:2:0:0:abcDEF-_012":     {word: "record", table: "k3", match: 2, ticket: "abcDEF-_012"},
		"coach:k3:2:0:0:abcDEF-_012":      {word: "coach", table: "k3", match: 2, ticket: "abcDEF-_012"},
	})
}

// A try has all choices of its player since the moment.
func TestOldRetries(t *testing.T) {
	screentest.OldPresses(t, parseRetry, map[string]retry{
		"retry:k3:2:1:15:x":   {table: "k3", match: 2, deal: 1, action: 15},
		"retry:k3:2:1:15:x8":  {table: "k3", match: 2, deal: 1, action: 15, moves: "0"},
		"retry:k3:2:1:15:xrE": {table: "k3", match: 2, deal: 1, action: 15, moves: "224"},
	})
}

// With the longest names, 56 choices fit into the 64 bytes of a button on Telegram.
func TestRetriesRoundTrip(t *testing.T) {
	screentest.RoundTrips(t, parseRetry, func(t *rapid.T) retry {
		number := rapid.IntRange(0, 99)
		return retry{
			table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"), match: number.Draw(t, "match"), deal: number.Draw(t, "deal"), action: number.Draw(t, "action"),
			moves: rapid.StringMatching(`[0-6]{0,52}`).Draw(t, "moves"),
		}
	})
}

func FuzzParseRetry(f *testing.F) {
	screentest.FuzzPress(f, parseRetry, "retry:k3:2:1:15:x", "retry:k3:2:1:15:xrE", "retry:k3:2:1:15:x0", "retry:k3:2:1:15:")
}

// The press on a result begins at the first deal.
func TestReplayPress(t *testing.T) {
	t.Parallel()
	want := press{word: actReplay, table: "k3", match: 2, deal: 1}
	if got, err := parsePress(view.ReplayPress("k3", 2)); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		number := rapid.IntRange(0, 99_999)
		return press{
			word: rapid.SampledFrom([]string{actReplay, actDeals, actRecord, actCoach}).Draw(t, "word"), table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"),
			match: number.Draw(t, "match"), deal: number.Draw(t, "deal"), step: number.Draw(t, "step"), ticket: rapid.StringMatching(`[A-Za-z0-9_-]{0,11}`).Draw(t, "ticket"),
		}
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "replay:k3:2:1:99999:abcDEF-_012", "deals:k3:2:3:0:", "record:k3:2:0:0:", "coach:k3:2:0:0:")
}
