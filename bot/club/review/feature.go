package review

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// Feature returns the replays, the coach and the hints.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 170, Name: "replay", Private: true, Ephemeral: true, Options: []chat.Option{{Name: "id", Kind: chat.OptionText}}}, Do: room.Command},
		},
		Buttons: map[string]doc.Button{
			view.ActHint: doc.Named(0, room.Hint).OnPage(),
			actSend:      doc.Pressed(doc.Everything, parsePress, room.send),
			actFilm:      doc.Pressed(doc.Everything, parsePress, room.film),
			actCoach:     doc.Pressed(doc.Settings, parsePress, room.coach).OnPages(),
			actRetry:     doc.Pressed(doc.Settings, parseRetry, room.retry).OnPages().Beginning(),
			actReplay:    doc.Pressed(doc.Everything, parsePress, room.step).OnPages(),
			actDeals:     doc.Pressed(doc.Everything, parsePress, room.step).OnPages(),
			actCheck:     doc.Pressed(doc.Everything, parsePress, room.step).OnPages(),
			actRecord:    doc.Pressed(doc.Everything, parsePress, room.step).OnPages(),
		},
		Kinds: room.kinds(),
		HomeSettings: []doc.Setting[doc.Home]{
			{Name: "keep", Group: screen.GroupRecords, Order: 80, Choices: []string{"180", "30", "365"}, Field: doc.Number(func(h *doc.Home) *int { return &h.Keep })},
		},
	}
}
