package view

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
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
		w.button(Press{Action: ActLesson}, Quiet),
		Button{Label: w.Text("pref.lang"), Press: language.String()},
	)
	return w.screen
}

// GreetingRefused says to the person who added the bot to a chat that it may not write there.
// command is how they open a table.
func GreetingRefused(command string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "hello.title")
	w.say(Plain, "welcome.mute", "command", bold(command))
	w.row(w.button(Press{Action: ActLesson}, Primary))
	return w.screen
}
