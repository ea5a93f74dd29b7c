package view

import (
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Reason is why the AI would make a move: one fact about the position. Cause is one of
// the AI's causes, or empty if none is known; it says which of the other fields are set.
type Reason struct {
	Cause  string
	Card   game.Card // a card to keep
	Rank   game.Rank
	Points int
}

// Hint returns the move that the AI would make for the player, and why.
func Hint(p table.Private, move game.Move, why Reason) string {
	w := own(p)
	return screen.Cut(w.Text("hint.move", "move", moveText(w, move))+"\n"+why.text(w, move), alertLimit)
}

// text returns the reason for the move in one sentence.
func (r Reason) text(w *Writer, move game.Move) string {
	cause := r.Cause
	if cause == "" {
		cause = "none"
	}
	ranks := ""
	if r.Rank != 0 {
		ranks = w.Ranks(r.Rank)
	}
	return w.Text("hint.why."+cause, "card", moveText(w, move), "keep", face.Text(w.Screen.Face, r.Card), "ranks", ranks, "points", w.Text("points", "n", r.Points))
}
