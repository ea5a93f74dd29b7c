package view

import (
	"errors"
	"fmt"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Help says how it goes. Each line of commands is a command as the reader's
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
	return w.screen
}

// Hello greets somebody in his private chat with the bot, who sits at so many
// tables.
func Hello(tables int, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.say(Title, "hello.title")
	if tables == 0 {
		w.say(Plain, "hello.none")
		w.row(w.button(Press{Action: ActLesson}, Primary))
	} else {
		w.say(Plain, "hello.tables", "n", tables)
	}
	return w.screen
}

// Solo says where a game against the AI is that was asked for in another chat, and
// before that what there is to say of it. Where there is nothing, the lesson is offered.
func Solo(id, said string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if said != "" {
		w.block(Plain, text(said))
	}
	w.say(Plain, "solo.private")
	row := []Button{{Label: w.Text("button.private"), Private: SeatPayload + id}}
	if said == "" {
		row = append(row, w.button(Press{Action: ActLesson}, Quiet))
	}
	w.row(row...)
	return w.screen
}

// SeatPayload begins the payload of a link to the private chat that leads to a
// seat at a table, whose id follows.
const SeatPayload = "t-"

// Welcome greets somebody who came by such a link with what became of it. With a
// table he sits there, and may leave it.
func Welcome(said, table string, others int, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.block(Plain, text(said))
	if table == "" {
		w.screen.Blocks = append(w.screen.Blocks, Hello(others, c).Blocks...)
		return w.screen
	}
	w.say(Plain, "hello.seated")
	w.row(w.button(Press{Action: ActRules, Table: table}, Quiet), w.button(Press{Action: ActLeave, Table: table}, Quiet))
	return w.screen
}

// TableExists says that a chat has a table, and where it is: a link, or if that
// is empty its id.
func TableExists(id, link string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	if link != "" {
		w.say(Plain, "table.exists.link", "link", text(link))
	} else {
		w.say(Plain, "table.exists", "table", bold(id))
	}
	return w.screen
}

// Undone returns the screen with a line that the last moments were undone.
func Undone(s Screen, c *lang.Catalogue) Screen {
	w := newWriter(c, s.Face)
	w.say(Plain, "reply.undone")
	s.Blocks = append(w.screen.Blocks, s.Blocks...)
	return s
}

// ruleKeys are the texts of violations of the rules of play.
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

// Refusal tells a person why what he wanted was not done. An error that is no
// refusal is one apologetic sentence.
func Refusal(err error, c *lang.Catalogue) string {
	var rule game.Rule
	if errors.As(err, &rule) {
		if key, ok := ruleKeys[rule]; ok {
			return c.Text(key)
		}
	}
	var refusal table.Refusal
	if errors.As(err, &refusal) {
		if key := "refusal." + string(refusal); c.Has(key) {
			return c.Text(key)
		}
	}
	return c.Text("reply.trouble")
}

// Kick offers the people at a table, but for the reader, whose seat the AI shall
// play, or in the lobby shall be free. unknown is a name that nobody there has, if
// the reader gave one.
func Kick(p table.Public, reader, unknown string, c *lang.Catalogue) Screen {
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
	for i, s := range p.Seats {
		if s.Player.ID == "" || s.Player.ID == reader || s.Away || s.Left {
			continue
		}
		label := fmt.Sprintf("%d. %s", i+1, plainText(face.French, seatName(w, p, i)))
		row = append(row, Button{Label: cut(label, labelLength), Press: Press{Action: ActKick, Table: p.ID, Place: i}.String()})
	}
	if len(row) == 0 {
		w.say(Plain, "kick.nobody")
		return w.screen
	}
	w.say(Plain, "kick.how")
	for _, r := range inRows(row) {
		w.row(r...)
	}
	return w.screen
}

// Share tells the host the code by which one more chat shows his table.
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
	return w.screen
}
