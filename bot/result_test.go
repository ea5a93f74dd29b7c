package bot

import (
	"strings"
	"time"

	"sedmabot/bot/league"
	"sedmabot/game"
	"sedmabot/game/table"
)

// seated returns a match of four that Ann and Cat won. change may modify the seats first.
func seated(change func(seats []table.Seat)) league.Result {
	r, err := game.Preset("sedma-4p")
	if err != nil {
		panic(err)
	}
	over := table.MatchOver{Outcome: table.Outcome{
		MatchNo: 1, Match: game.Match{Rules: r, Scores: []int{10, 4}, Over: true, Winner: 0},
		Payments: []int{6, -6, 6, -6}, Winners: []int{0, 2},
	}}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		over.Seats = append(over.Seats, table.Seat{Player: table.Player{ID: "test:" + strings.ToLower(name), Name: name}})
	}
	if change != nil {
		change(over.Seats)
	}
	result := league.ResultOf(table.Table{}, over, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	result.Week, result.Month, result.Season = "2026-W47", "2026-11", "2026-10+3"
	return result
}
