// Package table implements one card table: its lobby, seats, deals, match and clock. A Table is a plain value, and
// everything here is pure. The time, the seed of the next deal and the AI's moves are arguments.
//
// The caller loads a table and changes it with [Apply] (a player's command) or [Advance] (whatever is due by the
// clock). Both return a new table and its events, which the caller stores. Screens don't use the Table itself. They use
// [Public], which has no card that is hidden from anybody, and [Private], which adds one player's own cards.
package table

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/game"
)

// Phase is the stage of a table's life.
type Phase string

// The phases. A table goes from Lobby to Playing, Pause, Playing and so on until Over. A rematch goes back from Over to
// Lobby or Playing. A table can be Closed at any time.
const (
	Lobby   Phase = "lobby"
	Playing Phase = "playing"
	Pause   Phase = "pause" // between deals; the next one starts automatically
	Over    Phase = "over"  // the match is over
	Closed  Phase = "closed"
)

// Player is a person at a table. It includes their settings, so that a press needs no second look-up.
type Player struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	PlayerSettings
	Seen string `json:"seen,omitempty"` // name that the player shows to people from other chats; "": none
}

// Seat is one place at the table. A seat with no player and no AI is empty.
type Seat struct {
	Player Player `json:"player,omitzero"`
	AI     string `json:"ai,omitempty"`     // level of an AI that holds the seat permanently; empty for a person
	Away   bool   `json:"away,omitempty"`   // the AI plays until the player is back
	Left   bool   `json:"left,omitempty"`   // the player left for good; the AI plays the rest of the match
	After  bool   `json:"after,omitempty"`  // with Left: the player left when the match was over
	Warned bool   `json:"warned,omitempty"` // the player was warned that the turn limit is near
	Late   int    `json:"late,omitempty"`   // number of the deal in which the seat went from the AI to the player, or back; 0: it didn't in this match
	Was    string `json:"was,omitempty"`    // with Late: level of the AI whose seat the player took

	Against []string `json:"against,omitempty"` // ids of the players who voted to let the AI play this seat
}

// Same reports whether the seats are equal. Every press asks this, and reflection would be slow.
func (s Seat) Same(o Seat) bool {
	return s.Player == o.Player && s.AI == o.AI && s.Away == o.Away && s.Left == o.Left && s.After == o.After &&
		s.Warned == o.Warned && s.Late == o.Late && s.Was == o.Was && slices.Equal(s.Against, o.Against)
}

// Chat is a chat that shows the table.
type Chat struct {
	ID string `json:"id"`
	ChatSettings
	Bump int    `json:"bump,omitempty"` // how often the table was moved to the bottom of the chat
	Home string `json:"home,omitempty"` // the chat's home, if it differs from the table's
	// Single is set if the bot has only one message there, which a person has posted for it in a chat where it isn't.
	Single bool `json:"single,omitempty"`
}

// Guest reports whether the table is in a chat where the bot isn't. Its matches count nowhere.
func (t *Table) Guest() bool { return len(t.Chats) > 0 && t.Chats[0].Single }

// Guests returns the other homes whose chats show the table.
func (t *Table) Guests() []string {
	var homes []string
	for _, c := range t.Chats {
		if c.Home != "" && !slices.Contains(homes, c.Home) {
			homes = append(homes, c.Home)
		}
	}
	return homes
}

