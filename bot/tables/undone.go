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
	atRest = 5 * time.Second // after so long without a change every message shows the table as it is
)

// errUndone: the press was on a decision that was undone.
var errUndone = chat.NewRefusal("undone")

// misfits are the refusals of buttons that the messages of the table as it is do not have, or not for that player.
var misfits = []table.Refusal{
	table.ErrNotTurn, table.ErrAlready, table.ErrOldDeal, table.ErrNotPlaying, table.ErrNotOver, table.ErrNotLobby, table.ErrNotResting,
}

// Suspect has the table drawn again if a seated player's press shows that its messages may be out of date. ahead is
// what Table.Ahead said of the press, and err what came of it. It returns the error to answer with.
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

// Redraw has the messages of a table edited, every 10 s at most. undone says that moves are known to be undone.
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

// compareHistory has those tables drawn again that have lost commits, after an interruption of the store.
func (ts *Tables) compareHistory() {
	versions, interruptions := ts.witness.Begin(ts.docs.Now())
	if len(versions) == 0 {
		return
	}
	begun := ts.queue.Spare(func(ctx context.Context) {
		n := 0
		err := ts.witness.Compare(ctx, versions, func(id string) error {
			n++
			err := ts.Redraw(ctx, id, true)
			if errors.Is(err, doc.ErrNewer) || errors.Is(err, doc.ErrUnreadable) {
				return nil // another process may be able to
			}
			return err
		})
		ts.witness.End(interruptions, err == nil)
		if n > 0 {
			ts.docs.Log.Warn("the store came back without its latest changes: the tables that lost some are drawn again", "tables", n)
		}
		if err != nil {
			ts.docs.Log.Warn("look for changes that the store has lost", "err", err)
		}
	}, func() {})
	if !begun {
		ts.witness.End(interruptions, false)
	}
}
