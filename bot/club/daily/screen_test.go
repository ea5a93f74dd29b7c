package daily

import (
	"testing"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// TestBoardScreens shows the board of a day, and the questions and replies about a try.
func TestBoardScreens(t *testing.T) {
	r := gametest.Preset(t, "sedma-4p")
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		board := Board{Home: "test:1", Date: "2026-03-01", Zone: "Europe/Prague", Rules: r, Rows: []Row{
			{Rank: 1, Person: screen.Person{ID: "test:2", Name: "Petr"}, Tally: table.Tally{Score: 1.5, Points: 60}},
			{Rank: 2, Person: screen.Person{ID: "test:1", Name: "Eva"}, Tally: table.Tally{Score: -3}, Me: true},
		}, Total: 2}
		empty := Board{Home: "test:1", Date: "2026-03-02", Zone: "UTC", Rules: r, Gone: true}
		old := board
		old.Over, old.Late, old.Own, old.Earlier, old.Later = true, true, "k3", "2026-02-28", "2026-03-02"
		old.AI, old.Near = &table.Tally{Score: -1, Points: 20}, old.Rows[1:]
		screentest.Golden(t, language, "daily-board", screentest.Words(t, board.Screen(c), empty.Screen(c), old.Screen(c), playedPrivately("k3", c), view.DailyLeave("k3", c), view.DailyLeft(c)))
	})
}
