package news

import (
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// Feature returns what people and chats have asked to hear of.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Buttons: map[string]doc.Button{
			view.ActTell:    doc.Pressed(doc.Everything, view.ParsePress, room.Flip),
			view.ActHush:    doc.Pressed(doc.Everything, view.ParsePress, room.Hush),
			view.ActSilence: doc.Pressed(doc.Everything, view.ParsePress, room.Silence),
		},
		Kinds: room.kinds(),

		HomeSettings: room.postSettings(), OwnSettings: room.tellSettings(),
	}
}
