package play

import (
	"bytes"
	"context"
	"errors"
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/work"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// tendUndone redraws the messages of a table or tournament that was restored from a backup.
func (room *Room) tendUndone(ctx context.Context, name string, job store.Job, _ time.Time) error {
	var err error
	switch kind, id := doc.KindAndRest(name); kind {
	case "table":
		err = room.tables.Redraw(ctx, id, true)
	case "tournament":
		err = room.Raise(ctx, id)
	}
	if err != nil {
		return err
	}
	return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{})
}

// tend makes all moves that are due at the table, updates its messages, and completes the job.
func (room *Room) tend(ctx context.Context, id string, job store.Job, ends time.Time) error {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	docs := job.Docs // as the commit left them that made the job due and claimed it
	if len(docs) != len(keys) {
		var err error
		if docs, err = room.docs.Store.Get(ctx, keys[:]...); err != nil {
			return err
		}
	}
	if docs[0].Version == 0 {
		return doc.ErrNoTable
	}
	t, err := room.tables.ReadTable(docs[0])
	if err != nil {
		return err
	}
	var notes doc.Notes
	shown, err := room.deliver.TakeShown(docs[1])
	if err := errors.Join(err, doc.Decode(docs[2], &notes)); err != nil {
		return err
	}
	t, err = room.tables.Advance(ctx, t)
	crowded := errors.Is(err, ai.ErrCrowded)
	if err != nil && !crowded {
		return err
	}
	if room.docs.Now().Add(work.Showing + work.Delivery).After(ends) {
		// Too little of the lease is left for a round of deliveries, so release the job to be claimed again.
		return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now())
	}

	t, again, err := room.Compare(ctx, t)
	if err != nil {
		room.docs.Log.Warn("compare a deal of the day", "table", id, "err", err)
		again = room.docs.Now().Add(work.Pardon(err))
	}
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	next := work.Earlier(again, room.deliver.Show(limited, t.Table, &shown, notes))
	cancel()
	for from, to := range shown.Moved {
		if err := room.tables.Migrate(ctx, from, to, id); err != nil {
			room.docs.Log.Warn("follow a chat to its new id", "table", id, "err", err)
		}
	}
	if err := room.index(ctx, t.Table, &shown); err != nil {
		room.docs.Log.Warn("index a player's tables", "table", id, "err", err)
		next = work.Earlier(next, room.docs.Now().Add(work.Pardon(err)))
	}

	if err := room.indexGuests(ctx, t.Table, &shown); err != nil {
		room.docs.Log.Warn("tell another home of a table", "table", id, "err", err)
		next = work.Earlier(next, room.docs.Now().Add(work.Pardon(err)))
	}

	c := store.Change{Partition: job.Partition, Done: &job, Next: work.Earlier(t.Due(), next)}
	if crowded {
		c.Next = room.docs.Now()
	}
	after := doc.Encode(shown)
	if !bytes.Equal(after, docs[1].Data) {
		w := store.Write{Name: keys[1].Name, Expect: docs[1].Version, Data: after}
		if t.Phase == table.Closed {
			w.Expires = room.docs.Now().Add(doc.KeepClosed)
		}
		c.Writes = append(c.Writes, w)
	}
	if err = room.queue.Complete(ctx, c, ends); err == nil {
		room.deliver.LeaveShown(keys[1].Name, after, shown)
	}
	if len(c.Writes) > 0 && errors.Is(err, store.ErrFenced) {
		// Another process holds the lease now. Edits made here may have overwritten newer ones.
		if err := room.tables.Note(ctx, id, func(n *doc.Notes) { n.Doubts++ }); err != nil {
			room.docs.Log.Warn("tell of a lost lease", "table", id, "err", err)
		}
	}
	return err
}

// index updates the players' documents, which list the tables where each player
// sits. They are in other partitions, so each update is a separate commit. Finished
// updates are recorded in shown.
func (room *Room) index(ctx context.Context, t table.Table, shown *deliver.Shown) error {
	var want []string
	if !doc.Ended(t.Phase) {
		for _, s := range t.Seats {
			if s.Player.ID != "" {
				want = append(want, s.Player.ID)
			}
		}
	}
	had := map[string]bool{}
	for _, p := range shown.Seated {
		had[p] = true
	}
	for _, p := range want {
		if had[p] {
			delete(had, p)
			continue
		}
		if err := room.tables.IndexPlayer(ctx, p, t.ID, true, t.MatchNo > 1 || t.Contest != nil); err != nil {
			return err
		}
		shown.Seated = append(shown.Seated, p)
	}
	for p := range had {
		if err := room.tables.IndexPlayer(ctx, p, t.ID, false, false); err != nil {
			return err
		}
	}
	shown.Seated = want
	return nil
}
