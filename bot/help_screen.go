package bot

import (
	"slices"

	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// helpCommands are the commands that the help has buttons for, and whose screens have no press of their own.
var helpCommands = []string{"leaderboard", "rules", "settings"}

// HelpScreen says what the bot is, and has a button for each thing that people do most.
func HelpScreen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "help.title")
	w.Say(screen.Plain, "welcome.what")
	w.Say(screen.Plain, "help.open")
	w.Row(w.Button(screen.PressOf(view.ActNew), screen.Primary), w.Button(screen.PressOf(view.ActLesson), screen.Success))
	w.Row(w.Button(screen.PressOf(view.ActSolo), screen.Quiet), w.Button(view.DailyNow, screen.Quiet), w.Button(screen.PressOf(view.ActCourses), screen.Quiet))
	var row []screen.Button
	for i, key := range []string{"button.board", "button.rules", "button.settings"} {
		row = append(row, screen.Button{Label: w.Text(key), Press: screen.PressOf(view.ActHelp, helpCommands[i])})
	}
	w.Row(row...)
	return w.Screen
}

// LearnScreen says how far a person has learned the game, and has a button for the next step.
func LearnScreen(courses []doc.Course, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	w.Say(screen.Title, "button.courses")
	var lines [][]screen.Span
	var next, daily screen.Button
	about := ""
	for _, course := range courses {
		if len(course.Line) > 0 {
			lines = append(lines, course.Line)
		}
		switch {
		case course.Daily:
			daily = course.Next
		case next.Press == "":
			next, about = course.Next, course.About
		}
	}
	w.Block(screen.Plain, lines...)
	if about != "" {
		w.Block(screen.Small, screen.Text(about))
	}
	next.Tone = screen.Primary
	w.Row(slices.DeleteFunc([]screen.Button{next, daily}, func(b screen.Button) bool { return b.Press == "" })...)
	return w.Screen
}
