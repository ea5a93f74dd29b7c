package doc

import (
	"context"
	"errors"

	"sedmabot/store"
)

// ErrSame: nothing has to be written.
var ErrSame = errors.New("nothing changed")

// Retry calls try until it no longer fails with store.ErrConflict, and returns
// its error; after Attempts conflicts, ErrBusy. try loads what it changes anew
// each time.
func Retry(try func() error) error {
	for range Attempts {
		if err := try(); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return ErrBusy
}

// Update loads documents, lets step make a change of them and commits it, as
// often as it takes. c comes with its time, and the partition of the first key.
// It is committed once for an event unless that is "". step must have no effect
// of its own. Its error is returned as it is, except that nothing is committed
// and nil returned after ErrSame.
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

// Commit is CommitOnce, and wakes the workers if the change makes work due.
func (d *Docs) Commit(ctx context.Context, event string, c store.Change) error {
	err := d.CommitOnce(ctx, event, c)
	if err == nil && len(c.Due) > 0 {
		d.Nudge()
	}
	return err
}

// Set loads a document of settings into doc, lets step change it and commits
// it, once for an event unless that is "", and makes the job of the same name due,
// which brings the change to the open tables.
func Set[D any](ctx context.Context, d *Docs, event string, key store.Key, doc *D, step func() error) error {
	return d.Update(ctx, event, []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		*doc = *new(D)
		if err := Decode(docs[0], doc); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: Encode(doc)}}
		c.Due = []store.Mark{{ID: key.Name, At: c.Now}}
		return nil
	})
}
