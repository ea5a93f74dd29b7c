package bot

import (
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
	w.Row(w.Button(screen.PressOf(view.ActSolo), screen.Quiet), w.Button(view.DailyNow, screen.Quiet), view.PuzzleButton(w))
	var row []screen.Button
	for i, key := range []string{"button.board", "button.rules", "button.settings"} {
		row = append(row, screen.Button{Label: w.Text(key), Press: screen.PressOf(view.ActHelp, helpCommands[i])})
	}
	w.Row(row...)
	return w.Screen
}
