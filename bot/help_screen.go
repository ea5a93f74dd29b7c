package bot

import (
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// HelpPage is a page of the help.
type HelpPage struct {
	Wants    []string    // what people want: each is a page
	Want     string      // the page that is open; "": the first one, with no commands
	Commands [][2]string // on the open page: each command as the reader's platform spells it, and what it does
}

// Screen shows the page.
func (p HelpPage) Screen(c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, face.French)
	if p.Want == "" {
		w.Say(screen.Title, "help.title")
		w.Say(screen.Plain, "help.what")
		w.Say(screen.Plain, "help.open")
		w.Say(screen.Plain, "help.ask")
	} else {
		w.Block(screen.Title, screen.Dots(screen.Text(w.Text("help.title")), screen.Text(w.Text("help."+p.Want))))
	}
	if p.Want == "table" {
		w.Say(screen.Plain, "help.turn")
		w.Say(screen.Plain, "help.away")
		w.Say(screen.Small, "help.picture", "letter", w.Text("picture.dealer"), "mark", screen.TakesMark)
	}
	var lines [][]screen.Span
	for _, command := range p.Commands {
		lines = append(lines, w.Spans("help.command", "name", screen.Bold(command[0]), "what", screen.Text(command[1])))
	}
	w.Block(screen.Plain, lines...)
	var row []screen.Button
	for _, want := range p.Wants {
		b := screen.Button{Label: w.Text("help." + want), Press: screen.PressOf(view.ActHelp, want)}
		if want == p.Want {
			b.Tone, b.Off = screen.Primary, true
		}
		row = append(row, b)
	}
	w.Screen.Rows = screen.Packed(row)
	w.Row(w.Button(screen.PressOf(view.ActLesson), screen.Success))
	return w.Screen
}
