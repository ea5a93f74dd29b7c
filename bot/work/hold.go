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

// How things are held that only one process may do at a time.
const (
	holdRenew  = 750 * time.Millisecond   // how often a holder shows that it lives
	holdEffort = time.Second              // how long one sign of life, or one look, may take
	holdAgain  = 100 * time.Millisecond   // when to try again what failed
	holdFor    = 12 * time.Second         // how long a holder goes on without a sign: a Redis stalled for 10 s is outlasted
	holdWatch  = 13500 * time.Millisecond // how long a hold has to stand unchanged before somebody else takes it
	holdLook   = 500 * time.Millisecond   // how often those who stand by look
	holdKept   = time.Hour                // when a hold that nobody wants any more goes away
)

// Hold returns the Holder of processes that share s. When a process is stopped,
// another continues at once what it held. When it is killed, another continues
// within 15 s, or at once if both find the same file to lock in one of the
// directories: a process that is started again after a kill does not wait.
//
// A hold is a document that its holder writes again and again. No clock but the
// reader's own counts, and of that only how much time has passed: the holder
// stops when its last sign of life is 12 s old, and another takes over who has
// seen the document unchanged for longer than that. A lock that has ended says
// sooner that the holder is dead: see lockFile.
func Hold(s store.Store, log *slog.Logger, dirs ...string) chat.Holder {
	return holdWith(s, log, func(holder string) (*lockFile, error) { return openLock(holder, dirs...) })
}

// holdWith is Hold with another way to open a lock file.
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
			keeping, over := context.WithCancel(context.WithoutCancel(ctx)) // what is in hand when ctx ends is still held
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

// hold is one process's part in a hold.
type hold struct {
	store  store.Store
	key    store.Key
	holder string    // a random name
	lock   *lockFile // nil: none
}

type holdDoc struct {
	Holder string `json:"holder"`
	Lock   string `json:"lock,omitempty"` // the name of its lock file
}

// doc returns the document of this holder.
func (h hold) doc() []byte {
	d := holdDoc{Holder: h.holder}
	if h.lock != nil {
		d.Lock = h.lock.name
	}
	return doc.Encode(d)
}

// Kinds returns the kind of document that a hold is.
func Kinds() []doc.Kind {
	return []doc.Kind{{Name: "hold", Owner: doc.OfOne, New: func() any { return new(holdDoc) }}}
}

// write makes the document this holder's, or deletes it, if it still stands as it was read.
func (h hold) write(ctx context.Context, read store.Doc, data []byte) error {
	return h.store.Commit(ctx, store.Change{Partition: h.key.Partition, Writes: []store.Write{{
		Name: h.key.Name, Expect: read.Version, Data: data, Expires: time.Now().Add(holdKept),
	}}})
}

// read returns the document, and whether it is this holder's, or that of a dead one.
func (h hold) read(ctx context.Context) (stored store.Doc, mine, dead bool, err error) {
	docs, err := h.store.Get(ctx, h.key)
	if err != nil {
		return stored, false, false, err
	}
	var d holdDoc
	_ = doc.Decode(docs[0], &d) // what cannot be read is somebody else's
	return docs[0], d.Holder == h.holder, h.lock.dead(d), nil
}

// take waits until the hold is this process's, and says since when. It reports
// false when ctx ends first.
func (h hold) take(ctx context.Context, log *slog.Logger) (since time.Time, ok bool) {
	var seen int64   // the version that was read last
	var at time.Time // when it was read for the first time
	var died int64   // the version that was a dead holder's
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
			case dead: // its connections may end a little later than its lock
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

// keep shows again and again that the holder lives, until ctx ends. It reports
// whether the hold was lost before. since is when the last sign was begun.
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

// release lets the next one have its turn at once.
func (h hold) release(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), holdEffort)
	defer cancel()
	for {
		doc, mine, _, err := h.read(ctx)
		if err == nil && mine {
			err = h.write(ctx, doc, nil)
		}
		switch {
		case errors.Is(err, store.ErrConflict): // with the last sign of life, which was given up half way
			continue
		case err != nil:
			log.Warn("end a turn", "err", err)
		}
		return
	}
}
