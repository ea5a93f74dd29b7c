package play

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
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
		err = room.tournaments.Raise(ctx, id)
	}
	if err != nil {
		return err
	}
	return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{})
}

// due is a table whose job is being done, up to date.
type due struct {
	doc.Table
	docs    []store.Doc // as TableKeys names them
	notes   doc.Notes
	crowded bool // the AI has had no turn to think yet
	waits   bool // something is due, but the player whose turn it is can't know: see [Room.unseen]
}

// advance loads a table, unless its documents are known, and makes all moves that are due there.
func (room *Room) advance(ctx context.Context, id string, known []store.Doc) (at due, err error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return at, doc.ErrNoTable
	}
	if at.docs = known; len(known) != len(keys) {
		if at.docs, err = room.docs.Store.Get(ctx, keys[:]...); err != nil {
			return at, err
		}
	}
	if at.docs[0].Version == 0 {
		return at, doc.ErrNoTable
	}
	if at.Table, err = room.tables.ReadTable(at.docs[0]); err != nil {
		return at, err
	}
	var notes doc.Notes
	if err = doc.Decode(at.docs[2], &notes); err != nil {
		return at, err
	}
	at.notes = notes
	if at.waits = room.unseen(at); at.waits {
		return at, nil
	}
	if at.Table, err = room.tables.Advance(ctx, at.Table); errors.Is(err, ai.ErrCrowded) {
		at.crowded, err = true, nil
	}
	return at, err
}

// unseen reports whether a player's time would run out now although nothing reaches them. A turn counts from the delivery
// of its hand, so it begins again when the platform takes messages.
func (room *Room) unseen(at due) bool {
	player, now := at.Awaits(), room.docs.Now()
	begin := tables.Begin(at.Table.Table)
	if player == "" || begin.IsZero() || begin.After(now) {
		return false
	}
	shown, err := room.deliver.TakeShown(at.docs[1])
	if err != nil {
		return false
	}
	fails := shown.Again || room.deliver.Fails(at.Table.Table, player, &shown)
	room.deliver.LeaveShown(at.docs[1].Key.Name, at.docs[1].Data, shown)
	return fails
}

// tend makes all moves that are due at the table, updates its messages, and completes the job.
func (room *Room) tend(ctx context.Context, id string, job store.Job, ends time.Time) error {
	if keys, ok := doc.TableKeys(id); ok {
		room.deliver.DoubtTaken(ctx, keys[2], job)
	}
	at, err := room.advance(ctx, id, job.Docs) // the commit that claimed the job has returned them
	if err != nil {
		return err
	}
	slot, begun := room.deliver.Begin(at.Table.Table)
	if !begun {
		return room.await(ctx, id, slot, job, ends)
	}
	defer slot.End()
	return room.show(ctx, at, slot, job, ends)
}

// await tends a table when its slot is free.
func (room *Room) await(ctx context.Context, id string, slot *deliver.Slot, job store.Job, ends time.Time) error {
	var later time.Duration
	var begun bool
	job.Docs = nil // somebody may act during the wait
	return room.queue.Yield(ctx, job, func(stop context.Context) {
		later, begun = slot.Wait(stop, ends.Sub(room.docs.Now())-work.Showing-work.Delivery)
	}, func() error {
		if !begun {
			return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now().Add(later))
		}
		defer slot.End()
		at, err := room.advance(ctx, id, nil)
		if err != nil {
			return err
		}
		return room.show(ctx, at, slot, job, ends)
	})
}

