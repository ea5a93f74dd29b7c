package tournaments

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/table"
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
			word: rapid.SampledFrom([]string{actTournament, actEvening}).Draw(t, "word"), id: rapid.StringMatching(`[0-9a-z]{1,16}`).Draw(t, "id"),
			what: rapid.StringMatching(`[a-z]{1,10}`).Draw(t, "what"), value: rapid.StringMatching(`[0-9a-z-]{1,24}`).Draw(t, "value"),
		}
	})
}

func FuzzParsePress(f *testing.F) {
	screentest.FuzzPress(f, parsePress, "cup:0123456789abc:join:0", "evening:0123456789abc:length:1-8")
}

// The question about an evening carries all that the command said, in a press that every platform takes.
func TestPlansComeBack(t *testing.T) {
	t.Parallel()
	for _, kind := range append([]string{""}, TournamentKinds...) {
		for _, game := range append([]string{""}, table.TournamentGames()...) {
			for _, weekly := range []bool{false, true} {
				want := plan{at: time.Unix(1795467600, 0), kind: kind, game: game, weekly: weekly}
				if weekly {
					want.clock = 150
				}
				got, ok := parsePlan(want.String())
				if !ok || !got.at.Equal(want.at) || got.kind != kind || got.game != game || got.weekly != weekly || got.clock != want.clock {
					t.Errorf("%+v comes back as %+v, %v", want, got, ok)
				}
				p := press{word: actEvening, id: "0123456789abc", what: eveningPlan, value: want.String()}
				if back, err := parsePress(p.String()); err != nil || back != p || len(p.String()) > screen.PressLimit {
					t.Errorf("%s: %v", p, err)
				}
			}
		}
	}
	for _, forged := range []string{"", "1", "1-so", "1-s-", "!-so-", "01-so-", "1-zo-sedma", "1-so0-", "1-so2000-"} {
		if p, ok := parsePlan(forged); ok {
			t.Errorf("%q is %+v", forged, p)
		}
	}
}
