package bot

import (
	"context"
	"errors"

	"sedmabot/store"
)

// Somebody may tell of the same event twice: a proxy that repeats a request, or a
// stranger who has recorded one. Commits of inputs that name their event (Input.Once)
// therefore write a document of that name (seen:<event>) that must not be there yet.
// It is in the partition of the change itself, so that one commit does both.

// seenDoc is all that is kept of an event: that it happened.
type seenDoc struct{}

func seenName(event string) string { return "seen:" + event }

// errRepeated: what this event changes was changed before.
var errRepeated = errors.New("the event has happened before")

// commitOnce commits a change, for the first time that an event makes one; then it is
// errRepeated. An event without a name may happen any number of times.
func commitOnce(ctx context.Context, s store.Store, event string, c store.Change) error {
	if event == "" {
		return s.Commit(ctx, c)
	}
	key := store.Key{Partition: c.Partition, Name: seenName(event)}
	c.Writes = append(c.Writes, store.Write{Name: key.Name, Data: encode(seenDoc{}), Expires: c.Now.Add(OnceFor)})
	err := s.Commit(ctx, c)
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	docs, failed := s.Get(ctx, key)
	switch {
	case failed != nil:
		return failed
	case docs[0].Version != 0:
		return errRepeated
	}
	return err
}
