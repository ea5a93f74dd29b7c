package review

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// A hint names the card and the reason for it, in every language and for every reason, and
// fits uncut into an alert: 200 characters.
func TestHintFitsIntoAnAlert(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	played, kept := game.Move(game.NewCard('T', 'h')), game.Move(game.NewCard('7', 'l'))
	cards := r.Pack()[:7] // as many as can beat a card of this game
	sure := map[ai.Cause]bool{ai.Over: true, ai.Feed: true, ai.Pair: true, ai.Final: true, ai.Ends: true}
	for _, language := range lang.Languages() {
		p := table.Private{Public: table.Public{Lasting: table.Lasting{Rules: r}}}
		p.Seats = []table.Seat{{Player: table.Player{PlayerSettings: table.PlayerSettings{Lang: language}}}}
		seen := map[string]ai.Reason{}
		for _, cause := range append(ai.Causes, ai.NoCause) {
			for _, why := range []ai.Reason{
				{Cause: cause, Better: played, Other: kept, Cards: cards, Points: 20, Than: 110}, {Cause: cause, Better: played, Other: game.Stop, Cards: cards, Points: 20, Than: 110},
				{Cause: cause, Better: game.Stop, Other: kept, Cards: cards, Points: 0, Than: 110},
				{Cause: cause, Better: played, Other: kept, Cards: cards, Points: 120, Than: 110, Missing: cards[:2], Own: true, Several: true},
				{Cause: cause, Better: played, Other: kept, Cards: cards[:2], Points: 20, Sure: sure[cause]},
				{Cause: cause, Better: played, Other: kept, Cards: cards[:4], Points: 20, Than: 50, Lead: cause == ai.Feed, Own: cause == ai.Spare},
			} {
				got := Hint(p, why.Better, view.Reason(why))
				_, text, _ := strings.Cut(got, "\n")
				switch {
				case utf8.RuneCountInString(got) > 200 || strings.HasSuffix(got, "…"):
					t.Errorf("%s, %+v: too long: %q", language, why, got)
				case strings.Contains(got, "{") || text == "":
					t.Errorf("%s, %+v: %q", language, why, got)
				case why.Better != game.Stop && why.Other != game.Stop && cause != ai.NoCause && !strings.ContainsAny(text, "17"):
					t.Errorf("%s, %+v: it names no card: %q", language, why, got)
				}
				if other, twice := seen[text]; twice && other.Cause != cause {
					t.Errorf("%s: %s and %s read alike: %q", language, cause, other.Cause, text)
				}
				seen[text] = why
			}
		}
	}
}
