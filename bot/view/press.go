package view

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

// These are the actions. Play, Place, Set, Cup, Evening, Meet, Kick, Replay, Deals, Record and
// Coach carry more than the table. Mine, Home, Daily and Puzzle carry a home and no table. Ladder,
// Hall, Seen and Unseen carry a period and a family. Data carries its own request, Feats their names.
// Lesson, New and Now carry nothing. All others carry only the table.
const (
	ActJoin    = "join"
	ActLeave   = "leave"
	ActQuit    = "quit" // leave the deal of the day, after DailyLeave has asked
	ActAI      = "ai"   // put an AI on a free seat
	ActUnAI    = "unai" // take an AI off its seat
	ActStart   = "start"
	ActRules   = "rules"
	ActCards   = "cards" // show the presser's hand
	ActPlay    = "play"  // a move from the presser's hand
	ActPlace   = "place" // a move from the presser's hand, by the card's place in it
	ActBack    = "back"
	ActRematch = "rematch"
	ActShorter = "shorter" // a rematch with the next shorter length
	ActBoard   = "board"
	ActClose   = "close"
	ActLast    = "last"    // make this deal the last one
	ActSet     = "set"     // make one choice in the settings
	ActDefault = "default" // save the settings as the default for new tables in this home
	ActReplay  = "replay"  // show a finished match at one of its steps
	ActDeals   = "deals"   // show a step of a finished match, from the buttons that move by deals
	ActRecord  = "record"  // send a match record as a file
	ActHint    = "hint"    // show which move the AI would make
	ActKick    = "kick"    // let the AI play for someone
	ActRest    = "rest"    // agree to a pause
	ActResume  = "resume"  // continue after a pause
	ActCoach   = "coach"   // show the AI's opinion of a match
	ActFeats   = "feats"   // explain achievements; What has their names, joined by hyphens
	ActMine    = "mine"    // the presser's own settings: a page or a choice
	ActHome    = "cfg"     // the settings of a home: a page or a choice
	ActLadder  = "ladder"  // a page of a leaderboard
	ActHall    = "hall"    // the hall of fame
	ActSeen    = "seen"    // let people of other chats see the presser's name; then show a page of a leaderboard
	ActUnseen  = "unseen"  // keep the name from people of other chats; then show that page
	ActNew     = "new"     // open a table in this chat
	ActLesson  = "lesson"  // start a first deal that is explained step by step
	ActDaily   = "daily"   // the daily deal
	ActDay     = "day"     // another day's board of the daily deal, instead of the one with the button
	ActData    = "data"    // the presser's own data; What is the request
	ActCup     = "cup"     // an action in a tournament; What is the action
	ActEvening = "evening" // an action in a tournament at a set time; What is the action
	ActMore    = "more"    // show what the table's message leaves out
	ActProof   = "proof"   // show the seeds of the finished deals
	ActNow     = "now"     // find a seat at a table; carries nothing
	ActMeet    = "meet"    // a request about people from other chats: see MeetAgain
	ActTell    = "tell"    // be told of new tables in this chat, or no longer
	ActHush    = "hush"    // no longer be told of new tables in this chat
	ActSilence = "silence" // no longer post boards and pages of the week to this chat
	ActBump    = "bump"    // bring the table to the bottom of the chat
	ActPuzzle  = "puzzle"  // a puzzle, or a choice in one
)

// tableLimit is the maximum length of a table's name.
const tableLimit = 16

// Press is the data of a button. It names the moment that the button was made for. So
// a press on an old button does nothing, and neither does the second press of a double
// click.
type Press struct {
	Action string
	Table  string    // 1 to 16 of [0-9a-z]. ActCup: the tournament. ActEvening: the home's evenings
	Deal   int       // ActPlay, ActPlace: the deal number. ActReplay, ActDeals: the deal number in the match, from 1
	Turn   int       // ActPlay: the seat's own decision number. ActPlace: the table's ply. ActReplay, ActDeals: the step of the deal. ActLadder: the first row, from 0
	Place  int       // ActKick: a seat. ActPlace: the card's place in the hand from 1, or 0 to play Move. ActLadder, ActHall: 1 for the boards across all homes, otherwise 0
	Move   game.Move // ActPlay; ActPlace with Place 0: a move that is not a card
	What   string    // ActSet: a name for table.Choose. ActCup, ActEvening: the action. ActMine, ActHome: an entry of the settings, or "page". ActData: DataExport and so on. ActFeats: names, joined by hyphens. ActLadder, ActHall: the period. ActDaily, ActDay: the day, like 2026-11-21, or DailyNow. ActPuzzle: see PuzzleDay
	Value  string    // ActSet, ActCup, ActMine, ActHome: the value for What. ActEvening: which evening, and a value: see ParseEvening. ActLadder, ActHall: the family of games. ActPuzzle: see PuzzleDay
	Home   string    // ActHome: the home of the settings. ActMine: the home of the chat where they were opened, or "" in the private chat. ActDaily, ActDay: the home of the deal, or "" with DailyNow. ActPuzzle: the home whose matches puzzles come from, or ""
	Match  int       // ActReplay, ActDeals, ActRecord, ActCoach: the match number at the table
	Ticket string    // ActReplay, ActDeals, ActRecord, ActCoach: a pass to the match from another chat, at most 11 of [A-Za-z0-9_-]
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
	case ActReplay, ActDeals, ActRecord, ActCoach:
		return fmt.Sprintf("%s:%s:%d:%d:%d:%s", p.Action, p.Table, p.Match, p.Deal, p.Turn, p.Ticket)
	case ActData, ActFeats:
		return p.Action + ":" + p.What
	case ActKick:
		return fmt.Sprintf("%s:%s:%d", p.Action, p.Table, p.Place)
	case ActMine, ActHome, ActPuzzle:
		return fmt.Sprintf("%s:%s:%s:%s", p.Action, p.What, p.Value, p.Home)
	case ActDaily, ActDay:
		return fmt.Sprintf("%s:%s:%s", p.Action, p.What, p.Home)
	case ActLadder, ActHall, ActSeen, ActUnseen:
		return fmt.Sprintf("%s:%s:%s:%d:%d", p.Action, p.What, p.Value, p.Turn, p.Place)
	case ActSet, ActCup, ActEvening, ActMeet:
		return fmt.Sprintf("%s:%s:%s:%s", p.Action, p.Table, p.What, p.Value)
	default:
		return p.Action + ":" + p.Table
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
	if len(s) > screen.PressLimit {
		return Press{}, screen.ErrPress
	}
	f := strings.Split(s, ":")
	p := Press{Action: f[0]}
	if !p.read(f[1:]) || p.String() != s {
		return Press{}, screen.ErrPress
	}
	return p, nil
}

