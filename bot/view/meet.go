package view

import (
	"slices"
	"strconv"

	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// These are the requests of ActMeet.
const (
	MeetAgain = "again" // find a seat for the game of a finished match
	MeetSay   = "say"   // Say a phrase of table.Phrases to strangers
	MeetApart = "apart" // don't pair the presser with a player again; Value is a seat, or MeetAsk
	MeetAsk   = "ask"   // choose the player from a list
)

// meet returns a button of ActMeet.
func (at channel) meet(w *Writer, key, what, value string, tone screen.Tone) screen.Button {
	return screen.Button{Label: w.Text(key), Press: screen.PressOf(ActMeet, at.ID, what, value), Tone: tone}
}

// again returns the button that finds a seat for another match of the same game.
func (at channel) again(w *Writer) screen.Button {
	return at.meet(w, "button.now", MeetAgain, "1", screen.Success)
}

// HelloPayload is the payload of a link that only opens the private chat.
const HelloPayload = "hello"

// strangersLobby shows a lobby of strangers to the player whose private chat it is.
func (at channel) strangersLobby() screen.Screen {
	w := at.writer()
	w.Say(screen.Title, "meet.title", "game", screen.GameName(at.c, at.Rules))
	w.Block(screen.Small, at.rulesLines(w)...)
	w.Block(screen.Plain, at.seatLines(w)...)
	if at.Phase == table.Closed {
		w.Say(screen.Plain, "closed.line")
		return w.Screen
	}
	at.counting(w)
	me := slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == at.chat.ID })
	switch {
	case me < 0:
	case at.Seats[me].Player.Seen == "":
		w.Say(screen.Small, "meet.unseen")
	default:
		w.Say(screen.Small, "meet.seen", "name", screen.Bold(at.Seats[me].Player.Seen))
	}
	row := []screen.Button{w.Button(at.press(ActWarm), screen.Primary), w.Button(at.press(ActRules), screen.Quiet), w.Button(at.press(ActLeave), screen.Quiet)}
	if at.People() > 1 {
		start := w.Button(at.press(ActStart), screen.Success)
		start.Label = w.Text("meet.start")
		row = slices.Insert(row, 0, start)
	}
	w.Row(row...)
	return w.Screen
}

// counting says how many people are here, and when a lobby that counts down begins its match.
func (at channel) counting(w *Writer) {
	if !slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" }) {
		w.Say(screen.Plain, "meet.full")
		return
	}
	when := screen.Span{Kind: screen.SpanTime, Text: w.Text("time.in", "time", screen.DurationText(w.Catalogue, table.CountDown)), At: at.Begins.Unix()}
	w.Block(screen.Plain, w.Spans("meet.here", "n", at.People(), "all", len(at.Seats)), w.Spans("meet.begins", "time", when))
}

// said shows what strangers said.
func (at channel) said(w *Writer) {
	var lines [][]screen.Span
	for _, s := range at.Said {
		if s.Seat >= 0 && s.Seat < len(at.Seats) && slices.Contains(table.Phrases, s.Phrase) {
			lines = append(lines, w.Spans("meet.says", "player", SeatName(w, at.Public, s.Seat), "phrase", screen.Text(w.Text("say."+s.Phrase))))
		}
	}
	w.Block(screen.Quote, lines...)
}

// phrases returns the buttons that say something to strangers.
func (at channel) phrases(w *Writer) []screen.Button {
	var row []screen.Button
	for _, phrase := range table.Phrases {
		row = append(row, at.meet(w, "say."+phrase, MeetSay, phrase, screen.Quiet))
	}
	return row
}

// apart returns the button that keeps the reader from being paired with the others again,
// or nil if there are no others.
func (at channel) apart(w *Writer, reader string) []screen.Button {
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
	return []screen.Button{at.meet(w, "button.apart", MeetApart, value, screen.Quiet)}
}
