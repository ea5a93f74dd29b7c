package tournaments

import (
	"sedmabot/bot/screen/screentest"
	"testing"

	"pgregory.net/rapid"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"cup:0123456789abc:join:0":         {word: "cup", id: "0123456789abc", what: "join", value: "0"},
		"cup:0123456789abc:partner:list":   {word: "cup", id: "0123456789abc", what: "partner", value: "list"},
		"evening:0123456789abc:length:1-8": {word: "evening", id: "0123456789abc", what: "length", value: "1-8"},
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		return press{
			word: rapid.SampledFrom([]string{actCup, actEvening}).Draw(t, "word"), id: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "id"),
			what: rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,24}`).Draw(t, "value"),
		}
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "cup:0123456789abc:join:0", "evening:0123456789abc:length:1-8")
}
