package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// How tables are worked on.
const (
	lease    = 15 * time.Second       // how long a worker holds a table; after a crash nobody notices but for that pause
	showing  = 6 * time.Second        // how long one round of deliveries may take: less than half a lease
	delivery = 2 * time.Second        // what must be left of that for one more delivery
	poll     = 500 * time.Millisecond // how often to look for work that no nudge told of
	workers  = 64                     // tables worked on at once in one process
	inFlight = workers * 3 / 4        // deliveries to one platform at once: one that hangs leaves workers for the others
	crowded  = 2 * time.Second        // when to come back to a platform that has that many
	retry    = time.Second            // when to come back to a table whose work met an error of the store
	finish   = 8 * time.Second        // how long work in hand may take after a stop
	newerFor = time.Minute            // how long a document of a newer schema is left alone, and one that cannot be read
	claiming = 5 * time.Second        // how long to wait for the store to tell of work
)

// attend works on due tables until ctx ends, and returns when what is in hand is
// finished, 8 s later at most.
func (b *Bot) attend(ctx context.Context) error {
	b.crew.open(ctx)
	defer b.crew.close()
	for ctx.Err() == nil {
		room := b.crew.room()
		var next time.Time
		failed := false
		if room > 0 {
			// A stop must not cut the answer off: what it tells of would wait for the end of its lease.
			claim, cancel := context.WithTimeout(context.WithoutCancel(ctx), claiming)
			now := b.docs.Now()
			jobs, at, err := b.docs.Store.Claim(claim, now, lease, room)
			cancel()
			failed = err != nil
			if failed && ctx.Err() == nil {
				b.docs.Log.Error("claim work", "err", err)
			}
			next = at
			for _, job := range jobs {
				b.begin(job, now.Add(lease))
			}
			if !failed {
				b.look()
			}
		}
		wait := poll
		switch {
		case failed:
			wait = retry
		case room > 0 && !next.IsZero():
			wait = min(wait, max(0, next.Sub(b.docs.Now())))
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-b.nudges:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// begin has a worker do a job, or leaves it to others if this process stops.
func (b *Bot) begin(job store.Job, ends time.Time) {
	begun := b.crew.begin(func(ctx context.Context) {
		stop, cancel := finishing(ctx)
		defer cancel()
		b.work(stop, job, ends)
	}, b.docs.Nudge)
	if !begun {
		b.leave(job)
	}
}

// leave lets go of a job that this process may hold, and leaves it due.
func (b *Bot) leave(job store.Job) {
	ctx, cancel := context.WithTimeout(context.Background(), claiming)
	defer cancel()
	if err := b.docs.Store.Release(ctx, job, b.docs.Now(), b.docs.Now()); err != nil && !errors.Is(err, store.ErrFenced) {
		b.docs.Log.Warn("leave work to others", "err", err) // its lease ends
	}
	b.docs.Nudge()
}

// crew is who does the work of a Bot that runs.
type crew struct {
	mu   sync.Mutex
	ctx  context.Context // of Run; nil while it does not run
	busy int
	all  sync.WaitGroup
}

func (c *crew) open(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
}

// close waits for all work.
func (c *crew) close() {
	c.mu.Lock()
	c.ctx = nil
	c.mu.Unlock()
	c.all.Wait()
}

// room is how many more could work.
func (c *crew) room() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil || c.ctx.Err() != nil {
		return 0
	}
	return max(0, workers-c.busy)
}

// begin has somebody do work, and then after. It reports false if nobody works here any more.
func (c *crew) begin(work func(ctx context.Context), after func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		return false
	}
	c.busy++
	ctx := c.ctx
	c.all.Go(func() {
		defer func() {
			c.mu.Lock()
			c.busy--
			c.mu.Unlock()
			after()
		}()
		work(ctx)
	})
	return true
}

// spare has somebody do work that no job asks for, and then after. It reports false if
// nobody works here any more.
func (b *Bot) spare(work func(ctx context.Context), after func()) bool {
	return b.crew.begin(work, after)
}

// hold asks for a table's job in the change that makes it due, as of now, if
// somebody here could work on it at once. It is nil if not: others will.
func (b *Bot) hold(id string, now time.Time) *store.Hold {
	if b.crew.room() == 0 {
		return nil
	}
	return &store.Hold{ID: tableName(id), Token: 1<<62 + rand.Int64N(1<<62), Until: now.Add(lease)}
}

// finishing returns a context that outlives ctx by the time that work in hand
// may still take.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finish, cancel) })
	return out, func() { stop(); cancel() }
}

