// Package table is the life of one card table: lobby, seats, deals, the match
// and the clock. A Table is a plain value and everything here is pure: the
// time, the seed of the next deal and the AI's choice are arguments.
//
// The shell loads a table, calls [Apply] with what a player wants or [Advance]
// with what time demands, and commits the table that comes back. What people
// may see of it are two other types: [Public], which holds no card that is
// hidden from anybody, and [Private], which adds one player's own cards.
package table

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/game"
)

// Phase is where a table stands in its life.
type Phase string

// The phases. A table goes Lobby, Playing, Pause, Playing, …, Over; Over goes
// back to Lobby or Playing by a rematch, and everything may end in Closed.
const (
	Lobby   Phase = "lobby"
	Playing Phase = "playing"
	Pause   Phase = "pause" // a deal is over, the next one starts by itself
	Over    Phase = "over"  // the match is over
	Closed  Phase = "closed"
)

// Player is a person at a table, with what screens need to know of him, so
// that a press needs no second look-up.
type Player struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	PlayerSettings
}

// Seat is one place at the table. A seat with no player and no AI is empty.
type Seat struct {
	Player Player `json:"player,omitzero"`
	AI     string `json:"ai,omitempty"`     // the AI's level where it holds the seat for good
	Away   bool   `json:"away,omitempty"`   // the AI plays until the player is back
	Left   bool   `json:"left,omitempty"`   // the player went; the AI plays the match to its end
	Warned bool   `json:"warned,omitempty"` // was told that the turn limit is near

	Against []string `json:"against,omitempty"` // who at the table wants the AI to play for him
}

// Chat is a chat that shows the table.
type Chat struct {
	ID string `json:"id"`
	ChatSettings
	Bump int    `json:"bump,omitempty"` // how often the table was brought to the bottom
	Home string `json:"home,omitempty"` // where the chat belongs, if that is another home than the table's
}

// Guests are the other homes whose chats show the table.
func (t *Table) Guests() []string {
	var homes []string
	for _, c := range t.Chats {
		if c.Home != "" && !slices.Contains(homes, c.Home) {
			homes = append(homes, c.Home)
		}
	}
	return homes
}

// Table is the whole table, hidden cards among it. It is stored and never shown.
type Table struct {
	ID    string     `json:"id"`
	Home  string     `json:"home"`
	Chats []Chat     `json:"chats"` // the first is where it was opened
	Host  string     `json:"host"`  // a player's id
	Rules game.Rules `json:"rules"`
	Seats []Seat     `json:"seats"` // as many as Rules has players; partners sit opposite
	Phase Phase      `json:"phase"`

	MatchNo int           `json:"match_no"`       // grows with each rematch, from 1
	DealNo  int           `json:"deal_no"`        // grows through rematches: it names a deal for good
	Match   game.Match    `json:"match,omitzero"` // the running match, or the last one
	Deal    game.State    `json:"deal,omitzero"`  // the running deal, or the last one
	Seed    Seed          `json:"seed,omitzero"`  // what the running deal was shuffled from
	Past    []Past        `json:"past,omitempty"` // the finished deals of this match
	Took    time.Duration `json:"took,omitempty"` // how long the running deal has taken, until its present turn
	Auto    []int         `json:"auto,omitempty"` // the moves of the running deal that the AI chose for somebody who was away: their places, from 0

	Level string        `json:"level,omitempty"` // of the AI that takes a seat for good; empty: DefaultLevel
	Page  Page          `json:"page,omitempty"`  // of the settings, in the lobby
	Draw  [][]DrawnCard `json:"draw,omitempty"`  // the draw for partners as the seats have it, round by round; Seed is the first deal's then
	Venue int           `json:"venue,omitempty"` // soccer: 1 more than the seat that is to be at home; 0: the first seed says

	Times DealTimes `json:"times,omitempty"` // in the lobby: how long deals take here, or else elsewhere; set from outside, with the commit that opens it

	Tell []Player `json:"tell,omitempty"` // who wants to hear that a table opens here: called once
	Last *Outcome `json:"last,omitempty"` // of the match before this one

	Firsts []First `json:"firsts,omitempty"` // in the match that is over; set from outside, with the commit that ends it

	Break   []string `json:"break,omitempty"`   // who wants the game to be halted
	Resting bool     `json:"resting,omitempty"` // it is halted, by agreement

	Daily   *Daily   `json:"daily,omitempty"`   // the deal of the day is played here; nil: it is not
	Contest *Contest `json:"contest,omitempty"` // the tournament that it is of, if it is

	LastDeal bool `json:"last_deal,omitempty"` // the match ends with this deal, or with the next in a pause
	Lesson   bool `json:"lesson,omitempty"`    // the match is somebody's first deal, told step by step; it counts nowhere

	Pace    time.Duration `json:"pace"`             // the pause of an AI's move; 0: no waits at all
	Limit   time.Duration `json:"limit"`            // how long a player may think; 0: for ever
	Since   time.Time     `json:"since"`            // when the present turn, pause or phase began; a late warning moves it, so that a quarter of Limit is left
	Called  bool          `json:"called,omitempty"` // the one on turn was called by name
	Touched time.Time     `json:"touched"`          // when a person last did something here, or was last found away
}

// Past is a finished deal as everybody may know it.
type Past struct {
	No     int             `json:"no"`
	Seed   Seed            `json:"seed"`
	Result game.Result     `json:"result"`
	Score  game.Settlement `json:"score"`
	Totals []int           `json:"totals"`           // the match score after it
	Pool   int             `json:"pool,omitempty"`   // points in the pool after it
	Held   int             `json:"held,omitempty"`   // points in abeyance after it
	Took   int             `json:"took,omitempty"`   // how long it took, in seconds; 0: it was not timed
	Auto   []int           `json:"auto,omitempty"`   // as Table has it
	Tricks []game.Trick    `json:"tricks,omitempty"` // of the latest deal; those of earlier ones are in their records
}

// Seed is what a deal is shuffled from: 32 bytes from a good source. It is as
// secret as the cards until the deal is over.
type Seed [32]byte

// MarshalText is the seed in hexadecimal.
func (s Seed) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (s *Seed) UnmarshalText(b []byte) error {
	if len(b) != hex.EncodedLen(len(s)) {
		return errors.New("a seed has 64 hexadecimal digits")
	}
	if _, err := hex.Decode(s[:], b); err != nil {
		return fmt.Errorf("read seed: %w", err)
	}
	return nil
}

// Env is what a step may know of the world.
type Env struct {
	Now  time.Time
	Seed Seed // fresh for every call; used if a deal starts in it
}
