package tables

import (
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game/table"
)

const (
	atRest = 5 * time.Second // after this long without a change, every message should be up to date
)

// errUndone reports that the pressed button belongs to a decision that was undone.
var errUndone = chat.NewRefusal("undone")

// misfits are the refusals that show that a person pressed a button of an outdated message: the current messages don't
// have it, or don't offer it to that player.
var misfits = []table.Refusal{
	table.ErrNotTurn, table.ErrAlready, table.ErrOldDeal, table.ErrNotPlaying, table.ErrNotOver, table.ErrNotLobby, table.ErrNotResting,
}

// Suspect requests a redraw of the table if a seated player's press shows that its messages may be out of date. ahead
// is the result of Table.Ahead for the press, and err the press's own result. It returns the error to answer with.
func (ts *Tables) Suspect(ctx context.Context, t table.Table, ahead bool, err error) error {
	var refusal table.Refusal
	refused := errors.As(err, &refusal)
	changed := t.Since
	if t.Touched.After(changed) {
		changed = t.Touched
	}
	switch {
	case ahead && (err == nil || refused):
		err = errUndone
	case refused && slices.Contains(misfits, refusal) && ts.docs.Now().Sub(changed) >= atRest:
	default:
		return err
	}
	if fault := ts.Redraw(ctx, t.ID, ahead); fault != nil {
		ts.docs.Log.Debug("draw a table again", "table", t.ID, "err", fault)
	}
	return err
}

// Redraw requests that the messages of a table are edited, at most every 10 s. undone means that moves are known to be
// undone.
func (ts *Tables) Redraw(ctx context.Context, id string, undone bool) error {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	docs, err := ts.docs.Store.Get(ctx, keys[2])
	if err != nil {
		return err
	}
	var notes doc.Notes
	if err := doc.Decode(docs[0], &notes); err != nil {
		return err
	}
	if !notes.Redraw(ts.docs.Now(), undone) {
		return nil
	}
	return ts.Note(ctx, id, func(n *doc.Notes) { n.Redraw(ts.docs.Now(), undone) })
}

// CompareHistory checks for tables that have lost commits after an interruption of the store, and redraws them.
func (ts *Tables) CompareHistory() {
	if !ts.witness.Due(ts.docs.Now()) {
		return
	}
	ts.queue.Spare(func(ctx context.Context) {
		n := 0
		err := ts.witness.Compare(ctx, func(id string) error {
			n++
			err := ts.Redraw(ctx, id, true)
			if errors.Is(err, doc.ErrNewer) || errors.Is(err, doc.ErrUnreadable) {
				return nil // this process can't read the table, but another one may
			}
			return err
		})
		if n > 0 {
			ts.docs.Log.Warn("the store came back without its latest changes: the tables that lost some are drawn again", "tables", n)
		}
		if err != nil && ctx.Err() == nil {
			ts.docs.Log.Warn("look for changes that the store has lost", "err", err)
		}
	}, func() {})
}