// show updates the messages of a table, frees its slot and completes its job.
func (room *Room) show(ctx context.Context, at due, slot *deliver.Slot, job store.Job, ends time.Time) error {
	if ends.Sub(room.docs.Now()) < work.Showing+work.Delivery {
		// Too little of the lease is left for a round of deliveries, so release the job to be claimed again.
		return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now())
	}
	id, docs := at.ID, at.docs
	shown, err := room.deliver.TakeShown(docs[1])
	if err != nil {
		return err
	}
	t, again, err := room.tables.Shows(ctx, at.Table)
	if err != nil {
		room.docs.Log.Warn("ask the room of a table how to show it", "table", id, "err", err)
		again = room.docs.Now().Add(work.Pardon(err))
	}
	limited, cancel := context.WithTimeout(ctx, work.Showing)
	next := work.Earlier(again, room.deliver.Show(limited, t.Table, &shown, at.notes))
	cancel()
	slot.End()
	player := t.Awaits()
	waits := at.waits && room.deliver.Fails(t.Table, player, &shown)
	shown.Again = player != "" && !waits && (at.waits || shown.Again || shown.Late[player])
	if shown.Again {
		if err := room.restart(ctx, t.Table); err != nil {
			room.docs.Log.Warn("begin a turn again", "table", id, "err", err)
			next, waits = work.Earlier(next, room.docs.Now().Add(work.Pardon(err))), true
		}
		shown.Again = waits
	}
	for from, to := range shown.Moved {
		if err := room.tables.Migrate(ctx, from, to, id); err != nil {
			room.docs.Log.Warn("follow a chat to its new id", "table", id, "err", err)
		}
	}
	for _, step := range []struct {
		what string
		do   func(context.Context, table.Table, *deliver.Shown) error
	}{
		{"skip a player who can't be reached", room.skipUnreachable},
		{"index a player's tables", room.index},
		{"end the games against the AI", room.closeWarmUps},
		{"tell another home of a table", room.indexGuests},
	} {
		if err := step.do(ctx, t.Table, &shown); err != nil {
			room.docs.Log.Warn(step.what, "table", id, "err", err)
			next = work.Earlier(next, room.docs.Now().Add(work.Pardon(err)))
		}
	}

	c := store.Change{Partition: job.Partition, Done: &job, Next: next}
	if !waits {
		c.Next = work.Earlier(tables.Begin(t.Table), next)
	}
	if at.crowded {
		c.Next = room.docs.Now()
	}
	after := doc.WriteOf(docs[1], shown, room.docs.Now())
	if !bytes.Equal(after.Data, docs[1].Data) {
		c.Writes = append(c.Writes, after)
	}
	if err = room.queue.Complete(ctx, c, ends); err == nil {
		room.deliver.LeaveShown(docs[1].Key.Name, after.Data, shown)
	}
	if len(c.Writes) > 0 && err != nil {
		// Another process may hold the lease now. Edits made here may have overwritten newer ones.
		room.deliver.Doubt(ctx, docs[2].Key, job.ID)
	}
	return err
}

// restart begins the turn of a table again, unless somebody has acted.
func (room *Room) restart(ctx context.Context, t table.Table) error {
	_, err := room.tables.Update(ctx, t.ID, func(now table.Table) (table.Table, []table.Event, error) {
		if now.DealNo != t.DealNo || now.Awaits() != t.Awaits() || now.Deal.Plies() != t.Deal.Plies() {
			return now, nil, doc.ErrSame
		}
		return table.Restart(now, room.tables.Env()), nil, nil
	})
	if errors.Is(err, doc.ErrSame) {
		return nil
	}
	return err
}

// skipUnreachable takes players whose private chats are closed off a private table, unless they have its page open. Nobody
// could show them their cards.
func (room *Room) skipUnreachable(ctx context.Context, t table.Table, shown *deliver.Shown) error {
	if !t.Policy.Private || t.Policy.Aside != "" || doc.Ended(t.Phase) {
		return nil
	}
	var notes *doc.Notes // as they are after the table was shown
	for _, s := range t.Seats {
		if s.Player.ID == "" || s.Left || !shown.Closed(s.Player.ID) {
			continue
		}
		if notes == nil {
			keys, _ := doc.TableKeys(t.ID)
			notes = new(doc.Notes)
			if _, err := room.docs.Get(ctx, keys[2], notes); err != nil {
				return err
			}
		}
		if notes.Pages[s.Player.ID].Open(room.docs.Now()) {
			continue
		}
		err := room.tables.Bring(ctx, t.ID, func(table.Table) (table.Player, table.Command, bool) {
			return s.Player, table.Leave{}, true
		})
		if err != nil {
			return err
		}
	}
	return nil
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
		again := t.MatchNo > 1 || t.Policy.Runs || t.Seats[t.SeatOf(p)].Late > 0
		home, err := room.docs.Home(ctx, t.Home)
		if err == nil {
			err = room.tables.IndexPlayer(ctx, p, t.ID, true, again, "", home.Zone)
		}
		if err != nil {
			return err
		}
		shown.Seated = append(shown.Seated, p)
	}
	for _, p := range slices.Sorted(maps.Keys(had)) {
		last, public := "", t.Public()
		if o := public.Result; o != nil && view.CanShare(public, *o) && slices.ContainsFunc(o.Seats, func(s table.Seat) bool { return s.Player.ID == p }) {
			last = doc.MatchID(t.ID, o.MatchNo)
		}
		if err := room.tables.IndexPlayer(ctx, p, t.ID, false, false, last, ""); err != nil {
			return err
		}
	}
	shown.Seated = want
	return nil
}
