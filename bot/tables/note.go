package tables

import (
	"context"
	"errors"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Note tells whoever shows the table something, without touching the table.
func (ts *Tables) Note(ctx context.Context, id string, f func(*doc.Notes)) error {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	for range doc.Attempts {
		docs, err := ts.docs.Store.Get(ctx, keys[2])
		if err != nil {
			return err
		}
		var notes doc.Notes
		if err := doc.Decode(docs[0], &notes); err != nil {
			return err
		}
		f(&notes)
		now := ts.docs.Now()
		err = ts.docs.Store.Commit(ctx, store.Change{
			Partition: keys[2].Partition,
			Writes:    []store.Write{{Name: keys[2].Name, Expect: docs[0].Version, Data: doc.Encode(notes), Expires: now.Add(doc.KeepClosed)}},
			Due:       []store.Mark{{ID: doc.TableName(id), At: now}},
			Now:       now,
		})
		if err == nil {
			ts.docs.Nudge()
			return nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return doc.ErrBusy
}
