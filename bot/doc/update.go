package doc

import (
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/store"
)

// ErrSame reports that nothing has changed, so nothing has to be written.
var ErrSame = errors.New("nothing changed")

// Retry calls try until it no longer fails with store.ErrConflict, and returns its
// error. After Attempts conflicts it returns ErrBusy. try must load the documents that
// it changes again on each call.
func Retry(try func() error) error {
	for range Attempts {
		if err := try(); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return ErrBusy
}

// Update loads documents, lets step build a change from them, and commits it, with
// retries after conflicts. c has its time set, and the partition of the first key.
// Unless event is "", the change is committed only once for that event. step may run
// several times, so it must have no side effects. If step returns an error, nothing is
// committed and Update returns that error, or nil for ErrSame.
func (d *Docs) Update(ctx context.Context, event string, keys []store.Key, step func(docs []store.Doc, c *store.Change) error) error {
	err := Retry(func() error {
		docs, err := d.Store.Get(ctx, keys...)
		if err != nil {
			return err
		}
		c := store.Change{Partition: keys[0].Partition, Now: d.Now()}
		if err := step(docs, &c); err != nil {
			return err
		}
		return d.Commit(ctx, event, c)
	})
	if errors.Is(err, ErrSame) {
		return nil
	}
	return err
}

// Commit is CommitOnce, and then wakes the workers if the change makes a job due now.
func (d *Docs) Commit(ctx context.Context, event string, c store.Change) error {
	err := d.CommitOnce(ctx, event, c)
	if err == nil && slices.ContainsFunc(c.Due, func(m store.Mark) bool { return !m.At.After(d.Now()) }) {
		d.Nudge()
	}
	return err
}

// Nudge wakes the queue of this process after a commit that made a job due.
func (d *Docs) Nudge() {
	select {
	case d.Wakes <- struct{}{}:
	default:
	}
}

// Set changes a document of settings: it loads the document into doc, lets step change
// doc, and commits it. The commit makes the job of the same name due, which copies the
// settings to the open tables. Unless event is "", it happens only once for that event.
func Set[D any](ctx context.Context, d *Docs, event string, key store.Key, doc *D, step func() error) error {
	return d.Update(ctx, event, []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		*doc = *new(D)
		if err := Decode(docs[0], doc); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
		c.Writes = []store.Write{WriteOf(docs[0], doc, c.Now)}
		c.Due = []store.Mark{{ID: key.Name, At: c.Now}}
		return nil
	})
}

// Expiring is a document that says itself when it expires. Every write of it uses that, also that of a restore.
type Expiring interface {
	// Expiry returns when the document expires if it is written now; zero: never. keep is false if it is empty, so that it
	// isn't stored at all.
	Expiry(now time.Time) (expires time.Time, keep bool)
}

// WriteOf returns the write that replaces the document that was read with v, which may be [Expiring].
func WriteOf(read store.Doc, v any, now time.Time) store.Write {
	w := store.Write{Name: read.Key.Name, Expect: read.Version}
	if e, ok := v.(Expiring); ok {
		keep := false
		if w.Expires, keep = e.Expiry(now); !keep {
			return store.Write{Name: read.Key.Name, Expect: read.Version}
		}
	}
	w.Data = Encode(v)
	return w
}
