package news

import (
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// actSilence is the press that ends the posts to this chat.
const actSilence = "silence"

// Feature returns what people and chats have asked to hear of.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Buttons: map[string]doc.Button{
			view.ActTell: doc.Named(doc.Everything, room.Flip),
			view.ActHush: doc.Named(doc.Everything, room.Hush),
			actSilence:   doc.Named(doc.Everything, room.Silence),
		},
		Kinds: room.kinds(),

		HomeSettings: room.postSettings(), OwnSettings: room.tellSettings(),
	}
}
