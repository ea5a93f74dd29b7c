package view

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// Greeting is the bot's first message in a home that has just added it: what the bot is,
// and how to begin.
func Greeting(home string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "hello.title")
	w.Say(screen.Plain, "welcome.what")
	w.Say(screen.Plain, "welcome.begin", "new", screen.Bold(w.Text("button.new")), "lesson", screen.Bold(w.Text("button.lesson")))
	language := Press{Action: ActHome, What: "page", Value: "lang", Home: home}
	w.Row(
		w.Button(screen.PressOf(ActNew), screen.Primary),
		w.Button(screen.PressOf(ActNow), screen.Success),
	)
	w.Row(
		w.Button(screen.PressOf(ActLesson), screen.Quiet),
		screen.Button{Label: w.Text("pref.lang"), Press: language.String()},
	)
	return w.Screen
}

// Invitation asks a person to join a table. It notifies only that person.
func Invitation(p table.Public, host string, who screen.Person, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, "invite.line", "host", screen.Bold(host), "player", screen.Span{Kind: screen.SpanPerson, Person: who}, "game", screen.Text(screen.GameName(c, p.Rules)))
	w.Screen.Notify = []screen.Person{who}
	w.Row(w.Button(screen.PressOf(ActJoin, p.ID), screen.Primary), w.Button(screen.PressOf(ActLesson), screen.Quiet))
	return w.Screen
}

// WithInvite returns a private screen with a button that adds the bot to a chat, unless
// the link is "".
func WithInvite(s screen.Screen, link string, c *lang.Catalogue) screen.Screen {
	if link != "" {
		s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.invite"), Link: link}})
	}
	return s
}

// GreetingRefused says to the person who added the bot to a chat that it may not write there.
// command is how they open a table.
func GreetingRefused(command string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "hello.title")
	w.Say(screen.Plain, "welcome.mute", "open", screen.Bold(command))
	w.Row(w.Button(screen.PressOf(ActLesson), screen.Primary))
	return w.Screen
}
