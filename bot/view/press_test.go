package view

import (
	"testing"

	"pgregory.net/rapid"

	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

func TestPressRoundTrips(t *testing.T) {
	screentest.RoundTrips(t, ParsePress, func(t *rapid.T) Press {
		p := Press{
			Action: rapid.SampledFrom([]string{
				ActJoin, ActLeave, ActAI, ActUnAI, ActStart, ActRules, ActCards, ActPlay, ActPlace, ActBack, ActRematch, ActShorter, ActClose, ActLast, ActSet, ActDefault, ActKick, ActRest, ActResume,
			}).Draw(t, "action"),
			Table: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "table"),
		}
		count := rapid.IntRange(0, 999_999_999)
		switch p.Action {
		case ActSet:
			p.What = rapid.StringMatching(`[a-z_]{1,21}`).Draw(t, "what")
			p.Value = rapid.StringMatching(`[0-9a-z-]{1,20}`).Draw(t, "value")
		case ActPlay:
			moves := []game.Move{game.Stop, game.Dark, game.Pass}
			for _, name := range game.Presets() {
				r := gametest.Preset(t, name)
				for _, c := range r.Pack() {
					moves = append(moves, game.PlayCard(c))
				}
			}
			p.Deal, p.Turn, p.Move = count.Draw(t, "deal"), count.Draw(t, "turn"), rapid.SampledFrom(moves).Draw(t, "move")
		case ActKick:
			p.Place = count.Draw(t, "seat")
			p.What = rapid.StringMatching(`|[0-9a-f]{4}`).Draw(t, "mark")
		case ActPlace:
			p.Deal, p.Turn, p.Place = count.Draw(t, "deal"), count.Draw(t, "ply"), count.Draw(t, "place")
			if p.Place == 0 {
				p.Move = rapid.SampledFrom([]game.Move{game.Stop, game.Dark, game.Pass}).Draw(t, "move")
			}
		default: // carries only the table
		}
		return p
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, ParsePress, "join:a1", "play:k3:12:7:9h", "place:k3:12:31:stop", "place:k3:12:31:4")
}