// Table is the whole table, including hidden cards. It is stored but never shown.
type Table struct {
	ID    string     `json:"id"`
	Home  string     `json:"home"`
	Chats []Chat     `json:"chats"` // the first is the chat where the table was opened
	Host  string     `json:"host"`  // id of the player who is the host
	Rules game.Rules `json:"rules"`
	Seats []Seat     `json:"seats"` // as many as Rules.Players; partners sit opposite
	Phase Phase      `json:"phase"`

	MatchNo int           `json:"match_no"`       // number of the match, from 1; a rematch adds 1
	Began   time.Time     `json:"began,omitzero"` // when the match began; zero: not known, or no match has begun
	DealNo  int           `json:"deal_no"`        // number of the deal; it keeps growing in rematches, so it identifies a deal
	Match   game.Match    `json:"match,omitzero"` // running match, or the last one
	Deal    game.State    `json:"deal,omitzero"`  // running deal, or the last one
	Seed    Seed          `json:"seed,omitzero"`  // seed of the running deal
	Took    time.Duration `json:"took,omitempty"` // how long the running deal has taken, until its present turn
	Auto    []int         `json:"auto,omitempty"` // running deal: indexes of the moves that the AI made for an absent player, from 0

	Level string        `json:"level,omitempty"` // level of an AI that takes a seat permanently; empty: DefaultLevel
	Page  Page          `json:"page,omitempty"`  // open page of the settings, in the lobby
	Draw  [][]DrawnCard `json:"draw,omitempty"`  // draw for partners by seat, round by round; Seed is then the first deal's
	Venue int           `json:"venue,omitempty"` // soccer: seat at home plus 1; 0: the first seed decides

	Usual string    `json:"usual,omitempty"` // in the lobby: length of the latest match here, which the caller sets with Times
	Times DealTimes `json:"times,omitempty"` // in the lobby: how long deals take here or elsewhere; the caller sets them when it commits the lobby's opening

	Tell    []Player `json:"tell,omitempty"`    // players to notify once that this table opened
	Awaited []string `json:"awaited,omitempty"` // in the lobby of a rematch: ids of the players of that match who may still press
	Series  *Series  `json:"series,omitempty"`  // set if the match belongs to a series, or began one that others ended

	Firsts []First  `json:"firsts,omitempty"` // first-time achievements in a finished match; the caller sets them when it commits the match's end
	Gains  []Gain   `json:"gains,omitempty"`  // what a finished match changed for its players; the caller sets them with Firsts
	Hauls  []Haul   `json:"hauls,omitempty"`  // each player's best trick of this match so far
	Events []string `json:"events,omitempty"` // by seat: the event that brought its player's latest move; the caller sets them

	Choices []Choices `json:"choices,omitempty"` // by seat: those of this match, up to the last finished deal

	Break   []string `json:"break,omitempty"`   // ids of the players who want to halt the game
	Resting bool     `json:"resting,omitempty"` // the game is halted
	Lapsed  bool     `json:"lapsed,omitempty"`  // the game is halted because nobody tended the table, not by agreement

	Coming []Newcomer `json:"coming,omitempty"` // people who wait for an AI's seat, in the order in which they came
	Shut   bool       `json:"shut,omitempty"`   // nobody may take an AI's seat of a running match

	Daily      *Daily      `json:"daily,omitempty"`   // set if the deal of the day is played here
	Tournament *Tournament `json:"contest,omitempty"` // set if the table belongs to a tournament

	Strangers *Strangers `json:"strangers,omitempty"` // set if the players come from different chats and don't know each other
	Said      []Said     `json:"said,omitempty"`      // latest phrase of each seat that said one
	Begins    time.Time  `json:"begins,omitzero"`     // in the lobby: when the match starts on its own; zero: when the host starts it
	Warm      string     `json:"warm,omitempty"`      // id of the table of strangers whose match ends this game against the AI

	Policy Policy `json:"policy,omitzero"` // answers of the room that opened the table
	Decks  Seed   `json:"decks,omitzero"`  // if set, the seeds of all deals come from it, so that other tables can play the same; as secret as they are

	LastDeal bool `json:"last_deal,omitempty"` // the match ends with this deal, or in a pause with the next one
	Lesson   bool `json:"lesson,omitempty"`    // the match is a first deal with step-by-step help; it counts nowhere

	Pace    time.Duration `json:"pace"`             // typical pause before an AI's move; 0: no waits at all
	Limit   time.Duration `json:"limit"`            // how long a player may think; 0: no limit
	Since   time.Time     `json:"since"`            // start of the turn, pause or phase; a late warning moves it so that a quarter of Limit is left
	Called  bool          `json:"called,omitempty"` // the player whose turn it is was called by name
	Touched time.Time     `json:"touched"`          // time when a person last did something here or was last set away

	// These two stay as they are from move to move. They come last, so that a stored table ends with them.
	Past []Past   `json:"past,omitempty"` // finished deals of this match
	Last *Outcome `json:"last,omitempty"` // outcome of the match before this one
}

// Past is a finished deal, as everybody may know it.
type Past struct {
	No     int             `json:"no"`
	Seed   Seed            `json:"seed"`
	Result game.Result     `json:"result"`
	Score  game.Settlement `json:"score"`
	Totals []int           `json:"totals"`           // match score after the deal
	Pool   int             `json:"pool,omitempty"`   // points in the pool after the deal
	Held   int             `json:"held,omitempty"`   // points in abeyance after the deal
	Took   int             `json:"took,omitempty"`   // how long it took, in seconds; 0: it was not timed
	Auto   []int           `json:"auto,omitempty"`   // as in Table.Auto
	Tricks []game.Trick    `json:"tricks,omitempty"` // tricks of the latest deal; those of earlier deals are in their records
}

// Seed is the seed from which a deal is shuffled: 32 bytes from a good random source. It is secret until the deal is
// over.
type Seed [32]byte

// MarshalText returns the seed in hexadecimal.
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

// Env is the input of a step from outside the table.
type Env struct {
	Now  time.Time
	Seed Seed // fresh for every call; used if a deal starts
}
