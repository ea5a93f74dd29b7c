package daily

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// posts returns the message of that id for its chat: yesterday's board, with the podium as a picture. board is nil if
// nobody finished the deal.
func posts(id string, board *screen.Screen, chat table.Chat) []screen.Post {
	if board == nil {
		return nil
	}
	w := view.NewWriter(lang.For(chat.Lang), face.French)
	w.Screen.Blocks, w.Screen.Picture = board.Blocks, board.Picture
	w.Row(screen.Button{Label: w.Text("button.daily"), Press: view.DailyNow, Tone: screen.Primary},
		w.Button(screen.PressOf(actSilence, id), screen.Quiet))
	return view.AddressTo([]screen.Post{{Key: "news", Screen: w.Screen}}, chat)
}
