package tournaments

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

// Feature returns the tournaments, and those at a set time.
func (room *Room) Feature() doc.Feature {
	words := []chat.Option{
		{Name: "kind", Choices: TournamentKinds, Names: "kind."},
		{Name: "game", Choices: table.TournamentGames(), Names: "game."},
		{Name: "repeat", Choices: []string{"once", "weekly"}, Names: "repeat."},
		{Name: "when"},
	}
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 130, Name: "tournament", Ephemeral: true, AnyOrder: true, Options: words}, Do: room.Command},
			{Command: chat.Command{Order: 140, Name: "evening", Spare: true, Ephemeral: true, AnyOrder: true, Options: words}, Do: room.Evening},
		},
		Buttons: map[string]doc.Button{
			actTournament: doc.Pressed(doc.Everything, parsePress, room.pressed).Beginning(),
			actEvening:    doc.Pressed(doc.Everything, parsePress, room.eveningPressed),
		},
		Kinds: room.kinds(),
	}
}
