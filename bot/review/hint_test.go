package review

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
)

// A hint names the card and the reason for it, in every language and for every reason, and
// fits uncut into an alert: 200 characters.
func TestHintFitsIntoAnAlert(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	played, kept := game.NewCard('T', 'h'), game.NewCard('7', 'l')
	for _, language := range lang.Languages() {
		p := table.Private{Public: table.Public{Lasting: table.Lasting{Rules: r}}}
		p.Seats = []table.Seat{{Player: table.Player{PlayerSettings: table.PlayerSettings{Lang: language}}}}
		seen := map[string]ai.Cause{}
		for _, cause := range append(ai.Causes, ai.NoCause) {
			got := Hint(p, game.Move(played), reason(ai.Reason{Cause: cause, Card: kept, Rank: 'O', Points: 110}))
			card, why, _ := strings.Cut(got, "\n")
			switch {
			case utf8.RuneCountInString(got) > 200 || strings.HasSuffix(got, "…"):
				t.Errorf("%s, %s: too long: %q", language, cause, got)
			case strings.Contains(got, "{") || why == "" || !strings.Contains(card, "10"):
				t.Errorf("%s, %s: %q", language, cause, got)
			case (cause == ai.Save || cause == ai.Risky) && !strings.Contains(why, "7"):
				t.Errorf("%s, %s: the kept card is missing: %q", language, cause, got)
			}
			if other, twice := seen[why]; twice {
				t.Errorf("%s: %s and %s read alike: %q", language, cause, other, why)
			}
			seen[why] = cause
		}
	}
}
