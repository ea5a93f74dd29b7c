package puzzle

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Feature returns the puzzles.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 90, Name: "puzzle", Private: true, Ephemeral: true}, Do: room.Command},
		},
		Buttons: map[string]doc.Button{
			actPuzzle: doc.Pressed(doc.Everything, parsePress, room.pressed).AtDoor(),
		},
		Kinds:   room.kinds(),
		Courses: room.courses,
	}
}
