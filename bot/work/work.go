// Package work runs jobs when they are due. A job is the name of a document, such as
// "table:<id>", with a due time. When the time comes, one process claims the job with a
// lease and does it. If that process dies, another one takes over after the lease.
//
// [Queue] finds due jobs and passes each to the kind that its name begins with (see
// doc.Kind). Start with Queue.Run. election.go elects the one process that may poll a
// platform. process_linux.go tells whether another process of this machine is alive.
// think.go shares the processor among the AI's computations. idle.go keeps those that
// nobody waits for out of their way. brake.go stops processes that take each other's jobs.
package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Parameters of the queue.
const (
	Lease    = 12 * time.Second        // lease of a job; players notice a crash for at most 3 s longer
	Showing  = 5 * time.Second         // time limit of one round of deliveries: less than half a lease
	Delivery = 2 * time.Second         // a round starts no further delivery once less than this is left of it
	poll     = 500 * time.Millisecond  // how often to look for due jobs without a nudge
	Workers  = 64                      // how many jobs one process runs at once
	retry    = time.Second             // wait before a retry of a job that failed
	insists  = time.Minute             // how long a worker tries to store what it did: a failover of Redis takes half of it
	finish   = 6 * time.Second         // time limit of running jobs after a stop: longer than Showing
	leaving  = 1900 * time.Millisecond // time limit of giving back a job after that: Run has promised 8 s for both
	NewerFor = time.Minute             // wait before this process's retry if a document has a newer schema or is unreadable
	claiming = store.Late              // timeout of a claim
	batch    = 8                       // how many jobs one look claims at most,
	pause    = 20 * time.Millisecond   // and how long it then waits: what is late, as after a start, must not hold up presses

	maxWarned = 1024 // maximum number of jobs to remember as left to newer versions
)

// Queue runs the due jobs in one process. It claims jobs, runs each by its kind, and
// releases those that fail.
type Queue struct {
	docs  *doc.Docs
	kinds map[string]doc.Kind // while Run runs
	jobs  context.Context     // of all jobs that Run runs
	pool  pool
	brake brake
	Idle  *Idle // capacity that no press and no other job needs

	mu     sync.Mutex
	warned cache.Cache[string, struct{}] // jobs of a newer version, of which the log tells
}

// New returns a queue. docs.Wakes wakes its Run.
func New(docs *doc.Docs) *Queue { return &Queue{docs: docs, Idle: NewIdle()} }

// Run runs the due jobs of these kinds until ctx ends, and calls look after each successful look for due jobs.
// It returns when the jobs in progress are finished, at most 8 s later.
func (q *Queue) Run(ctx context.Context, kinds map[string]doc.Kind, look func()) error {
	jobs, cancel := finishing(ctx)
	defer cancel()
	q.kinds, q.jobs = kinds, jobs
	q.pool.open(ctx)
	defer q.pool.close()
	for ctx.Err() == nil {
		room, rest := min(q.pool.free(), batch), q.brake.rest()
		if rest > 0 {
			room = 0
		}
		var next time.Time
		failed, full := false, false
		if room > 0 {
			// A stop must not cancel the claim: jobs that it had already claimed would wait until their leases expire.
			claim, cancel := context.WithTimeout(context.WithoutCancel(ctx), claiming)
			now := q.docs.Now()
			jobs, at, err := q.docs.Store.Claim(claim, now, Lease, room)
			cancel()
			failed = err != nil
			if failed && ctx.Err() == nil {
				q.docs.Log.Error("claim work", "err", err)
			}
			next = at
			full = len(jobs) == batch
			for _, job := range jobs {
				q.begin(job, now.Add(Lease))
			}
			if !failed {
				look()
			}
		}
		if full && !chat.Pause(ctx, pause) {
			break
		}
		wait := poll
		switch {
		case failed:
			wait = retry
		case rest > 0:
			wait = min(wait, rest)
		case room > 0 && !next.IsZero():
			wait = min(wait, max(0, next.Sub(q.docs.Now())))
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-q.docs.Wakes:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// begin starts a job, or releases it to other processes if this one is stopping.
func (q *Queue) begin(job store.Job, ends time.Time) {
	begun := q.pool.begin(func(ctx context.Context) {
		if ctx.Err() != nil { // the store's answer came after the stop
			q.leave(job)
			return
		}
		q.Work(q.jobs, q.kinds, job, ends)
	}, q.docs.Nudge)
	if !begun {
		q.leave(job)
	}
}

// leave releases a job that this process may hold, so that it is due at once.
func (q *Queue) leave(job store.Job) {
	ctx, cancel := context.WithTimeout(context.Background(), leaving)
	defer cancel()
	if err := q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now()); err != nil && !errors.Is(err, store.ErrFenced) {
		q.docs.Log.Warn("leave work to others", "err", err) // other processes can take it when its lease expires
	}
	q.docs.Nudge()
}

// pool is the pool of workers of a running Queue.
type pool struct {
	mu   sync.Mutex
	ctx  context.Context // context of Run; nil while Run isn't running
	last context.Context // context of the latest Run; nil: there was none
	busy int             // number of running workers, without jobs that wait in Yield
	all  sync.WaitGroup
}

func (p *pool) open(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ctx, p.last = ctx, ctx
}

// close stops new work, and waits for the running work.
func (p *pool) close() {
	p.mu.Lock()
	p.ctx = nil
	p.mu.Unlock()
	p.all.Wait()
}

// free returns how many more workers can start.
func (p *pool) free() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx == nil || p.ctx.Err() != nil {
		return 0
	}
	return max(0, Workers-p.busy)
}

// add adds to the number of running workers, and returns a context that ends when Run has to stop.
func (p *pool) add(by int) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy += by
	if p.last == nil {
		return context.Background()
	}
	return p.last
}

