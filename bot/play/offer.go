package play

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// Offer returns the invitation to a new table that a person may post in a chat where the bot isn't. Whoever presses
// its button opens the table, unless the platform says where it was posted: then it is the person who posted it.
func (room *Room) Offer(in chat.Input) chat.Offer {
	w := view.NewWriter(in.Catalogue(), face.French)
	w.Say(screen.Plain, "offer.table.line", "player", screen.Bold(chat.CleanName(in.Player.Name)))
	w.Say(screen.Small, "offer.table.how")
	w.Row(w.Button(screen.PressOf(view.ActNew), screen.Success))
	return chat.Offer{ID: chat.OfferTable, Title: in.Text("button.new"), Screen: w.Screen}
}
