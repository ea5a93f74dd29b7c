package table

import (
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
	Seats []Seat
	Phase Phase

	MatchNo  int
	DealNo   int
	Scores   []int // of the match, by side
	Pool     int
	Abeyance int
	Past     []Past // the finished deals of this match
	LastDeal bool   // the match ends with this deal

	HasDeal bool      // the next four tell of a deal: the running one, or after it the last one
	View    game.View // a spectator's
	Hash    [32]byte  // SHA-256 of its seed
	Dealer  int       // a seat
	Turn    int       // the seat on turn, or -1

	Called bool // the one on turn is to be called by name
	Warned bool // the one on turn is near the limit
	Pace   time.Duration
	Limit  time.Duration

	Result *Outcome // after a match
}

// Private is what one player may know of a table: what everybody knows, and
// his own cards.
type Private struct {
	Public
	Seat int
	View game.View // his seat's, if the table has a deal
}