// begin runs work and then after, in another goroutine. It returns false if the pool is closed.
func (p *pool) begin(work func(ctx context.Context), after func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx == nil {
		return false
	}
	p.busy++
	ctx := p.ctx
	p.all.Go(func() {
		defer func() {
			p.mu.Lock()
			p.busy--
			p.mu.Unlock()
			after()
		}()
		chat.Deep()
		work(ctx)
	})
	return true
}

// Spare runs work that isn't a job, and then after, in another goroutine. It returns
// false if the queue isn't running.
func (q *Queue) Spare(work func(ctx context.Context), after func()) bool {
	return q.pool.begin(work, after)
}

// Yield lets a job wait that can't continue yet, and then continues it with then. The job ends with Yield's result. While
// it waits, it isn't counted as one of the Workers, so the queue can start another one, and it has no large stack. The
// context passed to wait ends when the queue has to stop.
func (q *Queue) Yield(ctx context.Context, job store.Job, wait func(stop context.Context), then func() error) error {
	stop := q.pool.add(0)
	q.pool.all.Go(func() {
		q.Idle.Begin()
		defer q.Idle.End()
		wait(stop)
		q.pool.add(1)
		defer q.docs.Nudge()
		defer q.pool.add(-1)
		chat.Deep()
		q.work(ctx, job, then)
	})
	return errYielded
}

// errYielded is the result of a job that continues later.
var errYielded = errors.New("the job waits")

// Claim returns a claim of a table's job, to be part of the commit that makes the job
// due. It returns nil if no worker of this process is free: then any process may claim
// the job.
func (q *Queue) Claim(id string, now time.Time) *store.Claim {
	if q.pool.free() == 0 {
		return nil
	}
	keys, _ := doc.TableKeys(id)
	return &store.Claim{
		ID: doc.TableName(id), Token: store.NewToken(), Until: now.Add(Lease), Read: []string{keys[0].Name, keys[1].Name, keys[2].Name},
	}
}

// finishing returns a context that outlives ctx by finish, so that running jobs can end well.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finish, cancel) })
	return out, func() { stop(); cancel() }
}

// Work runs one job of these kinds, whose lease expires at ends. If the job fails, Work releases it
// and sets the time of a retry if one makes sense.
func (q *Queue) Work(ctx context.Context, kinds map[string]doc.Kind, job store.Job, ends time.Time) {
	kind, id, _ := strings.Cut(job.ID, ":")
	q.work(ctx, job, func() error { return q.do(ctx, kinds[kind], id, job, ends) })
}

