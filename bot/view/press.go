package view

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sedmabot/game"
)

// Action is what a button asks for.
type Action string

// The actions. Play, Place, Set, Cup, Kick, Replay, Deals, Record and Coach carry more than the
// table; Mine, Home and Daily a home and no table; Data its own; Lesson nothing; the others nothing but the table.
const (
	ActJoin    Action = "join"
	ActLeave   Action = "leave"
	ActAI      Action = "ai"   // put an AI on a free seat
	ActUnAI    Action = "unai" // take an AI off its seat
	ActStart   Action = "start"
	ActRules   Action = "rules"
	ActCards   Action = "cards" // show the presser his hand
	ActPlay    Action = "play"  // a move from the presser's hand
	ActPlace   Action = "place" // the same by the number of the card
	ActBack    Action = "back"
	ActRematch Action = "rematch"
	ActBoard   Action = "board"
	ActClose   Action = "close"
	ActLast    Action = "last"    // this deal is the last one
	ActSet     Action = "set"     // one choice in the settings
	ActDefault Action = "default" // what is set shall be what new tables here begin with
	ActReplay  Action = "replay"  // show a finished match at one of its steps
	ActDeals   Action = "deals"   // the same, from the buttons that go by deals
	ActRecord  Action = "record"  // send its record as a file
	ActHint    Action = "hint"    // which move the AI would make
	ActKick    Action = "kick"    // have the AI play for somebody
	ActRest    Action = "rest"    // agree to a pause
	ActResume  Action = "resume"  // go on after it
	ActCoach   Action = "coach"   // what the AI thought of a match
	ActMine    Action = "mine"    // the presser's own settings: a page of them, or a choice
	ActHome    Action = "cfg"     // the same of a home
	ActLadder  Action = "ladder"  // a page of a leaderboard
	ActHall    Action = "hall"    // the hall of fame
	ActLesson  Action = "lesson"  // a first deal, told step by step
	ActDaily   Action = "daily"   // the deal of a day
	ActData    Action = "data"    // the presser's own data: What is asked for
	ActCup     Action = "cup"     // one thing to do in a tournament
)

// pressLimit is the longest Press, in bytes. It is Telegram's limit of
// callback_data (https://core.telegram.org/bots/api#inlinekeyboardbutton).
const pressLimit = 64

// tableLimit is the longest name of a table.
const tableLimit = 16

// Press is what a button carries. It names the moment that it was made for, so
// that a press on an old button, and the second of a double click, do nothing.
type Press struct {
	Action Action
	Table  string    // 1 to 16 of [0-9a-z]. ActCup: the tournament
	Deal   int       // ActPlay, ActPlace: the number of the deal. ActReplay, ActDeals: its number in the match, from 1
	Turn   int       // ActPlay: the seat's own decision number. ActPlace: the table's ply. ActReplay, ActDeals: the step of the deal. ActLadder: the first row, from 0
	Place  int       // ActKick: a seat. ActPlace: 1 and up for a card of the hand, or 0 for Move. ActLadder, ActHall: 1 for the boards over all homes, else 0
	Move   game.Move // ActPlay; ActPlace with Place 0: a move that is no card
	What   string    // ActSet: as table.Choose has it. ActCup: what to do. ActMine, ActHome: an entry of the settings, or "page". ActData: DataExport and so on. ActLadder, ActHall: the period. ActDaily: the day, as 2026-11-21, or DailyNow
	Value  string    // ActSet, ActMine, ActHome: likewise. ActLadder, ActHall: the family of games
	Home   string    // ActMine, ActHome: the home that the settings are of, or were asked for in; ActMine: "" in the private chat. ActDaily: whose deal it is; "" with DailyNow
	Match  int       // ActReplay, ActDeals, ActRecord, ActCoach: which match of the table
	Ticket string    // the same: at most 11 of [A-Za-z0-9_-], which let a reader come back from another chat
}

var errPress = errors.New("no button of this bot")

