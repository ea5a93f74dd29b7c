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
	}
	switch p.Action {
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
	}
	return string(p.Action) + ":" + p.Table
}

// ParsePress reads a button's data. Whatever it accepts is written back by
// String exactly as it was.
func ParsePress(s string) (Press, error) {
	if len(s) > pressLimit {
		return Press{}, errPress
	}
	f := strings.Split(s, ":")
	if a := Action(f[0]); a == ActMine || a == ActHome {
		f = strings.SplitN(s, ":", 4)
		none := a == ActMine && len(f) == 4 && f[3] == ""
		if len(f) != 4 || !word(f[1]) || !word(f[2]) || !none && !homeName.MatchString(f[3]) {
			return Press{}, errPress
		}
		return Press{Action: a, What: f[1], Value: f[2], Home: f[3]}, nil
	}
	if s == (Press{Action: ActLesson}).String() {
		return Press{Action: ActLesson}, nil
	}
	if Action(f[0]) == ActDaily {
		f = strings.SplitN(s, ":", 3)
		if len(f) != 3 || !(f[1] == DailyNow && f[2] == "" || dayName.MatchString(f[1]) && homeName.MatchString(f[2])) {
			return Press{}, errPress
		}
		return Press{Action: ActDaily, What: f[1], Home: f[2]}, nil
	}
	if len(f) < 2 || !tableName(f[1]) {
		return Press{}, errPress
	}
	p := Press{Action: Action(f[0]), Table: f[1]}
	var err error
	switch p.Action {
	case ActData:
		if len(f) != 2 {
			err = errPress
		}
		p.Table, p.What = "", f[1]
	case ActLadder, ActHall:
		if len(f) != 5 || !word(f[1]) || !word(f[2]) {
			return Press{}, errPress
		}
		p.Table, p.What, p.Value = "", f[1], f[2]
		var failed error
		p.Turn, err = number(f[3])
		p.Place, failed = number(f[4])
		err = errors.Join(err, failed)
	case ActJoin, ActLeave, ActAI, ActUnAI, ActStart, ActRules, ActCards, ActBack, ActRematch, ActBoard, ActClose, ActLast, ActDefault, ActHint, ActRest, ActResume:
		if len(f) != 2 {
			err = errPress
		}
	case ActKick:
		if len(f) != 3 {
			return Press{}, errPress
		}
		p.Place, err = number(f[2])
	case ActSet, ActCup:
		if len(f) != 4 || !word(f[2]) || !word(f[3]) {
			return Press{}, errPress
		}
		p.What, p.Value = f[2], f[3]
	case ActReplay, ActDeals, ActRecord, ActCoach:
		if len(f) != 6 || len(f[5]) > ticketLimit || strings.Trim(f[5], letters+"_-") != "" {
			return Press{}, errPress
		}
		var failed [3]error
		p.Match, failed[0] = number(f[2])
		p.Deal, failed[1] = number(f[3])
		p.Turn, failed[2] = number(f[4])
		p.Ticket = f[5]
		err = errors.Join(failed[:]...)
	case ActPlay, ActPlace:
		if len(f) != 5 {
			return Press{}, errPress
		}
		var failed [3]error
		p.Deal, failed[0] = number(f[2])
		p.Turn, failed[1] = number(f[3])
		p.Place, failed[2] = number(f[4])
		if p.Action == ActPlay || failed[2] != nil {
			p.Place = 0
			p.Move, failed[2] = game.ParseMove(f[4])
		}
		if _, card := p.Move.Card(); card && p.Action == ActPlace {
			failed[2] = errPress
		}
		err = errors.Join(failed[:]...)
	default:
		err = errPress
	}
	if err != nil || p.String() != s {
		return Press{}, errPress
	}
	return p, nil
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
