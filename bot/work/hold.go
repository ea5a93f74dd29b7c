package work

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Timing of holds. A heartbeat is a renewal of the hold's document.
const (
	holdRenew  = 750 * time.Millisecond   // interval between heartbeats
	holdEffort = time.Second              // timeout of one heartbeat or one poll
	holdAgain  = 100 * time.Millisecond   // wait before a retry
	holdFor    = 12 * time.Second         // how long a holder continues without a heartbeat: enough for a Redis that stalls for 10 s
	holdWatch  = 13500 * time.Millisecond // how long a hold must be unchanged before another process takes it
	holdLook   = 500 * time.Millisecond   // interval between polls of waiting processes
	holdKept   = time.Hour                // expiry of a hold's document after the last heartbeat
)

// Hold returns the Holder of processes that share s. If the holder is stopped, another
// process takes over at once. If it is killed, another takes over within 15 s. That
// too happens at once if both processes use the same lock file in one of the
// directories, so a process that is restarted after a kill doesn't wait.
//
// A hold is a document that its holder renews again and again. Clocks of different
// processes are never compared: each process only measures elapsed time. The holder
// stops when its last heartbeat is 12 s old. Another process takes over when it has
// seen the document unchanged for longer than that. A released file lock reveals a dead
// holder sooner: see lockFile.
func Hold(s store.Store, log *slog.Logger, dirs ...string) chat.Holder {
	return holdWith(s, log, func(holder string) (*lockFile, error) { return openLock(holder, dirs...) })
}

// holdWith is Hold with a given function to open the lock file.
func holdWith(s store.Store, log *slog.Logger, open func(holder string) (*lockFile, error)) chat.Holder {
	return func(ctx context.Context, name string, run func(ctx context.Context) error) error {
		h := hold{store: s, key: store.Key{Partition: store.Partition(name), Name: "hold:" + name}, holder: rand.Text()}
		log := log.With("hold", name)
		var err error
		if h.lock, err = open(h.holder); err != nil {
			log.Debug("no lock file: after a kill the next process waits", "err", err)
		}
		defer h.lock.close()
		for {
			since, ok := h.take(ctx, log)
			if !ok {
				return nil
			}
			log.Info("it is this process's turn")
			running, stop := context.WithCancel(ctx)
			keeping, over := context.WithCancel(context.WithoutCancel(ctx)) // the hold is kept until run returns, even after ctx has ended
			lost := make(chan bool, 1)
			go func() {
				lost <- h.keep(keeping, since, log)
				stop()
			}()
			err := run(running)
			stop()
			over()
			if !<-lost {
				h.release(ctx, log)
				return err
			}
			log.Warn("the turn of this process is over: it stands by", "err", err)
		}
	}
}

// hold is one process's view of a hold.
type hold struct {
	store  store.Store
	key    store.Key
	holder string    // this process's random name
	lock   *lockFile // this process's lock file, or nil
}

type holdDoc struct {
	Holder string `json:"holder"`
	Lock   string `json:"lock,omitempty"` // name of the holder's lock file
}

// doc returns the document that makes this process the holder.
func (h hold) doc() []byte {
	d := holdDoc{Holder: h.holder}
	if h.lock != nil {
		d.Lock = h.lock.name
	}
	return doc.Encode(d)
}

// Kinds returns the kind of the documents of holds.
func Kinds() []doc.Kind {
	return []doc.Kind{{Name: "hold", Owner: doc.OfOne, New: func() any { return new(holdDoc) }}}
}

// write replaces the document with data, or deletes it if data is nil. It fails with a
// conflict if the document has changed since it was read.
func (h hold) write(ctx context.Context, read store.Doc, data []byte) error {
	return h.store.Commit(ctx, store.Change{Partition: h.key.Partition, Writes: []store.Write{{
		Name: h.key.Name, Expect: read.Version, Data: data, Expires: time.Now().Add(holdKept),
	}}})
}

// read returns the document. mine reports whether it is this holder's, and dead
// whether its holder has certainly ended.
func (h hold) read(ctx context.Context) (stored store.Doc, mine, dead bool, err error) {
	docs, err := h.store.Get(ctx, h.key)
	if err != nil {
		return stored, false, false, err
	}
	var d holdDoc
	_ = doc.Decode(docs[0], &d) // an unreadable document counts as another holder's
	return docs[0], d.Holder == h.holder, h.lock.dead(d), nil
}

// take waits until this process has the hold. since is when its successful
// attempt began. take returns false if ctx ends first.
func (h hold) take(ctx context.Context, log *slog.Logger) (since time.Time, ok bool) {
	var seen int64   // the version at the last read
	var at time.Time // when that version was first read
	var died int64   // the version whose holder was found dead
	waiting := false
	for ctx.Err() == nil {
		began, wait := time.Now(), holdLook
		limited, cancel := context.WithTimeout(ctx, holdEffort)
		doc, mine, dead, err := h.read(limited)
		if err == nil {
			if doc.Version != seen {
				seen, at = doc.Version, time.Now()
			}
			switch {
			case doc.Version == 0, mine, time.Since(at) >= holdWatch, dead && doc.Version == died:
				err = h.write(limited, doc, h.doc())
				ok = err == nil
			case dead: // wait once more: its connections may end a little later than its lock
				died, wait = doc.Version, holdAgain
			case !waiting:
				waiting = true
				log.Info("another process's turn: this one stands by")
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

// keep sends heartbeats until ctx ends, and reports whether the hold was lost before
// that. since is when the last successful heartbeat began.
func (h hold) keep(ctx context.Context, since time.Time, log *slog.Logger) (lost bool) {
	wait := holdRenew
	for chat.Pause(ctx, wait) {
		began := time.Now()
		limited, cancel := context.WithTimeout(ctx, min(holdEffort, time.Until(since.Add(holdFor))))
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
			since, wait = began, holdRenew
		default:
			log.Warn("keep a turn", "err", err)
			if wait = min(holdAgain, time.Until(since.Add(holdFor))); wait <= 0 {
				return true
			}
		}
	}
	return false
}

// release deletes the document, so that another process can take the hold at once.
func (h hold) release(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), holdEffort)
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
