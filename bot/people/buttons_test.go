package people

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"mine:page:list:":               {word: "mine", what: "page", value: "list"},
		"mine:face:german:discord:4211": {word: "mine", what: "face", value: "german", home: "discord:4211"},
		"cfg:page:all:telegram:-4":      {word: "cfg", what: "page", value: "all", home: "telegram:-4"},
		"cfg:season:6:telegram:-4":      {word: "cfg", what: "season", value: "6", home: "telegram:-4"},
	})
}

func TestOldLooks(t *testing.T) {
	screentest.OldPresses(t, parseLook, map[string]look{"look:0abc:face:german": {table: "0abc", what: "face", value: "german"}})
}

func TestLooksRoundTrip(t *testing.T) {
	screentest.RoundTrips(t, parseLook, func(t *rapid.T) look {
		return look{table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"), what: rapid.SampledFrom(looks).Draw(t, "what"), value: rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "value")}
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		p := press{
			word: rapid.SampledFrom([]string{actMine, actHome}).Draw(t, "word"),
			what: rapid.StringMatching(`[a-z_]{1,8}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,22}`).Draw(t, "value"),
		}
		if p.word == actHome || rapid.Bool().Draw(t, "a home") {
			p.home = rapid.StringMatching(`[a-z]{1,8}:-?[0-9a-z]{1,18}`).Draw(t, "home")
		}
		return p
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "mine:page:all:", "cfg:lang:cs:telegram:-4")
}
