package daily

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// Feature returns the deal of the day.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 80, Name: "daily", Private: true, Alone: true, Press: view.Press{Action: view.ActDaily, What: view.DailyNow}.String(), Ephemeral: true}, Do: room.Command},
		},
		Buttons: map[view.Action]doc.Button{
			view.ActDaily: {Know: doc.Everything, Do: room.Press, Page: ofThisDay},
			view.ActDay:   {Know: doc.Everything, Do: room.Press},
		},
		Kinds: room.kinds(),
	}
}

// ofThisDay reports whether a press shows the board of the day whose deal the table plays, or of an earlier day.
func ofThisDay(t table.Public, p view.Press) bool {
	return t.Daily != nil && p.Home == t.Home && p.What != view.DailyNow && p.What <= t.Daily.Date
}