// read sets the fields after the action, and reports whether they are valid for the
// action.
func (p *Press) read(f []string) bool {
	switch p.Action {
	case ActLesson, ActNew, ActNow:
		return true
	case ActMine, ActHome, ActPuzzle:
		if len(f) < 3 {
			return false
		}
		p.What, p.Value, p.Home = f[0], f[1], strings.Join(f[2:], ":")
		none := p.Action != ActHome && p.Home == "" // the person's private chat has no home
		return word(p.What) && word(p.Value) && (none || screen.IsHome(p.Home))
	case ActDaily, ActDay:
		if len(f) < 2 {
			return false
		}
		p.What, p.Home = f[0], strings.Join(f[1:], ":")
		return p.What == DailyNow && p.Home == "" && p.Action == ActDaily || dayName.MatchString(p.What) && screen.IsHome(p.Home)
	case ActData:
		if len(f) != 1 {
			return false
		}
		p.What = f[0]
		return tableName(p.What)
	case ActFeats:
		if len(f) != 1 {
			return false
		}
		p.What = f[0]
		return p.What != "" && strings.Trim(p.What, letters+"_-") == ""
	case ActLadder, ActHall, ActSeen, ActUnseen:
		if len(f) != 4 {
			return false
		}
		p.What, p.Value = f[0], f[1]
		return tableName(p.What) && word(p.Value) && numbers(f[2:], &p.Turn, &p.Place)
	default:
		if len(f) == 0 || !tableName(f[0]) {
			return false
		}
		p.Table = f[0]
		return p.readAtTable(f[1:])
	}
}

// readAtTable sets the fields after the table, and reports whether they are valid.
func (p *Press) readAtTable(f []string) bool {
	switch p.Action {
	case ActJoin, ActLeave, ActQuit, ActAI, ActUnAI, ActStart, ActRules, ActCards, ActBack, ActRematch, ActShorter, ActBoard, ActClose, ActLast, ActDefault, ActHint, ActRest, ActResume, ActMore, ActProof, ActBump, ActTell, ActHush, ActSilence:
		return len(f) == 0
	case ActKick:
		return len(f) == 1 && numbers(f, &p.Place)
	case ActSet, ActCup, ActEvening, ActMeet:
		if len(f) != 2 {
			return false
		}
		p.What, p.Value = f[0], f[1]
		return word(p.What) && word(p.Value)
	case ActReplay, ActDeals, ActRecord, ActCoach:
		if len(f) != 4 {
			return false
		}
		p.Ticket = f[3]
		return len(p.Ticket) <= ticketLimit && strings.Trim(p.Ticket, letters+"_-") == "" && numbers(f[:3], &p.Match, &p.Deal, &p.Turn)
	case ActPlay, ActPlace:
		if len(f) != 3 || !numbers(f[:2], &p.Deal, &p.Turn) {
			return false
		}
		if p.Action == ActPlace && numbers(f[2:], &p.Place) {
			return true
		}
		var err error
		p.Move, err = game.ParseMove(f[2])
		_, card := p.Move.Card()
		return err == nil && !(card && p.Action == ActPlace)
	default:
		return false
	}
}

// numbers parses one number into each target, and reports whether all are numbers.
func numbers(f []string, into ...*int) bool {
	for i, at := range into {
		n, err := number(f[i])
		if err != nil {
			return false
		}
		*at = n
	}
	return true
}

// dayName matches the days of ActDaily and ActDay.
var dayName = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// ticketLimit is the maximum length of a ticket.
const ticketLimit = 11

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func tableName(s string) bool {
	return s != "" && len(s) <= tableLimit && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// wordLimit is the maximum length of a setting's name, and of its value.
const wordLimit = 24

func word(s string) bool {
	return s != "" && len(s) <= wordLimit && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz_-") == ""
}

// number parses a count of at most nine digits.
func number(s string) (int, error) {
	if len(s) > 9 {
		return 0, screen.ErrPress
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, screen.ErrPress
	}
	return n, nil
}
