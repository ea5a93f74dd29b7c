package daily

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]press{
		"daily:now:":                      {word: "daily"},
		"daily:2026-11-21:telegram:-1009": {word: "daily", date: "2026-11-21", home: "telegram:-1009"},
		"day:2026-11-20:discord:4211":     {word: "day", date: "2026-11-20", home: "discord:4211"},
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) press {
		p := press{word: actDaily}
		if rapid.Bool().Draw(t, "a day") {
			p.word = rapid.SampledFrom([]string{actDaily, actDay}).Draw(t, "word")
			p.date, p.home = rapid.StringMatching(`[0-9]{4}-[0-9]{2}-[0-9]{2}`).Draw(t, "day"), rapid.StringMatching(`[a-z]{1,8}:-?[0-9a-z]{1,18}`).Draw(t, "home")
		}
		return p
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "daily:2026-11-21:telegram:-1009", "daily:now:", "day:2026-11-20:discord:4211")
}
