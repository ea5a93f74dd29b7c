package work

import (
	"context"
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Agree returns how the processes that share s agree on numbers. Each has a document that never expires. A number
// that a later version of this program has written stays as it is, and counts as 0.
func Agree(s store.Store) chat.Agree {
	return func(ctx context.Context, name string, change func(now int) int) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
		defer cancel()
		key := store.Key{Partition: store.Partition(name), Name: kindName + ":" + name}
		for {
			docs, err := s.Get(ctx, key)
			if err != nil {
				return 0, err
			}
			var d leaderDoc
			unreadable := doc.Decode(docs[0], &d) != nil
			next := change(d.Number)
			if unreadable || next == d.Number {
				return next, nil
			}
			write := store.Write{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(leaderDoc{Number: next})}
			err = s.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{write}})
			if !errors.Is(err, store.ErrConflict) {
				return next, err
			}
		}
	}
}
