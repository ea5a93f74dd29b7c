package doc

import (
	"context"
	"log/slog"
	"time"

	"sedmabot/store"
)

// Docs is the store as the shell uses it. One is shared by all parts of a Bot.
type Docs struct {
	Store store.Store
	Now   func() time.Time
	Log   *slog.Logger
	Nudge func() // wakes the workers of this process after a commit that made work due
}

// Get loads one document into v, and returns the document's version: 0 if there
// is none, which leaves v as it is.
func (d *Docs) Get(ctx context.Context, key store.Key, v any) (version int64, err error) {
	docs, err := d.Store.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	return docs[0].Version, Decode(docs[0], v)
}
