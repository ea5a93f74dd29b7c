package view

import (
	"errors"
	"fmt"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Help explains how to use the bot. Each of commands is a command as the reader's
// platform spells it, and what it does.
func Help(c *lang.Catalogue, commands ...[2]string) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "help.title")
	for _, key := range []string{"help.what", "help.open", "help.play", "help.away"} {
		w.say(Plain, key)
	}
	var lines [][]Span
	for _, command := range commands {
		lines = append(lines, w.spans("help.command", "name", bold(command[0]), "what", text(command[1])))
	}
	if len(lines) > 0 {
		w.say(Plain, "help.commands")
		w.block(Quote, lines...)
	}
	w.row(w.button(Press{Action: ActLesson}, Primary))
	return w.Screen
}

// Hello greets a person in their private chat with the bot. tables is the number of
// tables where they have a seat.
func Hello(tables int, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "hello.title")
	if tables == 0 {
		w.say(Plain, "hello.none")
		w.row(w.button(Press{Action: ActLesson}, Primary), w.button(Press{Action: ActNow}, Success))
	} else {
		w.say(Plain, "hello.tables", "n", tables)
	}
	return w.Screen
}

// Solo says where to play a game against the AI, in reply to a request from another
// chat. toast is shown before that. If toast is empty, the lesson is offered.
func Solo(id, toast string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if toast != "" {
		w.block(Plain, text(toast))
	}
	w.say(Plain, "solo.private")
	row := []Button{{Label: w.Text("button.private"), Private: SeatPayload + id}}
	if toast == "" {
		row = append(row, w.button(Press{Action: ActLesson}, Quiet))
	}
	w.row(row...)
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
func Welcome(toast, table string, others int, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.block(Plain, text(toast))
	if table == "" {
		w.Screen.Blocks = append(w.Screen.Blocks, Hello(others, c).Blocks...)
		return w.Screen
	}
	w.say(Plain, "hello.seated")
	w.row(w.button(Press{Action: ActRules, Table: table}, Quiet), w.button(Press{Action: ActLeave, Table: table}, Quiet))
	return w.Screen
}

// TableExists says that a chat already has a table, with a link to it unless that is empty.
func TableExists(link string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if link != "" {
		w.say(Plain, "table.exists.link", "link", text(link))
	} else {
		w.say(Plain, "table.exists")
	}
	return w.Screen
}

// TableRuns says that a match is running in the chat, with a link to it unless that is empty,
// and what the reader can do.
func TableRuns(link, what string, c *lang.Catalogue, can ...string) Screen {
	w := newWriter(c, face.French)
	w.block(Plain, text(what))
	if link != "" {
		w.block(Plain, text(link))
	}
	for _, line := range can {
		w.block(Plain, text(line))
	}
	w.row(Button{Label: w.Text("button.private"), Private: HelloPayload})
	return w.Screen
}

// Retired returns what is left of a message that should have been deleted, but can't be.
func Retired(c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Small, "reply.retired")
	return w.Screen
}

// Undone returns the screen with a line saying that the latest moves were undone.
func Undone(s Screen, c *lang.Catalogue) Screen {
	w := newWriter(c, s.Face)
	w.say(Plain, "reply.undone")
	s.Blocks = append(w.Screen.Blocks, s.Blocks...)
	return s
}

// ruleKeys are the text keys for moves that break a rule of play.
var ruleKeys = map[game.Rule]string{
	game.DealOver:        "rule.deal_over",
	game.NotOnTurn:       "rule.not_on_turn",
	game.NotInHand:       "rule.not_in_hand",
	game.NotContinuation: "rule.not_continuation",
	game.LeadBanned:      "rule.lead_banned",
	game.NoDark:          "rule.no_dark",
	game.NoPass:          "rule.no_pass",
	game.NoStop:          "rule.no_stop",
	game.NoMove:          "rule.no_move",
}

// Refusal returns the catalogue key of the reason why a person's request was refused.
// For an error that is not a refusal, it returns the key of an apology.
func Refusal(err error) string {
	var rule game.Rule
	if errors.As(err, &rule) {
		if key, ok := ruleKeys[rule]; ok {
			return key
		}
	}
	var refusal table.Refusal
	if errors.As(err, &refusal) {
		if key := "refusal." + string(refusal); lang.For("en").Has(key) {
			return key
		}
	}
	return "reply.trouble"
}

// Kick lets the reader choose another player. The AI then plays for that player, or in
// the lobby, their seat becomes free. unknown is a name from the reader that nobody at
// the table has, or "".
func Kick(p table.Public, reader Presser, unknown string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if unknown != "" {
		w.say(Plain, "kick.unknown", "name", text(unknown))
	}
	if p.Phase == table.Lobby {
		w.say(Title, "kick.lobby")
	} else {
		w.say(Title, "kick.title")
	}
	var row []Button
	seats, others := kickable(p, reader)
	for _, seat := range seats {
		label := fmt.Sprintf("%d. %s", seat+1, plainText(face.French, seatName(w, p, seat)))
		row = append(row, Button{Label: cut(label, labelLength), Press: Press{Action: ActKick, Table: p.ID, Place: seat}.String()})
	}
	switch {
	case !others:
		w.say(Plain, "kick.nobody")
	case len(seats) == 0:
		w.say(Plain, "refusal.no_vote")
	case p.Strangers:
		w.say(Plain, "kick.how.strangers")
	default:
		w.say(Plain, "kick.how")
	}
	for _, r := range inRows(row) {
		w.row(r...)
	}
	return w.Screen
}

// Share gives the host the code that lets another chat show the host's table.
func Share(code string, c *lang.Catalogue, spellings ...string) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "share.title")
	w.say(Plain, "share.how")
	var lines [][]Span
	for _, s := range spellings {
		lines = append(lines, bold(s+" "+code))
	}
	w.block(Quote, lines...)
	w.say(Small, "share.once")
	return w.Screen
}