// work does one job, held until its lease ends: what time demands, then what should be seen.
func (b *Bot) work(ctx context.Context, job store.Job, ends time.Time) {
	kind, id, _ := strings.Cut(job.ID, ":")
	log := b.docs.Log
	if kind == "table" {
		log = log.With("table", id)
	}
	defer func() {
		// A fault in one table must not take the others with it; its lease ends by itself.
		if r := recover(); r != nil {
			log.Error("panic at work", "value", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
		}
	}()
	err := error(errNewer)
	if do := b.byName[kind].Job; do != nil {
		err = do(ctx, id, job, ends)
	}
	switch {
	case err == nil, errors.Is(err, store.ErrFenced):
		return
	case errors.Is(err, errNoTable):
		err = b.docs.Store.Release(ctx, job, b.docs.Now(), time.Time{})
	case errors.Is(err, errNewer):
		err = b.docs.Store.Release(ctx, job, b.docs.Now(), b.docs.Now().Add(newerFor))
	case unreadable(err):
		log.Error("work on what is due", "err", err)
		err = b.docs.Store.Release(ctx, job, b.docs.Now(), b.docs.Now().Add(newerFor))
	default:
		log.Error("work on what is due", "err", err)
		err = b.docs.Store.Release(ctx, job, b.docs.Now(), b.docs.Now().Add(retry))
	}
	if err != nil && !errors.Is(err, store.ErrFenced) {
		log.Warn("release what was due", "err", err)
	}
}

// tend advances the table as far as time demands, shows it, and completes the job.
func (b *Bot) tend(ctx context.Context, id string, job store.Job, ends time.Time) error {
	keys, ok := tableKeys(id)
	if !ok {
		return errNoTable
	}
	docs, err := b.docs.Store.Get(ctx, keys[:]...)
	if err != nil {
		return err
	}
	if docs[0].Version == 0 {
		return errNoTable
	}
	t, err := b.readTable(docs[0])
	if err != nil {
		return err
	}
	var notes notesDoc
	shown, err := b.takeShown(docs[1])
	if err := errors.Join(err, decode(docs[2], &notes)); err != nil {
		return err
	}
	t, err = b.advance(ctx, t)
	crowded := errors.Is(err, ai.ErrCrowded)
	if err != nil && !crowded {
		return err
	}
	if b.docs.Now().Add(showing + delivery).After(ends) {
		// All that took so long that somebody else may have the job before this round of deliveries is over.
		return b.docs.Store.Release(ctx, job, b.docs.Now(), b.docs.Now())
	}

	t, again, err := b.compare(ctx, t)
	if err != nil {
		b.docs.Log.Warn("compare a deal of the day", "table", id, "err", err)
		again = b.docs.Now().Add(pardon(err))
	}
	limited, cancel := context.WithTimeout(ctx, showing)
	next := earlier(again, b.show(limited, t.Table, &shown, notes))
	cancel()
	for from, to := range shown.moved {
		if err := b.migrate(ctx, from, to, id); err != nil {
			b.docs.Log.Warn("follow a chat to its new id", "table", id, "err", err)
		}
	}
	if err := b.index(ctx, t.Table, &shown); err != nil {
		b.docs.Log.Warn("index a player's tables", "table", id, "err", err)
		next = earlier(next, b.docs.Now().Add(pardon(err)))
	}

	if err := b.indexGuests(ctx, t.Table, &shown); err != nil {
		b.docs.Log.Warn("tell another home of a table", "table", id, "err", err)
		next = earlier(next, b.docs.Now().Add(pardon(err)))
	}

	c := store.Change{Partition: job.Partition, Done: &job, Next: earlier(t.Due(), next)}
	if crowded {
		c.Next = b.docs.Now()
	}
	after := encode(shown)
	if !bytes.Equal(after, docs[1].Data) {
		w := store.Write{Name: keys[1].Name, Expect: docs[1].Version, Data: after}
		if t.Phase == table.Closed {
			w.Expires = b.docs.Now().Add(keepClosed)
		}
		c.Writes = append(c.Writes, w)
	}
	if err = b.complete(ctx, c, ends); err == nil {
		b.leaveShown(keys[1].Name, after, shown)
	}
	if len(c.Writes) > 0 && errors.Is(err, store.ErrFenced) {
		// Somebody else shows this table by now. What was edited here may have come after his edits.
		if err := b.note(ctx, id, func(n *notesDoc) { n.Doubts++ }); err != nil {
			b.docs.Log.Warn("tell of a lost lease", "table", id, "err", err)
		}
	}
	return err
}

// complete commits what a job has come to, again and again while the store is
// away: what was sent and is not noted would be sent twice.
func (b *Bot) complete(ctx context.Context, c store.Change, ends time.Time) error {
	for {
		c.Now = b.docs.Now()
		err := b.docs.Store.Commit(ctx, c)
		if err == nil || errors.Is(err, store.ErrFenced) || errors.Is(err, store.ErrConflict) || unreadable(err) || c.Now.After(ends) {
			return err
		}
		timer := time.NewTimer(retry)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return err
		}
	}
}

