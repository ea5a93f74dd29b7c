package doc

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// The same event may arrive twice: a proxy retries a request, or an attacker replays a
// recorded one. If an input identifies its event (Input.Once), its commit therefore
// also writes a document seen:<event>, which must not exist yet. The document is in
// the partition of the change, so one commit does both. Moves at a table are noted there instead: see Table.Events.

// seenDoc is the document of a handled event. It has no data.
type seenDoc struct{}

// Expiry implements [Expiring].
func (seenDoc) Expiry(now time.Time) (time.Time, bool) { return now.Add(chat.OnceFor), true }

// Kinds returns the kind of the documents of handled events. It has no Owner, because
// no backup contains them.
func Kinds() []Kind {
	return []Kind{{Name: "seen", New: func() any { return new(seenDoc) }}}
}

func seenName(event string) string { return "seen:" + event }

// ErrRepeated reports that the event's change was committed before. It has no text,
// because the person has already had a reply.
var ErrRepeated = &chat.Refusal{Outcome: chat.Refused}

// CommitOnce commits the change of an event, unless that event has already made one.
// Then the error is ErrRepeated. If event is "", the commit is unconditional.
func (d *Docs) CommitOnce(ctx context.Context, event string, c store.Change) error {
	if event == "" {
		return d.Store.Commit(ctx, c)
	}
	key := store.Key{Partition: c.Partition, Name: seenName(event)}
	c.Writes = append(c.Writes, WriteOf(store.Doc{Key: key}, seenDoc{}, c.Now))
	err := d.Store.Commit(ctx, c)
	Handled(ctx, err)
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	docs, failed := d.Store.Get(ctx, key)
	switch {
	case failed != nil:
		return failed
	case docs[0].Version != 0:
		return ErrRepeated
	}
	return err
}

// handling is the key of a context's *atomic.Pointer[bool]: whether the change of the context's event was committed
// before. nil: not known.
type handling struct{}

// Handled notes what a commit says of the context's event: without an error, that it hadn't made its change before, with
// ErrRepeated, that it had.
func Handled(ctx context.Context, err error) {
	before := errors.Is(err, ErrRepeated)
	if known, ok := ctx.Value(handling{}).(*atomic.Pointer[bool]); ok && (err == nil || before) {
		known.Store(&before)
	}
}

// Handling returns a context in which to handle an event. repeated then reports whether the event's change was
// committed, but not in this context.
func (d *Docs) Handling(ctx context.Context, event string) (in context.Context, repeated func() bool) {
	known := new(atomic.Pointer[bool])
	return context.WithValue(ctx, handling{}, known), func() bool {
		if event == "" {
			return false
		}
		if before := known.Load(); before != nil {
			return *before
		}
		var keys [store.Partitions]store.Key
		for p := range keys {
			keys[p] = store.Key{Partition: p, Name: seenName(event)}
		}
		docs, err := d.Store.Get(ctx, keys[:]...)
		return err == nil && slices.ContainsFunc(docs, func(doc store.Doc) bool { return doc.Version != 0 })
	}
}
