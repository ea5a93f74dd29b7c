package view

import (
	"fmt"
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// HelpPage is a page of the help.
type HelpPage struct {
	Wants    []string    // what people want: each is a page
	Want     string      // the page that is open; "": the first one, with no commands
	Commands [][2]string // on the open page: each command as the reader's platform spells it, and what it does
}

// Screen shows the page.
func (p HelpPage) Screen(c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
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
		b := screen.Button{Label: w.Text("help." + want), Press: screen.PressOf(ActHelp, want)}
		if want == p.Want {
			b.Tone, b.Off = screen.Primary, true
		}
		row = append(row, b)
	}
	w.Screen.Rows = screen.Packed(row)
	w.Row(w.Button(screen.PressOf(ActLesson), screen.Success))
	return w.Screen
}

// Hello greets a person in their private chat with the bot, with a button for each thing that
// one person can do at once. tables is the number of tables where they have a seat.
func Hello(tables int, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "hello.title")
	if tables > 0 {
		w.Say(screen.Plain, "hello.tables", "n", tables)
	} else {
		w.Say(screen.Plain, "hello.none")
		w.Say(screen.Plain, "hello.group")
	}
	w.Row(w.Button(screen.PressOf(ActLesson), screen.Primary), w.Button(screen.PressOf(ActSolo), screen.Success))
	w.Row(w.Button(DailyNow, screen.Quiet), PuzzleButton(w))
	w.Row(w.Button(screen.PressOf(ActNew), screen.Quiet), w.Button(screen.PressOf(ActNow), screen.Quiet))
	return w.Screen
}

// PuzzleButton returns the button that asks the puzzle of the day.
func PuzzleButton(w *Writer) screen.Button {
	return screen.Button{Label: w.Text("button.puzzle_today"), Press: PuzzleNow}
}

// Solo says where to play a game against the AI, in reply to a request from another
// chat. toast is shown before that. If toast is empty, the lesson is offered.
func Solo(id, toast string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	if toast != "" {
		w.Block(screen.Plain, screen.Text(toast))
	}
	w.Say(screen.Plain, "solo.private")
	row := []screen.Button{{Label: w.Text("button.private"), Private: SeatPayload + id}}
	if toast == "" {
		row = append(row, w.Button(screen.PressOf(ActLesson), screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// SeatPayload is the prefix of a payload for a link to the private chat. The id of the
// table with the seat follows.
const SeatPayload = "t-"

// MorePayload is the prefix of a payload for a link that opens More in the private chat.
// The id of the table follows it.
const MorePayload = "m-"

// Welcome greets a person who followed a link with SeatPayload, and says what the link
// did. If table is set, the person has a seat there and may leave it.
func Welcome(toast, table string, others int, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(toast))
	if table == "" {
		hello := Hello(others, c)
		w.Screen.Blocks, w.Screen.Rows = append(w.Screen.Blocks, hello.Blocks...), hello.Rows
		return w.Screen
	}
	w.Say(screen.Plain, "hello.seated")
	w.Row(w.Button(screen.PressOf(ActRules, table), screen.Quiet), w.Button(screen.PressOf(ActLeave, table), screen.Quiet))
	return w.Screen
}

// Said replaces a question with what was done.
func Said(what string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(what))
	return w.Screen
}

// AskShare says what the code of a table would do in this chat, with a button that does it.
func AskShare(p table.Public, code string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "share.ask", "game", screen.GameName(c, p.Rules))
	w.Say(screen.Plain, "share.ask.what")
	w.Row(w.Button(screen.PressOf(ActPost, code), screen.Success))
	return w.Screen
}

// TableExists says that a chat already has a table, with a link to it unless that is empty.
func TableExists(link string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	if link != "" {
		w.Say(screen.Plain, "table.exists.link", "link", screen.Text(link))
	} else {
		w.Say(screen.Plain, "reply.table_exists")
	}
	return w.Screen
}

// TableRuns says that a match is running in the chat, with a link to it unless that is empty,
// and what the reader can do.
func TableRuns(link, what string, c *lang.Catalogue, can ...string) screen.Screen {
	w := NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(what))
	if link != "" {
		w.Block(screen.Plain, screen.Text(link))
	}
	for _, line := range can {
		w.Block(screen.Plain, screen.Text(line))
	}
	w.Row(screen.Button{Label: w.Text("button.private"), Private: HelloPayload})
	return w.Screen
}

// Retired returns what is left of a message that should have been deleted, but can't be.
func Retired(c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Small, "reply.retired")
	return w.Screen
}

// Undone returns the screen with a line saying that the latest moves were undone.
func Undone(s screen.Screen, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, s.Face)
	w.Say(screen.Plain, "reply.undone")
	s.Blocks = append(w.Screen.Blocks, s.Blocks...)
	return s
}

// Kick lets the reader choose another player. The AI then plays for that player, or in
// the lobby, their seat becomes free. unknown is a name from the reader that nobody at
// the table has, or "".
func Kick(p table.Public, reader Presser, unknown string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	if unknown != "" {
		w.Say(screen.Plain, "kick.unknown", "name", screen.Text(unknown))
	}
	if p.Phase == table.Lobby {
		w.Say(screen.Title, "kick.lobby")
	} else {
		w.Say(screen.Title, "kick.title")
	}
	var row []screen.Button
	seats, others := kickable(p, reader)
	for _, seat := range seats {
		label := fmt.Sprintf("%d. %s", seat+1, screen.PlainText(face.French, SeatName(w, p, seat)))
		row = append(row, screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: Press{Action: ActKick, Table: p.ID, Place: seat}.String()})
	}
	switch {
	case !others:
		w.Say(screen.Plain, "kick.nobody")
	case len(seats) == 0:
		w.Say(screen.Plain, "refusal.no_vote")
	case p.Strangers:
		w.Say(screen.Plain, "kick.how.strangers")
	default:
		w.Say(screen.Plain, "kick.how")
	}
	for _, r := range screen.InRows(row) {
		w.Row(r...)
	}
	return w.Screen
}

// Share gives the host the code that lets another chat show the host's table. If posts is set, a button posts an
// invitation to a new table in a chat where the bot isn't.
func Share(code string, posts bool, c *lang.Catalogue, spellings ...string) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Title, "share.title")
	w.Say(screen.Plain, "share.how")
	var lines [][]screen.Span
	for _, s := range spellings {
		lines = append(lines, screen.Bold(s+" "+code))
	}
	w.Block(screen.Quote, lines...)
	w.Say(screen.Small, "share.once")
	return withPost(w.Screen, posts, c)
}

// WithInvite returns a private screen with a button that adds the bot to a chat, unless
// the link is "". If posts is set, another button posts an invitation in a chat where the bot isn't.
func WithInvite(s screen.Screen, link string, posts bool, c *lang.Catalogue) screen.Screen {
	if link != "" {
		s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.invite"), Link: link}})
	}
	return withPost(s, posts, c)
}

// withPost returns the screen with a button that posts an invitation in another chat, if posts is set.
func withPost(s screen.Screen, posts bool, c *lang.Catalogue) screen.Screen {
	if posts {
		s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.anywhere"), Press: screen.PressOf(ActNew), Share: ActNew}})
	}
	return s
}
