package work

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// kindName is the stored name of the kind of the leaders' documents, and begins their keys.
const kindName = "hold"

// Timing of elections. A heartbeat is a renewal of the leader's document.
const (
	heartbeatEvery   = 750 * time.Millisecond // interval between heartbeats
	heartbeatTimeout = time.Second            // timeout of one heartbeat or one poll
	retryAfter       = 100 * time.Millisecond // wait before a retry
	leaderFor        = 12 * time.Second       // how long a leader continues without a heartbeat: enough for a Redis that stalls for 10 s
	takeOverAfter    = 13 * time.Second       // how long the document must be unchanged before another process takes over
	pollEvery        = 500 * time.Millisecond // interval between polls of waiting processes
)

// Elect returns the election among processes that share s. If the leader is stopped, another
// process takes over at once. If it is killed, another takes over within 15 s, or at
// once if both are processes of the same machine, outside of containers.
//
// The leader has a document that it renews again and again. It never expires, and clocks
// of different processes are never compared: each process only measures elapsed time. The
// leader stops when its last heartbeat is 12 s old. Another process takes over when it has
// seen the document unchanged for longer than that. The document also names the leader's
// process, if the system has a name for it, so that others notice sooner that it is dead.
//
// A process may be frozen for a while, and then go on where it was. So the context of the
// task checks the age of the last heartbeat whenever it is asked for its error.
func Elect(s store.Store, log *slog.Logger) chat.Election { return elect(s, log, thisProcess()) }

// ElectPatiently is like Elect, but nobody takes over at once from a process that was killed.
func ElectPatiently(s store.Store, log *slog.Logger) chat.Election { return elect(s, log, "") }

func elect(s store.Store, log *slog.Logger, process string) chat.Election {
	return func(ctx context.Context, name string, run func(ctx context.Context) error) error {
		h := candidate{store: s, key: store.Key{Partition: store.Partition(name), Name: kindName + ":" + name}, name: rand.Text(), process: process}
		log := log.With("hold", name)
		for {
			since, ok := h.take(ctx, log)
			if !ok {
				return nil
			}
			log.Info("it is this process's turn")
			running := newLead(ctx, since)
			keeping, over := context.WithCancel(context.WithoutCancel(ctx)) // this process stays leader until run returns, even after ctx has ended
			lost := make(chan bool, 1)
			go func() {
				lost <- h.keep(keeping, running, log)
				running.stop()
			}()
			err := run(running)
			over()
			old := running.old()
			running.stop()
			if !<-lost && !old {
				h.release(ctx, log)
				return err
			}
			log.Warn("the turn of this process is over: it stands by", "err", err)
		}
	}
}

// lead is the context of a leader's task. It ends when the last heartbeat is too old.
type lead struct {
	context.Context
	stop  context.CancelFunc
	since atomic.Pointer[time.Time] // when the last successful heartbeat began
}

func newLead(ctx context.Context, since time.Time) *lead {
	l := &lead{}
	l.Context, l.stop = context.WithCancel(ctx)
	l.since.Store(&since)
	return l
}

// ends returns when the lead ends without another heartbeat.
func (l *lead) ends() time.Time { return l.since.Load().Add(leaderFor) }

func (l *lead) old() bool { return time.Until(l.ends()) <= 0 }

// Err implements context.Context.
func (l *lead) Err() error {
	if l.old() {
		l.stop()
	}
	return l.Context.Err()
}

// candidate is a process in an election.
type candidate struct {
	store   store.Store
	key     store.Key
	name    string // this process's random name
	process string // this process's name on its machine, or ""
}

// leaderDoc is the stored document of a leader.
type leaderDoc struct {
	Name    string `json:"holder,omitempty"`
	Process string `json:"process,omitempty"` // name of the leader's process on its machine
	Number  int    `json:"number,omitempty"`  // what the processes agree on; then there is no leader, and nothing else is set
}

