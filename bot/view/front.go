package view

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// FrontDoor is the phase, and in place of a table's id, of a page whose reader is at no table.
const FrontDoor = "front"

// Show is the first word of the press that shows a table on a page. Only pages have such buttons.
const Show = "show"

// FrontTable is a table to which the front door leads.
type FrontTable struct {
	table.Public
	Sits bool // the reader has a seat at it
}

// FrontLive returns what a page shows to a reader who is at no table: what they can play. tables are those at which the
// reader sits, and the one of the chat from which they came. here: they came from a chat, where they may open a table if
// none is open. fresh: they are new to the game, so the tutorial comes first unless a table waits for them.
func FrontLive(tables []FrontTable, here, opens, fresh bool, reader face.Face, c *lang.Catalogue) Live {
	w := NewWriter(c, face.For(reader, c.Code(), game.German32))
	w.Say(screen.Title, "front.title")
	if !here {
		w.Say(screen.Small, "hello.group")
	}
	main := screen.Primary // of the first of these: there is one main button
	tone := func() (t screen.Tone) {
		t, main = main, screen.Quiet
		return t
	}
	for _, t := range tables {
		w.Row(screen.Button{Label: screen.Cut(w.Text(t.key(), "game", screen.GameName(c, t.Rules)), screen.LabelLength), Press: screen.PressOf(Show, t.ID), Tone: tone()})
	}
	if fresh && len(tables) == 0 {
		w.Row(w.Button(screen.PressOf(ActLesson), tone()))
	}
	var row []screen.Button
	if opens {
		row = append(row, w.Button(screen.PressOf(ActNew), tone()))
	}
	learn := w.Button(screen.PressOf(ActCourses), tone())
	w.Row(append(row, w.Button(screen.PressOf(ActSolo), screen.Quiet), w.Button(screen.PressOf(ActNow), screen.Quiet))...)
	w.Row(learn, w.Button(DailyNow, screen.Quiet), PuzzleButton(w))
	shown := ScreenLive(w.Screen)
	l := Live{
		Table: FrontDoor, Lang: c.Code(), Cards: face.SpriteOf(w.Screen.Face, game.German32).Name, Title: w.Text("front.name"),
		Phase: FrontDoor, Me: game.Nobody, Panel: &shown, Seats: []LiveSeat{},
	}
	for _, card := range sevens(game.German32) {
		l.Emblem = append(l.Emblem, card.String())
	}
	if opens {
		for seat := range 4 {
			l.Seats = append(l.Seats, LiveSeat{Side: seat % 2, Press: screen.PressOf(ActNew)})
		}
		l.Line = w.Text("front.line")
	}
	return l
}

// key returns the text key of what the reader can do at the table.
func (t FrontTable) key() string {
	free := slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == "" })
	switch {
	case t.Sits:
		return "front.back"
	case t.Phase == table.Lobby && free, t.Joins:
		return "front.seat"
	}
	return "front.watch"
}
