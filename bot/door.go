package bot

import (
	"context"
	"reflect"
	"time"

	"sedmabot/store"
)

// Doors is a [Platform] where a private chat has an id of its own, which the
// platform tells when it is asked to open that chat. The shell keeps it in the store:
// a platform may be asked only so often, and all processes need it.
type Doors interface {
	// Door returns what to put into Target.Door to write to a person in private. known
	// is what it returned before, perhaps in another process, or "". Its errors are
	// those of Send.
	Door(ctx context.Context, player string, known Address) (Address, error)
}

// keepDoor is how long the door to a person's private chat is kept while nothing else
// is kept of them.
const keepDoor = 90 * 24 * time.Hour

// door returns the door to a person's private chat; "" where the platform needs none.
func (b *Bot) door(ctx context.Context, p Platform, player string) (Address, error) {
	doors, ok := p.(Doors)
	if !ok {
		return "", nil
	}
	var doc playerDoc
	key := playerKey(player)
	docs, unread := b.docs.Store.Get(ctx, key)
	if unread == nil {
		unread = decode(docs[0], &doc)
	}
	at, err := doors.Door(ctx, player, doc.Door)
	if err != nil || unread != nil || at == doc.Door || doc.Erasing {
		return at, err // what is not kept now is asked for again
	}
	doc.Door = at
	now := b.docs.Now()
	if err := b.docs.Store.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{doc.write(docs[0], now)}, Now: now}); err != nil {
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