// doc returns the document that makes this process the leader.
func (h candidate) doc() []byte { return doc.Encode(leaderDoc{Name: h.name, Process: h.process}) }

// Kinds returns the kinds of the leaders' documents, and of those by which processes share limits.
func Kinds() []doc.Kind {
	return []doc.Kind{
		{Name: kindName, Owner: doc.OfOne, New: func() any { return new(leaderDoc) }},
		{Name: budgetName, Owner: doc.OfOne, New: func() any { return new(budget.Quotas) }},
	}
}

// write replaces the document with data, or deletes it if data is nil. It fails with a
// conflict if the document has changed since it was read.
func (h candidate) write(ctx context.Context, read store.Doc, data []byte) error {
	return h.store.Commit(ctx, store.Change{Partition: h.key.Partition, Writes: []store.Write{{Name: h.key.Name, Expect: read.Version, Data: data}}})
}

// read returns the document. mine reports whether this process is the leader, and ended
// whether the leader's process certainly has ended.
func (h candidate) read(ctx context.Context) (stored store.Doc, mine, ended bool, err error) {
	docs, err := h.store.Get(ctx, h.key)
	if err != nil {
		return stored, false, false, err
	}
	var d leaderDoc
	_ = doc.Decode(docs[0], &d) // an unreadable document counts as another leader's
	return docs[0], d.Name == h.name, dead(d.Process), nil
}

// take waits until this process is the leader. since is when its successful
// attempt began. take returns false if ctx ends first.
func (h candidate) take(ctx context.Context, log *slog.Logger) (since time.Time, ok bool) {
	var seen int64   // the version at the last read
	var at time.Time // when that version was first read
	waiting := false
	for ctx.Err() == nil {
		began, wait := time.Now(), pollEvery
		limited, cancel := context.WithTimeout(ctx, heartbeatTimeout)
		doc, mine, ended, err := h.read(limited)
		if err == nil {
			if doc.Version != seen {
				seen, at = doc.Version, time.Now()
			}
			switch {
			case doc.Version == 0, mine, ended, time.Since(at) >= takeOverAfter:
				err = h.write(limited, doc, h.doc())
				ok = err == nil
			default:
				wait = min(wait, takeOverAfter-time.Since(at))
				if !waiting {
					waiting = true
					log.Info("another process's turn: this one stands by")
				}
			}
		}
		cancel()
		switch {
		case ok:
			return began, true
		case err != nil && !errors.Is(err, store.ErrConflict) && ctx.Err() == nil:
			log.Warn("take a turn", "err", err)
		}
		chat.Pause(ctx, wait)
	}
	return since, false
}

// keep sends heartbeats of l until ctx ends, and reports whether another process took over
// before that.
func (h candidate) keep(ctx context.Context, l *lead, log *slog.Logger) (lost bool) {
	wait := heartbeatEvery
	for chat.Pause(ctx, wait) {
		began := time.Now()
		limited, cancel := context.WithTimeout(ctx, min(heartbeatTimeout, time.Until(l.ends())))
		doc, mine, _, err := h.read(limited)
		if err == nil && mine {
			err = h.write(limited, doc, h.doc())
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return false
		case err == nil && !mine:
			return true
		case err == nil:
			wait = heartbeatEvery
			l.since.Store(&began)
		default:
			log.Warn("keep a turn", "err", err)
			if wait = min(retryAfter, time.Until(l.ends())); wait <= 0 {
				return true
			}
		}
	}
	return false
}

// release deletes the document, so that another process can take over at once.
func (h candidate) release(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeatTimeout)
	defer cancel()
	for {
		doc, mine, _, err := h.read(ctx)
		if err == nil && mine {
			err = h.write(ctx, doc, nil)
		}
		switch {
		case errors.Is(err, store.ErrConflict): // with the last heartbeat, which was cancelled but committed all the same
			continue
		case err != nil:
			log.Warn("end a turn", "err", err)
		}
		return
	}
}
