package daily

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

// Feature returns the deal of the day, and the regular post of its board.
func (room *Room) Feature() doc.Feature {
	daily := doc.Pressed(doc.Everything, parsePress, room.pressed).AtDoor().Beginning()
	daily.Page = ofThisDay
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 80, Name: "daily", Private: true, Ephemeral: true}, Do: room.Command},
		},
		Buttons: map[string]doc.Button{
			actDaily:   daily,
			actDay:     doc.Pressed(doc.Everything, parsePress, room.pressed).AtDoor(),
			actSilence: doc.Named(doc.Everything, room.posting.silence),
		},
		Kinds: room.kinds(), HomeSettings: room.posting.settings(),
	}
}

// ofThisDay reports whether a press shows the board of the day whose deal the table plays, or of an earlier day.
func ofThisDay(t table.Public, press string) bool {
	p, err := parsePress(press)
	return err == nil && t.Daily != nil && p.home == t.Home && p.date != "" && p.date <= t.Daily.Date
}
