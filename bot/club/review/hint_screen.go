package review

import (
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Hint returns the move that the AI would make for the player, and why.
func Hint(p table.Private, move game.Move, why view.Reason) string {
	w := view.PrivateWriter(p)
	first := w.Text("hint.move", "move", view.MoveText(w, move)) + "\n"
	return first + why.Brief(w, chat.ToastLimit-utf8.RuneCountInString(first))
}
