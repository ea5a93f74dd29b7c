package view

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// PuzzleButton returns the button that asks the puzzle of the day.
func PuzzleButton(w *Writer) screen.Button {
	return screen.Button{Label: w.Text("button.puzzle_today"), Press: PuzzleNow}
}

// SeatPayload is the prefix of a payload for a link to the private chat. The id of the
// table with the seat follows.
const SeatPayload = "t-"

// Said replaces a question with what was done.
func Said(what string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(what))
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
// and what the reader can do. joins is the table if the reader can take an AI's seat, or "".
func TableRuns(joins, link, what string, c *lang.Catalogue, can ...string) screen.Screen {
	w := NewWriter(c, face.French)
	w.Block(screen.Plain, screen.Text(what))
	if link != "" {
		w.Block(screen.Plain, screen.Text(link))
	}
	for _, line := range can {
		w.Block(screen.Plain, screen.Text(line))
	}
	if joins != "" {
		w.Row(w.Button(screen.PressOf(ActJoin, joins), screen.Primary))
		return w.Screen
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

// Silent says in a player's private chat that the table's chat refuses its messages.
func Silent(p table.Private) screen.Screen {
	w := PrivateWriter(p)
	if p.Phase != table.Lobby {
		w.Say(screen.Plain, "silent.match")
		return w.Screen
	}
	w.Say(screen.Plain, "silent.lobby")
	if p.Host == p.Seats[p.Seat].Player.ID {
		w.Row(w.Button(Press{Action: ActClose, Table: p.ID}.String(), screen.Danger))
	}
	return w.Screen
}

// SilentPost says to a person that a chat refuses what they asked for.
func SilentPost(c *lang.Catalogue) screen.Screen { return Said(c.Text("silent.post"), c) }

// WithInvite returns a private screen with a button that adds the bot to a chat, unless
// the link is "". If posts is set, another button posts an invitation in a chat where the bot isn't.
func WithInvite(s screen.Screen, link string, posts bool, c *lang.Catalogue) screen.Screen {
	if link != "" {
		s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.invite"), Link: link}})
	}
	if posts {
		s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.anywhere"), Press: screen.PressOf(ActNew), Share: ActNew}})
	}
	return s
}