// pardon is how long to leave alone what failed with err.
func pardon(err error) time.Duration {
	if errors.Is(err, errNewer) || unreadable(err) {
		return newerFor
	}
	return retry
}

// advance does what time demands of a table by now, step by committed step.
func (b *Bot) advance(ctx context.Context, t loaded) (loaded, error) {
	keys, _ := tableKeys(t.ID)
	stale := false // t stands in the store, but its version there is not known
	for conflicts := 0; conflicts < attempts; {
		due := t.Due()
		if due.IsZero() || due.After(b.docs.Now()) {
			return t, nil
		}
		if stale {
			docs, err := b.docs.Store.Get(ctx, keys[0])
			if err != nil {
				return t, err
			}
			if docs[0].Version == 0 {
				return t, errNoTable
			}
			if t, err = b.readTable(docs[0]); err != nil {
				return t, err
			}
			stale = false
			continue
		}
		next, events, err := b.next(ctx, t.Table)
		if err != nil {
			return t, err
		}
		change, err := b.change(ctx, t, &next, events)
		if err != nil {
			return t, err
		}
		stale = true
		switch err := b.docs.Store.Commit(ctx, change); {
		case err == nil:
			t.Table = next
			if len(change.Due) > 0 {
				b.docs.Nudge()
			}
		case errors.Is(err, store.ErrConflict):
			conflicts++
		default:
			return t, err
		}
	}
	return t, errBusy
}

// earlier is the earlier of two times, where zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// index brings the players' own documents up to date, which name the tables at
// which each sits. They lie in other partitions, so each is a commit of its
// own; shown remembers which are done.
func (b *Bot) index(ctx context.Context, t table.Table, shown *shownDoc) error {
	var want []string
	if !done(t.Phase) {
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
		if err := b.indexPlayer(ctx, p, t.ID, true, t.MatchNo > 1 || t.Contest != nil); err != nil {
			return err
		}
		shown.Seated = append(shown.Seated, p)
	}
	for p := range had {
		if err := b.indexPlayer(ctx, p, t.ID, false, false); err != nil {
			return err
		}
	}
	shown.Seated = want
	return nil
}

// indexPlayer notes in a player's document that they sit at a table, or no longer do.
// With again, what they set since they took part is brought to it: a rematch, and a
// tournament's next round, seat people as they were.
func (b *Bot) indexPlayer(ctx context.Context, player, id string, sits, again bool) error {
	key := playerKey(player)
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, key)
		if err != nil {
			return err
		}
		var doc playerDoc
		if err := decode(docs[0], &doc); err != nil {
			return err
		}
		old := doc.Tables
		var tables []string
		for _, other := range old {
			if other != id {
				tables = append(tables, other)
			}
		}
		if sits {
			tables = append(tables, id)
			tables = tables[max(0, len(tables)-b.limits.listed()):]
		}
		if slices.Equal(tables, old) {
			return nil
		}
		doc.Tables = tables
		now := b.docs.Now()
		c := store.Change{Partition: key.Partition, Writes: []store.Write{doc.write(docs[0], now)}, Now: now}
		if again {
			c.Due = append(c.Due, store.Mark{ID: key.Name, At: c.Now})
		}
		err = b.docs.Store.Commit(ctx, c)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return errBusy
}
