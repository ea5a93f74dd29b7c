package tables

import (
	"context"
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
)

// Limits keep one person or one community from using up shared resources. 0 means no
// limit.
type Limits struct {
	Presses      int // presses of one person per second on average; bursts of five times as many; a command counts as several
	PlayerTables int // open tables of one person; bot.New lowers it to MaxPlayerTables
	HomeTables   int // open tables of one home
}

// MaxPlayerTables is the highest possible value of PlayerTables, because a person's
// document lists all their tables.
const MaxPlayerTables = 1000

// FewTables is how many tables a player's document lists beyond PlayerTables. They are
// needed because tournaments seat people who have reached the limit. Without a limit it
// is the length of the list.
const FewTables = 32

// listed returns the maximum number of tables in a player's document, which lists the latest.
func (l Limits) listed() int { return l.PlayerTables + FewTables }

// ErrPlayerFull reports that a player has reached the limit of open tables. It is a Refusal's cause.
var ErrPlayerFull = errors.New("the player sits at enough open tables")

// ManyTables reports whether the player's document lists at least PlayerTables tables.
func (ts *Tables) ManyTables(person doc.Player) bool {
	return ts.Limits.PlayerTables > 0 && len(person.Tables) >= ts.Limits.PlayerTables
}

// RoomFor returns an error, with the cause ErrPlayerFull, if a player has reached the
// limit of open tables, not counting the table id. person is the player's document.
func (ts *Tables) RoomFor(ctx context.Context, person doc.Player, player, id string) error {
	if !ts.ManyTables(person) {
		return nil
	}
	open, err := ts.TablesOf(ctx, player) // the document may list tables that are over
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
