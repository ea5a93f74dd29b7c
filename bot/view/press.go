package view

import (
	"strconv"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

// These are the first words of the table's presses, and of presses of rooms whose buttons its screens have. A comment says
// what a press carries, if that isn't only the table.
const (
	ActJoin    = "join"
	ActSit     = "sit" // take a certain seat in the lobby: Place
	ActLeave   = "leave"
	ActQuit    = "quit" // leave the deal of the day, after DailyLeave has asked
	ActSure    = "sure" // a command that Ask has asked about: What is the first word of its press
	ActAI      = "ai"   // put an AI on a free seat
	ActUnAI    = "unai" // take an AI off its seat
	ActStart   = "start"
	ActRules   = "rules"
	ActHow     = "how"   // show how to play
	ActExact   = "exact" // show the exact rules
	ActCards   = "cards" // show the presser's hand
	ActPlay    = "play"  // a move from the presser's hand
	ActPlace   = "place" // a move from the presser's hand, by the card's place in it
	ActBack    = "back"
	ActRematch = "rematch"
	ActShorter = "shorter" // a rematch with the next shorter length
	ActSeries  = "series"  // a rematch that continues a series
	ActBoard   = "board"
	ActClose   = "close"
	ActLast    = "last"    // make this deal the last one
	ActSet     = "set"     // make one choice in the settings
	ActDefault = "default" // save the settings as the default for new tables in this home
	ActReplay  = "replay"  // show a finished match at one of its steps
	ActDeals   = "deals"   // the same, for buttons that move by deals
	ActHint    = "hint"    // show which move the AI would make
	ActKick    = "kick"    // let the AI play for someone
	ActRest    = "rest"    // agree to a pause
	ActResume  = "resume"  // continue after a pause
	ActSend    = "send"    // show a result as a text to paste elsewhere
	ActFilm    = "film"    // show a deal of a finished match as an animation
	ActCoach   = "coach"   // show the AI's opinion of a match
	ActFeats   = "feats"   // explain achievements, whose names it carries, joined by hyphens
	ActHome    = "cfg"     // the settings of a home: a page or a choice
	ActNew     = "new"     // open a table in this chat; carries nothing
	ActLesson  = "lesson"  // start a first deal that is explained step by step; carries nothing
	ActCourses = "courses" // show how far the presser has learned the game, and the next step; carries nothing
	ActWords   = "words"   // show words instead of pictures to the presser; carries nothing
	ActHelp    = "help"    // a page of the help; carries its name
	ActPost    = "post"    // show a table of another chat in this one; carries the code
	ActWarm    = "warm"    // play against the AI until a match with people begins
	ActSolo    = "solo"    // start a game against the AI; carries nothing
	ActDaily   = "daily"   // the daily deal
	ActMore    = "more"    // show what the table's message leaves out
	ActProof   = "proof"   // show the seeds of the finished deals
	ActNow     = "now"     // find a seat at a table; carries nothing
	ActMeet    = "meet"    // a request about people from other chats: see MeetAgain
	ActTell    = "tell"    // be told of new tables in this chat, or no longer
	ActHush    = "hush"    // no longer be told of new tables in this chat
	ActBump    = "bump"    // bring the table to the bottom of the chat
)

// ReplayPress returns the press that shows a table's finished match from the beginning.
func ReplayPress(id string, match int) string {
	return screen.PressOf(ActReplay, id, strconv.Itoa(match), "1", "0", "")
}

// sharePress returns the press that shows a table's finished match as a text to paste elsewhere.
func sharePress(id string, match int) string {
	return screen.PressOf(ActSend, id, strconv.Itoa(match), "0", "0", "")
}

// ShareQuery returns the text with which a person asks for the result of a match in another chat.
func ShareQuery(id string, match int) string { return id + "-" + strconv.Itoa(match) }

// CoachPress returns the press that shows the AI's opinion of a table's finished match.
func CoachPress(id string, match int) string {
	return screen.PressOf(ActCoach, id, strconv.Itoa(match), "0", "0", "")
}

// Press is a press of a table. It names the moment that the button was made for. So a press on an old button does nothing,
// and neither does the second press of a double click.
type Press struct {
	Action string
	Table  string
	Deal   int       // ActPlay, ActPlace: the deal number
	Turn   int       // ActPlay: the seat's own decision number. ActPlace: the table's ply
	Place  int       // ActKick, ActSit: a seat. ActSeries: how many matches it can take. ActPlace: the card's place in the hand from 1, or 0 to play Move
	Move   game.Move // ActPlay; ActPlace with Place 0: a move that is not a card
	What   string    // ActSet: a name for table.Choose. ActSure: ActLeave, ActClose or ActLast. ActKick: the player's table.Lasting.Mark, or ""
	Value  string    // ActSet: the value for What
}

// String returns the press as a button's data: its fields, separated by colons.
func (p Press) String() string {
	switch p.Action {
	case ActPlay:
		return p.moved(p.Move.String())
	case ActPlace:
		what := p.Move.String()
		if p.Place > 0 {
			what = strconv.Itoa(p.Place)
		}
		return p.moved(what)
	case ActKick, ActSeries, ActSit:
		fields := []string{p.Table, strconv.Itoa(p.Place)}
		if p.What != "" {
			fields = append(fields, p.What)
		}
		return screen.PressOf(p.Action, fields...)
	case ActSet:
		return screen.PressOf(p.Action, p.Table, p.What, p.Value)
	case ActSure:
		return screen.PressOf(p.Action, p.Table, p.What)
	default:
		return screen.PressOf(p.Action, p.Table)
	}
}

// moved returns the data of ActPlay and ActPlace, which every hand and every table has several of.
func (p Press) moved(what string) string {
	var some [screen.PressLimit]byte
	data := append(append(append(some[:0], p.Action...), ':'), p.Table...)
	data = strconv.AppendInt(append(data, ':'), int64(p.Deal), 10)
	data = strconv.AppendInt(append(data, ':'), int64(p.Turn), 10)
	return string(append(append(data, ':'), what...))
}

// ParsePress parses a button's data. For any data that it accepts, String returns
// exactly the same data.
func ParsePress(s string) (Press, error) {
	var p Press
	var f screen.Fields
	p.Action, f = screen.FieldsOf(s)
	switch p.Action {
	case ActKick, ActSeries, ActSit:
		p.Table, p.Place = f.Name(), f.Number()
		if p.Action == ActKick && !f.AtEnd() { // earlier versions named only the seat
			p.What = f.Mark()
		}
	case ActSet:
		p.Table, p.What, p.Value = f.Name(), f.Word(), f.Word()
	case ActSure:
		p.Table, p.What = f.Name(), f.Word()
		if err := f.End(); err != nil || p.What != ActLeave && p.What != ActClose && p.What != ActLast {
			return p, screen.ErrPress
		}
	case ActPlay, ActPlace:
		p.Table, p.Deal, p.Turn = f.Name(), f.Number(), f.Number()
		what := f.Words()
		if err := f.End(); err != nil {
			return p, err
		}
		return p.withMove(what)
	default:
		p.Table = f.Name()
	}
	return p, f.End()
}

// withMove returns the press with the last field of ActPlay or ActPlace.
func (p Press) withMove(what string) (Press, error) {
	place, err := strconv.Atoi(what)
	if p.Action == ActPlace && err == nil && place > 0 {
		p.Place = place
	} else if p.Move, err = game.ParseMove(what); err != nil {
		return p, screen.ErrPress
	}
	if _, card := p.Move.Card(); card && p.Action == ActPlace || !strings.HasSuffix(p.String(), ":"+what) {
		return p, screen.ErrPress
	}
	return p, nil
}
