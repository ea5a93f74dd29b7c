package tables

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Begin returns when to begin the next thing that is due at a table. The zero time means never. See [Tables.Next].
func Begin(t table.Table) time.Time {
	due := t.Due()
	if due.IsZero() {
		return due
	}
	return due.Add(-t.Thinking())
}

// Next is table.Advance, except that each move of the AI waits for its turn to be computed. Called between [Begin] and
// the time when something is due, it does that, and returns at that time. So others can't see how long the AI thinks,
// nor that a stop needed no thought.
func (ts *Tables) Next(ctx context.Context, t table.Table) (table.Table, []table.Event, error) {
	env := ts.Env()
	wait := t.Due().Sub(env.Now)
	if wait > t.Thinking() {
		wait = 0 // nothing is due
	}
	ready := time.NewTimer(wait)
	defer ready.Stop()
	env.Now = env.Now.Add(max(0, wait))
	if t.Thinking() > 0 && t.Deal.Forced() {
		if err := ts.thinkers.Take(ctx, func(context.Context) {}); err != nil { // wait as long as a move that needs thought
			return t, nil, err
		}
	}
	next, events, wanted := table.Advance(t, env)
	for wanted != nil {
		move, err := ts.think(ctx, t.Policy.Even, wanted)
		if err != nil {
			return t, nil, err // discard the events too: the change is incomplete without the move
		}
		var more []table.Event
		next, more, wanted = table.Answer(next, env, move)
		events = append(events, more...)
	}
	select {
	case <-ready.C:
		return next, events, nil
	case <-ctx.Done():
		return t, nil, ctx.Err()
	}
}

// think chooses a move of the AI. With even it takes its full time even if others
// wait, so that the AI plays the same for everyone.
func (ts *Tables) think(ctx context.Context, even bool, w *table.Wanted) (move game.Move, err error) {
	err = ts.thinkers.Take(ctx, func(thinking context.Context) {
		if even {
			thinking = ctx
		}
		move = ts.thinkers.Move(thinking, w.Level, w.View, w.Match)
	})
	return move, err
}

// Advance brings a table up to the present: it applies each step that is due and commits it.
func (ts *Tables) Advance(ctx context.Context, t doc.Table) (doc.Table, error) {
	keys, _ := doc.TableKeys(t.ID)
	stale := false // another change was committed first, so t must be loaded again
	for conflicts := 0; conflicts < doc.Attempts; {
		begin, now := Begin(t.Table), ts.docs.Now()
		if (begin.IsZero() || begin.After(now)) && !t.Doubted(now) {
			return t, nil
		}
		if stale {
			docs, err := ts.docs.Store.Get(ctx, keys[0])
			if err != nil {
				return t, err
			}
			if docs[0].Version == 0 {
				return t, doc.ErrNoTable
			}
			if t, err = ts.ReadTable(docs[0]); err != nil {
				return t, err
			}
			stale = false
			continue
		}
		var next table.Table
		var events []table.Event
		untended := false
		if t.Late(ts.docs.Now()) {
			next, events, untended = table.Untended(t.Table, ts.Env())
		}
		if !untended {
			var err error
			if next, events, err = ts.Next(ctx, t.Table); err != nil {
				return t, err
			}
		}
		change, err := ts.Change(ctx, t, &next, events)
		if err != nil {
			return t, err
		}
		// Another process may have taken this job by its clock, and have read the table before. If this one dies before it notices,
		// that is the only look at the change.
		change.Due = append(change.Due, store.Mark{ID: doc.TableName(t.ID), At: change.Now.Add(work.Lease)})
		switch err := ts.docs.Commit(ctx, "", change); {
		case err == nil:
			t = doc.Table{Table: next, Version: change.Version(doc.TableName(t.ID))}
		case errors.Is(err, store.ErrConflict):
			conflicts++
			stale = true
		default:
			return t, err
		}
	}
	return t, doc.ErrBusy
}

// IndexPlayer records in a player's document whether they sit at a table. With again,
// their current settings are copied to the table too. A rematch or the next round of a
// tournament needs that, because it seats people with their old settings. last is a match that they have
// finished there, or "". zone is the time zone of a chat where they take a seat, or "".
func (ts *Tables) IndexPlayer(ctx context.Context, player, id string, sits, again bool, last, zone string) error {
	key := doc.PlayerKey(player)
	return ts.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var person doc.Player
		if err := doc.Decode(docs[0], &person); err != nil {
			return err
		}
		old := person.Tables
		var tables []string
		for _, other := range old {
			if other != id {
				tables = append(tables, other)
			}
		}
		if sits {
			tables = append(tables, id)
			tables = tables[max(0, len(tables)-ts.Limits.listed()):]
		}
		last, zone := cmp.Or(last, person.Last), cmp.Or(zone, person.LastZone)
		if slices.Equal(tables, old) && last == person.Last && zone == person.LastZone {
			return doc.ErrSame
		}
		person.Tables, person.Last, person.LastZone = tables, last, zone
		c.Writes = []store.Write{doc.WriteOf(docs[0], person, c.Now)}
		if again {
			c.Due = []store.Mark{{ID: key.Name, At: c.Now}}
		}
		return nil
	})
}
