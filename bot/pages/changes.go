package pages

import (
	"context"
	"time"

	"sedmabot/bot/doc"
)

// Changes returns a channel that gets a value after each change of a table or its notes.
func (room *Room) Changes(ctx context.Context, id string) (<-chan struct{}, error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return nil, doc.ErrNoTable
	}
	out := make(chan struct{}, 1)
	go func() {
		var last int64
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			docs, err := room.docs.Store.Get(ctx, keys[0])
			if err != nil || docs[0].Version == last {
				continue
			}
			last = docs[0].Version
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}()
	return out, nil
}
