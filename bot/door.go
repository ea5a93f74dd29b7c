package bot

import (
	"context"
	"reflect"
	"time"

	"sedmabot/store"
)

// keepDoor is how long the door to a person's private chat is kept while nothing else
// is kept of them.
const keepDoor = 90 * 24 * time.Hour

// door returns the door to a person's private chat, and keeps it in the store: a
// platform opens only so many at a time, and all processes need it.
func (b *Bot) door(ctx context.Context, p Platform, player string) (Address, error) {
	key := playerKey(player)
	var read *store.Doc // nil: it was not read, or cannot be
	var doc playerDoc
	at, err := p.Door(ctx, player, func() Address {
		docs, err := b.docs.Store.Get(ctx, key)
		if err == nil && decode(docs[0], &doc) == nil {
			read = &docs[0]
		}
		return doc.Door
	})
	if err != nil || read == nil || at == doc.Door || doc.Erasing {
		return at, err // what is not kept now is asked for again
	}
	doc.Door = at
	now := b.docs.Now()
	if err := b.docs.Store.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{doc.write(*read, now)}, Now: now}); err != nil {
		b.docs.Log.Debug("keep the door to a private chat", "err", err)
	}
	return at, nil
}

// write returns the write that puts d in the place of the document as it was read.
// A document that holds nothing is deleted, and one that holds only a door expires.
func (d playerDoc) write(read store.Doc, now time.Time) store.Write {
	w := store.Write{Name: read.Key.Name, Expect: read.Version}
	rest := d
	rest.Door = ""
	switch empty := reflect.ValueOf(rest).IsZero(); {
	case empty && d.Door == "":
		return w
	case empty:
		w.Expires = now.Add(keepDoor)
	}
	w.Data = encode(d)
	return w
}
