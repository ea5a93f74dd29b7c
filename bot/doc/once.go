package doc

import (
	"context"
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Somebody may tell of the same event twice: a proxy that repeats a request, or a
// stranger who has recorded one. Commits of inputs that name their event (Input.Once)
// therefore write a document of that name (seen:<event>) that must not be there yet.
// It is in the partition of the change itself, so that one commit does both.

// seenDoc is all that is kept of an event: that it happened.
type seenDoc struct{}

// Kinds returns the kind of document that such a note is. No backup has it.
func Kinds() []Kind {
	return []Kind{{Name: "seen", New: func() any { return new(seenDoc) }}}
}

func seenName(event string) string { return "seen:" + event }

// ErrRepeated refuses an event whose change was made before: whoever did it has been told.
var ErrRepeated = &chat.Refusal{Outcome: chat.Refused}

// CommitOnce commits a change, for the first time that an event makes one; then it is
// ErrRepeated. An event without a name may happen any number of times.
func (d *Docs) CommitOnce(ctx context.Context, event string, c store.Change) error {
	if event == "" {
		return d.Store.Commit(ctx, c)
	}
	key := store.Key{Partition: c.Partition, Name: seenName(event)}
	c.Writes = append(c.Writes, store.Write{Name: key.Name, Data: Encode(seenDoc{}), Expires: c.Now.Add(chat.OnceFor)})
	err := d.Store.Commit(ctx, c)
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
