package work

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"sedmabot/bot/budget"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// budgetName is the stored name of the kind of the documents by which processes share a token's limits.
const budgetName = "budget"

// budgetKept is the expiry of such a document after its last change.
const budgetKept = 10 * time.Minute

// Exchange returns how the processes that share s change a small document together.
func Exchange(s store.Store) budget.Exchange {
	return func(ctx context.Context, name string, change func(old []byte) []byte) error {
		key := store.Key{Partition: store.Partition(name), Name: budgetName + ":" + name}
		for {
			docs, err := s.Get(ctx, key)
			if err != nil {
				return err
			}
			var old json.RawMessage
			if docs[0].Version > 0 {
				_ = doc.Decode(docs[0], &old) // what another version wrote counts as nothing
			}
			err = s.Commit(ctx, store.Change{Partition: key.Partition, Writes: []store.Write{{
				Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(json.RawMessage(change(old))), Expires: time.Now().Add(budgetKept),
			}}})
			if !errors.Is(err, store.ErrConflict) || ctx.Err() != nil {
				return err
			}
		}
	}
}
