package view

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
)

// Greeting is the bot's first message in a home that has just added it: what the bot is,
// and how to begin.
func Greeting(home string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "hello.title")
	w.say(Plain, "welcome.what")
	w.say(Plain, "welcome.begin", "new", bold(w.Text("button.new")), "lesson", bold(w.Text("button.lesson")))
	language := Press{Action: ActHome, What: "page", Value: "lang", Home: home}
	w.row(
		w.button(Press{Action: ActNew}, Primary),
		w.button(Press{Action: ActNow}, Success),
	)
	w.row(
		w.button(Press{Action: ActLesson}, Quiet),
		Button{Label: w.Text("pref.lang"), Press: language.String()},
	)
	return w.Screen
}

// Invitation asks a person to join a table. It notifies only that person.
func Invitation(p table.Public, host string, who Person, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Plain, "invite.line", "host", bold(host), "player", Span{Kind: SpanPerson, Person: who}, "game", text(GameName(c, p.Rules)))
	w.Screen.Notify = []Person{who}
	w.row(w.button(Press{Action: ActJoin, Table: p.ID}, Primary), w.button(Press{Action: ActLesson}, Quiet))
	return w.Screen
}

// WithInvite returns a private screen with a button that adds the bot to a chat, unless
// the link is "".
func WithInvite(s Screen, link string, c *lang.Catalogue) Screen {
	if link != "" {
		s.Rows = append(slices.Clone(s.Rows), []Button{{Label: c.Text("button.invite"), Link: link}})
	}
	return s
}

// GreetingRefused says to the person who added the bot to a chat that it may not write there.
// command is how they open a table.
func GreetingRefused(command string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "hello.title")
	w.say(Plain, "welcome.mute", "open", bold(command))
	w.row(w.button(Press{Action: ActLesson}, Primary))
	return w.Screen
}