// String is the press as a button's data: its fields with colons between them.
func (p Press) String() string {
	switch p.Action {
	case ActPlay:
		return fmt.Sprintf("%s:%s:%d:%d:%s", p.Action, p.Table, p.Deal, p.Turn, p.Move)
	case ActPlace:
		what := p.Move.String()
		if p.Place > 0 {
			what = strconv.Itoa(p.Place)
		}
		return fmt.Sprintf("%s:%s:%d:%d:%s", p.Action, p.Table, p.Deal, p.Turn, what)
	case ActReplay, ActDeals, ActRecord, ActCoach:
		return fmt.Sprintf("%s:%s:%d:%d:%d:%s", p.Action, p.Table, p.Match, p.Deal, p.Turn, p.Ticket)
	case ActData:
		return string(p.Action) + ":" + p.What
	case ActKick:
		return fmt.Sprintf("%s:%s:%d", p.Action, p.Table, p.Place)
	case ActMine, ActHome:
		return fmt.Sprintf("%s:%s:%s:%s", p.Action, p.What, p.Value, p.Home)
	case ActDaily:
		return fmt.Sprintf("%s:%s:%s", p.Action, p.What, p.Home)
	case ActLadder, ActHall:
		return fmt.Sprintf("%s:%s:%s:%d:%d", p.Action, p.What, p.Value, p.Turn, p.Place)
	case ActSet, ActCup:
		return fmt.Sprintf("%s:%s:%s:%s", p.Action, p.Table, p.What, p.Value)
	default:
		return string(p.Action) + ":" + p.Table
	}
}

// ParsePress reads a button's data. Whatever it accepts is written back by
// String exactly as it was.
func ParsePress(s string) (Press, error) {
	if len(s) > pressLimit {
		return Press{}, errPress
	}
	f := strings.Split(s, ":")
	p := Press{Action: Action(f[0])}
	if !p.read(f[1:]) || p.String() != s {
		return Press{}, errPress
	}
	return p, nil
}

// read takes the fields after the action, and reports whether the action has such fields.
func (p *Press) read(f []string) bool {
	switch p.Action {
	case ActLesson:
		return true
	case ActMine, ActHome:
		if len(f) < 3 {
			return false
		}
		p.What, p.Value, p.Home = f[0], f[1], strings.Join(f[2:], ":")
		none := p.Action == ActMine && p.Home == "" // in the person's private chat
		return word(p.What) && word(p.Value) && (none || homeName.MatchString(p.Home))
	case ActDaily:
		if len(f) < 2 {
			return false
		}
		p.What, p.Home = f[0], strings.Join(f[1:], ":")
		return p.What == DailyNow && p.Home == "" || dayName.MatchString(p.What) && homeName.MatchString(p.Home)
	case ActData:
		if len(f) != 1 {
			return false
		}
		p.What = f[0]
		return tableName(p.What)
	case ActLadder, ActHall:
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

// readAtTable takes the fields after the table.
func (p *Press) readAtTable(f []string) bool {
	switch p.Action {
	case ActJoin, ActLeave, ActAI, ActUnAI, ActStart, ActRules, ActCards, ActBack, ActRematch, ActBoard, ActClose, ActLast, ActDefault, ActHint, ActRest, ActResume:
		return len(f) == 0
	case ActKick:
		return len(f) == 1 && numbers(f, &p.Place)
	case ActSet, ActCup:
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

// numbers reads one number into each of the places, and reports whether all are numbers.
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

// homeName is what the ids of homes look like: a platform, and its own id.
var homeName = regexp.MustCompile(`^[a-z]{1,16}:-?[0-9a-z]{1,24}$`)

// dayName is what the days of ActDaily look like.
var dayName = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// ticketLimit is the longest ticket.
const ticketLimit = 11

const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func tableName(s string) bool {
	return s != "" && len(s) <= tableLimit && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// wordLimit is the longest name of what can be chosen, and of a choice.
const wordLimit = 24

func word(s string) bool {
	return s != "" && len(s) <= wordLimit && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz_-") == ""
}

// number reads a count of at most nine digits.
func number(s string) (int, error) {
	if len(s) > 9 {
		return 0, errPress
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, errPress
	}
	return n, nil
}
