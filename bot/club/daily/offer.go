package daily

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// Posts returns the invitation to the deal of the day, which a person may post in a chat where the bot isn't. Its link
// opens the private chat, and begins the deal of the home of the person who follows it.
func (room *Room) Posts(in chat.Input) []chat.Offer {
	w := view.NewWriter(in.Catalogue(), face.French)
	w.Say(screen.Plain, "offer.daily.line", "player", screen.Bold(chat.CleanName(in.Player.Name)))
	w.Row(screen.Button{Label: w.Text("button.daily"), Private: view.DailyLink(in.Player.ID), Tone: screen.Success})
	return []chat.Offer{{ID: chat.OfferDaily, Title: in.Text("button.daily"), Screen: w.Screen}}
}
