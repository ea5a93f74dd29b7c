package boards

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/league"
	"sedmabot/bot/screen/screentest"
)

func TestOldPresses(t *testing.T) {
	screentest.OldPresses(t, parsePress, map[string]Press{
		"ladder:season:all:0:0":    {word: "ladder", Period: "season", Family: "all"},
		"ladder:week:sedma:10:1":   {word: "ladder", Period: "week", Family: "sedma", From: 10, Where: 1},
		"hall:season:sedma-4p:0:0": {word: "hall", Period: "season", Family: "sedma-4p"},
		"seen:month:all:20:1":      {word: "seen", Period: "month", Family: "all", From: 20, Where: 1},
		"unseen:all:hola:0:1":      {word: "unseen", Period: "all", Family: "hola", Where: 1},
	})
}

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, parsePress, func(t *rapid.T) Press {
		return Press{
			word: rapid.SampledFrom([]string{actLadder, actHall, actSeen, actUnseen}).Draw(t, "word"), Period: rapid.SampledFrom(league.Periods).Draw(t, "period"),
			Family: rapid.SampledFrom(league.BoardFamilies()).Draw(t, "family"), From: rapid.IntRange(0, 999_999_999).Draw(t, "from"), Where: rapid.IntRange(0, 1).Draw(t, "where"),
		}
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "ladder:week:sedma:10:1", "hall:season:sedma-4p:0:0", "seen:month:all:20:1", "unseen:all:hola:0:1")
}
