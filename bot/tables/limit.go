package tables

import (
	"context"
	"errors"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
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

// nearlyFull reports whether the player may reach the limit by tables that their document doesn't list yet.
func (ts *Tables) nearlyFull(person doc.Player) bool {
	return ts.Limits.PlayerTables > 0 && len(person.Tables) >= ts.Limits.PlayerTables-FewTables
}

// Reserve lists a table that a player is about to take a seat at in the player's document, so that many at once keep
// the limit of open tables as well. It returns an error, with the cause ErrPlayerFull, if the player has reached the limit. If
// the player doesn't get the seat, the caller calls free.
func (ts *Tables) Reserve(ctx context.Context, player, id string) (free func(), err error) {
	free = func() {}
	if ts.Limits.PlayerTables == 0 {
		return free, nil
	}
	key := doc.PlayerKey(player)
	reserve := func() error {
		return ts.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
			var person doc.Player
			if err := doc.Decode(docs[0], &person); err != nil {
				return err
			}
			switch {
			case person.Erasing:
				return doc.ErrErasing
			case slices.Contains(person.Tables, id):
				return doc.ErrSame
			case ts.ManyTables(person):
				return ErrPlayerFull
			}
			person.Tables = append(slices.Clone(person.Tables), id)
			free = func() {
				if err := ts.IndexPlayer(context.WithoutCancel(ctx), player, id, false, false, "", ""); err != nil {
					ts.docs.Log.Debug("free a player's seat", "err", err)
				}
			}
			c.Writes = []store.Write{doc.WriteOf(docs[0], person, c.Now)}
			return nil
		})
	}
	if err = reserve(); errors.Is(err, ErrPlayerFull) {
		if _, err = ts.tablesOf(ctx, player, true); err == nil { // the document may list tables that are over
			err = reserve()
		}
	}
	if errors.Is(err, ErrPlayerFull) {
		err = ts.full()
	}
	return free, err
}

// full returns the refusal of a player who has reached the limit of open tables.
func (ts *Tables) full() error {
	full := chat.NewLimit("player_full", ts.Limits.PlayerTables)
	full.Cause = ErrPlayerFull
	return full
}

// RoomFor returns an error, with the cause ErrPlayerFull, if a player has reached the
// limit of open tables, not counting the table id. person is the player's document.
func (ts *Tables) RoomFor(ctx context.Context, person doc.Player, player, id string) error {
	if !ts.ManyTables(person) {
		return nil
	}
	open, err := ts.tablesOf(ctx, player, true) // the document may list tables that are over
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
		return ts.full()
	}
	return nil
}
