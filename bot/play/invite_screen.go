package play

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// invitation asks a person to join a table. It notifies only that person.
func invitation(p table.Public, host string, who screen.Person, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Plain, "invite.line", "host", screen.Bold(host), "player", screen.Span{Kind: screen.SpanPerson, Person: who}, "game", screen.Text(screen.GameName(c, p.Rules)))
	w.Screen.Notify = []screen.Person{who}
	w.Row(w.Button(screen.PressOf(view.ActJoin, p.ID), screen.Primary), w.Button(screen.PressOf(view.ActLesson), screen.Quiet))
	return w.Screen
}
