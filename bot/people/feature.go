package people

import (
	"context"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
)

// Feature returns the settings and the data of people.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 180, Name: "settings", Masked: true, Private: true, Ephemeral: true}, Do: room.Prefs},
			{Command: chat.Command{Order: 230, Name: "privacy", Masked: true, Group: "privacy", In: "info", Private: true, Ephemeral: true}, Do: privacy},
			{
				Command: chat.Command{Order: 240, Name: "mydata", Spare: true, Group: "privacy", In: "data", Private: true, Ephemeral: true, Options: []chat.Option{{Name: "what", Choices: []string{DataExport, DataDelete}, Names: "data."}}},
				Do: func(ctx context.Context, in chat.Input) chat.Reply {
					return room.MyData(ctx, in, strings.ToLower(strings.TrimSpace(in.Args["what"])))
				},
			},
		},
		Buttons: map[string]doc.Button{
			actMine: doc.Pressed(doc.Settle, parsePress, room.Pref),
			actHome: doc.Pressed(doc.Settle, parsePress, room.Pref),
			actLook: doc.Pressed(doc.Settings, parseLook, room.look).OnPage(),
			actData: doc.Named(doc.Everything, room.MyData),

			view.ActWords: doc.Plain(room.words),
		},
		Kinds: room.kinds(),

		HomeSettings: homeSettings(), OwnSettings: ownSettings(),
	}
}
