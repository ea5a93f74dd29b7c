package view

import (
	"slices"
	"strconv"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
)

// These are the requests of ActMeet.
const (
	MeetAgain = "again" // find a seat for the game of a finished match
	MeetSay   = "say"   // say a phrase of table.Phrases to strangers
	MeetApart = "apart" // don't pair the presser with a player again; Value is a seat, or MeetAsk
	MeetAsk   = "ask"   // choose the player from a list
)

// meet returns a button of ActMeet.
func (at channel) meet(w *writer, key, what, value string, tone Tone) Button {
	return Button{Label: w.Text(key), Press: Press{Action: ActMeet, Table: at.ID, What: what, Value: value}.String(), Tone: tone}
}

// again returns the button that finds a seat for another match of the same game.
func (at channel) again(w *writer) Button {
	return at.meet(w, "button.now", MeetAgain, "1", Success)
}

// Meeting tells a person in another chat that a table of strangers is in their private chat.
func Meeting(toast string, c *lang.Catalogue) Screen {
	w := newWriter(c, face.French)
	w.block(Plain, text(toast))
	w.say(Plain, "meet.private")
	w.row(Button{Label: w.Text("button.private"), Private: HelloPayload})
	return w.Screen
}

// HelloPayload is the payload of a link that only opens the private chat.
const HelloPayload = "hello"

// strangersLobby shows a lobby of strangers to the player whose private chat it is.
func (at channel) strangersLobby() Screen {
	w := at.writer()
	w.say(Title, "meet.title", "game", GameName(at.c, at.Rules))
	w.block(Small, at.rulesLines(w)...)
	w.block(Plain, at.seatLines(w)...)
	if at.Phase == table.Closed {
		w.say(Plain, "closed.line")
		return w.Screen
	}
	at.counting(w)
	me := slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == at.chat.ID })
	switch {
	case me < 0:
	case at.Seats[me].Player.Seen == "":
		w.say(Small, "meet.unseen")
	default:
		w.say(Small, "meet.seen", "name", bold(at.Seats[me].Player.Seen))
	}
	row := []Button{w.button(at.press(ActLeave), Quiet), w.button(at.press(ActRules), Quiet)}
	if at.Host == at.chat.ID {
		row = slices.Insert(row, 0, w.button(at.press(ActStart), Success))
	}
	w.row(row...)
	return w.Screen
}

// counting says when a lobby that counts down begins its match.
func (at channel) counting(w *writer) {
	if !slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" }) {
		w.say(Plain, "meet.full")
		return
	}
	when := Span{Kind: SpanTime, Text: w.Text("time.in", "time", duration(w, table.CountDown)), At: at.Begins.Unix()}
	w.say(Plain, "meet.begins", "time", when)
}

// said shows what strangers said.
func (at channel) said(w *writer) {
	var lines [][]Span
	for _, s := range at.Said {
		if s.Seat >= 0 && s.Seat < len(at.Seats) && slices.Contains(table.Phrases, s.Phrase) {
			lines = append(lines, w.spans("meet.says", "player", seatName(w, at.Public, s.Seat), "phrase", text(w.Text("say."+s.Phrase))))
		}
	}
	w.block(Quote, lines...)
}

// phrases returns the buttons that say something to strangers.
func (at channel) phrases(w *writer) []Button {
	var row []Button
	for _, phrase := range table.Phrases {
		row = append(row, at.meet(w, "say."+phrase, MeetSay, phrase, Quiet))
	}
	return row
}

// apart returns the button that keeps the reader from being paired with the others again,
// or nil if there are no others.
func (at channel) apart(w *writer, reader string) []Button {
	value, others := "", 0
	for i, s := range at.Seats {
		if s.Player.ID != "" && s.Player.ID != reader {
			value, others = strconv.Itoa(i), others+1
		}
	}
	if others > 1 {
		value = MeetAsk
	}
	if others == 0 {
		return nil
	}
	return []Button{at.meet(w, "button.apart", MeetApart, value, Quiet)}
}

// Apart lets the reader choose a player at a table of strangers with whom they don't want
// to be paired again. me is the reader's seat.
func Apart(p table.Public, me int, c *lang.Catalogue) Screen {
	at := channel{Public: p, c: c, face: face.French}
	w := at.writer()
	w.say(Title, "button.apart")
	w.say(Plain, "meet.apart")
	var row []Button
	for i, s := range p.Seats {
		if i != me && s.Player.ID != "" {
			b := at.meet(w, "button.apart", MeetApart, strconv.Itoa(i), Quiet)
			b.Label = cut(strconv.Itoa(i+1)+". "+plainText(face.French, seatName(w, p, i)), labelLength)
			row = append(row, b)
		}
	}
	for _, r := range inRows(row) {
		w.row(r...)
	}
	return w.Screen
}
