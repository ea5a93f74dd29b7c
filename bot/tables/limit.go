package tables

import (
	"context"
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Limits keep one person, or one community, from taking what is there for all.
// Zero is no limit.
type Limits struct {
	Presses      int // presses and commands of one person in a second, for a while; five times as many at once
	PlayerTables int // open tables at which one person sits; New lowers it to MostPlayerTables
	HomeTables   int // open tables of one home
}

// MostPlayerTables is the highest limit of open tables for one person: their
// document lists so many.
const MostPlayerTables = 1000

// FewTables is how many tables a player's document lists without a limit, and how
// many more than the limit: tournaments seat people who have reached it.
const FewTables = 32

// listed returns how many tables a player's document lists, the latest ones.
func (l Limits) listed() int { return l.PlayerTables + FewTables }

// ErrPlayerFull is the cause of refusing a player who sits at as many tables as they may.
var ErrPlayerFull = errors.New("the player sits at enough open tables")

// ManyTables reports whether the player's document lists as many tables as they may have.
func (ts *Tables) ManyTables(person doc.Player) bool {
	return ts.Limits.PlayerTables > 0 && len(person.Tables) >= ts.Limits.PlayerTables
}

// RoomFor refuses a player who sits at as many tables as they may, that one not
// counted, with the cause ErrPlayerFull. person is their own document.
func (ts *Tables) RoomFor(ctx context.Context, person doc.Player, player, id string) error {
	if !ts.ManyTables(person) {
		return nil
	}
	open, err := ts.TablesOf(ctx, player) // some of them may be over
	if err != nil {
		return err
	}
	n := 0
	for _, other := range open {
		if other != id {
			n++
		}
	}
	if n >= ts.Limits.PlayerTables {
		full := chat.NewLimit("player_full", ts.Limits.PlayerTables)
		full.Cause = ErrPlayerFull
		return full
	}
	return nil
}
