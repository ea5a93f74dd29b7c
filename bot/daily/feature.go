package daily

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// Feature returns the deal of the day.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 80, Name: "daily", Private: true, Alone: true, Press: view.Press{Action: view.ActDaily, What: view.DailyNow}.String(), Ephemeral: true}, Do: room.Command},
		},
		Buttons: map[view.Action]doc.Button{
			view.ActDaily: {Know: doc.Everything, Do: room.Press},
			view.ActDay:   {Know: doc.Everything, Do: room.Press},
		},
		Kinds: room.kinds(),
	}
}
