package doc

import (
	"context"
	"errors"

	"sedmabot/store"
)

// ErrSame: nothing has to be written.
var ErrSame = errors.New("nothing changed")

// Set loads a document of settings into doc, lets step change it and commits
// it, once for an event unless that is "", and makes the job of the same name due,
// which brings the change to the open tables.
func Set[D any](ctx context.Context, d *Docs, event string, key store.Key, doc *D, step func() error) error {
	for range Attempts {
		docs, err := d.Store.Get(ctx, key)
		if err != nil {
			return err
		}
		*doc = *new(D)
		if err := Decode(docs[0], doc); err != nil {
			return err
		}
		if err := step(); errors.Is(err, ErrSame) {
			return nil
		} else if err != nil {
			return err
		}
		now := d.Now()
		err = d.CommitOnce(ctx, event, store.Change{
			Partition: key.Partition,
			Writes:    []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: Encode(doc)}},
			Due:       []store.Mark{{ID: key.Name, At: now}},
			Now:       now,
		})
		if err == nil {
			d.Nudge()
			return nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return ErrBusy
}
