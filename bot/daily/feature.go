package daily

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// Feature returns the deal of the day.
func (room *Room) Feature() doc.Feature {
	daily := doc.Pressed(doc.Everything, view.ParsePress, room.Press)
	daily.Page = ofThisDay
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 80, Name: "daily", Private: true, Alone: true, Press: view.Press{Action: view.ActDaily, What: view.DailyNow}.String(), Ephemeral: true}, Do: room.Command},
		},
		Buttons: map[string]doc.Button{
			view.ActDaily: daily,
			view.ActDay:   doc.Pressed(doc.Everything, view.ParsePress, room.Press),
		},
		Kinds: room.kinds(),
	}
}

// ofThisDay reports whether a press shows the board of the day whose deal the table plays, or of an earlier day.
func ofThisDay(t table.Public, press string) bool {
	p, err := view.ParsePress(press)
	return err == nil && t.Daily != nil && p.Home == t.Home && p.What != view.DailyNow && p.What <= t.Daily.Date
}