// work does a job or the rest of one. If it fails, work does what Work says.
func (q *Queue) work(ctx context.Context, job store.Job, do func() error) {
	kind, id, _ := strings.Cut(job.ID, ":")
	log := func() *slog.Logger {
		if kind == "table" {
			return q.docs.Log.With("table", id)
		}
		return q.docs.Log
	}
	defer func() {
		// A panic in one job must not end the others. The job becomes due again when its lease expires.
		if r := recover(); r != nil {
			log().Error("panic at work", "value", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
		}
	}()
	err := do()
	switch {
	case err == nil, errors.Is(err, errYielded):
		return
	case errors.Is(err, store.ErrFenced): // another process does it, and may have read what this one changed before it did
		err = Insist(ctx, func(ctx context.Context) error {
			now := q.docs.Now()
			return q.docs.Store.Commit(ctx, store.Change{Partition: job.Partition, Due: []store.Mark{{ID: job.ID, At: now}}, Now: now})
		})
	case errors.Is(err, doc.ErrNoTable):
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), time.Time{})
	case errors.Is(err, doc.ErrNewer):
		q.mu.Lock()
		first := q.warned.Add(job.ID, struct{}{}, maxWarned)
		q.mu.Unlock()
		if first {
			log().Warn("a newer version of this program has to do what is due", "kind", kind)
		}
		err = q.pass(ctx, job)
	case ctx.Err() != nil: // this process stops, and another one does the job
		log().Warn("a stop cut off work on what is due", "err", err)
		q.leave(job)
		return
	case doc.Unreadable(err):
		log().Error("work on what is due", "err", err)
		err = q.pass(ctx, job)
	default:
		log().Error("work on what is due", "err", err)
		err = q.docs.Store.Release(ctx, job, q.docs.Now(), q.docs.Now().Add(retry))
	}
	if err != nil && !errors.Is(err, store.ErrFenced) {
		log().Warn("release what was due", "err", err)
	}
}

// pass releases a job that this process can't do. It is due since the same time as before, so that another process can do
// it at once.
func (q *Queue) pass(ctx context.Context, job store.Job) error {
	c := store.Change{Partition: job.Partition, Done: &job, Next: job.Due, Leave: NewerFor, Now: q.docs.Now()}
	if job.Due.IsZero() { // claimed by the commit that made it due
		c.Next = c.Now
	}
	return q.docs.Store.Commit(ctx, c)
}

// do does the job, if this program knows its kind.
func (q *Queue) do(ctx context.Context, k doc.Kind, id string, job store.Job, ends time.Time) error {
	if k.Job == nil {
		return doc.ErrNewer
	}
	if !k.Idle {
		q.Idle.Begin()
		defer q.Idle.End()
	}
	return k.Job(ctx, id, job, ends)
}

// Complete commits the result of a job, with retries while the store fails. A message
// that was sent but not recorded would be sent twice. If the clock has stepped back since
// the job began, its times can't be believed, so the job is due again at once. If it has stepped ahead, the lease only seems
// to be over; if the lease is over, the commit is fenced.
func (q *Queue) Complete(ctx context.Context, c store.Change, ends time.Time) error {
	first := true
	return Insist(ctx, func(ctx context.Context) error {
		c.Now = q.docs.Now()
		if !store.Believed(ends, c.Now, Lease) {
			c.Next = c.Now
		}
		err := q.docs.Store.Commit(ctx, c)
		if first && errors.Is(err, store.ErrFenced) { // a repeated commit is also fenced by itself
			q.brake.lost()
		}
		first = false
		return err
	})
}

// Insist tries to store something, again and again while the store fails, for up to a minute. Meanwhile, a lease may be over:
// then the commit is fenced if another process has taken the job.
func Insist(ctx context.Context, try func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, insists)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil || errors.Is(err, store.ErrFenced) || errors.Is(err, store.ErrConflict) || errors.Is(err, doc.ErrNewer) || doc.Unreadable(err) || !chat.Pause(ctx, retry) {
			return err
		}
	}
}

// Pardon returns how long to wait before a retry of a job that failed with err.
func Pardon(err error) time.Duration {
	if errors.Is(err, doc.ErrNewer) || doc.Unreadable(err) {
		return NewerFor
	}
	return retry
}

// Earlier returns the earlier of two times, where the zero time means never.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
