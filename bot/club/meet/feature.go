package meet

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
)

// Feature returns what finds people to play with.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 20, Name: "play", AnyOrder: true, Private: true, Options: tables.GameOptions()}, Do: room.Play, Complete: tables.Suggest},
		},
		Buttons: map[string]doc.Button{
			view.ActNow:  doc.Plain(room.Play).AtDoor().Beginning(),
			view.ActMeet: doc.Pressed(doc.Everything, parsePress, room.Press).OnPage().Beginning(),
			view.ActTell: doc.Named(doc.Everything, room.Flip),
			view.ActHush: doc.Named(doc.Everything, room.Hush),
		},
		Kinds:   room.kinds(),
		Courses: courses,
		HomeSettings: []doc.Setting[doc.Home]{
			{Name: "strangers", Group: screen.GroupMay, Order: 60, Choices: []string{doc.Off, doc.On}, Field: doc.Flag(doc.On, func(h *doc.Home) *bool { return &h.Strangers })},
		},
		OwnSettings: room.tellSettings(),
	}
}

// courses returns what comes after the AI's opponents: people.
func courses(_ context.Context, in chat.Input) ([]doc.Course, error) {
	w := view.NewWriter(in.Catalogue(), face.French)
	return []doc.Course{{Order: 50, About: w.Text("ladder.top"), Next: w.Button(screen.PressOf(view.ActNow), screen.Quiet)}}, nil
}
