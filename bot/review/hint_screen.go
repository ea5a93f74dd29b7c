package review

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Hint returns the move that the AI would make for the player, and why.
func Hint(p table.Private, move game.Move, why view.Reason) string {
	w := view.PrivateWriter(p)
	return screen.Cut(w.Text("hint.move", "move", view.MoveText(w, move))+"\n"+why.Text(w), chat.ToastLimit)
}
