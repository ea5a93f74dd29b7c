package daily

import (
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game/table"
)

// The message about Sunday's match: the sign-up, and what comes of it.
func TestFinalScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		week := []standing{{Player: "test:2", Name: "Petr", Score: 4.5, Points: 300, Deals: 6}, {Player: "test:1", Name: "Eva", Score: -1, Points: 120, Deals: 3}}
		f := Final{Home: "telegram:-1001234567890", Date: "2026-11-22", At: time.Date(2026, 11, 22, 19, 0, 0, 0, time.UTC)}
		var all []screen.Screen
		all = append(all, f.screen(week, c))
		f.In = []table.Player{{ID: "test:1", Name: "Eva"}, {ID: "test:2", Name: "Petr"}}
		all = append(all, f.screen(week, c))
		for _, result := range []string{finalPlays, finalFew, finalBusy, finalMissed} {
			f.Result = result
			all = append(all, f.screen(week, c))
		}
		screentest.Golden(t, language, "final", screentest.Words(t, all...))
	})
}
