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
		Buttons: map[view.Action]doc.Button{
			view.ActHint:   doc.Named(0, room.Hint),
			view.ActCoach:  {Know: doc.Settings, Do: room.Coach},
			view.ActReplay: {Know: doc.Everything, Do: room.Step},
			view.ActDeals:  {Know: doc.Everything, Do: room.Step},
			view.ActRecord: {Know: doc.Everything, Do: room.Step},
		},
		Kinds: room.kinds(),
	}
}
