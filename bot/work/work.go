// Package work does what is due later. A job is the name of a document, such as
// "table:<id>", with a time. When the time comes, one process claims the job for the
// length of a lease and does it, and if that process dies, another one takes over.
//
// [Queue] finds due jobs and passes each to the kind of document that its name begins
// with (see doc.Kind). Start with Queue.Run. hold.go elects the one process that may
// poll a platform, lockfile.go tells the processes of one machine which of them live,
// and think.go shares the processors among the AI's moves.
package work

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// How tables are worked on.
const (
	Lease    = 15 * time.Second       // how long a worker holds a table; after a crash nobody notices but for that pause
	Showing  = 6 * time.Second        // how long one round of deliveries may take: less than half a lease
	Delivery = 2 * time.Second        // what must be left of that for one more delivery
	poll     = 500 * time.Millisecond // how often to look for work that no nudge told of
	Workers  = 64                     // tables worked on at once in one process
	retry    = time.Second            // when to come back to a table whose work met an error of the store
	finish   = 8 * time.Second        // how long work in hand may take after a stop
	NewerFor = time.Minute            // how long a document of a newer schema is left alone, and one that cannot be read
	claiming = 5 * time.Second        // how long to wait for the store to tell of work
)

// Queue is the work that is due, as one process does it: it claims jobs, has the
// kind of each do it, and releases them.
type Queue struct {
	docs   *doc.Docs
	kinds  map[string]doc.Kind
	crew   crew
	Look   func()        // is called whenever work is looked for; nil: nothing
	nudges chan struct{} // holds one: "something became due in this process"
}

// New returns a queue, and has docs nudge it.
func New(docs *doc.Docs) *Queue {
	q := &Queue{docs: docs, nudges: make(chan struct{}, 1)}
	docs.Nudge = q.nudge
	return q
}

// Do sets the kinds whose jobs the queue does. It is called once, before Run.
func (q *Queue) Do(kinds map[string]doc.Kind) { q.kinds = kinds }

// nudge wakes Run in this process.
func (q *Queue) nudge() {
	select {
	case q.nudges <- struct{}{}:
	default:
	}
}

// Run works on due tables until ctx ends, and returns when what is in hand is
// finished, 8 s later at most.
func (q *Queue) Run(ctx context.Context) error {
	q.crew.open(ctx)
	defer q.crew.close()
	for ctx.Err() == nil {
		room := q.crew.room()
		var next time.Time
		failed := false
		if room > 0 {
			// A stop must not cut the answer off: what it tells of would wait for the end of its lease.
			claim, cancel := context.WithTimeout(context.WithoutCancel(ctx), claiming)
			now := q.docs.Now()
			jobs, at, err := q.docs.Store.Claim(claim, now, Lease, room)
			cancel()
			failed = err != nil
			if failed && ctx.Err() == nil {
				q.docs.Log.Error("claim work", "err", err)
			}
			next = at
			for _, job := range jobs {
				q.begin(job, now.Add(Lease))
			}
			if !failed {
				q.Look()
			}
		}
		wait := poll
		switch {
		case failed:
			wait = retry
		case room > 0 && !next.IsZero():
			wait = min(wait, max(0, next.Sub(q.docs.Now())))
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-q.nudges:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// begin has a worker do a job, or leaves it to others if this process stops.
func (q *Queue) begin(job store.Job, ends time.Time) {
	begun := q.crew.begin(func(ctx context.Context) {
		stop, cancel := finishing(ctx)
		defer cancel()
		q.Work(stop, job, ends)
	}, q.docs.Nudge)
	if !begun {
		q.leave(job)
	}
}

// leave lets go of a job that this process may hold, and leaves it due.
func (q *Queue) leave(job store.Job) {
	ctx, cancel := context.WithTimeout(context.Background(), claiming)
	defer cancel()
	if err := q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now()); err != nil && !errors.Is(err, store.ErrFenced) {
		q.docs.Log.Warn("leave work to others", "err", err) // its lease ends
	}
	q.docs.Nudge()
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
	return max(0, Workers-c.busy)
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

// Spare has somebody do work that no job asks for, and then after. It reports false if
// nobody works here any more.
func (q *Queue) Spare(work func(ctx context.Context), after func()) bool {
	return q.crew.begin(work, after)
}

// Hold asks for a table's job in the change that makes it due, as of now, if
// somebody here could work on it at once. It is nil if not: others will.
func (q *Queue) Hold(id string, now time.Time) *store.Hold {
	if q.crew.room() == 0 {
		return nil
	}
	return &store.Hold{ID: doc.TableName(id), Token: 1<<62 + rand.Int64N(1<<62), Until: now.Add(Lease)}
}

// finishing returns a context that outlives ctx by the time that work in hand
// may still take.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finish, cancel) })
	return out, func() { stop(); cancel() }
}

// Work does one job, held until its lease ends: what time demands, then what should be seen.
func (q *Queue) Work(ctx context.Context, job store.Job, ends time.Time) {
	kind, id, _ := strings.Cut(job.ID, ":")
	log := q.docs.Log
	if kind == "table" {
		log = log.With("table", id)
	}
	defer func() {
		// A fault in one table must not take the others with it; its lease ends by itself.
		if r := recover(); r != nil {
			log.Error("panic at work", "value", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
		}
	}()
	err := error(doc.ErrNewer)
	if do := q.kinds[kind].Job; do != nil {
		err = do(ctx, id, job, ends)
	}
	switch {
	case err == nil, errors.Is(err, store.ErrFenced):
		return
	case errors.Is(err, doc.ErrNoTable):
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), time.Time{})
	case errors.Is(err, doc.ErrNewer):
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now().Add(NewerFor))
	case doc.Unreadable(err):
		log.Error("work on what is due", "err", err)
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now().Add(NewerFor))
	default:
		log.Error("work on what is due", "err", err)
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now().Add(retry))
	}
	if err != nil && !errors.Is(err, store.ErrFenced) {
		log.Warn("release what was due", "err", err)
	}
}

// Complete commits what a job has come to, again and again while the store is
// away: what was sent and is not noted would be sent twice.
func (q *Queue) Complete(ctx context.Context, c store.Change, ends time.Time) error {
	for {
		c.Now = q.docs.Now()
		err := q.docs.Store.Commit(ctx, c)
		if err == nil || errors.Is(err, store.ErrFenced) || errors.Is(err, store.ErrConflict) || doc.Unreadable(err) || c.Now.After(ends) {
			return err
		}
		if !chat.Pause(ctx, retry) {
			return err
		}
	}
}

// Pardon is how long to leave alone what failed with err.
func Pardon(err error) time.Duration {
	if errors.Is(err, doc.ErrNewer) || doc.Unreadable(err) {
		return NewerFor
	}
	return retry
}

// Earlier is the earlier of two times, where zero is never.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
