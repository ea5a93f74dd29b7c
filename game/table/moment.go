package table

import (
	"slices"

	"sedmabot/game"
)

// shown returns the deal as the table's messages show it, given its current public view.
// They show the latest moment that people need: a person's turn, or the end of a trick or
// deal. Moves of the AI in between appear with the next such moment, so each of them needs
// one picture only.
func (t *Table) shown(now game.View) game.View {
	if t.Phase != Playing || len(now.Trick) == 0 || !t.Seats[t.turn()].auto() {
		return now
	}
	ply := trickStart(now)
	for i := ply; i < len(now.Log); i++ {
		if !t.Seats[now.Log[i].Seat].auto() {
			ply = i
		}
	}
	return t.Deal.Before(ply).View(game.Nobody)
}

// trickStart returns the index in the log of the move that began the open trick.
func trickStart(v game.View) int {
	cards := len(v.Trick)
	for i, e := range slices.Backward(v.Log) {
		if e.Card != 0 {
			cards--
		}
		if cards == 0 {
			return i
		}
	}
	return len(v.Log)
}
