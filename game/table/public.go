package table

import (
	"crypto/sha256"
	"slices"
	"time"

	"sedmabot/game"
)

// Public is what everybody may know of a table. No field holds anything that
// is hidden from anybody.
type Public struct {
	ID    string
	Home  string
	Chats []Chat
	Host  string // a player's id
	Rules game.Rules
	Level string // at which the AI takes seats
	Seats []Seat
	Phase Phase

	MatchNo  int
	DealNo   int
	Scores   []int // of the match, by side
	Pool     int
	Abeyance int
	Past     []Past // the finished deals of this match
	LastDeal bool   // the match ends with this deal
	Lesson   bool   // the match is somebody's first deal, told step by step
	Daily    *Daily // it is the deal of the day, whose seed Past has not

	Round      int // of the tournament that it is of, from 1; 0: of none
	RoundTable int // the table's number in that round, from 1

	Page   Page          // of the settings, in the lobby
	Draw   [][]DrawnCard // for partners, round by round; in the lobby Hash is the first deal's then
	AtHome int           // soccer: the seat that is at home, or that leads first on neutral ground; -1: not known

	HasDeal bool      // the next four tell of a deal: the running one, or after it the last one
	View    game.View // a spectator's
	Hash    [32]byte  // SHA-256 of its seed
	Dealer  int       // a seat
	Turn    int       // the seat on turn, or -1

	Times   DealTimes // in the lobby: how long deals take here
	Tell    []Player  // who is to hear that the table opened
	Last    *Outcome  // of the match before this one
	Break   []string  // the ids of those who want the game to be halted
	Resting bool      // it is halted

	Called bool // the one on turn is to be called by name
	Warned bool // the one on turn is near the limit
	Pace   time.Duration
	Limit  time.Duration

	Result *Outcome // after a match, also when the table was closed then
}

// Private is what one player may know of a table: what everybody knows, and
// his own cards.
type Private struct {
	Public
	Seat int
	View game.View // his seat's, if the table has a deal
}

// Public is what everybody may know of the table.
func (t Table) Public() Public {
	p := Public{
		ID: t.ID, Home: t.Home, Chats: slices.Clone(t.Chats), Host: t.Host,
		Rules: t.Rules, Level: t.level(), Seats: slices.Clone(t.Seats), Phase: t.Phase,
		MatchNo: t.MatchNo, DealNo: t.DealNo, Past: t.Past, LastDeal: t.LastDeal, Lesson: t.Lesson,
		Times: t.Times, Tell: t.Tell, Last: t.Last, Break: t.Break, Resting: t.Resting,
		Page: t.Page, Draw: t.Draw, AtHome: t.Venue - 1,
		Dealer: -1, Turn: t.turn(), Called: t.Called, Pace: t.Pace, Limit: t.Limit, Daily: t.Daily,
	}
	if t.Daily != nil {
		p.Past = slices.Clone(p.Past)
		for i := range p.Past {
			p.Past[i].Seed = Seed{}
		}
	}
	if t.Contest != nil {
		p.Round, p.RoundTable = t.Contest.Round, t.Contest.Table
	}
	if p.HasDeal = t.hasDeal(); p.HasDeal {
		p.Scores, p.Pool, p.Abeyance = slices.Clone(t.Match.Scores), t.Match.Pool, t.Match.Abeyance
		p.View = t.Deal.View(game.Nobody)
		p.Dealer = p.View.Dealer
		p.Hash = sha256.Sum256(t.Seed[:])
		if t.Rules.Soccer() {
			p.AtHome = t.Match.Home
		}
	} else if t.Draw != nil {
		p.Hash = sha256.Sum256(t.Seed[:])
	}
	if p.Turn >= 0 {
		p.Warned = t.Seats[p.Turn].Warned
	}
	if p.HasDeal && t.Match.Over {
		o := t.outcome()
		p.Result = &o
	}
	return p
}

// Settled is p without what changes from move to move: what looks back on a
// table is made of it.
func (p Public) Settled() Public {
	p.View = game.View{Solo: game.Nobody}
	p.Turn, p.Called, p.Warned = game.Nobody, false, false
	return p
}

// Alone says that one person plays, with and against the AI, and not in a tournament.
func (p Public) Alone() bool {
	if p.Round > 0 {
		return false
	}
	people := 0
	for _, s := range p.Seats {
		if s.Player.ID != "" {
			people++
		}
	}
	return people == 1
}

// AILevel is the level at which the AI plays a seat that it holds for good, as far
// as everybody can know it.
func (p Public) AILevel(seat int) string {
	if p.Seats[seat].AI == "" {
		return ""
	}
	solo := game.Nobody
	if p.HasDeal {
		solo = p.View.Solo
	}
	return levelOf(p.Seats, p.Rules, solo, seat)
}

// Private is what a player may know of the table; false if he does not sit
// there. A player who left and may come back still sits there.
func (t Table) Private(player string) (Private, bool) {
	if t.seatOf(player) < 0 {
		return Private{}, false
	}
	_, private := t.Readers()
	return private(player)
}

// Readers are Public and Private for many readers of the same table: what
// everybody may know is worked out once.
func (t Table) Readers() (Public, func(player string) (Private, bool)) {
	public := t.Public()
	return public, func(player string) (Private, bool) {
		p := Private{Public: public, Seat: t.seatOf(player)}
		if p.Seat < 0 {
			return Private{}, false
		}
		if p.HasDeal {
			p.View = t.Deal.View(p.Seat)
		}
		return p, true
	}
}
