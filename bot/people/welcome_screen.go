package people

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// greeting is the bot's first message in a home that has just added it: what the bot is,
// and a button for each way to begin. start is what the app opens for the front door of the pages; "": there is no app.
func greeting(home, start string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "hello.title")
	w.Say(screen.Plain, "welcome.what")
	language := press{word: actHome, what: "page", value: "lang", home: home}
	w.Row(w.Button(screen.PressOf(view.ActNew), screen.Primary), w.Button(screen.PressOf(view.ActLesson), screen.Success))
	row := []screen.Button{w.Button(screen.PressOf(view.ActCourses), screen.Quiet), {Label: w.Text("pref.lang"), Press: language.String()}, w.Button(screen.PressOf(view.ActWords), screen.Quiet)}
	if start != "" {
		row = append([]screen.Button{{Label: w.Text("button.play_here"), Page: start}}, row...)
	}
	w.Row(row...)
	return w.Screen
}

// greetingRefused says to the person who added the bot to a chat that it may not write there.
// command is how they open a table.
func greetingRefused(command string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "hello.title")
	w.Say(screen.Plain, "welcome.mute", "open", screen.Bold(command))
	w.Row(w.Button(screen.PressOf(view.ActLesson), screen.Primary))
	return w.Screen
}
