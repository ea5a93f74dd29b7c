package review

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// Feature returns the replays, the coach and the hints.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 170, Name: "replay", Private: true, Ephemeral: true, Options: []chat.Option{{Name: "id", Kind: chat.OptionText}}}, Do: room.Command},
		},
		Buttons: map[string]doc.Button{
			view.ActHint:   doc.Named(0, room.Hint).OnPage(),
			view.ActCoach:  doc.Pressed(doc.Settings, view.ParsePress, room.Coach).OnPages(),
			view.ActReplay: doc.Pressed(doc.Everything, view.ParsePress, room.Step).OnPages(),
			view.ActDeals:  doc.Pressed(doc.Everything, view.ParsePress, room.Step).OnPages(),
			view.ActRecord: doc.Pressed(doc.Everything, view.ParsePress, room.Step).OnPages(),
		},
		Kinds: room.kinds(),
		HomeSettings: []doc.Setting[doc.Home]{
			{Name: "keep", Order: 80, Choices: []string{"180", "30", "365"}, Field: doc.Number(func(h *doc.Home) *int { return &h.Keep })},
		},
	}
}
