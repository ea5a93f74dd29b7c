package news

import (
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// Feature returns what people and chats have asked to hear of.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Buttons: map[view.Action]doc.Button{
			view.ActTell:    {Know: doc.Everything, Do: room.Flip},
			view.ActHush:    {Know: doc.Everything, Do: room.Hush},
			view.ActSilence: {Know: doc.Everything, Do: room.Silence},
		},
		Kinds: room.kinds(),

		HomeSettings: room.postSettings(), OwnSettings: room.tellSettings(),
	}
}
